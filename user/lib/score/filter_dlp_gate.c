/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "dlp-gate": a credential of secret-scan that is on its way out, in what a program that
 * sends is given or in a name that is looked up.
 */
#include "evaluation.h"

#define NUMBERS(NUMBER) NUMBER(CREDENTIAL, "credential")
#define LISTS(LIST) LIST(NETWORK_TOOLS, "network-tools", SCORE_WORDS)
FILTER_INDICES(NUMBERS);
FILTER_INDICES(LISTS);

const struct score_list *score_network_tools(const struct score_weights *weights)
{
	return score_list(weights, FILTER_DLP_GATE, NETWORK_TOOLS);
}

static void evaluate(const struct evaluation *e)
{
	const char *name = NULL;
	const struct score_hit *hit;
	int points = 0;
	size_t at = 0;

	while ((hit = secret_next(e, &at, &points, &name))) {
		const struct score_section *section = eval_section(e, hit);

		if (section && section->leaves)
			eval_add(e, CREDENTIAL, "a credential would be sent");
	}
}

FILTER(dlp_gate, NUMBERS, LISTS, .evaluate = evaluate, .on_records = true);
