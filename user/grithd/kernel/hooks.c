/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The hooks that there are programs for. The object names its programs after them: lsm_HOOK and
 * mod_HOOK are the two attachments of one hook, of which one is loaded; all others are loaded with
 * both. Optional ones are those that the object marks as not to be loaded without being asked (a
 * section that begins with '?').
 */
#include "internal.h"

bool kernel_program_is_for(const struct bpf_program *program, enum kernel_attach attach)
{
	const char *name = bpf_program__name(program);
	enum bpf_prog_type type = bpf_program__type(program);

	if (type != BPF_PROG_TYPE_LSM && type != BPF_PROG_TYPE_TRACING)
		return false; /* for tests */
	if (!strncmp(name, "lsm_", 4))
		return attach == KERNEL_ATTACH_LSM;
	if (!strncmp(name, "mod_", 4))
		return attach == KERNEL_ATTACH_FMOD_RET;
	return true;
}

static const char *hook_name(const struct bpf_program *program)
{
	const char *name = bpf_program__name(program);

	return !strncmp(name, "lsm_", 4) || !strncmp(name, "mod_", 4) ? name + 4 : name;
}

/* Whether the kernel has what the program is to be attached to; names what it lacks. */
static bool kernel_has(const struct btf *btf, const struct bpf_program *program, char *ret_what,
		       size_t size)
{
	const char *section = bpf_program__section_name(program), *target = strrchr(section, '/');
	const char *prefix = "";
	int kind = BTF_KIND_FUNC;

	if (*section == '?')
		section++;
	target = target ? target + 1 : section;
	if (!strncmp(section, "lsm", 3))
		prefix = "bpf_lsm_";
	if (!strncmp(section, "tp_btf", 6)) {
		prefix = "btf_trace_";
		kind = BTF_KIND_TYPEDEF;
	}
	snprintf(ret_what, size, "%s%s", prefix, target);
	return btf__find_by_name_kind(btf, ret_what, kind) > 0;
}

static struct kernel_hook *add_hook(struct kernel *kernel, const struct bpf_program *program)
{
	struct kernel_hook *hook;
	char *name;

	if (kernel->n_hooks == KERNEL_HOOKS_MAX)
		return NULL;
	name = kernel->hook_names[kernel->n_hooks];
	hook = &kernel->hooks[kernel->n_hooks++];
	snprintf(name, sizeof(kernel->hook_names[0]), "%s", hook_name(program));
	*hook = (struct kernel_hook) {
		.name = name,
		.mandatory = bpf_program__autoload(program),
		.state = KERNEL_HOOK_ATTACHED,
	};
	return hook;
}

struct kernel_hook *kernel_hook_find(struct kernel *kernel, const struct bpf_program *program)
{
	for (size_t i = 0; i < kernel->n_hooks; i++)
		if (!strcmp(kernel->hooks[i].name, hook_name(program)))
			return &kernel->hooks[i];
	return NULL;
}

static void mark_absent(struct kernel_hook *hook, const char *what, struct diag *diag)
{
	hook->state = KERNEL_HOOK_ABSENT;
	snprintf(hook->why, sizeof(hook->why), "this kernel has no %s", what);
	if (hook->mandatory)
		diag_add(diag, NULL, 0, 0,
			 "the hook %s is missing: %s: boot a kernel with CONFIG_BPF_LSM and "
			 "CONFIG_SECURITY_PATH",
			 hook->name, hook->why);
}

int kernel_hooks_list(struct kernel *kernel, const struct bpf_object *object, const struct btf *btf,
		      struct diag *diag)
{
	struct bpf_program *program;

	bpf_object__for_each_program (program, object) {
		struct kernel_hook *hook;
		char what[96];

		if (!kernel_program_is_for(program, kernel->attach))
			continue;
		hook = add_hook(kernel, program);
		if (!hook)
			return -E2BIG;
		if (!kernel_has(btf, program, what, sizeof(what)))
			mark_absent(hook, what, diag);
	}
	return diag->count ? -ENOTSUP : 0;
}

const struct kernel_hook *kernel_hooks(const struct kernel *kernel, size_t *ret_count)
{
	*ret_count = kernel->n_hooks;
	return kernel->hooks;
}
