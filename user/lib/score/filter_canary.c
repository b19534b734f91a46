/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "canary": a planted value in a command or in a name that is looked up, as it is,
 * in base64, in hexadecimal or backwards.
 */
#include "evaluation.h"
#include "scoring.h"

#define NUMBERS(NUMBER) NUMBER(LEAVING, "leaving")
FILTER_INDICES(NUMBERS);

/* The name of a host as it may carry data: labels have 63 bytes at most. NULL: no memory. */
static char *without_dots(const char *host, size_t length)
{
	char *joined = malloc(length + 1);
	size_t n = 0;

	if (!joined)
		return NULL;
	for (size_t i = 0; i < length; i++)
		if (host[i] && host[i] != '.')
			joined[n++] = host[i];
	joined[n] = '\0';
	return joined;
}

static bool section_has_any(const struct evaluation *e, const struct score_section *section,
			    const char *joined, const struct score_canary *canary)
{
	const char *text = e->text + section->from;

	for (size_t f = 0; f < SCORE_FORMS; f++) {
		const char *form = canary->forms[f];

		/* Names of hosts have no case. */
		if (joined ? strcasestr(joined, form) != NULL
			   : memmem(text, section->to - section->from, form, strlen(form)) != NULL)
			return true;
	}
	return false;
}

/* Moves `*found` to the longest one in it, of whose value that of others may be a part. */
static void evaluate_section(const struct evaluation *e, const struct score_section *section,
			     const struct score_canary **found)
{
	OWNED_MEM char *joined = NULL;

	if (section->kind == SECTION_PATH)
		return;
	if (section->kind != SECTION_ACTION) {
		joined = without_dots(e->text + section->from, section->to - section->from);
		if (!joined) {
			score_fail(e->score, FILTER_CANARY, "no memory to look for canaries");
			return;
		}
	}
	for (size_t c = 0; c < e->session->n_canaries; c++) {
		const struct score_canary *canary = &e->session->canaries[c];

		if ((!*found || strlen(canary->forms[0]) > strlen((*found)->forms[0])) &&
		    section_has_any(e, section, joined, canary))
			*found = canary;
	}
}

static void evaluate(const struct evaluation *e)
{
	const struct score_canary *found = NULL;

	for (size_t i = 0; e->session->n_canaries && i < e->n_sections; i++)
		evaluate_section(e, &e->sections[i], &found);
	if (found)
		eval_add(e, LEAVING, SCORE_CANARY_WHY, found->name);
}

FILTER(canary, NUMBERS, NO_KEYS, .evaluate = evaluate, .on_records = true);
