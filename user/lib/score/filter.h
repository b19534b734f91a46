/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What a filter is: a function, the numbers and lists that it has in policy/weights.yaml, and the
 * patterns that come with it. lib/policy/filters.h lists the filters.
 */
#pragma once

#include "lib/policy/policy.h"

/* What the strings of a list are, beyond words that a filter compares. */
enum score_list_form {
	SCORE_WORDS = 0,
	SCORE_HOSTS, /* a name, and all below it */
	SCORE_TLDS, /* top-level domains */
	SCORE_SUFFIXES, /* ends of host names, also inside a word */
	SCORE_MARKERS, /* whole words of letters and digits, in either case */
	SCORE_FORMATS, /* "NAME: REGULAR EXPRESSION" */
};

struct score_list_kind {
	const char *name;
	enum score_list_form form;
};

/* A pattern that comes with a filter: what words of a language mean is no weight. */
struct score_phrase {
	const char *expression; /* of either case */
	unsigned int number; /* the filter's own */
};

struct evaluation;

struct filter {
	const char *const *numbers; /* their names, by their index */
	size_t n_numbers;
	const struct score_list_kind *lists;
	size_t n_lists;
	const struct score_phrase *phrases;
	size_t n_phrases;
	void (*evaluate)(const struct evaluation *e); /* NULL: the kernel or the policy does it */
	bool on_records; /* also of operations that are only recorded; see score_track() */
};

/*
 * A filter's numbers and lists, each as KEYS(KEY): KEY(INDEX, "name") or KEY(INDEX, "name", form)
 * for each. FILTER_INDICES() makes an enum of them, FILTER() the filter itself, so that a name and
 * its index cannot differ.
 */
#define FILTER_INDEX(index, ...) index,
#define FILTER_NUMBER(index, name, ...) name,
#define FILTER_LIST_KIND(index, name, form) { name, form },
#define FILTER_INDICES(KEYS) enum { KEYS(FILTER_INDEX) }
#define NO_KEYS(KEY)

#define FILTER_NUMBERS(NUMBERS) ((const char *const[]) { NUMBERS(FILTER_NUMBER) NULL })
#define FILTER_LISTS(LISTS) \
	((const struct score_list_kind[]) { LISTS(FILTER_LIST_KIND) { NULL, SCORE_WORDS } })
#define FILTER(symbol, NUMBERS, LISTS, ...)                                                      \
	const struct filter filter_##symbol = { .numbers = FILTER_NUMBERS(NUMBERS),              \
						.n_numbers =                                     \
							ARRAY_SIZE(FILTER_NUMBERS(NUMBERS)) - 1, \
						.lists = FILTER_LISTS(LISTS),                    \
						.n_lists = ARRAY_SIZE(FILTER_LISTS(LISTS)) - 1,  \
						__VA_ARGS__ }

#define FILTER_DECLARE(id, symbol, ...) extern const struct filter filter_##symbol;
FILTER_LIST(FILTER_DECLARE)
#undef FILTER_DECLARE

/* NULL for FILTER_RULE, and for a number that is no filter. */
const struct filter *filter_of(unsigned int filter);
