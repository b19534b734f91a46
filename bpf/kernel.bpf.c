/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * The kernel itself: what loads code into it, reads or writes its memory, or changes what all of
 * the machine goes by. Mostly only root can, and a session may be root's. The object is a word,
 * "kernel:bpf", and the policy has one verdict for all of them.
 *
 * Modules that the kernel itself wants are loaded by a process of its own, outside every session.
 */
#include "hook.bpf.h"
#include "object.bpf.h"

#define SYSLOG_SIZE_UNREAD 9 /* the sizes of the kernel's log tell nothing */
#define SYSLOG_SIZE_BUFFER 10

#define PERF_SECURITY_OPEN 0

#define CAP_OPT_NOAUDIT 2

#define CLONE_INTO_CGROUP 0x200000000ul

/* `quiet`: a question whose answer only decides what else is shown; it is not recorded. */
static __noinline int kernel_operation(const char *what, __u32 length, __u32 number, bool quiet,
				       bool always)
{
	struct operation o;
	int at, r = operation_begin(&o, GRITH_OP_KERNEL);

	if (r <= 0)
		return r;
	o.d->outcome = always ? OUTCOME_DENY : FIXED_OUTCOME(o.session, kernel);
	o.d->recorded = quiet;
	o.d->request.path.value = number;
	at = text_prepend(o.scratch, SCRATCH_SPACE, what, length);
	if (at >= 0) /* the length is a constant */
		o.d->at = at;
	return path_finish(&o, NULL, 0, SCRATCH_SPACE);
}

#define KERNEL_OPERATION(what)                                                                   \
	({                                                                                       \
		static const char text[] = "kernel:" what;                                       \
		session_of_current() ? kernel_operation(text, sizeof(text) - 1, 0, false, false) \
				     : 0;                                                        \
	})

HOOK(bpf, int command, void *attributes, unsigned int size)
{
	return KERNEL_OPERATION("bpf");
}

HOOK(syslog, int action)
{
	if (action == SYSLOG_SIZE_UNREAD || action == SYSLOG_SIZE_BUFFER)
		return 0;
	return KERNEL_OPERATION("log");
}

/*
 * A CPU's, the kernel's own or a tracepoint's. Events of a process need ptrace access to it. The
 * type is the last argument: the other one is gone since 6.12. So this is no HOOK, which wants to
 * know how many there are; an earlier refusal is behind them.
 */
static __always_inline int perf_operation(void *ctx)
{
	__u32 n = bpf_get_func_arg_cnt(ctx);
	__u64 type = 0;

	if (!session_of_current() || bpf_get_func_arg(ctx, n - 1, &type) ||
	    (__u32)type == PERF_SECURITY_OPEN)
		return 0;
	return KERNEL_OPERATION("perf");
}

SEC("lsm/perf_event_open")
int lsm_perf_event_open(void *ctx)
{
	return perf_operation(ctx);
}

SEC("fmod_ret/security_perf_event_open")
int mod_perf_event_open(void *ctx)
{
	return perf_operation(ctx);
}

/*
 * As if the kernel were locked down: /dev/mem, kcore, ports, MSRs, kexec, unsigned modules,
 * debugfs, tracefs, kprobes. The number is one of enum lockdown_reason.
 */
HOOK(locked_down, int what)
{
	char text[] = "kernel:lockdown:00";
	__u32 length = sizeof(text) - 1;

	if (!session_of_current())
		return 0;
	text[length - 2] += (__u32)what / 10 % 10;
	text[length - 1] += (__u32)what % 10;
	return kernel_operation(text, length, what, false, false);
}

/*
 * What has no hook of its own, or is reached on many ways, goes by the capability that it takes, in
 * the machine's own user namespace: there, root of a container has what root has. CAP_SYS_ADMIN is
 * not among them: it stands for too much that is harmless. X(number, word)
 */
#define CAPABILITIES(X)                                                                   \
	X(12, "net-admin") /* routes, tunnels, NAT: an allowed address leads elsewhere */ \
	X(16, "sys-module") /* code of the kernel */                                      \
	X(17, "sys-rawio") /* ports, memory, commands for disks */                        \
	X(20, "sys-pacct") /* accounting */                                               \
	X(22, "sys-boot") /* reboot, kexec */                                             \
	X(25, "sys-time") /* the clock */                                                 \
	X(30, "audit-control") /* the kernel's audit */                                   \
	X(32, "mac-override") /* labels */                                                \
	X(33, "mac-admin") /* policies of LSMs */                                         \
	X(34, "syslog") /* the kernel's log */                                            \
	X(38, "perfmon") /* events of the whole machine */                                \
	X(39, "bpf") /* programs of the kernel */
#define CAPABILITY_BIT(number, word) | 1ull << (number)
#define CAPABILITY_CASE(number, word)                      \
	case number: {                                     \
		static const char text[] = "kernel:" word; \
		what = text;                               \
		length = sizeof(text) - 1;                 \
		break;                                     \
	}

HOOK(capable, const struct cred *cred, struct user_namespace *ns, int capability,
     unsigned int flags)
{
	static const __u64 wanted = 0 CAPABILITIES(CAPABILITY_BIT);
	const char *what;
	__u32 length;

	if (!(wanted >> (capability & 63) & 1) || !session_of_current() || ns->level)
		return 0;
	if (!has_capability(cred, capability)) /* the kernel refuses, and nothing was tried */
		return 0;
	switch (capability) {
		CAPABILITIES(CAPABILITY_CASE)
	default:
		return 0;
	}
	return kernel_operation(what, length, capability, flags & CAP_OPT_NOAUDIT, false);
}

/*
 * A child that is born in another cgroup is born outside the session, or where the session could
 * have moved it by writing to a file, which is decided as such. Which group it is, is not known
 * here.
 */
HOOK_SECTIONS("lsm/task_alloc", "fmod_ret/security_task_alloc", task_alloc_cgroup,
	      struct task_struct *task, unsigned long flags)
{
	static const char text[] = "kernel:cgroup";

	if (!(flags & CLONE_INTO_CGROUP) || !session_of_current())
		return 0;
	return kernel_operation(text, sizeof(text) - 1, 0, false, true);
}
