/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "reputation": what is known of the host that is connected to, or of those in the
 * arguments of a program that sends.
 */
#include <string.h>

#include "internal.h"

enum { BAD_HOST = 0, BARE_ADDRESS, SUSPICIOUS_TLD, GOOD_HOST };
enum { LIST_BAD = 0, LIST_TLDS, LIST_GOOD };

static const char *const numbers[] = {
	[BAD_HOST] = "bad-host",
	[BARE_ADDRESS] = "bare-address",
	[SUSPICIOUS_TLD] = "suspicious-tld",
	[GOOD_HOST] = "good-host",
};
static const struct score_list_kind lists[] = {
	[LIST_BAD] = { "bad-hosts", SCORE_HOSTS },
	[LIST_TLDS] = { "suspicious-tlds", SCORE_TLDS },
	[LIST_GOOD] = { "good-hosts", SCORE_HOSTS },
};

static void add(const struct judged *judged, struct score *score, size_t number, const char *why,
		const struct score_section *section)
{
	score_add(score, FILTER_REPUTATION,
		  score_number(judged->weights, FILTER_REPUTATION, number), "%s: %s", why,
		  judged->text + section->from);
}

/* Hits of a list in names of hosts. An end of a name counts only where it is one for sure. */
static void judge_list(const struct judged *judged, struct score *score, unsigned int list,
		       size_t number, const char *why)
{
	const struct score_hit *hit;
	size_t at = 0;

	while ((hit = judged_next(judged, FILTER_REPUTATION, list, &at))) {
		const struct score_section *section = judged_section(judged, hit->to - 1);

		if (section && (section->kind == SECTION_HOST ||
				(section->kind == SECTION_NAME && list == LIST_BAD)))
			add(judged, score, number, why, section);
	}
}

static void judge_addresses(const struct judged *judged, struct score *score)
{
	for (size_t i = 0; i < judged->n_sections; i++) {
		const struct score_section *section = &judged->sections[i];
		const char *host = judged->text + section->from;
		size_t length = section->to - section->from - 1;

		if (section->kind == SECTION_HOST && score_is_address(host, length) &&
		    !score_is_local_name(judged->weights, host, length))
			add(judged, score, BARE_ADDRESS, "an address without a name", section);
	}
}

static void judge(const struct judged *judged, struct score *score)
{
	const struct score_operation *o = judged->operation;
	bool net = judged_is_net(judged);

	/* A person said that it may always be connected to. */
	if (net && (o->trusted || score_is_local(judged->weights, o)))
		return;
	judge_list(judged, score, LIST_BAD, BAD_HOST, "a host of doubtful use");
	judge_list(judged, score, LIST_TLDS, SUSPICIOUS_TLD, "a domain of doubtful use");
	judge_addresses(judged, score);
	/* Something good takes nothing off a command: it may do something else too. */
	if (net)
		judge_list(judged, score, LIST_GOOD, GOOD_HOST, "a well-known host");
}

const struct filter filter_reputation = {
	.numbers = numbers,
	.n_numbers = ARRAY_SIZE(numbers),
	.lists = lists,
	.n_lists = ARRAY_SIZE(lists),
	.judge = judge,
};
