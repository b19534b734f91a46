/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The known word nearest to a misspelled one.
 */
#pragma once

#include <stddef.h>

/*
 * The known word that is nearest to `word` by insertions, deletions, replacements and swaps of
 * neighbours, or NULL where none is near: more than a third of the word would have to change.
 * Borrowed from `known`.
 */
const char *suggest(const char *word, const char *const *known, size_t n_known);
