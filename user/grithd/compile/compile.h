/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Policies are read and compiled in processes of their own, without rights and with limits, a few
 * at a time and one for each user: the event loop never spends its time on a user's text. What came
 * of a policy is kept by the hash of all that went into it. Does not know what a policy is for.
 */
#pragma once

#include <systemd/sd-event.h>

#include "grithd/base/base.h"
#include "host_names.h"
#include "input.h"
#include "result.h"

struct compile;

/* Starts as COMPILES_NONE, with `event` set. */
struct compiles {
	sd_event *event;
	const char *program; /* executed as the child; NULL: this one */
	int kept; /* directory of the results that are kept; -1: none are */
	uint8_t build[32]; /* hash of this program: others may compile otherwise */
	sd_event_source *turn; /* of the next child */
	struct compile **list; /* those that wait go in this order */
	size_t count;
	uint64_t compiled, reused, damaged; /* children; results of earlier ones; files */
};

#define COMPILES_NONE      \
	{                  \
		.kept = -1 \
	}

/* `state_dir` is there. 0 or -errno. */
int compiles_open(struct compiles *compiles, const char *state_dir);
void compiles_close(struct compiles *compiles);

/*
 * Called from the event loop, never before compile_start() returned. 0 with a result, which the
 * callee may empty, complaints or not; or -errno. The callee may free the compile.
 */
typedef void compile_fn(void *arg, int r, struct compile_result *result);

/* Takes over the input. 0, -EBUSY where too many of the user's wait, -EFBIG, -errno. */
int compile_start(struct compiles *compiles, uint32_t uid, struct text *input, compile_fn *fn,
		  void *arg, struct compile **ret_compile);

/* Goes on after a result without an image, with what the names stand for. Errors as above. */
int compile_with_hosts(struct compile *compile, const struct policy_host *hosts, size_t n_hosts);

void compile_free(struct compile *compile);
DEFINE_CLEANUP(struct compile, compile_free)

/* What the program does that was executed with this as its only argument; its exit status. */
#define COMPILE_ARGUMENT "--compile-policy"
int compile_child(void);
