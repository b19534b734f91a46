/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Tells what was encoded from what was written: base64 by its mixture of cases and digits, other
 * encodings by their entropy. Hexadecimal digests, UUIDs, names and paths are neither.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "internal.h"

enum byte_class { UPPER, LOWER, DIGIT, OTHER };

static enum byte_class class_of(unsigned char c)
{
	if (isupper(c))
		return UPPER;
	if (islower(c))
		return LOWER;
	return isdigit(c) ? DIGIT : OTHER;
}

static bool is_base64(unsigned char c)
{
	return isalnum(c) || (c && strchr("+/_-=", c));
}

/*
 * Of two neighbours in base64 of anything, more than half are of different classes (26 of 64 are
 * upper, 26 lower, 10 digits); of those in names and paths, about one in ten. A quarter is between.
 */
static bool is_mixed(const char *run, size_t length)
{
	size_t seen[4] = { 0 }, changes = 0;

	for (size_t i = 0; i < length; i++) {
		enum byte_class class = class_of(run[i]);

		seen[class]++;
		if (i && class != OTHER && class_of(run[i - 1]) != OTHER)
			changes += class != class_of(run[i - 1]);
	}
	return seen[UPPER] && seen[LOWER] && seen[DIGIT] && changes * 4 >= length;
}

/* "sha512-..." of a lock file: a digest tells nothing. */
static bool is_digest(const char *run, size_t length)
{
	static const char *const names[] = { "sha1-", "sha256-", "sha384-", "sha512-" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (length > strlen(names[i]) && !memcmp(run, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Bits for each byte, by how often each occurs. */
static double entropy(const char *run, size_t length)
{
	size_t counts[256] = { 0 };
	double bits = 0;

	for (size_t i = 0; i < length; i++)
		counts[(unsigned char)run[i]]++;
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		double share = (double)counts[i] / (double)length;

		if (counts[i])
			bits -= share * log2(share);
	}
	return bits;
}

static bool is_random(const struct score_weights *weights, const char *run, size_t length)
{
	double least = score_number(weights, FILTER_EGRESS_POLICY, EGRESS_ENTROPY_BITS) / 100.0;
	bool digit = false, letter = false;

	if (length < score_count(weights, FILTER_EGRESS_POLICY, EGRESS_ENTROPY_CHARACTERS))
		return false;
	for (size_t i = 0; i < length; i++) {
		digit = digit || isdigit((unsigned char)run[i]);
		letter = letter || isalpha((unsigned char)run[i]);
	}
	return digit && letter && entropy(run, length) >= least;
}

/* Whether a part of the run, without what separates words, is random. */
static bool has_random(const struct score_weights *weights, const char *run, size_t length)
{
	size_t at = 0;

	while (at < length) {
		size_t start = at;

		while (at < length && isalnum((unsigned char)run[at]))
			at++;
		if (is_random(weights, run + start, at - start))
			return true;
		at++;
	}
	return false;
}

bool score_is_encoded(const struct score_weights *weights, const char *text, size_t length)
{
	size_t least = score_count(weights, FILTER_EGRESS_POLICY, EGRESS_BASE64_CHARACTERS);
	size_t at = 0;

	while (at < length) {
		size_t start = at, n;

		while (at < length && is_base64(text[at]))
			at++;
		n = at - start;
		at++;
		if (is_digest(text + start, n))
			continue;
		if ((n >= least && is_mixed(text + start, n)) ||
		    has_random(weights, text + start, n))
			return true;
	}
	return false;
}

bool score_is_uuid(const char *text, size_t length)
{
	if (length != 36)
		return false;
	for (size_t i = 0; i < length; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? text[i] != '-' : !isxdigit((unsigned char)text[i]))
			return false;
	}
	return true;
}
