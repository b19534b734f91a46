/* SPDX-License-Identifier: MPL-2.0 */
/* A name with a star cannot be looked up; its rules have no addresses. */
#include "host_names.h"
#include "grithd/base/base.h"

static int add(struct compile_result *result, const char *name)
{
	for (size_t i = 0; i < result->n_names; i++)
		if (!strcmp(result->names[i], name))
			return 0;
	if (result->n_names == RESOLVER_NAMES_MAX) {
		result->names_left_out++;
		return 0;
	}
	if (ARRAY_GROW(result->names, result->n_names) < 0 ||
	    text_copy(name, &result->names[result->n_names]) < 0)
		return -ENOMEM;
	result->n_names++;
	return 0;
}

int host_names_find(const struct policy *policy, struct compile_result *result)
{
	int r = 0;

	for (size_t i = 0; i < policy->n_rules; i++)
		for (size_t j = 0; j < policy->rules[i].n_hosts && r == 0; j++)
			if (!strchr(policy->rules[i].hosts[j], '*'))
				r = add(result, policy->rules[i].hosts[j]);
	return r;
}

static bool has_address(const char *name, const struct policy_host *hosts, size_t n_hosts)
{
	for (size_t i = 0; i < n_hosts; i++)
		if (!strcmp(hosts[i].name, name))
			return true;
	return false;
}

void host_names_note(const struct compile_result *result, const struct policy_host *hosts,
		     size_t n_hosts, json_t *notes)
{
	const char *first = NULL;
	size_t others = 0;

	for (size_t i = 0; i < result->n_names; i++) {
		if (has_address(result->names[i], hosts, n_hosts))
			continue;
		others += !!first;
		first = first ? first : result->names[i];
	}
	if (first && others)
		json_array_append_new(notes,
				      json_sprintf("%s and %zu other hosts have no address now: "
						   "their rules match nothing",
						   first, others));
	else if (first)
		json_array_append_new(
			notes,
			json_sprintf("%s has no address now: its rules match nothing", first));
	if (result->names_left_out)
		json_array_append_new(notes,
				      json_sprintf("%u more host names than %d are not looked up",
						   result->names_left_out, RESOLVER_NAMES_MAX));
}
