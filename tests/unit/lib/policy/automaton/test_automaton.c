/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The automaton by itself: that it is minimal, that its packed form says the same, and that globs
 * which would make it explode end in an error soon. Here a row is the number of the last rule that
 * matches, plus one.
 */
#include <criterion/criterion.h>
#include <time.h>

#include "lib/base/base.h"
#include "lib/policy/automaton/automaton.h"
#include "grith_abi.h"

/*
 * The row of a path, from the states before they are packed: what differs here from glob_match() is
 * the construction's or the minimisation's fault, what differs only in the image the packing's.
 */
static uint32_t automaton_run(const struct automaton *a, const char *bytes, size_t length)
{
	uint32_t state = a->start;

	for (size_t i = 0; i < length; i++) {
		uint8_t class = a->byte_class[(uint8_t)bytes[i]];
		uint32_t next = a->fallback[state];

		for (uint32_t k = a->first[state]; k < a->first[state + 1]; k++)
			if (a->edges[k].class == class)
				next = a->edges[k].target;
		state = next;
	}
	return a->row[state];
}

static int last_rule(void *arg, const uint32_t *rules, size_t n_rules, uint32_t *ret_row)
{
	(void)arg;
	*ret_row = n_rules ? rules[n_rules - 1] + 1 : 0;
	return 0;
}

static size_t keep_last(void *arg, uint32_t *rules, size_t n_rules)
{
	(void)arg;
	rules[0] = rules[n_rules - 1];
	return 1;
}

static uint64_t no_influence(void *arg, uint32_t rule)
{
	(void)arg;
	(void)rule;
	return 0;
}

static bool later_ones_matter(void *arg, const uint32_t *rules, size_t n_rules, uint32_t top,
			      uint64_t influence)
{
	(void)arg;
	(void)influence;
	return top > rules[n_rules - 1];
}

static const struct automaton_rules rules = {
	.row = last_rule,
	.drop_shadowed = keep_last,
	.influence = no_influence,
	.can_change = later_ones_matter,
};

static struct automaton *build(const char *const *globs, size_t n_globs)
{
	struct automaton_pattern patterns[64];
	struct automaton *automaton = NULL;
	struct automaton_refusal refusal = { 0 };

	cr_assert_leq(n_globs, ARRAY_SIZE(patterns));
	for (size_t i = 0; i < n_globs; i++)
		patterns[i] = (struct automaton_pattern) { globs[i], i, false };
	cr_assert_eq(automaton_build(patterns, n_globs, &rules, &automaton, &refusal), 0, "%s",
		     refusal.why);
	return automaton;
}

static uint32_t by_matching(const char *const *globs, size_t n_globs, const char *path,
			    size_t length)
{
	uint32_t row = 0;

	for (size_t i = 0; i < n_globs; i++) {
		CLEANUP(glob_freep) struct glob *glob = NULL;
		const char *why;

		cr_assert_eq(glob_parse(globs[i], &glob, &why), 0, "%s: %s", globs[i], why);
		if (glob_match(glob, path, length))
			row = i + 1;
	}
	return row;
}

static uint32_t target(const struct automaton *a, uint32_t state, unsigned int class)
{
	for (uint32_t i = a->first[state]; i < a->first[state + 1]; i++)
		if (a->edges[i].class == class)
			return a->edges[i].target;
	return a->fallback[state];
}

/*
 * Table filling, the textbook's way: two states differ if their rows do, or if some class leads
 * them to states that differ. All pairs must differ in a minimal automaton.
 */
static size_t count_equal_pairs(const struct automaton *a)
{
	size_t n = a->n_states, equal = 0;
	OWNED_MEM bool *differ = calloc(n * n, sizeof(*differ));
	bool changed = true;

	cr_assert(differ);
	for (size_t i = 0; i < n * n; i++)
		differ[i] = a->row[i / n] != a->row[i % n];
	while (changed) {
		changed = false;
		for (size_t i = 0; i < n * n; i++) {
			for (unsigned int c = 0; c < 256 && !differ[i]; c++) {
				size_t to = target(a, i / n, c) * n + target(a, i % n, c);

				if (differ[to])
					differ[i] = changed = true;
			}
		}
	}
	for (size_t i = 0; i < n * n; i++)
		equal += i / n < i % n && !differ[i];
	return equal;
}

static const char *const sets[][6] = {
	{ "/a", "/b", "/ab" },
	{ "/a/**", "/a/*/b", "/a/**/b" },
	{ "**/x", "**/*.c", "/x/**" },
	{ "/*a*b*", "/[a-c]?", "/[!a]*" },
	{ "/**/x/**", "/**/a/**", "/**/b/**" },
	{ "**", "/", "/*", "/**" },
	{ "@*", "@a", "pipefs:*", "[0-9a-z]*:/**" },
	{ "/same", "/same", "/other/same" },
};

