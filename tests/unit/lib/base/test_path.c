/* SPDX-License-Identifier: MPL-2.0 */
/* A name is below a directory by whole components. */

#include <criterion/criterion.h>

#include "lib/base/base.h"

Test(path, below)
{
	static const struct {
		const char *path, *directory;
		bool below;
	} cases[] = {
		{ "/a/b", "/a/b", true },
		{ "/a/b", "/a", true },
		{ "/a/b/c/d", "/a/b", true },
		{ "/a/bc", "/a/b", false },
		{ "/a", "/a/b", false },
		{ "/x/a/b", "/a/b", false },
		{ "/a/b", "/a/b/", true },
		{ "/a/b/c", "/a/b//", true },
		{ "/a/bc", "/a/b/", false },
		{ "/a/b/", "/a/b", true },
		{ "/a", "/", true },
		{ "/", "/", true },
		{ "/", "/a", false },
		{ "/a", "//", true },
		{ "a/b", "a", true },
		{ "a", "/", false },
		{ ".config/fish", ".config", true },
		{ "", "/", false },
		{ "/a", "", false },
		{ "", "", false },
		{ "/a", NULL, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		cr_expect_eq(path_text_is_below(cases[i].path, cases[i].directory), cases[i].below,
			     "%s below %s", cases[i].path, cases[i].directory);
	cr_expect(path_is_below("/a/b", 2, "/a"), "only so many bytes count");
	cr_expect_not(path_is_below("/a/b", 1, "/a"));
}
