/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Command lines that no shell takes, and those at and over a limit.
 */
#include <time.h>

#include "test_shell.h"

/* No shell takes them; the error is at that byte. */
static const struct {
	const char *text;
	size_t at;
} wrong[] = {
	{ "'", 0 },
	{ "echo 'a", 5 },
	{ "echo \"a", 5 },
	{ "echo $'a", 5 },
	{ "echo `a", 5 },
	{ "echo $(a", 6 },
	{ "echo ${a", 5 },
	{ "echo ${}", 5 },
	{ "echo $((1", 9 },
	{ "echo <(a", 6 },
	{ ";", 0 },
	{ "a ;; b", 2 },
	{ "a ; ; b", 4 },
	{ "& a", 0 },
	{ "a & & b", 4 },
	{ "| a", 0 },
	{ "a |", 3 },
	{ "a | | b", 4 },
	{ "a &&", 4 },
	{ "a && || b", 5 },
	{ "a && ; b", 5 },
	{ "(", 1 },
	{ ")", 0 },
	{ "()", 1 },
	{ "a )", 2 },
	{ "(a", 2 },
	{ "{ a", 3 },
	{ "{ a; ", 5 },
	{ "}", 0 },
	{ "a; }", 3 },
	{ "{ }", 2 },
	{ "if", 2 },
	{ "if a", 4 },
	{ "if a; then", 10 },
	{ "if a; then b", 12 },
	{ "if a; then fi", 11 },
	{ "if a; fi", 6 },
	{ "then", 0 },
	{ "fi", 0 },
	{ "a && then", 5 },
	{ "a | do", 4 },
	{ "while a; done", 9 },
	{ "while a; do b", 13 },
	{ "do a; done", 0 },
	{ "for", 3 },
	{ "for 1 in a; do b; done", 4 },
	{ "for $x in a; do b; done", 4 },
	{ "for i in a do b; done", 17 },
	{ "for i in a; b", 12 },
	{ "case", 4 },
	{ "case a b", 7 },
	{ "case a in b c", 12 },
	{ "case a in b) c", 14 },
	{ "case a in |) c;; esac", 10 },
	{ "f() ", 4 },
	{ "f( a", 3 },
	{ "function", 8 },
	{ "function f a", 11 },
	{ "a >", 3 },
	{ "a > ;", 4 },
	{ "a > > b", 4 },
	{ "a <<", 4 },
	{ "a << ;", 5 },
	{ "a <<< ", 6 },
	{ "echo a(b)", 6 },
	{ "x=(a", 4 },
	{ "x=(a; b)", 4 },
	{ "echo x=(a)", 7 },
	{ "[[ a", 4 },
	{ "[[ ]]", 3 },
	{ "[[ a b ]]", 5 },
	{ "[[ a && ]]", 8 },
	{ "[[ ( a ]]", 7 },
	{ "[[ a; ]]", 4 },
	{ "[[ a || rm -rf / ]]", 11 },
	{ "echo $(if)", 9 },
	{ "echo `if`", 5 },
	{ "a <<E\n$(b\nE", 6 },
	{ "sh -c 'a ('", 11 },
	{ "eval '('", 8 },
	{ "a\nb\n)", 4 },
};

Test(shell_limits, errors_say_where)
{
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		CLEANUP(shell_script_freep) struct shell_script *script = NULL;
		size_t at = 777;
		int r = shell_parse(wrong[i].text, strlen(wrong[i].text), &at, &script);

		cr_expect_eq(r, -EINVAL, "%s: %d", wrong[i].text, r);
		cr_expect_eq(at, wrong[i].at, "%s: %zu", wrong[i].text, at);
		cr_expect_null(script);
	}
}

Test(shell_limits, nul_is_an_error)
{
	struct shell_script *script = NULL;
	size_t at = 777;

	cr_expect_eq(shell_parse("a\0b", 3, &at, &script), -EINVAL);
	cr_expect_eq(at, 1u);
	cr_expect_null(script);
	cr_expect_eq(shell_parse("\0", 1, NULL, &script), -EINVAL);
	cr_expect_null(script);
}

