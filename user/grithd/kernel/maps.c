/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The maps of a running kernel side: images, sessions, counters, the ring buffer. libbpf returns
 * -errno.
 */
#include "internal.h"

static const char *const map_names[KERNEL_MAPS] = {
	[MAP_SESSIONS] = "sessions",
	[MAP_IMAGES] = "images",
	[MAP_NETS] = "nets",
	[MAP_RING] = "ring",
	[MAP_COUNTERS] = "counters",
	[MAP_HOLDS] = "holds",
	[MAP_ANSWERS] = "answers",
	[MAP_STOPPED_BY_USER] = "stopped_by_user",
	[MAP_LATE_TAINT] = "late_taint",
	[MAP_DAEMON] = "daemon",
};

static int on_record(void *arg, void *data, size_t size)
{
	struct kernel *kernel = arg;

	return kernel->record_fn(kernel->record_arg, data, size);
}

/* Who may resume a program that waits for the inspection of its arguments. */
static int name_daemon(struct kernel *kernel)
{
	uint32_t zero = 0, pid = getpid();

	return bpf_map_update_elem(kernel->maps[MAP_DAEMON], &zero, &pid, BPF_ANY);
}

int kernel_maps_open(struct kernel *kernel, const char *directory, struct diag *diag)
{
	int r;

	for (int i = 0; i < KERNEL_MAPS; i++) {
		OWNED_MEM char *path = text_format("%s/%s", directory, map_names[i]);

		if (!path)
			return -ENOMEM;
		kernel->maps[i] = bpf_obj_get(path);
		if (kernel->maps[i] < 0) {
			diag_add(diag, NULL, 0, 0, "cannot open the map %s: %s", path,
				 strerror(-kernel->maps[i]));
			return kernel->maps[i];
		}
	}
	r = name_daemon(kernel);
	if (r < 0) {
		diag_add(diag, NULL, 0, 0,
			 "cannot set grithd's own process number in the kernel: %s", strerror(-r));
		return r;
	}
	kernel->ring = ring_buffer__new(kernel->maps[MAP_RING], on_record, kernel, NULL);
	if (!kernel->ring) {
		r = -errno;
		diag_add(diag, NULL, 0, 0, "cannot map the ring buffer: %s", strerror(-r));
		return r;
	}
	return 0;
}

void kernel_maps_close(struct kernel *kernel)
{
	ring_buffer__free(kernel->ring);
	for (int i = 0; i < KERNEL_MAPS; i++)
		cleanup_close(&kernel->maps[i]);
}

/* --- images */

static bool slot_taken(const struct kernel *kernel, uint32_t slot)
{
	return kernel->image_slots[slot / 64] >> (slot % 64) & 1;
}

static void mark_slot(struct kernel *kernel, uint32_t slot, bool taken)
{
	uint64_t bit = UINT64_C(1) << (slot % 64);

	if (taken)
		kernel->image_slots[slot / 64] |= bit;
	else
		kernel->image_slots[slot / 64] &= ~bit;
}

int kernel_image_adopt(struct kernel *kernel, uint32_t slot)
{
	if (slot >= GRITH_MAX_IMAGES)
		return -ERANGE;
	mark_slot(kernel, slot, true);
	return 0;
}

static struct grith_net_key net_key(uint32_t slot, const struct policy_prefix *prefix)
{
	struct grith_net_key key = { .prefixlen = 32 + prefix->bits, .image = slot };

	memcpy(key.address, prefix->address, sizeof(key.address));
	return key;
}

static int add_words(struct kernel *kernel, uint32_t slot, const struct policy_image *image)
{
	OWNED_MEM uint32_t *words = calloc(GRITH_IMAGE_WORDS, sizeof(*words));
	OWNED_FD int inner = -1;
	const uint32_t zero = 0;

	if (!words)
		return -ENOMEM;
	memcpy(words, image->words, image->n_words * sizeof(*words));
	inner = bpf_map_create(BPF_MAP_TYPE_ARRAY, "grith_image", sizeof(zero),
			       GRITH_IMAGE_WORDS * sizeof(*words), 1, NULL);
	if (inner < 0)
		return -errno;
	if (bpf_map_update_elem(inner, &zero, words, BPF_ANY) < 0 ||
	    bpf_map_update_elem(kernel->maps[MAP_IMAGES], &slot, &inner, BPF_ANY) < 0)
		return -errno;
	return 0;
}

/* Keys of one image lie together in the trie's order of iteration, but not first: look at all. */
static int remove_nets(struct kernel *kernel, uint32_t slot)
{
	struct grith_net_key key, next;
	int map = kernel->maps[MAP_NETS];
	int r = bpf_map_get_next_key(map, NULL, &next);

	while (r == 0) {
		key = next;
		r = bpf_map_get_next_key(map, &key, &next);
		if (key.image == slot)
			bpf_map_delete_elem(map, &key);
	}
	return r == -ENOENT ? 0 : r;
}

