/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Blocks of whole lines, each with its newline, taken apart from either end. Pure.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/record/record.h"

/* Takes the first line off the block, without its newline. false: there is none. */
static inline bool log_block_first(struct record_bytes *block, struct record_bytes *ret_line)
{
	const char *newline = block->length ? memchr(block->data, '\n', block->length) : NULL;

	if (!newline)
		return false;
	*ret_line = (struct record_bytes) { block->data, newline - block->data };
	block->data += ret_line->length + 1;
	block->length -= ret_line->length + 1;
	return true;
}

/* The last one. */
static inline bool log_block_last(struct record_bytes *block, struct record_bytes *ret_line)
{
	const char *newline;
	size_t start;

	if (!block->length)
		return false;
	newline = block->length > 1 ? memrchr(block->data, '\n', block->length - 1) : NULL;
	start = newline ? newline + 1 - block->data : 0;
	*ret_line = (struct record_bytes) { block->data + start, block->length - 1 - start };
	block->length = start;
	return true;
}