/* What is not known may be what is missing in the text for another shell. */
Test(shell_limits, errors_in_texts_that_are_not_known)
{
	static const struct shell_case cases[] = {
		{ "sh -c \"a; $x (\"", "sh -c <a;  (>?{x}; >a" },
		{ "eval \"if $x\" ; b", "eval <if >?{x}; >><>?; b" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}

/* `head`, n times `middle`, `tail`. */
static int parse_repeated(const char *head, const char *middle, size_t n, const char *tail,
			  size_t *ret_commands)
{
	CLEANUP(shell_script_freep) struct shell_script *script = NULL;
	OWNED_TEXT struct text t = { 0 };
	int r;

	text_add(&t, head, strlen(head));
	for (size_t i = 0; i < n; i++)
		text_add(&t, middle, strlen(middle));
	text_add(&t, tail, strlen(tail));
	r = shell_parse(t.data, t.length, NULL, &script);
	cr_expect_eq(r == 0, script != NULL);
	if (ret_commands)
		*ret_commands = script ? script->n_commands : 0;
	return r;
}

Test(shell_limits, length)
{
	cr_expect_eq(parse_repeated("", "a", SHELL_TEXT_MAX, "", NULL), 0);
	cr_expect_eq(parse_repeated("", "a", SHELL_TEXT_MAX + 1, "", NULL), -E2BIG);
	cr_expect_eq(parse_repeated("", " ", SHELL_TEXT_MAX, "", NULL), 0);
	cr_expect_eq(parse_repeated("", "'", SHELL_TEXT_MAX, "", NULL), 0);
	cr_expect_eq(parse_repeated("", "a ", SHELL_TEXT_MAX / 2, "", NULL), 0);
}

Test(shell_limits, commands)
{
	size_t n = 0;

	cr_expect_eq(parse_repeated("", "a;", SHELL_COMMANDS_MAX, "", &n), 0);
	cr_expect_eq(n, (size_t)SHELL_COMMANDS_MAX);
	cr_expect_eq(parse_repeated("", "a;", SHELL_COMMANDS_MAX + 1, "", NULL), -E2BIG);
}

/* What is around itself, and what is in the middle. */
struct nesting {
	const char *open, *middle, *close;
};

static int parse_nested(const struct nesting *nesting, size_t n)
{
	CLEANUP(shell_script_freep) struct shell_script *script = NULL;
	OWNED_TEXT struct text t = { 0 };

	for (size_t i = 0; i < n; i++)
		text_add(&t, nesting->open, strlen(nesting->open));
	text_add(&t, nesting->middle, strlen(nesting->middle));
	for (size_t i = 0; i < n; i++)
		text_add(&t, nesting->close, strlen(nesting->close));
	return shell_parse(t.data, t.length, NULL, &script);
}

static void expect_depth(const struct nesting *nesting, size_t n)
{
	int r = parse_nested(nesting, n);
	size_t depth = n + (nesting->open[0] == 'f'); /* the body of a function is one more */

	if (nesting->open[0] == '!')
		cr_expect(n == 1 ? r == 0 : r == -EINVAL || r == 0);
	else
		cr_expect_eq(r, depth <= SHELL_DEPTH_MAX ? 0 : -E2BIG, "%zu %s: %d", n,
			     nesting->open, r);
}

Test(shell_limits, depth)
{
	static const struct nesting nestings[] = {
		{ "(", "a", ")" },
		{ "{ ", "a;", "};" },
		{ "$(", "a", ")" },
		{ "if a;then ", "b;", "fi;" },
		{ "while a;do ", "b;", "done;" },
		{ "case a in b) ", "c", ";; esac" },
		{ "f()", "{ a;}", "" },
		{ "\"${a-", "b", "}\"" },
		{ "<(", "a", ")" },
		{ "eval ", "a", "" },
		{ "!", " a", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(nestings); i++)
		for (size_t n = 1; n <= 5000; n = n < 200 ? n + 1 : n * 5)
			expect_depth(&nestings[i], n);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* Texts that would be slow to whoever looks ahead again and again. */
static const char *const slow[] = {
	"((a)\n",
	"((",
	"((a # '\n));",
	"$((",
	"[",
	"{",
	"{a,",
	"{a,b}",
	"<<E ",
	"a <<E;",
	"`a` ",
	"\\`",
	"${a:-",
	"'",
	"\"$a\"",
	"a=(b) ",
	"@(a",
	"$a",
	"eval ",
	"a|",
	"a&&",
	"[[ a ",
	"sh -c a;",
	"{1..2}",
	"find -exec ",
	"env ",
	"sudo -u x ",
	"~:",
	"x=~:",
	"# a\n",
	"\\\n",
	"&\\\n",
	"echo a|sh;",
	"cat<<E|sh\na\nE\n",
	"{ sh;}<<E\na\nE\n",
	"[[ a ]];",
};

/* Each gets far more time than it takes, and far less than it would take if it were quadratic. */
Test(shell_limits, long_texts_take_no_time)
{
	for (size_t i = 0; i < ARRAY_SIZE(slow); i++) {
		double start = seconds();
		int r = parse_repeated("", slow[i], SHELL_TEXT_MAX / strlen(slow[i]), "", NULL);

		cr_expect(r == 0 || r == -EINVAL || r == -E2BIG);
		if (seconds() - start > 0.3)
			cr_expect_lt(seconds() - start, 2.0, "%s: %g s", slow[i],
				     seconds() - start);
	}
}

/* The same numbers each time, so that a failure can be repeated. */
static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 16;
}

Test(shell_limits, random_pieces_never_hurt)
{
	static const char *const pieces[] = {
		"a",	   " ",		 "\n",	   ";",	     "&",     "|",	     "(",
		")",	   "{ ",	 " }",	   "'",	     "\"",    "`",	     "$",
		"${x",	   "}",		 "$(",	   "((",     "))",    "<",	     ">",
		"<<E",	   "\nE\n",	 "if ",	   " then ", " fi ",  "for x in ",   " do ",
		" done ",  "case x in ", " esac ", "[[ ",    " ]]",   "=",	     "x=(",
		"sh -c ",  "eval ",	 "\\",	   "#",	     "*",     "[",	     "]",
		"~",	   "{a,b}",	 "..",	   ",",	     "find ", "-exec ",	     "{}",
		"1",	   "!",		 "\x80",   "\xff",   "\t",    "function f ", "time ",
		"coproc ", "echo ",	 "|sh",	   "&>",     "$'",
	};
	uint32_t state = 1;
	size_t good = 0;

	for (size_t round = 0; round < 20000; round++) {
		CLEANUP(shell_script_freep) struct shell_script *script = NULL;
		OWNED_TEXT struct text t = { 0 };
		size_t n = next_random(&state) % 12, at = 0;
		OWNED_MEM char *copy = NULL;
		int r;

		text_add(&t, "", 0);
		while (n--) {
			const char *piece = pieces[next_random(&state) % ARRAY_SIZE(pieces)];

			text_add(&t, piece, strlen(piece));
		}
		copy = malloc(t.length ? t.length : 1);
		cr_assert(copy);
		memcpy(copy, t.data, t.length);
		r = shell_parse(copy, t.length, &at, &script);
		cr_expect(r == 0 || (r == -EINVAL && at <= t.length), "%s: %d", t.data, r);
		good += r == 0;
	}
	cr_expect_gt(good, 1000u);
}

Test(shell_limits, random_bytes_never_hurt)
{
	uint32_t state = 2;

	for (size_t round = 0; round < 20000; round++) {
		CLEANUP(shell_script_freep) struct shell_script *script = NULL;
		size_t n = next_random(&state) % 40, at = 0;
		OWNED_MEM char *copy = malloc(n ? n : 1);
		int r;

		cr_assert(copy);
		for (size_t i = 0; i < n; i++)
			copy[i] = (char)next_random(&state);
		r = shell_parse(copy, n, &at, &script);
		cr_expect(r == 0 || (r == -EINVAL && at <= n));
		shell_command_text(copy, n, &at);
	}
}
