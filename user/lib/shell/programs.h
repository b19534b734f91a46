/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What programs do with arguments that are a command or a text for a shell. Not for use outside of
 * shell/.
 */
#pragma once

#include "shell.h"

struct slice {
	const char *data;
	size_t length;
};

/* Arguments one after the other: words, or bytes with a NUL behind each argument. */
struct args {
	const struct shell_word *words; /* NULL: bytes */
	const char *bytes;
	size_t length; /* of words or bytes */
	size_t at; /* index of the word or of its first byte */
};

/* False at the end. What is not known at all is skipped as an option would be. */
bool args_get(const struct args *args, struct slice *ret_arg);
void args_step(struct args *args);
bool slice_is(struct slice slice, const char *text);
bool slice_in(struct slice slice, const char *words); /* separated by spaces */
static inline struct slice slice_of(const char *text)
{
	return (struct slice) { text, strlen(text) };
}

/* The last part of a path. */
struct slice program_name(struct slice path);
bool program_is_shell(struct slice name);
bool program_is_exec_option(struct slice option); /* of find: -exec and the like */

/* Moves from a program to the one it runs, as often as there is one. */
void programs_effective(struct args *args);

/* Moves from a wrapper to its only argument, where that is a text for a shell. */
bool wrapper_text(struct args *args);

/*
 * The text for a shell among the arguments of a program that is not a wrapper, and how many bytes
 * of its argument are before it. False: none. Moves `args` to the argument.
 */
bool programs_text(struct args *args, size_t *ret_skip);

/* Whether the shell at `args` reads commands from its input. */
bool programs_reads_input(const struct args *args);
