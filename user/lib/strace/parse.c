/* SPDX-License-Identifier: MPL-2.0 */
/* A call taken apart: its arguments as they are, and how it ended. */
#include <ctype.h>

#include "text.h"

#define ERRNO_LAST 133 /* EHWPOISON */

static struct record_bytes trim(const char *data, size_t length)
{
	while (length && data[0] == ' ') {
		data++;
		length--;
	}
	while (length && data[length - 1] == ' ')
		length--;
	return (struct record_bytes) { data, length };
}

static void add_argument(struct strace_call *call, struct record_bytes t, size_t from, size_t to)
{
	struct record_bytes arg = trim(t.data + from, to - from);

	if (call->n_args < STRACE_ARGS_MAX && (arg.length || call->n_args))
		call->args[call->n_args++] = arg;
}

/* Where the arguments end: at their parenthesis, or `length`. */
static size_t split(struct record_bytes t, struct strace_call *call)
{
	size_t depth = 0, from = 0, at = 0;

	while (at < t.length) {
		char c = t.data[at];

		if (c == '(' || c == '[' || c == '{')
			depth++;
		else if ((c == ']' || c == '}') && depth)
			depth--;
		else if (c == ')' && !depth)
			break;
		else if (c == ')')
			depth--;
		else if (c == ',' && !depth) {
			add_argument(call, t, from, at);
			from = at + 1;
		}
		at = strace_skip(t, at);
	}
	add_argument(call, t, from, at);
	return at;
}

static int errno_of(struct record_bytes word)
{
	for (int e = 1; e <= ERRNO_LAST; e++) {
		const char *name = strerrorname_np(e);

		if (name && bytes_are(word, name))
			return e;
	}
	return EIO;
}

static int parse_result(struct record_bytes t, struct strace_call *call)
{
	uint64_t value;
	size_t n, length;

	if (bytes_start(t, "?"))
		return 0;
	if (bytes_start(t, "-1 E")) {
		t = strace_from(t, 3);
		for (length = 0; length < t.length && isalnum((unsigned char)t.data[length]);)
			length++;
		call->ended = true;
		call->value = -1;
		call->error = errno_of((struct record_bytes) { t.data, length });
		return 0;
	}
	n = strace_number(t, &value);
	if (!n)
		return -EBADMSG;
	call->ended = true;
	call->value = value > INT64_MAX ? INT64_MAX : (int64_t)value;
	return 0;
}

int strace_call_parse(struct record_bytes name, struct record_bytes rest,
		      struct strace_call *ret_call)
{
	struct strace_call call = { .name = name };
	size_t at = split(rest, &call);
	struct record_bytes result;
	int r;

	if (at >= rest.length)
		return -EBADMSG;
	result = trim(rest.data + at + 1, rest.length - at - 1);
	if (!bytes_start(result, "="))
		return -EBADMSG;
	r = parse_result(trim(result.data + 1, result.length - 1), &call);
	if (r == 0)
		*ret_call = call;
	return r;
}
