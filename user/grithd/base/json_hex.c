/* SPDX-License-Identifier: MPL-2.0 */
/* Hexadecimal digits beside what JSON cannot hold. */

#include "json_hex.h"

int json_set_bytes(json_t *object, const char *name, const char *bytes, size_t length)
{
	OWNED_TEXT struct text hex = { 0 };
	char key[64];

	if (json_object_set_new(object, name, json_of_bytes(bytes ? bytes : "", length)) < 0)
		return -ENOMEM;
	if (!length || text_is_utf8(bytes, length))
		return 0;
	for (size_t i = 0; i < length; i++)
		if (text_addf(&hex, "%02x", (unsigned char)bytes[i]) < 0)
			return -ENOMEM;
	snprintf(key, sizeof(key), "%s_hex", name);
	return json_object_set_new(object, key, json_stringn(hex.data, hex.length)) < 0 ? -ENOMEM
											: 0;
}

static int digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *found = c ? strchr(digits, c) : NULL;

	return found ? (int)(found - digits) : -1;
}

static int read_hex(const char *hex, size_t length, struct text *ret_bytes)
{
	if (length % 2)
		return -EBADMSG;
	for (size_t i = 0; i < length; i += 2) {
		int high = digit(hex[i]), low = digit(hex[i + 1]);
		char byte = (char)((unsigned int)high << 4 | (unsigned int)low);

		if (high < 0 || low < 0)
			return -EBADMSG;
		if (text_add(ret_bytes, &byte, 1) < 0)
			return -ENOMEM;
	}
	return 0;
}

int json_get_bytes(json_t *object, const char *name, struct text *ret_bytes)
{
	json_t *value = json_object_get(object, name), *hex;
	char key[64];

	snprintf(key, sizeof(key), "%s_hex", name);
	hex = json_object_get(object, key);
	if ((value && !json_is_string(value)) || (hex && !json_is_string(hex)))
		return -EBADMSG;
	if (hex)
		return read_hex(json_string_value(hex), json_string_length(hex), ret_bytes);
	if (!value || !json_string_length(value))
		return 0;
	return text_add(ret_bytes, json_string_value(value), json_string_length(value));
}
