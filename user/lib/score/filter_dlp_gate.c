/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "dlp-gate": a credential of secret-scan that is on its way out, in what a program that
 * sends is given or in a name that is looked up.
 */
#include "internal.h"

enum { CREDENTIAL = 0 };

static const char *const numbers[] = { [CREDENTIAL] = "credential" };
static const struct score_list_kind lists[] = {
	[DLP_NETWORK_TOOLS] = { "network-tools", SCORE_WORDS },
};

static void judge(const struct judged *judged, struct score *score)
{
	const char *name = NULL;
	const struct score_hit *hit;
	int points = 0;
	size_t at = 0;

	while ((hit = score_next_secret(judged, &at, &points, &name))) {
		const struct score_section *section = judged_section(judged, hit->to - 1);

		if (section && section->leaves)
			score_add(score, FILTER_DLP_GATE,
				  score_number(judged->weights, FILTER_DLP_GATE, CREDENTIAL),
				  "a credential would be sent");
	}
}

const struct filter filter_dlp_gate = {
	.numbers = numbers,
	.n_numbers = ARRAY_SIZE(numbers),
	.lists = lists,
	.n_lists = ARRAY_SIZE(lists),
	.judge = judge,
};
