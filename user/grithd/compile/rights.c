/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The parsers that read a user's text run here, so a flaw in one of them must give nothing: no
 * user's rights, no file, no socket, no other process, and no more than a share of the machine.
 */
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "internal.h"

#define NOBODY 65534

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "which architecture does seccomp call this one?"
#endif

static int limit(int resource, rlim_t value)
{
	const struct rlimit r = { value, value };

	return setrlimit(resource, &r) < 0 ? -errno : 0;
}

static int set_limits(void)
{
#ifndef __SANITIZE_ADDRESS__ /* reserves terabytes of addresses */
	int r = limit(RLIMIT_AS, COMPILE_MEMORY_MAX);

	if (r < 0)
		return r;
#endif
	return limit(RLIMIT_CPU, COMPILE_CPU_SECONDS)
		?: limit(RLIMIT_FSIZE, COMPILE_RESULT_MAX)
		?: limit(RLIMIT_CORE, 0)
		?: limit(RLIMIT_NOFILE, 0)
		?: limit(RLIMIT_NPROC, 0);
}

/* Without privileges there are none to give up. */
static int change_user(void)
{
	if (geteuid() != 0)
		return 0;
	if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
	    setresuid(NOBODY, NOBODY, NOBODY) < 0)
		return -errno;
	return 0;
}

#define ALLOW(name)                                             \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Memory, reading and writing what is open, and the end. All else fails, and none of it matters. */
static int filter_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(read),
		ALLOW(write),
		ALLOW(fstat),
		ALLOW(lseek),
		ALLOW(brk),
		ALLOW(mmap),
		ALLOW(mremap),
		ALLOW(munmap),
		ALLOW(madvise),
		ALLOW(futex),
		ALLOW(rt_sigreturn),
		ALLOW(sigaltstack), /* the address sanitizer at the end */
		ALLOW(exit_group),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	};
	const struct sock_fprog program = { ARRAY_SIZE(filter), filter };

	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0 ? -errno : 0;
}

int compile_give_up_rights(void)
{
	int r = set_limits() ?: change_user();

	/* Behind the change of user, which takes the first one back. */
	if (r == 0 &&
	    (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0))
		r = -errno;
	return r ?: filter_calls();
}
