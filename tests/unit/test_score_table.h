/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Operations and expected parts as lines of text, for the tables of the score's tests.
 *
 *   $ TEXT                      sh -c TEXT; a pilcrow in it is a newline
 *   ! PATH ARGUMENT...          a program; quotes group words, nothing else is special
 *   OP OBJECT [PORT] [WORD...]  any other operation; the object is a path, a host or an address
 *
 * The words: static=N, context=N, filters=taint+containment+rate+egress-rate+mass, by=PROGRAM,
 * class=high|medium|low, trusted, judged-later, raw, read-too, answered, grants=A+B.
 *
 * Parts are FILTER=POINTS, separated by blanks, "hold" and "failed"; "-" for none. They are all
 * there are, but for the rule of the policy (static=).
 */
#pragma once

#include "lib/score/score.h"

#define TABLE_LINE_MAX 8192
#define TABLE_GRANTS_MAX 8

/* An operation with the memory of what it borrows. */
struct table_operation {
	struct score_operation operation;
	char line[TABLE_LINE_MAX];
	char argv[TABLE_LINE_MAX];
	const char *grants[TABLE_GRANTS_MAX];
};

/* The whole file, or a failed assertion. The caller frees. */
char *table_file(const char *path, size_t *ret_length);

/* The weights as they are shipped, or a failed assertion. */
struct score_weights *table_weights(void);

/* Reads an operation, or fails an assertion that names the place. */
void table_read(const char *place, const char *text, struct table_operation *ret_operation);

/* The parts of a score as in a table. The caller frees. */
char *table_parts(const struct score *score);

/* Hundredths from "3", "3.5" or "-0.25". */
int table_points(const char *place, const char *text);

/* Compares the parts with those of a table, in any order. */
void table_expect(const char *place, const struct score *score, const char *parts);
