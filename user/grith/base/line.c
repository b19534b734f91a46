/* SPDX-License-Identifier: MPL-2.0 */
/* Escaping at the sink, and the exact bytes of what JSON cannot hold. */
#include "line.h"
#include "term.h"
#include "times.h"

void line_free(struct line *line)
{
	text_free(&line->own);
}

void line_take(struct line *line, char *text)
{
	if (text)
		line_add(line, text);
	else
		line->r = -ENOMEM;
	free(text);
}

void line_add_bytes(struct line *line, struct record_bytes bytes)
{
	if (line->r == 0)
		line->r = text_add_escaped(line->out, bytes.data, bytes.length);
}

void line_add_u64(struct line *line, uint64_t value)
{
	if (line->r == 0)
		line->r = text_add_u64(line->out, value);
}

void line_add_hundredths(struct line *line, int value)
{
	unsigned int size = value < 0 ? -(unsigned int)value : (unsigned int)value;
	const char fraction[] = { '.', (char)('0' + size / 10 % 10), (char)('0' + size % 10),
				  '\0' };

	if (value < 0)
		line_add(line, "-");
	line_add_u64(line, size / 100);
	line_add(line, fraction);
}

void line_add_moment(struct line *line, int64_t ms)
{
	if (line->r == 0)
		line->r = moment_add(line->out, ms);
}

void line_add_span(struct line *line, int64_t ms)
{
	if (line->r == 0)
		line->r = moment_add_span(line->out, ms);
}

void line_add_cut(struct line *line, const char *text, unsigned int columns)
{
	if (line->r == 0)
		line->r = term_add_cut(line->out, text, columns);
}

void line_add_middle(struct line *line, const char *text, unsigned int columns)
{
	if (line->r == 0)
		line->r = term_add_middle(line->out, text, columns);
}

/* Whether a shell takes the word as it is. */
static bool is_plain(struct record_bytes word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "@%+=:,./-_";

	for (size_t i = 0; i < word.length; i++)
		if (!word.data[i] || !strchr(plain, word.data[i]))
			return false;
	return word.length > 0;
}

static void add_word(struct line *line, struct record_bytes word)
{
	const char *quote = "'";

	if (is_plain(word))
		quote = "";
	else if (word.length && memchr(word.data, '\'', word.length))
		quote = "\"";
	line_add(line, quote);
	line_add_bytes(line, word);
	line_add(line, quote);
}

void line_add_argv(struct line *line, struct record_bytes argv)
{
	const char *p = argv.data, *end = p + argv.length;

	while (p < end) {
		size_t length = strnlen(p, end - p);

		if (p != argv.data)
			line_add(line, " ");
		add_word(line, (struct record_bytes) { p, length });
		p += length + 1;
	}
}

void line_add_errno(struct line *line, int error)
{
	const char *name = errno_name(error);

	if (name)
		line_add(line, name);
	else if (error)
		line_add_u64(line, (uint64_t)error);
}

void line_add_flags(struct line *line, unsigned int flags, const char *between)
{
	const char *before = "";

	for (unsigned int bit = 1; bit <= UINT16_MAX; bit <<= 1)
		if (flags & bit && record_flag_name(bit)) {
			line_add(line, before);
			line_add(line, record_flag_name(bit));
			before = between;
		}
}

void line_pad(struct line *line, size_t start, unsigned int columns)
{
	static const char spaces[] = "                                ";
	const unsigned int most = sizeof(spaces) - 2;
	unsigned int used, missing;

	if (line->r < 0)
		return;
	used = line->out->length > start ? term_columns(line->out->data + start) : 0;
	missing = used < columns ? columns - used : 0;
	if (missing > most)
		missing = most;
	line->r = text_add(line->out, spaces, missing + 1);
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
	OWNED_MEM char *bytes = malloc(length / 2 + 1);

	if (!bytes)
		return -ENOMEM;
	if (length % 2)
		return -EINVAL;
	for (size_t i = 0; i < length; i += 2) {
		int high = digit(hex[i]), low = digit(hex[i + 1]);

		if (high < 0 || low < 0)
			return -EINVAL;
		bytes[i / 2] = (char)(high << 4 | low);
	}
	return text_add_escaped(out, bytes, length / 2);
}

void line_add_string(struct line *line, const json_t *string)
{
	if (json_is_string(string))
		line_add_bytes(line, (struct record_bytes) { json_string_value(string),
							     json_string_length(string) });
}

void line_add_member(struct line *line, const json_t *object, const char *key)
{
	const json_t *hex;
	char hex_key[32];
	int r = -EINVAL;

	snprintf(hex_key, sizeof(hex_key), "%s_hex", key);
	hex = json_object_get(object, hex_key);
	if (line->r == 0 && json_is_string(hex))
		r = add_hex(line->out, json_string_value(hex), json_string_length(hex));
	if (r == -EINVAL)
		line_add_string(line, json_object_get(object, key));
	else if (r < 0)
		line->r = r;
}

void line_add_command(struct line *line, const json_t *command)
{
	const json_t *word;
	size_t i;

	line_add_string(line, command);
	json_array_foreach (command, i, word) {
		line_add(line, i ? " " : "");
		if (json_is_string(word))
			add_word(line, (struct record_bytes) { json_string_value(word),
							       json_string_length(word) });
	}
}
