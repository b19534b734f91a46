/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The edit distance between words (optimal string alignment), and the nearest of several.
 */
#include <stdint.h>
#include <string.h>

#include "suggest.h"

#define WORD_MAX 31 /* longer words are no verbs */

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static unsigned int distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned int d[WORD_MAX + 1][WORD_MAX + 1];

	for (size_t i = 0; i <= a_length; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= b_length; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		for (size_t j = 1; j <= b_length; j++) {
			unsigned int replace = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, replace);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[a_length][b_length];
}

const char *suggest(const char *word, const char *const *known, size_t n_known)
{
	size_t length = strlen(word);
	unsigned int best = UINT32_MAX;
	const char *found = NULL;

	if (!length || length > WORD_MAX)
		return NULL;
	for (size_t i = 0; i < n_known; i++) {
		size_t known_length = strlen(known[i]);
		unsigned int d;

		if (known_length > WORD_MAX)
			continue;
		d = distance(word, length, known[i], known_length);
		if (d < best) {
			best = d;
			found = known[i];
		}
	}
	return best <= (length + 2) / 3 && best < length ? found : NULL;
}
