/* SPDX-License-Identifier: MPL-2.0 */
/* Hexadecimal digits beside what JSON cannot hold; lines of messages. */
#include <sodium.h>

#include "json.h"

static json_t *hex_of(const char *bytes, size_t length)
{
	OWNED_MEM char *hex = malloc(2 * length + 1);

	return hex ? json_string(sodium_bin2hex(hex, 2 * length + 1, (const unsigned char *)bytes,
						length))
		   : NULL;
}

int json_set_bytes(json_t *object, const char *name, const char *bytes, size_t length)
{
	char key[64];

	if (json_object_set_new(object, name, json_of_bytes(bytes ? bytes : "", length)) < 0)
		return -ENOMEM;
	if (!length || text_is_utf8(bytes, length))
		return 0;
	snprintf(key, sizeof(key), "%s_hex", name);
	return json_object_set_new(object, key, hex_of(bytes, length)) < 0 ? -ENOMEM : 0;
}

static int add_hex(json_t *hex, struct text *ret_bytes)
{
	size_t length = json_string_length(hex) / 2, n;
	OWNED_MEM unsigned char *bytes = malloc(length + 1);

	if (!bytes)
		return -ENOMEM;
	if (sodium_hex2bin(bytes, length, json_string_value(hex), json_string_length(hex), NULL, &n,
			   NULL) < 0)
		return -EBADMSG;
	return text_add(ret_bytes, (const char *)bytes, n);
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
		return add_hex(hex, ret_bytes);
	if (!value || !json_string_length(value))
		return 0;
	return text_add(ret_bytes, json_string_value(value), json_string_length(value));
}

json_t *json_of_diag(const struct diag *diag)
{
	OWNED_MEM char *all = diag_text(diag);
	json_t *array = json_array();
	char *next = all;

	for (char *line; (line = strsep(&next, "\n"));)
		if (*line)
			json_array_append_new(array, json_string(line));
	return array;
}
