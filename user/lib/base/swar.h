/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Looking through text eight bytes at a time, in an ordinary register. A mask has the high bit of
 * each byte of a word that is meant, up to the first such byte; above it there may be more, which
 * does not matter to who asks for the first or for any.
 */
#pragma once

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SWAR_BYTES 8
#define SWAR_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))
#define SWAR_HIGH SWAR_EACH(0x80)

/* The first byte is the lowest one. */
static inline uint64_t swar_load(const char *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return le64toh(word);
}

/* The last `n` of all bytes, fewer than eight, with zeros behind them. */
static inline uint64_t swar_load_last(const char *bytes, size_t length, size_t n)
{
	uint64_t word = 0;

	if (length >= SWAR_BYTES)
		return n ? swar_load(bytes + length - SWAR_BYTES) >> 8 * (SWAR_BYTES - n) : 0;
	for (size_t i = length - n; i < length; i++)
		word |= (uint64_t)(unsigned char)bytes[i] << 8 * (i - (length - n));
	return word;
}

/* Less than `n`, which is at most 0x80. */
static inline uint64_t swar_less(uint64_t word, uint8_t n)
{
	return (word - SWAR_EACH(n)) & ~word & SWAR_HIGH;
}

static inline uint64_t swar_equal(uint64_t word, uint8_t byte)
{
	return swar_less(word ^ SWAR_EACH(byte), 1);
}

/* Not a character of ASCII that can be seen. */
static inline uint64_t swar_unseen(uint64_t word)
{
	return swar_less(word, 0x20) | swar_equal(word, 0x7f) | (word & SWAR_HIGH);
}

/* The place of the first byte of a mask that is not empty. */
static inline size_t swar_first(uint64_t mask)
{
	return (size_t)__builtin_ctzll(mask) / 8;
}

/*
 * How many bytes there are before the first one that `stops` gives a mask for. `stops` is known
 * where this is called, so that nothing is called in the end.
 */
static inline __attribute__((always_inline)) size_t swar_run(const char *bytes, size_t length,
							     uint64_t (*stops)(uint64_t word))
{
	size_t n = 0, left, first;
	uint64_t mask;

	for (; length - n >= SWAR_BYTES; n += SWAR_BYTES) {
		mask = stops(swar_load(bytes + n));
		if (mask)
			return n + swar_first(mask);
	}
	left = length - n;
	mask = stops(swar_load_last(bytes, length, left));
	first = mask ? swar_first(mask) : left;
	return n + (first < left ? first : left);
}
