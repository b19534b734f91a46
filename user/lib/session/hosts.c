/* SPDX-License-Identifier: MPL-2.0 */
/* A sorted array: it is made once, and asked for every connection. */
#include <arpa/inet.h>

#include "lib/base/base.h"
#include "hosts.h"

static int compare_addresses(const void *left, const void *right)
{
	const struct session_host *a = left, *b = right;

	return memcmp(a->address, b->address, sizeof(a->address));
}

/* By address, and of one address in the order in which they came. */
static int compare_found(const void *left, const void *right)
{
	const struct policy_host *a = *(const struct policy_host *const *)left;
	const struct policy_host *b = *(const struct policy_host *const *)right;
	int order = memcmp(a->address, b->address, sizeof(a->address));

	return order ? order : (a > b) - (a < b);
}

static int add(struct session_hosts *hosts, const uint8_t address[16], const char *name)
{
	struct session_host *host = &hosts->list[hosts->count];

	memcpy(host->address, address, sizeof(host->address));
	host->name = strdup(name);
	if (!host->name)
		return -ENOMEM;
	hosts->count++;
	return 0;
}

int session_hosts_set(struct session_hosts *hosts, const struct policy_host *found, size_t n_found)
{
	CLEANUP(session_hosts_free) struct session_hosts made = { 0 };
	OWNED_MEM const struct policy_host **sorted = calloc(n_found + 1, sizeof(*sorted));
	int r = 0;

	made.list = calloc(n_found + 1, sizeof(*made.list));
	if (!sorted || !made.list)
		return -ENOMEM;
	for (size_t i = 0; i < n_found; i++)
		sorted[i] = &found[i];
	qsort(sorted, n_found, sizeof(*sorted), compare_found);
	for (size_t i = 0; r == 0 && i < n_found && made.count < SESSION_HOSTS_MAX; i++)
		if (!i || memcmp(sorted[i]->address, sorted[i - 1]->address, 16))
			r = add(&made, sorted[i]->address, sorted[i]->name);
	if (r < 0)
		return r;
	*hosts = made;
	made = (struct session_hosts) { 0 };
	return 0;
}

void session_hosts_free(struct session_hosts *hosts)
{
	for (size_t i = 0; i < hosts->count; i++)
		free(hosts->list[i].name);
	free(hosts->list);
	*hosts = (struct session_hosts) { 0 };
}

const char *session_hosts_name(const struct session_hosts *hosts, const uint8_t address[16])
{
	struct session_host key = { .name = NULL };
	const struct session_host *found;

	if (!hosts->count)
		return NULL;
	memcpy(key.address, address, sizeof(key.address));
	found = bsearch(&key, hosts->list, hosts->count, sizeof(key), compare_addresses);
	return found ? found->name : NULL;
}

json_t *session_hosts_to_json(const struct session_hosts *hosts)
{
	json_auto_t *array = json_array();
	char address[INET6_ADDRSTRLEN];

	for (size_t i = 0; i < hosts->count; i++) {
		inet_ntop(AF_INET6, hosts->list[i].address, address, sizeof(address));
		if (json_array_append_new(array,
					  json_pack("[s, s]", hosts->list[i].name, address)) < 0)
			return NULL;
	}
	return TAKE_PTR(array);
}

int session_hosts_from_json(json_t *json, struct session_hosts *hosts)
{
	OWNED_MEM struct policy_host *found = calloc(json_array_size(json) + 1, sizeof(*found));
	const char *address;
	json_t *entry;
	size_t i;

	if (!found)
		return -ENOMEM;
	if ((json && !json_is_array(json)) || json_array_size(json) > SESSION_HOSTS_MAX)
		return -EBADMSG;
	json_array_foreach (json, i, entry)
		if (json_unpack(entry, "[s, s]", &found[i].name, &address) < 0 ||
		    inet_pton(AF_INET6, address, found[i].address) != 1)
			return -EBADMSG;
	return session_hosts_set(hosts, found, json_array_size(json));
}