static size_t set_size(const char *const *globs)
{
	size_t n = 0;

	while (n < 6 && globs[n])
		n++;
	return n;
}

static const char *const paths[] = {
	"",	     "/",     "/a",	"/b",	   "/ab",	  "/a/b",   "/a/x/b", "/a/x/y/b",
	"/x",	     "/c/x",  "/x/c/y", "/x/a/b",  "/f.c",	  "/d/f.c", "/ba",    "/acb",
	"/abc",	     "/a/",   "//",	"/\xff\n", "@",		  "@a",	    "@a/b",   "pipefs:",
	"pipefs:x/", "9p:/x", "/a:/x",	"/same",   "/other/same",
};

Test(automaton, says_what_matching_says)
{
	for (size_t s = 0; s < ARRAY_SIZE(sets); s++) {
		size_t n = set_size(sets[s]);
		CLEANUP(automaton_freep) struct automaton *a = build(sets[s], n);

		for (int minimized = 0; minimized < 2; minimized++) {
			for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
				size_t length = strlen(paths[i]);

				cr_expect_eq(automaton_run(a, paths[i], length),
					     by_matching(sets[s], n, paths[i], length),
					     "set %zu, \"%s\"", s, paths[i]);
			}
			cr_assert_eq(automaton_minimize(a), 0);
		}
	}
}

Test(automaton, is_minimal)
{
	for (size_t s = 0; s < ARRAY_SIZE(sets); s++) {
		CLEANUP(automaton_freep) struct automaton *a = build(sets[s], set_size(sets[s]));
		uint32_t before = a->n_states;

		cr_assert_eq(automaton_minimize(a), 0);
		cr_expect_leq(a->n_states, before);
		cr_expect_eq(count_equal_pairs(a), 0u, "set %zu", s);
	}
}

/* Three literals: a path for each, one state for all that fits none, and no more. */
Test(automaton, number_of_states)
{
	static const char *const literals[] = { "/aa", "/ab" };
	static const char *const tree[] = { "/a/**" };
	CLEANUP(automaton_freep) struct automaton *a = build(literals, 2);
	CLEANUP(automaton_freep) struct automaton *b = build(tree, 1);
	CLEANUP(automaton_freep) struct automaton *none = build(NULL, 0);

	cr_assert_eq(automaton_minimize(a), 0);
	cr_expect_eq(a->n_states, 6u); /* start, "/", "/a", "/aa", "/ab", dead */
	cr_assert_eq(automaton_minimize(b), 0);
	cr_expect_eq(b->n_states, 5u); /* start, "/", "/a", below it, dead */
	cr_assert_eq(automaton_minimize(none), 0);
	cr_expect_eq(none->n_states, 1u);
}

static uint32_t walk(const struct automaton *a, const uint32_t *words, uint32_t start,
		     const char *bytes)
{
	uint32_t s = start;

	for (; *bytes; bytes++) {
		uint32_t c = a->byte_class[(uint8_t)*bytes], w = words[s + c];

		s = (w >> GRITH_IMAGE_TAG_SHIFT == c ? w : words[s]) & GRITH_IMAGE_NEXT;
	}
	cr_expect_eq(words[s + 1] >> GRITH_IMAGE_TAG_SHIFT, 1u);
	return words[s + 1] & GRITH_IMAGE_NEXT;
}

Test(automaton, packed_form)
{
	enum { FIRST = 121, LIMIT = 8192 };

	for (size_t s = 0; s < ARRAY_SIZE(sets); s++) {
		CLEANUP(automaton_freep) struct automaton *a = build(sets[s], set_size(sets[s]));
		OWNED_MEM uint32_t *words = calloc(LIMIT, sizeof(*words));
		uint32_t start, end;

		cr_assert_eq(automaton_minimize(a), 0);
		cr_assert_eq(automaton_pack(a, words, FIRST, LIMIT, &start, &end), 0);
		cr_expect_geq(start, (uint32_t)FIRST);
		cr_expect_leq(end, (uint32_t)LIMIT);
		for (uint32_t i = 0; i < FIRST; i++)
			cr_assert_eq(words[i], 0u);
		for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
			cr_expect_eq(walk(a, words, start, paths[i]),
				     automaton_run(a, paths[i], strlen(paths[i])),
				     "set %zu, \"%s\"", s, paths[i]);
	}
}

