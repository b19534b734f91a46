/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Globs: what is refused and why, what they expand to, and that the matcher agrees with one that
 * is written in another way. What each form matches is in the table of policy cases.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "lib/policy/automaton/automaton.h"

Test(glob, refuses)
{
	static const struct {
		const char *glob, *why;
	} cases[] = {
		{ "", "empty" },
		{ "a/b", "must start with" },
		{ "*/a", "must start with" },
		{ "./a", "must start with" },
		{ "Upper:x", "must start with" },
		{ "***", "must start with" },
		{ "/a**", "whole component" },
		{ "/**a", "whole component" },
		{ "/a/b**c/d", "whole component" },
		{ "/***", "whole component" },
		{ "/a/", "ends in /" },
		{ "/**/", "ends in /" },
		{ "/a/../b", ". or .." },
		{ "/./b", ". or .." },
		{ "/a/..", ". or .." },
		{ "/[a", "without its ]" },
		{ "/[a\\", "without its ]" },
		{ "/[]", "empty class" },
		{ "/[!]", "empty class" },
		{ "/[^a]", "[^ has no meaning" },
		{ "/[z-a]", "backwards" },
		{ "/[a/b]", "never matches /" },
		{ "/[.-9]", "includes /" },
		{ "/[[:alpha:]]", "named classes" },
		{ "/[\xc3\xa4]", "only ASCII" },
		{ "/a{b", "brace without" },
		{ "/a}b", "brace without" },
		{ "/a\\", "nothing behind" },
		{ "@x\\", "nothing behind" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(glob_freep) struct glob *glob = NULL;
		const char *why = NULL;

		cr_assert_eq(glob_parse(cases[i].glob, &glob, &why), -EINVAL, "%s", cases[i].glob);
		cr_expect(strstr(why, cases[i].why), "%s: %s", cases[i].glob, why);
		cr_expect_null(glob);
	}
}

Test(glob, longest)
{
	CLEANUP(glob_freep) struct glob *glob = NULL;
	char text[GLOB_BYTES_MAX + 2];
	const char *why;

	/* The worst for the tokens: stars alone in their components. */
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = i % 2 ? '*' : '/';
	text[GLOB_BYTES_MAX + 1] = '\0';
	cr_expect_eq(glob_parse(text, &glob, &why), -EINVAL);
	cr_expect(strstr(why, "GLOB_BYTES_MAX"));
	text[GLOB_BYTES_MAX] = '\0';
	cr_assert_eq(glob_parse(text, &glob, &why), 0);
	cr_expect_not(glob_match(glob, text, GLOB_BYTES_MAX - 2));
	cr_expect(glob_match(glob, text, GLOB_BYTES_MAX));
}

static void expect_list(const char *text, const char *const *expected, size_t n)
{
	static char *const others[] = { (char *)"/{b", (char *)"/c,d" };
	static const struct glob_variable variables[] = {
		{ .name = "~", .value = "/home/[ann]" },
		{ .name = "PROJECT", .value = "/p/{a,b}*?\\!-^" },
		{ .name = "MANY", .value = "/a", .others = others, .n_others = 2 },
		{ .name = "NONE" },
	};
	CLEANUP(glob_list_freep) char **list = NULL;
	const char *why = "";
	size_t i;

	cr_assert_eq(glob_expand(text, variables, ARRAY_SIZE(variables), &list, &why), 0, "%s: %s",
		     text, why);
	for (i = 0; i < n && list[i]; i++)
		cr_expect_str_eq(list[i], expected[i], "%s: \"%s\"", text, list[i]);
	cr_expect(i == n && !list[i], "%s: number of globs", text);
}

#define EXPECT_LIST(text, ...)                                   \
	expect_list(text, (const char *const[]) { __VA_ARGS__ }, \
		    sizeof((const char *const[]) { __VA_ARGS__ }) / sizeof(char *))

Test(glob, expands)
{
	EXPECT_LIST("/a", "/a");
	EXPECT_LIST("/{a,b}", "/a", "/b");
	EXPECT_LIST("/{a}", "/a");
	EXPECT_LIST("/{,x}y", "/y", "/xy");
	EXPECT_LIST("/{a,b}/{1,2}", "/a/1", "/a/2", "/b/1", "/b/2");
	EXPECT_LIST("/{a,{b,c}d}e", "/ae", "/bde", "/cde");
	EXPECT_LIST("/{a/b,c}", "/a/b", "/c");
	EXPECT_LIST("/\\{a,b\\}", "/\\{a,b\\}");
	EXPECT_LIST("/[{,}]x", "/[{,}]x");
	EXPECT_LIST("/{[,],b}", "/[,]", "/b");
	EXPECT_LIST("/{a\\,b,c}", "/a\\,b", "/c");
	EXPECT_LIST("~", "/home/\\[ann\\]");
	EXPECT_LIST("~/x", "/home/\\[ann\\]/x");
	EXPECT_LIST("/x~", "/x~");
	EXPECT_LIST("\\~", "\\~");
	EXPECT_LIST("${PROJECT}/x", "/p/\\{a\\,b\\}\\*\\?\\\\\\!\\-\\^/x");
	EXPECT_LIST("${MANY}/x", "/a/x", "/\\{b/x", "/c\\,d/x");
	EXPECT_LIST("/$x", "/$x");
	EXPECT_LIST("/\\${PROJECT}", "/\\$PROJECT");
}

Test(glob, does_not_expand)
{
	static const struct glob_variable variables[] = { { .name = "NONE" } };
	static const struct {
		const char *text;
		int r;
		const char *why;
	} cases[] = {
		{ "${UNKNOWN}/x", -EINVAL, "not known" },
		{ "${PROJ", -EINVAL, "without its }" },
		{ "${}", -EINVAL, "not known" },
		{ "${NONE}", -EINVAL, "without a value" },
		{ "~ann/x", -EINVAL, "before a name" },
		{ "/{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", -E2BIG, "GLOB_BRACES_MAX" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(glob_list_freep) char **list = NULL;
		const char *why = "";

		cr_expect_eq(glob_expand(cases[i].text, variables, 1, &list, &why), cases[i].r,
			     "%s", cases[i].text);
		cr_expect(strstr(why, cases[i].why), "%s: %s", cases[i].text, why);
		cr_expect_null(list);
	}
}

/* Backtracking over the text of a glob that is well-formed and has neither classes nor escapes. */
static bool matches(const char *glob, const char *path)
{
	bool whole = glob[0] == '*' && (glob[1] == '/' || !glob[1]);

	if (!*glob)
		return !*path;
	if (strncmp(glob, "/**", 3) == 0 && (!glob[3] || glob[3] == '/')) {
		if (matches(glob + 3, path))
			return true;
		for (const char *p = path; *path == '/' && *p; p++)
			if (matches(glob + 3, p + 1))
				return true;
		return false;
	}
	if (glob[0] == '*') {
		for (const char *p = path;; p++) {
			/* Alone in its component it takes at least one byte. */
			if (!(whole && p == path) && matches(glob + 1, p))
				return true;
			if (!*p || *p == '/')
				return false;
		}
	}
	if (!*path || (*glob == '?' ? *path == '/' : *glob != *path))
		return false;
	return matches(glob + 1, path + 1);
}

static bool starts_component(const char *glob, size_t at)
{
	return at == 0 || glob[at - 1] == '/';
}

/*
 * "a*" at the end of a component is no lone star: the plain matcher above sees only what follows.
 * So it is given globs in which a star that ends a component also begins it.
 */
static bool is_plain(const char *glob)
{
	for (size_t i = 0; glob[i]; i++)
		if (glob[i] == '*' && (!glob[i + 1] || glob[i + 1] == '/') &&
		    !starts_component(glob, i) && glob[i - 1] != '*')
			return false;
	return true;
}

Test(glob, agrees_with_backtracking)
{
	static const char *const parts[] = { "/a", "/b", "/*", "/**", "/?", "/*a", "/a?", "/*b*a" };
	static const char *const names[] = { "/a", "/b", "/ab", "/ba", "/aa" };
	char text[64], path[64];
	size_t compared = 0;

	for (unsigned int g = 0; g < 8 * 8 * 8; g++) {
		CLEANUP(glob_freep) struct glob *glob = NULL;
		const char *why;

		snprintf(text, sizeof(text), "%s%s%s", parts[g % 8], parts[g / 8 % 8],
			 parts[g / 64]);
		cr_assert(is_plain(text));
		cr_assert_eq(glob_parse(text, &glob, &why), 0, "%s: %s", text, why);
		for (unsigned int p = 0; p < 5 * 5 * 5 * 5; p++) {
			snprintf(path, sizeof(path), "%s%s%s%s", names[p % 5],
				 p % 2 ? names[p / 5 % 5] : "", names[p / 25 % 5],
				 p % 3 ? names[p / 125] : "");
			cr_assert_eq(glob_match(glob, path, strlen(path)), matches(text, path),
				     "%s and %s", text, path);
			compared++;
		}
	}
	cr_expect_eq(compared, 320000u);
}
