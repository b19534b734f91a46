/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The small print of strace's lines: arguments, strings, annotations, flags, addresses. For this
 * room only. Pure.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/record/record.h"

#define STRACE_ARGS_MAX 8 /* arguments of a call that are looked at */

/* "openat(AT_FDCWD</tmp>, "x", O_RDONLY) = 3</tmp/x>", taken apart. */
struct strace_call {
	struct record_bytes name;
	struct record_bytes args[STRACE_ARGS_MAX]; /* beyond n_args: length 0 */
	size_t n_args;
	bool ended; /* it returned: "?" is no result */
	int64_t value;
	int error; /* positive errno, 0: none; EIO where strace's word is not known */
};

/* `rest` is what follows the name and its parenthesis. -EBADMSG: it is not whole. */
int strace_call_parse(struct record_bytes name, struct record_bytes rest,
		      struct strace_call *ret_call);

/* Where the thing that begins at `at` ends: one behind it, or `text.length`. */
size_t strace_skip(struct record_bytes text, size_t at);

/*
 * The bytes of a quoted string, added to `out`. -EBADMSG: it is none. *ret_cut: strace left out its
 * end.
 */
int strace_string(struct record_bytes quoted, struct text *out, bool *ret_cut);

/* Each string of "["a", "b"]" with its NUL. The same, where not all are there. */
int strace_strings(struct record_bytes array, struct text *out, bool *ret_cut);

/* "3</tmp/x>": the number. -EBADMSG: it is none; AT_FDCWD is -1. */
int strace_descriptor(struct record_bytes arg, int *ret_fd);

/* What is annotated: "/tmp/x" of "3</tmp/x>". false: nothing, or no path. */
bool strace_annotation(struct record_bytes arg, struct text *out);

/* Whether a flag is among those that an argument joins with "|". */
bool strace_has_flag(struct record_bytes arg, const char *flag);

/* Decimal or with 0x; bytes taken, 0: there is no number. */
size_t strace_number(struct record_bytes text, uint64_t *ret_value);

/* Where `what` is in `text`; `text.length` where it is not. */
size_t strace_find(struct record_bytes text, const char *what);

/* Without its first `at` bytes; nothing has no address to add to. */
static inline struct record_bytes strace_from(struct record_bytes text, size_t at)
{
	return at ? (struct record_bytes) { text.data + at, text.length - at } : text;
}
