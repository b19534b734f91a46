/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The kernel room without a kernel: what is pinned where, and that one set of links takes the place
 * of another. Loading and attaching are tests/kernel.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include <criterion/criterion.h>

#include "grithd/kernel/internal.h"

static char directory[] = "/tmp/grith-pins-XXXXXX";
static struct kernel_pins pins;

static void set_up(void)
{
	cr_assert_not_null(mkdtemp(directory));
	cr_assert_eq(kernel_pins_init(&pins, directory, 0x1234), 0);
}

static void tear_down(void)
{
	kernel_pins_free(&pins);
	kernel_unload(directory);
}

TestSuite(pins, .init = set_up, .fini = tear_down);

static void make_link(const char *links, const char *program)
{
	OWNED_TEXT struct text path = { 0 };

	text_addf(&path, "%s/%s", links, program);
	cr_assert_eq(close(open(path.data, O_CREAT | O_WRONLY | O_CLOEXEC, 0600)), 0);
}

Test(pins, a_directory_that_is_no_bpffs_is_refused_with_its_remedy)
{
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *words = NULL;

	cr_assert_eq(kernel_pins_make(&pins, &diag), -EINVAL);
	words = diag_text(&diag);
	cr_assert_not_null(strstr(words, "mount -t bpf"), "%s", words);
	cr_assert_neq(access(directory, F_OK), 0, "what was made is removed again");
}

Test(pins, a_new_set_takes_the_place_of_the_old_one_as_a_whole)
{
	struct kernel_pins old;

	cr_assert_eq(kernel_pins_init(&old, directory, 0x99), 0);
	mkdir(old.links, 0700);
	make_link(old.links, "lsm_file_open");
	mkdir(pins.new_links, 0700);
	make_link(pins.new_links, "lsm_file_open");
	cr_assert(kernel_pins_has_set(&old));
	cr_assert_not(kernel_pins_has_set(&pins));
	cr_assert_eq(kernel_pins_switch(&pins), 0);
	cr_assert_not(kernel_pins_has_set(&old));
	cr_assert(kernel_pins_has_set(&pins));
	cr_assert(kernel_pins_has_link(&pins, "lsm_file_open"));
	cr_assert_not(kernel_pins_has_link(&pins, "lsm_file_mprotect"));
	kernel_pins_free(&old);
}

Test(pins, unloading_leaves_nothing)
{
	mkdir(pins.links, 0700);
	make_link(pins.links, "lsm_file_open");
	mkdir(pins.maps, 0700);
	make_link(pins.maps, "sessions");
	cr_assert_eq(kernel_unload(directory), 0);
	cr_assert_neq(access(directory, F_OK), 0);
}
