/* SPDX-License-Identifier: MPL-2.0 */
/* JSON holds UTF-8 only, and paths are any bytes: those of another kind are shown as everywhere. */
#include "json_bytes.h"
#include "text.h"

json_t *json_of_bytes(const char *bytes, size_t length)
{
	OWNED_TEXT struct text escaped = { 0 };

	if (text_is_utf8(bytes, length))
		return json_stringn(bytes, length);
	if (text_add_escaped(&escaped, bytes, length) < 0)
		return NULL;
	return json_stringn(escaped.data, escaped.length);
}
