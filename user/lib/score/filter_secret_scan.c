/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "secret-scan": formats of credentials in arguments, addresses and names, and what
 * only looks like one. dlp-gate uses what it finds.
 */
#include <ctype.h>

#include "egress.h"
#include "evaluation.h"

#define FOUND_MAX 512 /* bytes before its end that decide whether it is a credential */

/* A list of formats has the index of its points. */
#define NUMBERS(NUMBER)            \
	NUMBER(CERTAIN, "certain") \
	NUMBER(LIKELY, "likely")   \
	NUMBER(POSSIBLE, "possible")
#define LISTS(LIST)                                       \
	LIST(CERTAIN_FORMATS, "certain", SCORE_FORMATS)   \
	LIST(LIKELY_FORMATS, "likely", SCORE_FORMATS)     \
	LIST(POSSIBLE_FORMATS, "possible", SCORE_FORMATS) \
	LIST(PUBLISHED, "published", SCORE_WORDS)
FILTER_INDICES(NUMBERS);
FILTER_INDICES(LISTS);
_Static_assert(CERTAIN == (int)CERTAIN_FORMATS && LIKELY == (int)LIKELY_FORMATS &&
		       POSSIBLE == (int)POSSIBLE_FORMATS,
	       "points by the list");

/* Whether what was found ends with a published key. `found` ends where the hit does. */
static bool is_published(const struct evaluation *e, const char *found, size_t length)
{
	const struct score_list *published = score_list(e->weights, FILTER_SECRET_SCAN, PUBLISHED);

	for (size_t i = 0; i < published->count; i++) {
		const char *key = published->items[i].text;
		size_t n = strlen(key);

		if (length >= n && !memcmp(found + length - n, key, n))
			return true;
	}
	return false;
}

/* The value at the end of "name = value" or "Authorization: Bearer value". */
static const char *value_of(const char *found, size_t length, size_t *ret_length)
{
	size_t end = length, at;

	/* The padding of base64 is a part of the value. */
	while (end && found[end - 1] == '=')
		end--;
	at = end;
	while (at && !strchr("=: \t\"'", found[at - 1]))
		at--;
	*ret_length = end - at;
	return found + at;
}

static bool is_uuid(const char *text, size_t length)
{
	if (length != 36)
		return false;
	for (size_t i = 0; i < length; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? text[i] != '-' : !isxdigit((unsigned char)text[i]))
			return false;
	}
	return true;
}

/*
 * A name of a variable or of a function, words, a UUID, a digest of a lock file. What is random has
 * digits among its letters.
 */
static bool is_harmless_value(const char *found, size_t length)
{
	size_t n, changes = 0;
	const char *value = value_of(found, length, &n);

	for (size_t i = 1; i < n; i++) {
		unsigned char before = value[i - 1], c = value[i];

		changes += (isdigit(before) && isalpha(c)) || (isalpha(before) && isdigit(c));
	}
	return changes < 2 || is_uuid(value, n) || (n > 7 && !memcmp(value, "sha", 3));
}

/*
 * "scheme://user:password@" before a host that is this machine or a name without a dot: the
 * database of a test or of another container.
 */
static bool is_local_url(const struct evaluation *e, const char *found, size_t length)
{
	const char *host, *scheme = NULL, *p = found;
	size_t host_length = 0;
	bool is_url = false;

	/* The last one, for there may be others before it. */
	while (length && found[length - 1] == '@' &&
	       (p = memmem(p, length - (size_t)(p - found), "://", 3)))
		scheme = p++;
	if (!scheme)
		return false;
	/* The text is NUL-terminated, and so is each word in it. */
	host = egress_host(scheme, &host_length, &is_url);
	return host && (!memchr(host, '.', host_length) ||
			egress_is_local_name(e->weights, host, host_length));
}

static bool counts(const struct evaluation *e, const struct score_hit *hit)
{
	size_t from = hit->to;
	const char *found;
	size_t length;

	/* What is before it in the same word. */
	while (from && hit->to - from < FOUND_MAX && e->text[from - 1])
		from--;
	found = e->text + from;
	length = hit->to - from;
	if (is_published(e, found, length) || is_local_url(e, found, length))
		return false;
	return hit->pattern->list != POSSIBLE_FORMATS || !is_harmless_value(found, length);
}

const struct score_hit *secret_next(const struct evaluation *e, size_t *at, int *ret_points,
				    const char **ret_name)
{
	while (*at < e->n_hits) {
		const struct score_hit *hit = &e->hits[(*at)++];
		const struct score_pattern *pattern = hit->pattern;

		if (pattern->filter != FILTER_SECRET_SCAN || !counts(e, hit))
			continue;
		*ret_points = score_number(e->weights, pattern->filter, pattern->list);
		*ret_name = score_list(e->weights, pattern->filter, pattern->list)
				    ->items[pattern->item]
				    .text;
		return hit;
	}
	return NULL;
}

static void evaluate(const struct evaluation *e)
{
	const char *name = NULL;
	int points = 0;
	size_t at = 0;

	/* Without the value: what is shown to a person must not be the leak. */
	while (secret_next(e, &at, &points, &name))
		score_add(e->score, e->filter, points, "%.*s", (int)strcspn(name, ":"), name);
}

FILTER(secret_scan, NUMBERS, LISTS, .evaluate = evaluate, .on_records = true);
