/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Values as bytes for another process of the same build, or for a file of our own: numbers in the
 * machine's byte order, strings behind their length. What is taken from bytes is hostile: beyond
 * their end everything is empty, and `bad` says so.
 */
#pragma once

#include "lib/base/base.h"

/* To the end of `out`. 0 or -ENOMEM. */
int pack_u32(struct text *out, uint32_t value);
int pack_bytes(struct text *out, const void *bytes, size_t length); /* at most UINT32_MAX */
int pack_string(struct text *out, const char *string); /* NULL is kept as such */

/* Starts with what is to be read. */
struct unpack {
	const char *at, *end;
	bool bad; /* what was asked for was not there, or is none */
};

uint32_t unpack_u32(struct unpack *from);
/* Both are within the bytes that are read; unaligned. The string may have been NULL. */
const void *unpack_bytes(struct unpack *from, size_t *ret_length);
const char *unpack_string(struct unpack *from, size_t max);
/* How many elements follow, of at least `size` bytes each: no more than there can be, or `max`. */
size_t unpack_count(struct unpack *from, size_t size, size_t max);
