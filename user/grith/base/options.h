/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The options of a verb as one table: getopt_long(3) parses the command line, and each value goes
 * where its entry points. The help is not generated from it: its lines are wrapped, mixed with
 * those of operands and in an order of their own, and would take as many lines in the table.
 */
#pragma once

#include <getopt.h>

#include "lib/base/base.h"

/* Without `flag` and `is` an option has an argument. Tables end with {0}. */
struct option_entry {
	const char *name; /* without "--" */
	char letter; /* short form; 0: none */
	bool *flag; /* becomes true */
	const char **value; /* becomes the argument, borrowed from argv */
	int (*take)(const struct option_entry *entry, const char *value); /* instead: 0 or -errno */
	void *to; /* for take() */
	const char *is; /* the value of an option that has no argument */
};

/*
 * Fills in what the entries point to; operands are argv[optind] and the following. 0, or what
 * take() returned, or -EINVAL after getopt's message.
 */
int options_read(int argc, char **argv, const struct option_entry *entries);

/* The same, but the first operand ends the options: what follows is another command's. */
int options_read_leading(int argc, char **argv, const struct option_entry *entries);

/* "--NAME cannot be 'VALUE'HINT" on stderr; the hint may be empty. Returns -EINVAL. */
int option_refuse(const struct option_entry *entry, const char *value, const char *hint);
