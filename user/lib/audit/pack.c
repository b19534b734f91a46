/* SPDX-License-Identifier: MPL-2.0 */
/* zstd's simple calls; its default level, which a log of 64 MiB takes well under a second for. */
#include <zstd.h>

#include "pack.h"

int audit_buffer_reserve(struct audit_buffer *buffer, size_t size)
{
	char *larger;

	if (buffer->size >= size)
		return 0;
	larger = realloc(buffer->data, size);
	if (!larger)
		return -ENOMEM;
	buffer->data = larger;
	buffer->size = size;
	return 0;
}

void audit_buffer_free(struct audit_buffer *buffer)
{
	free(buffer->data);
	*buffer = (struct audit_buffer) { 0 };
}

static void free_context(ZSTD_CCtx **context)
{
	ZSTD_freeCCtx(*context);
}

int audit_pack(const char *data, size_t length, struct audit_buffer *out)
{
	CLEANUP(free_context) ZSTD_CCtx *context = ZSTD_createCCtx();
	int r = audit_buffer_reserve(out, ZSTD_compressBound(length));
	size_t n;

	if (!context || r < 0)
		return -ENOMEM;
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	n = ZSTD_compress2(context, out->data, out->size, data, length);
	if (ZSTD_isError(n))
		return -ENOMEM; /* the only thing that is left to fail */
	out->length = n;
	return 0;
}

int audit_unpack(const char *frame, size_t size, size_t length, struct audit_buffer *out)
{
	int r;

	/* A second frame behind the first would be unpacked as well. */
	if (ZSTD_findFrameCompressedSize(frame, size) != size)
		return -EBADMSG;
	r = audit_buffer_reserve(out, length);
	if (r < 0)
		return r;
	if (ZSTD_decompress(out->data, length, frame, size) != length)
		return -EBADMSG;
	out->length = length;
	return 0;
}
