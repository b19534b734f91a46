/* SPDX-License-Identifier: MPL-2.0 */
/* A string is its bytes and a NUL, so that no bytes at all are the one that is missing. */
#include "pack.h"

int pack_u32(struct text *out, uint32_t value)
{
	return text_add(out, (const char *)&value, sizeof(value));
}

int pack_bytes(struct text *out, const void *bytes, size_t length)
{
	int r = pack_u32(out, length);

	return r ?: text_add(out, bytes, length);
}

int pack_string(struct text *out, const char *string)
{
	return pack_bytes(out, string, string ? strlen(string) + 1 : 0);
}

static const char *take(struct unpack *from, size_t length)
{
	const char *at = from->at;

	if (from->bad || length > (size_t)(from->end - at)) {
		from->bad = true;
		return NULL;
	}
	from->at += length;
	return at;
}

uint32_t unpack_u32(struct unpack *from)
{
	uint32_t value = 0;
	const char *at = take(from, sizeof(value));

	if (at)
		memcpy(&value, at, sizeof(value));
	return value;
}

const void *unpack_bytes(struct unpack *from, size_t *ret_length)
{
	size_t length = unpack_u32(from);
	const char *at = take(from, length);

	*ret_length = at ? length : 0;
	return at;
}

const char *unpack_string(struct unpack *from, size_t max)
{
	size_t size;
	const char *bytes = unpack_bytes(from, &size);

	if (!size)
		return NULL;
	if (size - 1 > max || memchr(bytes, '\0', size) != bytes + size - 1) {
		from->bad = true;
		return NULL;
	}
	return bytes;
}

size_t unpack_count(struct unpack *from, size_t size, size_t max)
{
	size_t count = unpack_u32(from);

	if (count > max || count > (size_t)(from->end - from->at) / size)
		from->bad = true;
	return from->bad ? 0 : count;
}
