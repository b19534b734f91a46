/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Questions that are asked only because there were many of the kind lately: mass destruction, and
 * rates. They are one question for the session, not one for each object: "it deletes many files: go
 * on?" The answer of a person or of the time-out is good for what follows of that kind for a
 * minute, as long as no other filter raises the score; in memory only, so a restart asks once more.
 */
#include "review.h"

#define BURST_FILTERS (GRITH_CONTEXT_MASS | GRITH_CONTEXT_RATE | GRITH_CONTEXT_EGRESS_RATE)

/* The score without BURST_FILTERS. false: it cannot be told from the parts that are known. */
static bool score_without(const struct review *review, int *ret_total)
{
	const struct grith_record *head = &review->subject.record.head;
	const struct score *score = &review->score;
	int total = score->total;

	if (score->failed)
		return false;
	/* Without weights the parts of the context are not told apart. */
	if (!review->reviews->weights && !(head->filters & ~BURST_FILTERS))
		total -= head->context;
	for (size_t i = 0; i < score->n_parts; i++) {
		const struct score_part *part = &score->parts[i];

		if (part->filter == FILTER_DELEGATION)
			return false;
		if (part->filter == FILTER_RATE_LIMIT || part->filter == FILTER_EGRESS_RATE)
			total -= part->score;
	}
	*ret_total = total;
	return true;
}

uint32_t review_burst(const struct review *review)
{
	const struct subject *subject = &review->subject;
	uint32_t filters = subject->record.head.filters & BURST_FILTERS;
	bool scored = review->threshold_hold || review->threshold_deny;
	int rest;

	if (!filters || subject->by_rule || subject_is_inspected(subject) ||
	    !score_without(review, &rest))
		return 0;
	if (scored &&
	    (rest > review->threshold_hold || review->score.total > review->threshold_deny))
		return 0;
	return filters;
}

static struct burst *find(const struct review *review)
{
	unsigned int op = review->subject.record.head.op;

	return review->session && op < GRITH_OPS ? &review->session->review->bursts[op] : NULL;
}

bool burst_recall(const struct review *review, struct answer *ret_answer)
{
	uint32_t filters = review_burst(review);
	const struct burst *burst = find(review);

	/* A filter that did not count when it was answered makes it another question. */
	if (!filters || !burst || (filters & ~burst->filters) || clock_mono() >= burst->until)
		return false;
	*ret_answer = (struct answer) { .verdict = burst->verdict, .by = BY_REMEMBERED };
	return true;
}

void burst_note(const struct review *review)
{
	const struct answer *answer = &review->answer;
	uint32_t filters = review_burst(review);
	struct burst *burst = find(review);

	if (!filters || !burst || (answer->by != BY_USER && answer->by != BY_TIMEOUT))
		return;
	*burst = (struct burst) {
		.until = review->answered_mono + REVIEW_REUSE_NS,
		.filters = filters,
		.verdict = answer->verdict,
	};
}

json_t *burst_to_json(const struct review *review)
{
	enum grith_op op = review->subject.record.head.op;
	uint64_t count =
		review->session ? score_session_count(review->session->review->score, op) : 0;
	const char *burst = op_info(op)->burst ?: "does much of this";

	return count ? json_sprintf("this session %s (%llu so far): go on?", burst,
				    (unsigned long long)count)
		     : json_sprintf("this session %s: go on?", burst);
}
