/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The life of the kernel side: made anew, found by the next grithd, removed. Nothing is supervised
 * meanwhile: the root cgroup is one without processes.
 */
#include <sys/stat.h>
#include <sys/utsname.h>

#include "grithd/kernel/kernel.h"
#include "lib/base/base.h"
#include "lib/policy/policy.h"
#include "tests.h"

#define BPFFS "/sys/fs/bpf/grith-test"
#define CGROUP "/sys/fs/cgroup/grith-test"

/* Hooks that some kernels lack, and the first version that has them. */
static const struct {
	const char *name;
	unsigned int major, minor;
} since[] = {
	{ "file_truncate", 6, 2 },
	{ "inode_set_acl", 6, 2 },
	{ "inode_remove_acl", 6, 2 },
	{ "uring_allowed", 6, 15 },
};

bool kernel_is_before(unsigned int major, unsigned int minor)
{
	unsigned int is_major = 0, is_minor = 0;
	struct utsname name;

	return uname(&name) == 0 && sscanf(name.release, "%u.%u", &is_major, &is_minor) == 2 &&
	       (is_major < major || (is_major == major && is_minor < minor));
}

static bool is_expected_absent(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(since); i++)
		if (!strcmp(since[i].name, name))
			return kernel_is_before(since[i].major, since[i].minor);
	return false;
}

enum kernel_attach wanted_attach(void)
{
	const char *name = getenv("GRITH_ATTACH");

	if (!name)
		return KERNEL_ATTACH_AUTO;
	return !strcmp(name, "lsm") ? KERNEL_ATTACH_LSM : KERNEL_ATTACH_FMOD_RET;
}

static void check_hooks(struct tally *tally, struct kernel *kernel)
{
	const struct kernel_hook *hooks;
	size_t count;

	hooks = kernel_hooks(kernel, &count);
	check(tally, count >= 30, "only %zu hooks", count);
	for (size_t i = 0; i < count; i++) {
		bool absent = is_expected_absent(hooks[i].name);

		check(tally, hooks[i].state == (absent ? KERNEL_HOOK_ABSENT : KERNEL_HOOK_ATTACHED),
		      "hook %s%s: state %d %s", hooks[i].name,
		      absent ? " (not in this kernel)" : "", hooks[i].state, hooks[i].why);
		check(tally, !absent || (!hooks[i].mandatory && hooks[i].why[0]),
		      "hook %s is absent without a reason", hooks[i].name);
	}
}

static void check_session(struct tally *tally, struct kernel *kernel, uint64_t id)
{
	struct grith_session session = { .uid = 1000, .image = 3 }, found = { 0 };
	OWNED_MEM uint64_t *ids = NULL;
	size_t count = 0;

	check(tally, kernel_session_get(kernel, id, &found) == -ENOENT, "a session nobody made");
	check(tally, kernel_session_set(kernel, id, &session) == 0, "no session can be made");
	check(tally,
	      kernel_session_get(kernel, id, &found) == 0 && found.uid == 1000 && found.image == 3,
	      "the session is another one");
	check(tally, kernel_sessions(kernel, &ids, &count) == 0 && count == 1 && ids[0] == id,
	      "%zu sessions", count);
}

static void check_counters(struct tally *tally, struct kernel *kernel)
{
	uint64_t counters[GRITH_COUNTERS];

	if (!check(tally, kernel_counters(kernel, counters) == 0, "no counters"))
		return;
	for (size_t i = 0; i < GRITH_COUNTERS; i++)
		check(tally, !counters[i], "counter %zu is %llu without a session", i,
		      (unsigned long long)counters[i]);
}

static struct kernel *open_kernel(struct tally *tally, const struct kernel_options *options)
{
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *text = NULL;
	struct kernel *kernel = NULL;
	int r = kernel_open(options, &diag, &kernel);

	text = diag_text(&diag);
	check(tally, r == 0, "kernel_open: %s\n%s", strerror(-r), text ? text : "");
	return kernel;
}

static void check_life(struct tally *tally, const struct kernel_options *options)
{
	CLEANUP(kernel_freep) struct kernel *first = open_kernel(tally, options);
	CLEANUP(kernel_freep) struct kernel *second = NULL;
	struct grith_session found = { 0 };

	if (!first)
		return;
	check(tally, !kernel_adopted(first), "adopted what was never made");
	check(tally,
	      options->attach == KERNEL_ATTACH_AUTO || kernel_attachment(first) == options->attach,
	      "attached by %d", kernel_attachment(first));
	check_hooks(tally, first);
	check_counters(tally, first);
	check_session(tally, first, 42);

	second = open_kernel(tally, options);
	if (!second)
		return;
	check(tally, kernel_adopted(second), "made anew what was there");
	check_hooks(tally, second);
	check(tally, kernel_session_get(second, 42, &found) == 0 && found.uid == 1000,
	      "the session is gone");
}

/* A map as a version before has left it, under the name that it had then. */
#define MAP_BEFORE BPFFS "/maps/tightened"
#define MAP_NOW BPFFS "/maps/late_taint"

static bool is_map_adopted(const struct stat *before)
{
	struct stat now;

	return stat(MAP_NOW, &now) == 0 && now.st_ino == before->st_ino &&
	       access(MAP_BEFORE, F_OK) < 0;
}

/* Another root cgroup is another set of programs; the sessions stay. */
static void check_replaced(struct tally *tally, const struct kernel_options *options)
{
	struct kernel_options other = *options;
	CLEANUP(kernel_freep) struct kernel *kernel = NULL;
	struct grith_session found = { 0 };
	struct stat map = { 0 };

	other.root_cgroup++;
	check(tally, rename(MAP_NOW, MAP_BEFORE) == 0 && stat(MAP_BEFORE, &map) == 0,
	      "a map cannot get another name: %s", strerror(errno));
	kernel = open_kernel(tally, &other);
	if (!kernel)
		return;
	check(tally, !kernel_adopted(kernel), "adopted programs for another root cgroup");
	check(tally, is_map_adopted(&map), "a map of the version before is lost");
	check(tally, kernel_session_get(kernel, 42, &found) == 0, "the session is gone");
	check(tally, kernel_session_remove(kernel, 42) == 0, "the session stays");
	check(tally, kernel_session_remove(kernel, 42) == -ENOENT, "the session can go twice");
}

void test_load(struct tally *tally)
{
	struct kernel_options options = {
		.attach = wanted_attach(),
		.bpffs = BPFFS,
		.root_level = 1,
	};
	struct stat st;

	mkdir(CGROUP, 0755);
	if (!check(tally, stat(CGROUP, &st) == 0, CGROUP ": %s", strerror(errno)))
		return;
	options.root_cgroup = st.st_ino;
	check_life(tally, &options);
	check_replaced(tally, &options);
	check(tally, kernel_unload(BPFFS) == 0 && access(BPFFS, F_OK) < 0, "pins are left over");
	check(tally, kernel_unload(BPFFS) == 0, "nothing cannot be unloaded");
	rmdir(CGROUP);
}
