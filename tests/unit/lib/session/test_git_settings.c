/* SPDX-License-Identifier: MPL-2.0 */
/* How the text of a git repository's settings is read, and where it is not certain. */
#include <criterion/criterion.h>
#include <string.h>

#include "lib/session/git_settings.h"

/* One line: "NAME(SUBSECTION)=VALUE" for each. The caller frees. */
static char *flat(const struct git_settings *settings)
{
	OWNED_TEXT struct text out = { 0 };

	cr_assert_eq(text_add(&out, "", 0), 0);
	for (size_t i = 0; i < settings->count; i++) {
		const struct git_setting *s = &settings->all[i];

		cr_assert_eq(text_addf(&out, "%s%s%s%s%s%s%s", i ? " " : "", s->name,
				       s->subsection ? "(" : "", s->subsection ?: "",
				       s->subsection ? ")" : "", s->value ? "=" : "",
				       s->value ?: ""),
			     0);
	}
	return TAKE_PTR(out.data);
}

Test(git_settings, forms)
{
	static const struct {
		const char *text, *settings;
	} cases[] = {
		{ "", "" },
		{ "# nothing\n; here\n", "" },
		{ "[core]\n\tbare = false\n", "core.bare=false" },
		{ "[Core]\r\n\tBARE=false\r\n", "core.bare=false" },
		{ "[core] bare\n", "core.bare" },
		{ "[core]bare=a\nfsmonitor = /x y # z\n", "core.bare=a core.fsmonitor=/x y" },
		{ "[core]\n\tpager = less \\\n -R\n", "core.pager=less  -R" },
		{ "[remote \"Or.ig\\\"in\"] url = x", "remote.*.url(Or.ig\"in)=x" },
		{ "[alias]\nx = \"!sh; #\"\n", "alias.x=!sh; #" },
		{ "[a]\nb = \"one\"\\ttwo\n", "a.b=one\ttwo" },
		{ "[a]\nb = \n[c \"\"]\nd\n", "a.b= c.*.d()" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(git_settings_clear) struct git_settings settings = { 0 };
		OWNED_MEM char *found = NULL;

		cr_expect_eq(git_settings_read(cases[i].text, strlen(cases[i].text), &settings), 0,
			     "%s", cases[i].text);
		found = flat(&settings);
		cr_expect_str_eq(found, cases[i].settings);
	}
}

/* Of these it is not certain what git reads, or how another version of it does. */
Test(git_settings, uncertain)
{
	static const char *const cases[] = {
		"bare = false\n",
		"[core\nbare\n",
		"[core.x]\nurl = y\n",
		"[]\nx\n",
		"[core]\n= x\n",
		"[core]\nx y\n",
		"[core]\nx = \"y\n",
		"[core]\nx = \\q\n",
		"\xef\xbb\xbf[core]\nx = y\n",
		"[remote \"x\n\"]\ny",
		"[remote \"x\" ]\ny",
		"[core]\nx = a\\\r\nb\n",
		"[remote x]\ny = z\n",
		"[core]\n\x01x = y\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(git_settings_clear) struct git_settings settings = { 0 };

		cr_expect_eq(git_settings_read(cases[i], strlen(cases[i]), &settings), -EINVAL,
			     "%s", cases[i]);
	}
}

Test(git_settings, bytes_that_end_strings)
{
	static const char value[] = "[core]\nbare = \0 x\n",
			  name[] = "[remote \"a\0b\"]\nurl = x\n";
	CLEANUP(git_settings_clear) struct git_settings settings = { 0 };

	cr_expect_eq(git_settings_read(value, sizeof(value) - 1, &settings), -EINVAL);
	cr_expect_eq(git_settings_read(name, sizeof(name) - 1, &settings), -EINVAL);
}
