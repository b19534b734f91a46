/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A process that is held waits for grithd. With a short slice grithd has its turn before the
 * process that woke it has come to its stop, where they share a processor, and an operation that
 * grithd answers by itself goes on without ever having stopped.
 */
#include <errno.h>
#include <linux/sched/types.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "time_slice.h"

#define SLICE_NS 100000 /* the shortest that the kernel gives */
#define SCHED_NORMAL 0

int time_slice_shorten(void)
{
	struct sched_attr attributes = { .size = sizeof(attributes) };

	if (syscall(SYS_sched_getattr, 0, &attributes, sizeof(attributes), 0) < 0)
		return -errno;
	/* Under another policy sched_runtime has another meaning. */
	if (attributes.sched_policy != SCHED_NORMAL)
		return 0;
	attributes.sched_runtime = SLICE_NS;
	return syscall(SYS_sched_setattr, 0, &attributes, 0) < 0 ? -errno : 0;
}
