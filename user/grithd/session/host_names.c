/* SPDX-License-Identifier: MPL-2.0 */
/* A name with a star cannot be looked up; its rules have no addresses. */
#include "resolver.h"

static void add(struct host_names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->list[i], name))
			return;
	if (names->count < RESOLVER_NAMES_MAX)
		names->list[names->count++] = name;
	else
		names->left_out++;
}

void host_names_of(const struct policy *policy, struct host_names *ret_names)
{
	*ret_names = (struct host_names) { 0 };
	for (size_t i = 0; i < policy->n_rules; i++)
		for (size_t j = 0; j < policy->rules[i].n_hosts; j++)
			if (!strchr(policy->rules[i].hosts[j], '*'))
				add(ret_names, policy->rules[i].hosts[j]);
}

static bool has_address(const char *name, const struct policy_host *hosts, size_t n_hosts)
{
	for (size_t i = 0; i < n_hosts; i++)
		if (!strcmp(hosts[i].name, name))
			return true;
	return false;
}

void host_names_note(const struct host_names *names, const struct policy_host *hosts,
		     size_t n_hosts, json_t *notes)
{
	const char *first = NULL;
	size_t others = 0;

	for (size_t i = 0; i < names->count; i++) {
		if (has_address(names->list[i], hosts, n_hosts))
			continue;
		others += !!first;
		first = first ? first : names->list[i];
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
	if (names->left_out)
		json_array_append_new(notes,
				      json_sprintf("%zu more host names than %d are not looked up",
						   names->left_out, RESOLVER_NAMES_MAX));
}
