/* SPDX-License-Identifier: MPL-2.0 */
/* The last thing that a verb does. */
#include "command.h"
#include "output.h"

int output_json(const json_t *json)
{
	json_dumpf(json, stdout, JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12));
	putchar('\n');
	return COMMAND_OK;
}

int output_text(const struct text *text, int r)
{
	if (r < 0)
		return output_failure(NULL, r);
	fwrite(text->data, 1, text->length, stdout);
	return COMMAND_OK;
}

int output_failure(const char *error, int r)
{
	fprintf(stderr, "grith: %s\n", error ? error : strerror(-r));
	return COMMAND_FAILED;
}
