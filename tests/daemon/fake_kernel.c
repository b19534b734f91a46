/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grithd/kernel/kernel.h without a kernel, so that what grithd does can be tested anywhere. It
 * enforces nothing. Sessions are kept in a file in the "bpffs" directory, as pins would keep them;
 * records are the datagrams that a test sends to the socket "ring" there, and one of struct
 * fake_made says how many were made of a session. Answers and holds are fake_holds.c.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "fake_kernel.h"

static int save(const struct kernel *kernel)
{
	OWNED_MEM char *path = fake_path(kernel->directory, "sessions");
	OWNED_FILE FILE *file = path ? fopen(path, "we") : NULL;

	if (!file)
		return -ENOMEM;
	return fwrite(kernel->entries, sizeof(struct entry), kernel->count, file) == kernel->count
		       ? 0
		       : -EIO;
}

int kernel_probe(enum kernel_attach wanted, struct diag *diag, enum kernel_attach *ret_attach)
{
	if (getenv("FAKE_KERNEL_MISSING")) {
		diag_add(diag, NULL, 0, 0, "no BTF: build the kernel with CONFIG_DEBUG_INFO_BTF");
		diag_add(diag, NULL, 0, 0, "trampolines refused: run on another kernel");
		return -EOPNOTSUPP;
	}
	*ret_attach = wanted ? wanted : KERNEL_ATTACH_LSM;
	return 0;
}

static int open_ring(struct kernel *kernel)
{
	OWNED_MEM char *path = fake_path(kernel->directory, "ring");
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	if (!path || strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	unlink(path);
	kernel->ring = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (kernel->ring < 0 ||
	    bind(kernel->ring, (struct sockaddr *)&address, sizeof(address)) < 0)
		return -errno;
	return 0;
}

int kernel_open(const struct kernel_options *options, struct diag *diag, struct kernel **ret_kernel)
{
	CLEANUP(kernel_freep) struct kernel *kernel = calloc(1, sizeof(*kernel));
	OWNED_MEM char *path = fake_path(options->bpffs, "sessions");
	OWNED_FILE FILE *file = NULL;

	(void)diag;
	mkdir(options->bpffs, 0700);
	kernel->directory = strdup(options->bpffs);
	file = fopen(path, "re");
	if (file) {
		kernel->adopted = true;
		kernel->count =
			fread(kernel->entries, sizeof(struct entry), GRITH_MAX_SESSIONS, file);
	}
	if (open_ring(kernel) < 0)
		return -EIO;
	*ret_kernel = TAKE_PTR(kernel);
	return 0;
}

void kernel_free(struct kernel *kernel)
{
	if (!kernel)
		return;
	cleanup_close(&kernel->ring);
	free(kernel->directory);
	free(kernel);
}

int kernel_unload(const char *bpffs)
{
	OWNED_MEM char *path = fake_path(bpffs, "sessions");

	return unlink(path) < 0 ? -errno : 0;
}

enum kernel_attach kernel_attachment(const struct kernel *kernel)
{
	(void)kernel;
	return KERNEL_ATTACH_LSM;
}

bool kernel_adopted(const struct kernel *kernel)
{
	return kernel->adopted;
}

const struct kernel_hook *kernel_hooks(const struct kernel *kernel, size_t *ret_count)
{
	static const struct kernel_hook hooks[] = {
		{ "file_open", true, KERNEL_HOOK_ATTACHED, "" },
		{ "uring_allowed", false, KERNEL_HOOK_ABSENT, "not in this kernel" },
	};

	(void)kernel;
	*ret_count = ARRAY_SIZE(hooks);
	return hooks;
}

int kernel_image_add(struct kernel *kernel, const struct policy_image *image, uint32_t *ret_slot)
{
	(void)image;
	for (uint32_t i = 0; i < GRITH_MAX_IMAGES; i++)
		if (!kernel->slots[i]) {
			kernel->slots[i] = true;
			*ret_slot = i;
			return 0;
		}
	return -ENOSPC;
}

int kernel_image_remove(struct kernel *kernel, uint32_t slot)
{
	if (slot >= GRITH_MAX_IMAGES || !kernel->slots[slot])
		return -ENOENT;
	kernel->slots[slot] = false;
	return 0;
}

int kernel_image_adopt(struct kernel *kernel, uint32_t slot)
{
	kernel->slots[slot] = true;
	return 0;
}

static struct entry *find(struct kernel *kernel, uint64_t cgroup)
{
	for (size_t i = 0; i < kernel->count; i++)
		if (kernel->entries[i].cgroup == cgroup)
			return &kernel->entries[i];
	return NULL;
}

int kernel_session_set(struct kernel *kernel, uint64_t cgroup, const struct grith_session *session)
{
	struct entry *entry = find(kernel, cgroup);

	if (!entry && kernel->count == GRITH_MAX_SESSIONS)
		return -E2BIG;
	if (!entry)
		entry = &kernel->entries[kernel->count++];
	*entry = (struct entry) { cgroup, *session };
	return save(kernel);
}

int kernel_session_get(struct kernel *kernel, uint64_t cgroup, struct grith_session *ret_session)
{
	struct entry *entry = find(kernel, cgroup);

	if (!entry)
		return -ENOENT;
	*ret_session = entry->session;
	return 0;
}

int kernel_session_remove(struct kernel *kernel, uint64_t cgroup)
{
	struct entry *entry = find(kernel, cgroup);

	if (!entry)
		return -ENOENT;
	*entry = kernel->entries[--kernel->count];
	return save(kernel);
}

int kernel_sessions(struct kernel *kernel, uint64_t **ret_cgroups, size_t *ret_count)
{
	*ret_cgroups = calloc(kernel->count + 1, sizeof(uint64_t));
	for (size_t i = 0; i < kernel->count; i++)
		(*ret_cgroups)[i] = kernel->entries[i].cgroup;
	*ret_count = kernel->count;
	return 0;
}

int kernel_counters(struct kernel *kernel, uint64_t ret_counters[GRITH_COUNTERS])
{
	(void)kernel;
	memset(ret_counters, 0, sizeof(uint64_t[GRITH_COUNTERS]));
	return 0;
}

int kernel_ring_fd(const struct kernel *kernel)
{
	return kernel->ring;
}

static void take_made(struct kernel *kernel, const struct fake_made *made)
{
	struct entry *entry = find(kernel, made->cgroup);

	if (entry)
		entry->session.sequence = made->sequence;
}

int kernel_ring_consume(struct kernel *kernel, kernel_record_fn *fn, void *arg)
{
	union {
		char bytes[65536];
		struct fake_made made;
	} record;
	ssize_t n;
	int r = 0;

	while (r == 0 && (n = recv(kernel->ring, &record, sizeof(record), 0)) >= 0)
		if (n == sizeof(record.made))
			take_made(kernel, &record.made);
		else
			r = fn(arg, &record, n);
	return r;
}
