/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A list of complaints about an input, each with its place. Parsers collect them here, so that a
 * person gets all of them at once; the caller of the parser prints or sends them.
 */
#pragma once

#include <stddef.h>

#include "cleanup.h"

struct diag_entry {
	char *file; /* NULL: no place */
	unsigned int line, column; /* 1-based; 0: unknown */
	char *message;
};

/* Starts as {0}. */
struct diag {
	struct diag_entry *entries;
	size_t count;
	size_t dropped; /* beyond DIAG_MAX, or for lack of memory */
};

#define DIAG_MAX 200

/* Never fails: what cannot be stored is counted in `dropped`. Copies its strings. */
void diag_add(struct diag *d, const char *file, unsigned int line, unsigned int column,
	      const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Adds the entries of `found` whose places (file, line and column) `d` has no complaint of yet. */
void diag_join(struct diag *d, const struct diag *found);

/* "file:line:column: message" a line, hostile bytes escaped. The caller frees; NULL: no memory. */
char *diag_text(const struct diag *d);

void diag_free(struct diag *d);

#define OWNED_DIAG CLEANUP(diag_free)