Test(automaton, packing_has_a_limit)
{
	CLEANUP(automaton_freep) struct automaton *a = build(sets[1], 3);
	OWNED_MEM uint32_t *words = calloc(1024, sizeof(*words));
	uint32_t start = 7, end = 7;

	cr_expect_eq(automaton_pack(a, words, 0, 200, &start, &end), -E2BIG);
	cr_expect_eq(automaton_pack(a, words, 0, 258, &start, &end), -E2BIG);
	cr_expect_eq(start, 7u);
	cr_expect_eq(automaton_pack(a, words, 0, 1024, &start, &end), 0);
}

/* Each path can match any subset of these: 2^n states for n globs. */
Test(automaton, explosion_ends_soon)
{
	struct automaton_pattern patterns[40];
	OWNED_MEM char *globs = calloc(ARRAY_SIZE(patterns), 16);
	struct automaton *automaton = NULL;
	struct automaton_refusal refusal = { 0 };
	struct timespec begin, end;

	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++) {
		snprintf(globs + i * 16, 16, "**/%c%c/**/z", 'a' + (char)(i / 6),
			 'a' + (char)(i % 6));
		patterns[i] = (struct automaton_pattern) { globs + i * 16, i, false };
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	cr_expect_eq(automaton_build(patterns, ARRAY_SIZE(patterns), &rules, &automaton, &refusal),
		     -E2BIG);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	cr_expect(refusal.why && strstr(refusal.why, "AUTOMATON_"), "%s", refusal.why);
	cr_expect(refusal.has_rule);
	cr_expect_leq(end.tv_sec - begin.tv_sec, 60); /* with sanitizers */
	cr_expect_null(automaton);
}

/* The same number of globs that do not combine, because the last one that matches decides. */
Test(automaton, shadowed_rules_do_not_multiply)
{
	const char *globs[30];
	char text[30][16];

	for (size_t i = 0; i < ARRAY_SIZE(globs); i++) {
		snprintf(text[i], sizeof(text[i]), "**/%c%c/**", 'a' + (char)(i / 6),
			 'a' + (char)(i % 6));
		globs[i] = text[i];
	}
	CLEANUP(automaton_freep) struct automaton *a = build(globs, ARRAY_SIZE(globs));

	cr_assert_eq(automaton_minimize(a), 0);
	cr_expect_leq(a->n_states, 1000u, "%u states", a->n_states);
	cr_expect_eq(automaton_run(a, "/x/aa/ab/y", 10), 2u);
	cr_expect_eq(automaton_run(a, "/x/ab/aa/y", 10), 2u);
}

/* Exceptions that could be anywhere are forgotten where their rule cannot match. */
Test(automaton, exceptions_do_not_multiply)
{
	struct automaton_pattern patterns[34];
	CLEANUP(automaton_freep) struct automaton *a = NULL;
	char text[32][16];
	struct automaton_refusal refusal = { 0 };

	for (uint32_t i = 0; i < ARRAY_SIZE(text); i++) {
		snprintf(text[i], sizeof(text[i]), "/d/%u/**", i);
		patterns[i] = (struct automaton_pattern) { text[i], i, false };
	}
	patterns[32] = (struct automaton_pattern) { "/x/*", 40, false };
	patterns[33] = (struct automaton_pattern) { "**/example-of-a-long-name", 40, true };
	cr_assert_eq(automaton_build(patterns, ARRAY_SIZE(patterns), &rules, &a, &refusal), 0, "%s",
		     refusal.why);
	cr_expect_leq(a->n_states, 150u, "%u states", a->n_states);
	cr_expect_eq(automaton_run(a, "/d/7/example-of-a-long-name", 27), 8u);
	cr_expect_eq(automaton_run(a, "/x/example-of-a-long-name", 25), 0u);
	cr_expect_eq(automaton_run(a, "/x/example", 10), 41u);
}

Test(automaton, too_many_classes)
{
	enum { N = AUTOMATON_SETS_MAX + 10 };
	OWNED_MEM struct automaton_pattern *patterns = calloc(N, sizeof(*patterns));
	OWNED_MEM char *globs = calloc(N, 24);
	struct automaton *automaton = NULL;
	struct automaton_refusal refusal = { 0 };

	for (unsigned int i = 0; i < N; i++) {
		char *text = globs + i * 24;
		size_t at = 2;

		memcpy(text, "/[", 2);
		for (unsigned int bit = 0; bit < 13; bit++)
			if (i >> bit & 1)
				text[at++] = 'a' + (char)bit;
		memcpy(text + at, "z]", 3);
		patterns[i] = (struct automaton_pattern) { text, i, false };
	}
	cr_expect_eq(automaton_build(patterns, N, &rules, &automaton, &refusal), -E2BIG);
	cr_expect(strstr(refusal.why, "AUTOMATON_SETS_MAX"), "%s", refusal.why);
	cr_expect(refusal.has_rule);
}
