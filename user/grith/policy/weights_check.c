/* SPDX-License-Identifier: MPL-2.0 */
/* Asks both readers, and joins their complaints. */
#include <string.h>

#include "lib/score/score.h"
#include "weights_check.h"

bool weights_named(const char *path)
{
	return strcmp(basename(path), POLICY_WEIGHTS_FILE) == 0;
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
	diag_join(diag, &found);
	return r < 0 ? r : r_filters;
}
