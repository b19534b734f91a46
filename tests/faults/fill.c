/* SPDX-License-Identifier: MPL-2.0 */
/*
 * fill PIN fill|drain|count: enters into a pinned map what nothing else uses until there is no
 * room, or takes it out again. Prints how many entries that were. Where entries make room for each
 * other (LRU), as many are entered as there is room for. count: prints how many there are.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>

/* Numbers of processes, sessions and addresses that there are not. */
static void make_key(const struct bpf_map_info *info, uint32_t i, uint8_t *key)
{
	uint32_t number = 0x40000000 + i, bits = 8 * (info->key_size - sizeof(bits));
	size_t at = info->type == BPF_MAP_TYPE_LPM_TRIE ? sizeof(bits) : 0;

	memset(key, 0xfe, info->key_size);
	if (at)
		memcpy(key, &bits, sizeof(bits));
	memcpy(key + at, &number, sizeof(number));
}

static __u32 fill(int map, const struct bpf_map_info *info, uint8_t *key, int *ret_r)
{
	uint8_t *value = calloc(1, info->value_size);
	__u32 i;

	*ret_r = value ? 0 : -ENOMEM;
	for (i = 0; i < info->max_entries && *ret_r == 0; i++) {
		make_key(info, i, key);
		*ret_r = bpf_map_update_elem(map, key, value, BPF_ANY);
	}
	free(value);
	if (*ret_r == 0)
		return i;
	if (*ret_r == -E2BIG || *ret_r == -ENOSPC)
		*ret_r = 0;
	return i - 1;
}

static __u32 drain(int map, const struct bpf_map_info *info, uint8_t *key)
{
	__u32 entries = 0;

	for (__u32 i = 0; i < info->max_entries; i++) {
		make_key(info, i, key);
		entries += bpf_map_delete_elem(map, key) == 0;
	}
	return entries;
}

/* Of a map that does not change meanwhile. */
static __u32 count(int map, uint8_t *key)
{
	__u32 entries = 0;

	for (int r = bpf_map_get_next_key(map, NULL, key); r == 0;
	     r = bpf_map_get_next_key(map, key, key))
		entries++;
	return entries;
}

static int fail(const char *what, int r)
{
	fprintf(stderr, "fill: %s: %s\n", what, strerror(-r));
	return 1;
}

int main(int argc, char **argv)
{
	struct bpf_map_info info = { 0 };
	__u32 length = sizeof(info), entries;
	uint8_t *key;
	int map, r;

	if (argc != 3) {
		fprintf(stderr, "usage: fill PIN fill|drain|count\n");
		return 2;
	}
	map = bpf_obj_get(argv[1]);
	if (map < 0)
		return fail(argv[1], map);
	r = bpf_obj_get_info_by_fd(map, &info, &length);
	key = r < 0 ? NULL : malloc(info.key_size);
	if (!key)
		return fail(argv[1], r < 0 ? r : -ENOMEM);
	if (!strcmp(argv[2], "fill"))
		entries = fill(map, &info, key, &r);
	else
		entries = !strcmp(argv[2], "drain") ? drain(map, &info, key) : count(map, key);
	free(key);
	if (r < 0)
		return fail("cannot fill", r);
	printf("%u\n", entries);
	return 0;
}
