/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Blocks in a list, the newest first; each piece is cut from the newest. A piece larger than a
 * block gets one of its own. Its own arena because obstack(3) ends the process where memory is
 * short; the parser's budget bounds it.
 */
#include <stdalign.h>

#include "memory.h"

#define BLOCK_SIZE 4096

struct memory {
	struct memory *next;
	size_t used, size;
	alignas(max_align_t) char data[];
};

void *memory_take(struct memory **memory, size_t size)
{
	struct memory *block = *memory;
	char *piece;

	if (size > SIZE_MAX / 2)
		return NULL;
	size = (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
	if (!block || block->size - block->used < size) {
		size_t wanted = size > BLOCK_SIZE ? size : BLOCK_SIZE;

		block = calloc(1, sizeof(*block) + wanted);
		if (!block)
			return NULL;
		block->size = wanted;
		block->next = *memory;
		*memory = block;
	}
	piece = block->data + block->used;
	block->used += size;
	return piece;
}

char *memory_copy(struct memory **memory, const char *bytes, size_t length)
{
	char *copy = memory_take(memory, length + 1);

	if (copy && length)
		memcpy(copy, bytes, length);
	return copy;
}

void memory_free(struct memory *memory)
{
	while (memory) {
		struct memory *next = memory->next;

		free(memory);
		memory = next;
	}
}
