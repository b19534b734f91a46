/* SPDX-License-Identifier: MPL-2.0 */
/* Asks both readers, and joins their complaints. */
#include <string.h>

#include "policy_weights.h"
#include "score/score.h"
#include "weights_check.h"

bool weights_named(const char *path)
{
	return strcmp(basename(path), POLICY_WEIGHTS_FILE) == 0;
}

static bool has_place(const struct diag *diag, size_t count, const struct diag_entry *entry)
{
	for (size_t i = 0; i < count; i++)
		if (diag->entries[i].line == entry->line &&
		    diag->entries[i].column == entry->column)
			return true;
	return false;
}

/* Adds what was found at places that the first reader has not complained of. */
static void join(struct diag *diag, const struct diag *found)
{
	size_t first = diag->count;

	for (size_t i = 0; i < found->count; i++) {
		const struct diag_entry *entry = &found->entries[i];

		if (!has_place(diag, first, entry))
			diag_add(diag, entry->file, entry->line, entry->column, "%s",
				 entry->message);
	}
}

int weights_check(const char *name, const char *text, size_t length,
		  const struct policy_context *context, struct diag *diag)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = NULL;
	OWNED_DIAG struct diag found = { 0 };
	int r, r_filters;

	if (length > SCORE_WEIGHTS_MAX) {
		diag_add(diag, name, 0, 0, "larger than SCORE_WEIGHTS_MAX (1 MiB)");
		return -E2BIG;
	}
	r = policy_weights_check(name, text, length, context, diag);
	if (r == -ENOMEM)
		return r;
	r_filters = score_weights_read(name, text, length, &found, &weights);
	if (r_filters == -ENOMEM)
		return r_filters;
	join(diag, &found);
	return r < 0 ? r : r_filters;
}
