/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Memory that is given back all at once: a script's words, names and lists. Not for use outside of
 * shell/.
 */
#pragma once

#include "lib/base/base.h"

struct memory; /* starts as NULL */

/* Zeroed and aligned for anything. NULL: no memory. */
void *memory_take(struct memory **memory, size_t size);

/* A copy with a NUL behind it, for which `length` does not count. NULL: no memory. */
char *memory_copy(struct memory **memory, const char *bytes, size_t length);

void memory_free(struct memory *memory);
DEFINE_CLEANUP(struct memory, memory_free)
