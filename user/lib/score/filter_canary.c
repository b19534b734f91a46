/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "canary": a planted value in a command or in a name that is looked up, as it is,
 * in base64, in hexadecimal or backwards.
 */
#include <string.h>

#include "internal.h"

enum { LEAVING = 0 };

static const char *const numbers[] = { [LEAVING] = "leaving" };

/*
 * The name of a host as it may carry data: labels have 63 bytes at most. NULL: no memory.
 */
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

static bool section_has(const struct judged *judged, const struct score_section *section,
			const char *joined, const char *form)
{
	const char *text = judged->text + section->from;

	/* Names of hosts have no case. */
	if (joined)
		return strcasestr(joined, form);
	return memmem(text, section->to - section->from, form, strlen(form));
}

static bool section_has_any(const struct judged *judged, const struct score_section *section,
			    const char *joined, const struct score_canary *canary)
{
	for (size_t f = 0; f < SCORE_FORMS; f++)
		if (section_has(judged, section, joined, canary->forms[f]))
			return true;
	return false;
}

/* Moves `*found` to the longest one in it, of whose value that of others may be a part. */
static void judge_section(const struct judged *judged, const struct score_section *section,
			  struct score *score, const struct score_canary **found)
{
	const struct score_session *session = judged->session;
	OWNED_MEM char *joined = NULL;

	if (section->kind == SECTION_PATH)
		return;
	if (section->kind != SECTION_ACTION) {
		joined = without_dots(judged->text + section->from, section->to - section->from);
		if (!joined) {
			score_fail(score, FILTER_CANARY, "no memory to look for canaries");
			return;
		}
	}
	for (size_t c = 0; c < session->n_canaries; c++) {
		const struct score_canary *canary = &session->canaries[c];

		if ((!*found || strlen(canary->forms[0]) > strlen((*found)->forms[0])) &&
		    section_has_any(judged, section, joined, canary))
			*found = canary;
	}
}

static void judge(const struct judged *judged, struct score *score)
{
	const struct score_canary *found = NULL;

	for (size_t i = 0; judged->session->n_canaries && i < judged->n_sections; i++)
		judge_section(judged, &judged->sections[i], score, &found);
	if (found)
		score_add(score, FILTER_CANARY,
			  score_number(judged->weights, FILTER_CANARY, LEAVING), SCORE_CANARY_WHY,
			  found->name);
}

const struct filter filter_canary = {
	.numbers = numbers,
	.n_numbers = ARRAY_SIZE(numbers),
	.judge = judge,
};
