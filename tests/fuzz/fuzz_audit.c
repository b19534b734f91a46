/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Any bytes as a file of the audit log: as an index, as a frame, and as lines to verify. What is
 * accepted as an index is written as it was read.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/audit/audit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_index(const char *text, size_t length)
{
	OWNED_AUDIT_INDEX struct audit_index index = { 0 };
	OWNED_TEXT struct text out = { 0 };

	if (audit_index_parse(text, length, &index) < 0)
		return;
	if (audit_index_format(&index, &out) < 0 || !out.length)
		abort();
}

static void try_lines(const char *text, size_t length)
{
	static const struct audit_key key = { .id = "0123456789abcdef" };
	struct audit_verify verify = { .key = &key };
	struct audit_spot spot = { "audit.jsonl", 0, 0 };
	const char *end = text + length, *newline;
	bool good = true;

	for (; good && (newline = memchr(text, '\n', end - text)); text = newline + 1) {
		spot.line++;
		good = audit_verify_line(&verify, &spot, text, newline - text);
	}
	if (!good && verify.fault == AUDIT_WHOLE)
		abort();
	audit_verify_end(&verify);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	OWNED_AUDIT_BUFFER struct audit_buffer out = { 0 };
	const char *text = (const char *)data;

	if (audit_key_init() < 0)
		abort();
	try_index(text, size);
	try_lines(text, size);
	audit_unpack(text, size, 1000, &out);
	return 0;
}
