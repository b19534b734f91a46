/* SPDX-License-Identifier: MPL-2.0 */
/* From the input to the result, with nothing of the machine: what the child does. */
#include "host_names.h"
#include "input.h"
#include "internal.h"

static int read_named(const struct compile_input *input, const char *profile, struct diag *diag,
		      struct policy **ret_policy)
{
	OWNED_MEM char *path = NULL;

	if (!proto_name_valid(profile)) {
		diag_add(diag, NULL, 0, 0,
			 "a profile's name has letters, digits, '-', '_' and '.'");
		return -EINVAL;
	}
	path = text_format("%s/%s.yaml", input->context.directory, profile);
	return path ? policy_read_file(path, &input->context, diag, ret_policy) : -ENOMEM;
}

static int read_policy(const struct compile_input *input, struct diag *diag,
		       struct policy **ret_policy)
{
	OWNED_MEM char *picked = NULL;
	int r;

	if (input->text)
		return policy_read_text(input->name, input->text, input->length, &input->context,
					diag, ret_policy);
	if (input->profile)
		return read_named(input, input->profile, diag, ret_policy);
	r = policy_pick(input->command, &input->context, diag, &picked);
	return r < 0 ? r : read_named(input, picked, diag, ret_policy);
}

static int describe(const struct policy *policy, struct compile_result *result)
{
	struct session_info *info = &result->info;

	info->mode = policy->mode;
	info->threshold_hold = policy->threshold_hold;
	info->threshold_deny = policy->threshold_deny;
	return text_copy(policy->name ? policy->name : "unnamed", &info->profile)
		       ?: session_info_set_rules(info, policy) ?: host_names_find(policy, result);
}

static int compile(const struct compile_input *input, struct compile_result *result)
{
	CLEANUP(policy_freep) struct policy *policy = NULL;
	int r = read_policy(input, &result->diag, &policy) ?: describe(policy, result);

	if (r < 0 || (result->n_names && !input->has_hosts))
		return r;
	return policy_compile(policy, input->hosts, input->n_hosts, &result->diag, &result->image);
}

int compile_run(const char *bytes, size_t length, struct text *out)
{
	OWNED_COMPILE_RESULT struct compile_result result = { 0 };
	CLEANUP(compile_input_clear) struct compile_input input = { 0 };
	int r = compile_input_unpack(bytes, length, &input);

	r = r ?: compile(&input, &result);
	if (r == -ENOMEM)
		diag_add(&result.diag, NULL, 0, 0,
			 "the policy needs more memory than it may have (COMPILE_MEMORY_MAX, "
			 "%u MiB): write fewer rules, or shorter ones",
			 COMPILE_MEMORY_MAX >> 20);
	else if (r < 0 && !result.diag.count)
		diag_add(&result.diag, NULL, 0, 0, "%s", strerror(-r));
	return compile_result_pack(&result, out);
}
