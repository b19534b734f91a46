/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Looks through a text once, and finds what was found again: by filter and list, and by place.
 */

#include "lib/base/base.h"
#include "internal.h"

#define HITS_MAX 2048 /* of one pattern in one section there is one, but for credentials */

struct scan {
	struct judged *judged;
	size_t *latest; /* by pattern: its latest hit, plus one */
	int r;
};

const struct score_section *judged_section(const struct judged *judged, size_t at)
{
	size_t low = 0, high = judged->n_sections;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct score_section *section = &judged->sections[middle];

		if (at < section->from)
			high = middle;
		else if (at >= section->to)
			low = middle + 1;
		else
			return section;
	}
	return NULL;
}

/*
 * Whether a hit says no more than the latest one of its pattern. The library reports every end: of
 * a credential, whose format has no last byte, the last one counts; of other patterns, whether they
 * are in a section.
 */
static bool is_known(struct scan *scan, unsigned int id, size_t to)
{
	struct judged *judged = scan->judged;
	struct score_hit *latest;

	if (!scan->latest[id])
		return false;
	latest = &judged->hits[scan->latest[id] - 1];
	if (latest->pattern->filter != FILTER_SECRET_SCAN)
		return judged_section(judged, latest->to - 1) == judged_section(judged, to - 1);
	if (to > latest->to + 1)
		return false;
	latest->to = to;
	return true;
}

static int on_match(unsigned int id, unsigned long long from, unsigned long long to,
		    unsigned int flags, void *context)
{
	struct scan *scan = context;
	struct judged *judged = scan->judged;

	(void)from; /* the library knows it only where it is asked to, at a price */
	(void)flags;
	if (!to || is_known(scan, id, to))
		return 0;
	if (judged->n_hits == HITS_MAX)
		scan->r = -E2BIG;
	else
		scan->r = ARRAY_GROW(judged->hits, judged->n_hits);
	if (scan->r < 0)
		return 1;
	judged->hits[judged->n_hits++] = (struct score_hit) {
		.pattern = &judged->weights->patterns[id],
		.to = to,
	};
	scan->latest[id] = judged->n_hits;
	return 0;
}

int score_scan(struct judged *judged)
{
	const struct score_weights *weights = judged->weights;
	OWNED_MEM size_t *latest = calloc(weights->n_patterns + 1, sizeof(*latest));
	struct scan scan = { .judged = judged, .latest = latest };
	hs_error_t failed;

	if (!latest)
		return -ENOMEM;
	failed = hs_scan(weights->database, judged->text, judged->length, 0, weights->scratch,
			 on_match, &scan);
	if (scan.r < 0)
		return scan.r;
	return failed == HS_SUCCESS ? 0 : -EIO;
}

const struct score_hit *judged_next(const struct judged *judged, enum filter_id filter,
				    unsigned int list, size_t *at)
{
	while (*at < judged->n_hits) {
		const struct score_hit *hit = &judged->hits[(*at)++];

		if (hit->pattern->filter == filter && hit->pattern->list == list)
			return hit;
	}
	return NULL;
}
