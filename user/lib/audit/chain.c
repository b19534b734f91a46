/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The fields have one spelling only, so they are found from the end of the line without parsing the
 * JSON before them, and an agent cannot forge them: its bytes are in a string further to the left.
 */

#include <sodium.h>

#include "chain.h"

#define NUMBER_FIELD ",\"n\":"
#define PREV_FIELD ",\"prev\":\""
#define LINE_END "\"}"
#define DIGITS_MAX 20

void audit_hash_line(const char *line, size_t length, struct audit_hash *ret_hash)
{
	crypto_generichash(ret_hash->bytes, sizeof(ret_hash->bytes), (const unsigned char *)line,
			   length, NULL, 0);
}

void audit_hash_fold(struct audit_hash *all, const struct audit_hash *line)
{
	char both[2 * AUDIT_HASH_BYTES];

	memcpy(both, all->bytes, AUDIT_HASH_BYTES);
	memcpy(both + AUDIT_HASH_BYTES, line->bytes, AUDIT_HASH_BYTES);
	audit_hash_line(both, sizeof(both), all);
}

bool audit_hash_equal(const struct audit_hash *a, const struct audit_hash *b)
{
	return !memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

void audit_hash_format(const struct audit_hash *hash, char ret_hex[AUDIT_HEX_BYTES + 1])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < AUDIT_HASH_BYTES; i++) {
		ret_hex[2 * i] = digits[hash->bytes[i] >> 4];
		ret_hex[2 * i + 1] = digits[hash->bytes[i] & 15];
	}
	ret_hex[AUDIT_HEX_BYTES] = '\0';
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool audit_hash_parse(const char *hex, struct audit_hash *ret_hash)
{
	struct audit_hash hash;

	for (size_t i = 0; i < AUDIT_HASH_BYTES; i++) {
		int high = digit_value(hex[2 * i]);
		int low = high < 0 ? -1 : digit_value(hex[2 * i + 1]);

		if (low < 0)
			return false;
		hash.bytes[i] = high << 4 | low;
	}
	*ret_hash = hash;
	return true;
}

int audit_chain_add(struct audit_chain *chain, struct text *out, size_t start)
{
	char link[AUDIT_LINK_MAX], *p = link;
	size_t length;
	int r;

	p = mempcpy(p, NUMBER_FIELD, strlen(NUMBER_FIELD));
	p = text_put_u64(p, chain->n + 1);
	p = mempcpy(p, PREV_FIELD, strlen(PREV_FIELD));
	audit_hash_format(&chain->hash, p);
	p = mempcpy(p + AUDIT_HEX_BYTES, LINE_END "\n", strlen(LINE_END) + 1);
	length = p - link;

	/* The object's own "}\n" is overwritten once there is room. */
	r = text_add(out, link + 2, length - 2);
	if (r < 0)
		return r;
	memcpy(out->data + out->length - length, link, length);
	chain->n++;
	audit_hash_line(out->data + start, out->length - 1 - start, &chain->hash);
	return 0;
}

/* Whether `text` ends before `end`; moves `end` to its start. */
static bool take_back(const char *line, const char **end, const char *text)
{
	size_t length = strlen(text);

	if ((size_t)(*end - line) < length || memcmp(*end - length, text, length))
		return false;
	*end -= length;
	return true;
}

bool audit_link_parse(const char *line, size_t length, struct audit_link *ret_link)
{
	const char *end = line + length;
	char digits[DIGITS_MAX + 1];
	struct audit_link link;
	size_t n = 0;

	if (!take_back(line, &end, LINE_END) || end - line < AUDIT_HEX_BYTES)
		return false;
	end -= AUDIT_HEX_BYTES;
	if (!audit_hash_parse(end, &link.prev) || !take_back(line, &end, PREV_FIELD))
		return false;
	while (n < DIGITS_MAX && end - n > line && end[-1 - (ptrdiff_t)n] >= '0' &&
	       end[-1 - (ptrdiff_t)n] <= '9')
		n++;
	memcpy(digits, end - n, n);
	digits[n] = '\0';
	end -= n;
	if (text_parse_u64(digits, UINT64_MAX - 1, &link.n) < 0 || !link.n || digits[0] == '0' ||
	    !take_back(line, &end, NUMBER_FIELD))
		return false;
	*ret_link = link;
	return true;
}
