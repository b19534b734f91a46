/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Pins are what survives grithd: DIRECTORY/maps/NAME, and DIRECTORY/links-ID/PROGRAM. A name in
 * bpffs has no dot.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "internal.h"

#define BPF_FS_MAGIC 0xcafe4a11 /* include/uapi/linux/magic.h */
#define LINKS "links-"

int kernel_pins_init(struct kernel_pins *pins, const char *directory, uint64_t set)
{
	*pins = (struct kernel_pins) {
		.directory = strdup(directory),
		.maps = text_format("%s/maps", directory),
		.links = text_format("%s/" LINKS "%016llx", directory, (unsigned long long)set),
		.new_links = text_format("%s/new", directory),
	};
	if (pins->directory && pins->maps && pins->links && pins->new_links)
		return 0;
	kernel_pins_free(pins);
	return -ENOMEM;
}

void kernel_pins_free(struct kernel_pins *pins)
{
	free(pins->directory);
	free(pins->maps);
	free(pins->links);
	free(pins->new_links);
	*pins = (struct kernel_pins) { 0 };
}

static int make_directory(const char *path)
{
	return mkdir(path, 0700) < 0 && errno != EEXIST ? -errno : 0;
}

/* Removes a directory of pins that has no directories in it. */
static int remove_directory(int parent, const char *name)
{
	OWNED_FD int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	OWNED_DIR DIR *dir = NULL;
	struct dirent *entry;

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	dir = fdopendir(fd);
	if (!dir)
		return -errno;
	fd = -1; /* the directory's now */
	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
		    unlinkat(dirfd(dir), entry->d_name, 0) < 0)
			return -errno;
	return unlinkat(parent, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

/* Removes all sets of links but the one at `keep` (NULL: all). */
static int remove_links(const char *directory, const char *keep)
{
	OWNED_DIR DIR *dir = opendir(directory);
	struct dirent *entry;
	int r;

	if (!dir)
		return errno == ENOENT ? 0 : -errno;
	while ((entry = readdir(dir))) {
		if (strncmp(entry->d_name, LINKS, strlen(LINKS)))
			continue;
		if (keep && !strcmp(entry->d_name, keep))
			continue;
		r = remove_directory(dirfd(dir), entry->d_name);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Maps of a version that called them otherwise are adopted, with what is in them. */
static int rename_maps(const char *directory)
{
	static const char *const names[][2] = {
		{ "tightened", "late_taint" },
		{ "settled", "rechecked" },
		{ "stopped", "stopped_by_user" },
	};
	OWNED_FD int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (renameat(fd, names[i][0], fd, names[i][1]) < 0 && errno != ENOENT)
			return -errno;
	return 0;
}

int kernel_pins_make(const struct kernel_pins *pins, struct diag *diag)
{
	struct statfs fs;
	int r = make_directory(pins->directory);

	if (r < 0 || statfs(pins->directory, &fs) < 0) {
		r = r < 0 ? r : -errno;
		diag_add(
			diag, NULL, 0, 0,
			"cannot create %s: %s: is bpffs mounted there? (mount -t bpf bpf /sys/fs/bpf)",
			pins->directory, strerror(-r));
		return r;
	}
	if (fs.f_type != BPF_FS_MAGIC) {
		rmdir(pins->directory);
		diag_add(diag, NULL, 0, 0,
			 "%s does not lie in a bpf file system: mount -t bpf bpf /sys/fs/bpf",
			 pins->directory);
		return -EINVAL;
	}
	/* There are new links where a start was cut short. */
	r = make_directory(pins->maps)
		?: rename_maps(pins->maps)
		?: remove_directory(AT_FDCWD, pins->new_links)
		?: make_directory(pins->new_links);
	if (r < 0)
		diag_add(diag, NULL, 0, 0, "cannot create %s: %s", pins->maps, strerror(-r));
	return r;
}

int kernel_pins_switch(const struct kernel_pins *pins)
{
	if (rename(pins->new_links, pins->links) < 0)
		return -errno;
	return remove_links(pins->directory, strrchr(pins->links, '/') + 1);
}

bool kernel_pins_has_set(const struct kernel_pins *pins)
{
	return access(pins->links, F_OK) == 0;
}

bool kernel_pins_has_link(const struct kernel_pins *pins, const char *program)
{
	OWNED_MEM char *path = text_format("%s/%s", pins->links, program);

	return path && access(path, F_OK) == 0;
}

int kernel_unload(const char *bpffs)
{
	struct kernel_pins pins;
	int r = kernel_pins_init(&pins, bpffs, 0);

	if (r < 0)
		return r;
	r = remove_links(pins.directory, NULL)
		?: remove_directory(AT_FDCWD, pins.new_links)
		?: remove_directory(AT_FDCWD, pins.maps);
	if (r >= 0 && rmdir(pins.directory) < 0 && errno != ENOENT)
		r = -errno;
	kernel_pins_free(&pins);
	return r;
}