static int fill_slot(struct kernel *kernel, uint32_t slot, const struct policy_image *image)
{
	int r = add_words(kernel, slot, image);

	for (size_t i = 0; r >= 0 && i < image->n_nets; i++) {
		struct grith_net_key key = net_key(slot, &image->nets[i].prefix);

		if (bpf_map_update_elem(kernel->maps[MAP_NETS], &key, &image->nets[i].value,
					BPF_ANY) < 0)
			r = -errno;
	}
	return r;
}

int kernel_image_add(struct kernel *kernel, const struct policy_image *image, uint32_t *ret_slot)
{
	uint32_t slot = 0;
	int r;

	while (slot < GRITH_MAX_IMAGES && slot_taken(kernel, slot))
		slot++;
	if (slot == GRITH_MAX_IMAGES)
		return -ENOSPC;
	r = fill_slot(kernel, slot, image);
	mark_slot(kernel, slot, true);
	if (r < 0) {
		kernel_image_remove(kernel, slot);
		return r;
	}
	*ret_slot = slot;
	return 0;
}

int kernel_image_remove(struct kernel *kernel, uint32_t slot)
{
	int r;

	if (slot >= GRITH_MAX_IMAGES)
		return -ERANGE;
	r = remove_nets(kernel, slot);
	if (bpf_map_delete_elem(kernel->maps[MAP_IMAGES], &slot) < 0 && errno != ENOENT && r >= 0)
		r = -errno;
	mark_slot(kernel, slot, false);
	return r;
}

/* --- sessions */

int kernel_session_set(struct kernel *kernel, uint64_t cgroup, const struct grith_session *session)
{
	return bpf_map_update_elem(kernel->maps[MAP_SESSIONS], &cgroup, session, BPF_ANY);
}

int kernel_session_get(struct kernel *kernel, uint64_t cgroup, struct grith_session *ret_session)
{
	struct grith_session session;
	int r = bpf_map_lookup_elem(kernel->maps[MAP_SESSIONS], &cgroup, &session);

	if (r == 0)
		*ret_session = session;
	return r;
}

int kernel_session_remove(struct kernel *kernel, uint64_t cgroup)
{
	bpf_map_delete_elem(kernel->maps[MAP_LATE_TAINT], &cgroup);
	return bpf_map_delete_elem(kernel->maps[MAP_SESSIONS], &cgroup);
}

int kernel_session_taint(struct kernel *kernel, uint64_t cgroup, enum grith_source source,
			 uint64_t time)
{
	struct grith_late_taint late = { 0 };
	int map = kernel->maps[MAP_LATE_TAINT];

	if (bpf_map_lookup_elem(map, &cgroup, &late) < 0 && errno != ENOENT)
		return -errno;
	late.tainted[source] = time;
	return bpf_map_update_elem(map, &cgroup, &late, BPF_ANY);
}

int kernel_sessions(struct kernel *kernel, uint64_t **ret_cgroups, size_t *ret_count)
{
	OWNED_MEM uint64_t *cgroups = calloc(GRITH_MAX_SESSIONS, sizeof(*cgroups));
	int map = kernel->maps[MAP_SESSIONS];
	size_t count = 0;
	int r;

	if (!cgroups)
		return -ENOMEM;
	r = bpf_map_get_next_key(map, NULL, &cgroups[0]);
	while (r == 0 && ++count < GRITH_MAX_SESSIONS)
		r = bpf_map_get_next_key(map, &cgroups[count - 1], &cgroups[count]);
	if (r < 0 && errno != ENOENT)
		return -errno;
	*ret_cgroups = TAKE_PTR(cgroups);
	*ret_count = count;
	return 0;
}

/* --- counters and records */

int kernel_counters(struct kernel *kernel, uint64_t ret_counters[GRITH_COUNTERS])
{
	int cpus = libbpf_num_possible_cpus();
	OWNED_MEM uint64_t *values = NULL;

	if (cpus < 0)
		return cpus;
	values = calloc(cpus, sizeof(*values));
	if (!values)
		return -ENOMEM;
	for (uint32_t i = 0; i < GRITH_COUNTERS; i++) {
		if (bpf_map_lookup_elem(kernel->maps[MAP_COUNTERS], &i, values) < 0)
			return -errno;
		ret_counters[i] = 0;
		for (int cpu = 0; cpu < cpus; cpu++)
			ret_counters[i] += values[cpu];
	}
	return 0;
}

int kernel_ring_fd(const struct kernel *kernel)
{
	return ring_buffer__epoll_fd(kernel->ring);
}

int kernel_ring_consume(struct kernel *kernel, kernel_record_fn *fn, void *arg)
{
	kernel->record_fn = fn;
	kernel->record_arg = arg;
	return ring_buffer__consume(kernel->ring);
}
