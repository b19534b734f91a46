/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Can this kernel enforce? Asked before anything is loaded, and answered with one entry per missing
 * thing and its remedy. Whether trampolines are allowed is known by trying: a program of two
 * instructions that allows everything.
 */
#include <sys/utsname.h>

#include "internal.h"

#define LSM_LIST "/sys/kernel/security/lsm"

static int try_program(enum bpf_prog_type type, enum bpf_attach_type attach, const char *function)
{
	const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = attach);
	OWNED_FD int program = -1, link = -1;

	options.attach_btf_id = libbpf_find_vmlinux_btf_id(function, attach);
	if ((int)options.attach_btf_id <= 0)
		return -ESRCH;
	program = bpf_prog_load(type, "grith_probe", "Dual MPL/GPL", code, ARRAY_SIZE(code),
				&options);
	if (program < 0)
		return -errno;
	link = bpf_raw_tracepoint_open(NULL, program);
	return link < 0 ? -errno : 0;
}

/* 1: in the kernel's list of active modules; 0: not; negative: the list cannot be read. */
static int bpf_lsm_active(void)
{
	OWNED_FILE FILE *f = fopen(LSM_LIST, "re");
	char list[512], *rest = list, *name;

	if (!f)
		return -errno;
	if (!fgets(list, sizeof(list), f))
		return 0;
	list[strcspn(list, "\n")] = 0;
	while ((name = strsep(&rest, ",")))
		if (!strcmp(name, "bpf"))
			return 1;
	return 0;
}

static void check_version(struct diag *diag)
{
	unsigned int major, minor;
	struct utsname name;

	if (uname(&name) < 0 || sscanf(name.release, "%u.%u", &major, &minor) != 2)
		return;
	if (major < 6 || (major == 6 && minor < 1))
		diag_add(
			diag, NULL, 0, 0,
			"this kernel is %u.%u: grith needs Linux 6.1 or newer (boot a newer kernel)",
			major, minor);
}

/* Where a trampoline is refused, the reason is the same for every program. */
static void explain_refusal(struct diag *diag, const char *what, int error)
{
	if (error == -EPERM)
		diag_add(
			diag, NULL, 0, 0,
			"this kernel refuses trampolines (%s: %s): it is locked down or a sandbox "
			"forbids them; run grithd on a host or in a virtual machine whose kernel allows them",
			what, strerror(-error));
	else if (error == -ESRCH)
		diag_add(
			diag, NULL, 0, 0,
			"this kernel's BTF lacks what %s needs: boot a kernel built with CONFIG_BPF_LSM "
			"and CONFIG_SECURITY_PATH, such as a distribution's",
			what);
	else
		diag_add(diag, NULL, 0, 0, "this kernel refuses the program for %s: %s: %s", what,
			 strerror(-error),
			 error == -ENOMEM ? "give grithd more memory (MemoryMax= of its unit)"
					  : "boot a kernel with CONFIG_BPF_JIT and CONFIG_BPF_LSM");
}

static int choose(enum kernel_attach wanted, struct diag *diag, enum kernel_attach *ret_attach)
{
	int active = bpf_lsm_active(), lsm = -ENOTSUP, mod = -ENOTSUP;

	if (wanted != KERNEL_ATTACH_FMOD_RET)
		lsm = try_program(BPF_PROG_TYPE_LSM, BPF_LSM_MAC, "file_open");
	if (wanted != KERNEL_ATTACH_LSM)
		mod = try_program(BPF_PROG_TYPE_TRACING, BPF_MODIFY_RETURN, "security_file_open");
	if (!lsm && active > 0)
		*ret_attach = KERNEL_ATTACH_LSM;
	else if (!mod)
		*ret_attach = KERNEL_ATTACH_FMOD_RET;
	else if (lsm && lsm != -ENOTSUP)
		explain_refusal(diag, "lsm", lsm);
	else if (mod != -ENOTSUP)
		explain_refusal(diag, "fmod_ret", mod);
	if (!lsm && active < 0 && mod)
		diag_add(diag, NULL, 0, 0,
			 "cannot read " LSM_LIST
			 " (%s): mount -t securityfs securityfs /sys/kernel/security",
			 strerror(-active));
	else if (!lsm && active == 0 && mod)
		diag_add(diag, NULL, 0, 0,
			 "\"bpf\" is not in " LSM_LIST
			 ": add it to lsm= on the kernel's command line%s",
			 wanted == KERNEL_ATTACH_LSM ? ", or use --attach fmod_ret"
						     : "; fmod_ret is refused as well");
	return diag->count ? -ENOTSUP : 0;
}

int kernel_probe(enum kernel_attach wanted, struct diag *diag, enum kernel_attach *ret_attach)
{
	size_t before = diag->count;

	check_version(diag);
	if (access("/sys/kernel/btf/vmlinux", R_OK) < 0)
		diag_add(
			diag, NULL, 0, 0,
			"no BTF (/sys/kernel/btf/vmlinux): boot a kernel built with CONFIG_DEBUG_INFO_BTF");
	if (geteuid() != 0) {
		diag_add(diag, NULL, 0, 0,
			 "not root: run grithd as root (sudo grithd, or its systemd unit)");
		return -EPERM; /* the rest cannot be known */
	}
	if (access("/sys/kernel/btf/vmlinux", R_OK) < 0)
		return -ENOTSUP;
	choose(wanted, diag, ret_attach);
	return diag->count > before ? -ENOTSUP : 0;
}
