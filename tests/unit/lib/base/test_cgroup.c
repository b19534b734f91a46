/* SPDX-License-Identifier: MPL-2.0 */
/* The texts of procfs and cgroupfs, on unified and hybrid hosts. */

#include <criterion/criterion.h>

#include "lib/base/base.h"

static void mount_is(const char *text, const char *wanted)
{
	OWNED_MEM char *mount = NULL;
	int r = cgroup_parse_mountinfo(text, &mount);

	cr_assert_eq(r, wanted ? 0 : -ENOENT);
	if (wanted)
		cr_assert_str_eq(mount, wanted);
}

Test(cgroup, the_mount_of_a_unified_host)
{
	mount_is("22 60 0:21 / /proc rw shared:12 - proc proc rw\n"
		 "29 60 0:25 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
		 "/sys/fs/cgroup");
}

Test(cgroup, the_mount_of_a_hybrid_host)
{
	mount_is("30 23 0:26 / /sys/fs/cgroup ro - tmpfs tmpfs ro\n"
		 "31 30 0:27 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\n"
		 "32 30 0:28 / /sys/fs/cgroup/unified rw shared:9 master:1 - cgroup2 cgroup2 rw\n",
		 "/sys/fs/cgroup/unified");
}

Test(cgroup, part_of_a_hierarchy_is_no_mount_of_it)
{
	mount_is("29 60 0:25 /docker/x /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", NULL);
	mount_is("", NULL);
	mount_is("nonsense - cgroup2 x\n", NULL);
	mount_is("29 60 0:25 /docker/x /a rw - cgroup2 cgroup2 rw\n"
		 "29 60 0:25 / /b rw - cgroup2 cgroup2 rw",
		 "/b");
}

Test(cgroup, escapes_in_mountinfo)
{
	mount_is("29 60 0:25 / /a\\040b\\134c rw - cgroup2 cgroup2 rw\n", "/a b\\c");
}

static void membership_is(const char *text, const char *wanted)
{
	OWNED_MEM char *path = NULL;
	int r = cgroup_parse_membership(text, &path);

	cr_assert_eq(r, wanted ? 0 : -ENOENT);
	if (wanted)
		cr_assert_str_eq(path, wanted);
}

Test(cgroup, membership)
{
	membership_is("0::/\n", "/");
	membership_is("9:name=systemd:/x\n1:cpu:/\n0::/grith/abc\n", "/grith/abc");
	membership_is("0::/last", "/last");
	membership_is("1:cpu:0::/trap\n", NULL);
	membership_is("", NULL);
}

Test(cgroup, events)
{
	bool value = false;

	cr_assert_eq(cgroup_parse_event("populated 1\nfrozen 0\n", "populated", &value), 0);
	cr_assert(value);
	cr_assert_eq(cgroup_parse_event("populated 1\nfrozen 0\n", "frozen", &value), 0);
	cr_assert_not(value);
	cr_assert_eq(cgroup_parse_event("unpopulated 1\n", "populated", &value), -ENOENT);
	cr_assert_eq(cgroup_parse_event("populated_x 1\n", "populated", &value), -ENOENT);
}

Test(cgroup, below)
{
	cr_assert(path_text_is_below("/grith", "/grith"));
	cr_assert(path_text_is_below("/grith/a/b", "/grith"));
	cr_assert_not(path_text_is_below("/grithling", "/grith"));
	cr_assert_not(path_text_is_below("/", "/grith"));
	cr_assert_not(path_text_is_below("/x/grith", "/grith"));
	cr_assert(path_text_is_below("/anything", "/"));
}

Test(cgroup, levels)
{
	cr_assert_eq(cgroup_level("/"), 0);
	cr_assert_eq(cgroup_level("/grith"), 1);
	cr_assert_eq(cgroup_level("/system.slice/grithd.service/grith"), 3);
}
