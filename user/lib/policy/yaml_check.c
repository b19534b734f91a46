/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Text that must not reach libfyaml: 0.7 never returns from some directives and is not made for
 * broken text. A '%' can start a line only as a directive, or inside of quotes.
 */
#include "yaml.h"

static bool is_control(unsigned char c)
{
	return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
}

bool yaml_check_text(const char *name, const char *text, size_t length, struct diag *diag)
{
	const char *line = text, *end = text + length;

	for (unsigned int number = 1; line < end; number++) {
		const char *next = memchr(line, '\n', end - line), *why = NULL;
		unsigned int column = 0;

		next = next ? next + 1 : end;
		for (const char *p = line; p < next && !why; p++)
			if (is_control(*p)) {
				why = "a control character";
				column = p - line + 1;
			}
		if (!why && !text_is_utf8(line, next - line))
			why = "not UTF-8";
		if (!why && *line == '%') {
			why = "directives (%...) have no meaning here";
			column = 1;
		}
		if (why) {
			diag_add(diag, name, number, column, "%s", why);
			return false;
		}
		line = next;
	}
	return true;
}
