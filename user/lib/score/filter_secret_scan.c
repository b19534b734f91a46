/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "secret-scan": formats of credentials in arguments, addresses and names, and what
 * only looks like one. dlp-gate asks here too.
 */
#include <ctype.h>
#include <string.h>

#include "egress.h"
#include "internal.h"

#define FOUND_MAX 512 /* bytes that are looked at to tell a credential from what looks like one */

static const char *const numbers[] = {
	[SECRET_CERTAIN] = "certain",
	[SECRET_LIKELY] = "likely",
	[SECRET_POSSIBLE] = "possible",
};

static const struct score_list_kind lists[] = {
	[SECRET_CERTAIN] = { "certain", SCORE_FORMATS },
	[SECRET_LIKELY] = { "likely", SCORE_FORMATS },
	[SECRET_POSSIBLE] = { "possible", SCORE_FORMATS },
	[SECRET_PUBLISHED] = { "published", SCORE_WORDS },
};

/* Whether what was found ends with a published key. `found` ends where the hit does. */
static bool is_published(const struct judged *judged, const char *found, size_t length)
{
	const struct score_list *published =
		score_list(judged->weights, FILTER_SECRET_SCAN, SECRET_PUBLISHED);

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
	return changes < 2 || score_is_uuid(value, n) || (n > 7 && !memcmp(value, "sha", 3));
}

/*
 * "scheme://user:password@" before a host that is this machine or a name without a dot: the
 * database of a test or of another container.
 */
static bool is_local_url(const struct judged *judged, const char *found, size_t length)
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
			score_is_local_name(judged->weights, host, host_length));
}

static bool counts(const struct judged *judged, const struct score_hit *hit)
{
	size_t from = hit->to;
	const char *found;
	size_t length;

	/* What is before it in the same word. */
	while (from && hit->to - from < FOUND_MAX && judged->text[from - 1])
		from--;
	found = judged->text + from;
	length = hit->to - from;
	if (is_published(judged, found, length) || is_local_url(judged, found, length))
		return false;
	return hit->pattern->list != SECRET_POSSIBLE || !is_harmless_value(found, length);
}

const struct score_hit *score_next_secret(const struct judged *judged, size_t *at, int *ret_points,
					  const char **ret_name)
{
	while (*at < judged->n_hits) {
		const struct score_hit *hit = &judged->hits[(*at)++];
		unsigned int list = hit->pattern->list;

		if (hit->pattern->filter != FILTER_SECRET_SCAN || !counts(judged, hit))
			continue;
		*ret_points = score_number(judged->weights, FILTER_SECRET_SCAN, list);
		*ret_name = score_list(judged->weights, FILTER_SECRET_SCAN, list)
				    ->items[hit->pattern->item]
				    .text;
		return hit;
	}
	return NULL;
}

static void judge(const struct judged *judged, struct score *score)
{
	const char *name = NULL;
	int points = 0;
	size_t at = 0;

	/* The value is not told: what is shown to a person must not be the leak. */
	while (score_next_secret(judged, &at, &points, &name))
		score_add(score, FILTER_SECRET_SCAN, points, "%.*s", (int)strcspn(name, ":"), name);
}

const struct filter filter_secret_scan = {
	.numbers = numbers,
	.n_numbers = ARRAY_SIZE(numbers),
	.lists = lists,
	.n_lists = ARRAY_SIZE(lists),
	.judge = judge,
};
