/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Escaping at the sink, and the exact bytes of what JSON cannot hold.
 */

#include "shown.h"

const char *shown_string(const json_t *object, const char *key)
{
	const char *string = json_string_value(json_object_get(object, key));

	return string ? string : "";
}

int64_t shown_integer(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* -EINVAL where it is not hexadecimal. */
static int add_hex(struct text *out, const char *hex, size_t length)
{
	OWNED_MEM char *bytes = NULL;

	if (length % 2)
		return -EINVAL;
	bytes = malloc(length / 2 + 1);
	if (!bytes)
		return -ENOMEM;
	for (size_t i = 0; i < length; i += 2) {
		int high = digit(hex[i]), low = digit(hex[i + 1]);

		if (high < 0 || low < 0)
			return -EINVAL;
		bytes[i / 2] = high << 4 | low;
	}
	return text_add_escaped(out, bytes, length / 2);
}

int shown_add(struct text *out, const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key), *hex;
	char hex_key[32];
	int r;

	snprintf(hex_key, sizeof(hex_key), "%s_hex", key);
	hex = json_object_get(object, hex_key);
	if (json_is_string(hex)) {
		r = add_hex(out, json_string_value(hex), json_string_length(hex));
		if (r != -EINVAL)
			return r;
	}
	if (!json_is_string(value))
		return 0;
	return text_add_escaped(out, json_string_value(value), json_string_length(value));
}

/* Whether a shell takes the word as it is. */
static bool is_plain(const char *bytes, size_t length)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "@%+=:,./-_";

	for (size_t i = 0; i < length; i++)
		if (!bytes[i] || !strchr(plain, bytes[i]))
			return false;
	return length > 0;
}

int shown_add_word(struct text *out, const char *bytes, size_t length)
{
	const char *quote = "'";
	int r;

	if (is_plain(bytes, length))
		quote = "";
	else if (length && memchr(bytes, '\'', length))
		quote = "\"";
	r = text_addf(out, "%s", quote);
	if (r == 0)
		r = text_add_escaped(out, bytes, length);
	return r < 0 ? r : text_addf(out, "%s", quote);
}

static int add_word(struct text *out, const json_t *word)
{
	return json_is_string(word)
		       ? shown_add_word(out, json_string_value(word), json_string_length(word))
		       : 0;
}

int shown_add_command(struct text *out, const json_t *command)
{
	const json_t *word;
	size_t i;
	int r = 0;

	if (json_is_string(command))
		return text_add_escaped(out, json_string_value(command),
					json_string_length(command));
	json_array_foreach (command, i, word) {
		if (i)
			r = text_add(out, " ", 1);
		if (r == 0)
			r = add_word(out, word);
		if (r < 0)
			return r;
	}
	return 0;
}
