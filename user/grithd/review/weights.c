/* SPDX-License-Identifier: MPL-2.0 */
/* Weights decide as policies do, and are read as safely. */
#include "review.h"

int weights_load(const char *directory, struct diag *diag, struct score_weights **ret_weights)
{
	OWNED_TEXT struct text text = { 0 };
	OWNED_MEM char *path = text_format("%s/%s", directory, POLICY_WEIGHTS_FILE);
	const char *why;
	int r;

	if (!path)
		return -ENOMEM;
	r = policy_file_load(path, true, &text, &why);
	if (r == -ENOENT || r == -ENOMEM)
		return r;
	if (r == 0 && text.length > SCORE_WEIGHTS_MAX) {
		why = "larger than SCORE_WEIGHTS_MAX (1 MiB)";
		r = -E2BIG;
	}
	if (r < 0) {
		diag_add(diag, path, 0, 0, "cannot be read: %s", why);
		return r;
	}
	return score_weights_read(POLICY_WEIGHTS_FILE, text.data ? text.data : "", text.length,
				  diag, ret_weights);
}
