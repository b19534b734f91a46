/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The beginning of a line, by what it looks like: a number is a task unless it has a point or too
 * many digits for one, and then a time.
 */
#include <ctype.h>
#include <signal.h>

#include "line.h"
#include "text.h"

#define PID_LIMIT (1u << 22) /* the kernel's largest pid_max */
#define SECOND UINT64_C(1000000000)

static struct record_bytes skip_spaces(struct record_bytes t)
{
	while (t.length && t.data[0] == ' ')
		t = strace_from(t, 1);
	return t;
}

/* "12", "12<bash>". Behind it; as it was where there is none. */
static struct record_bytes take_pid(struct record_bytes t, uint32_t *ret_pid)
{
	uint64_t value;
	size_t n = strace_number(t, &value);

	if (!n || value > PID_LIMIT || bytes_start(t, "0x"))
		return t;
	if (n < t.length && t.data[n] == '<')
		n = strace_skip(t, n);
	if (n >= t.length || (t.data[n] != ' ' && t.data[n] != ']'))
		return t;
	*ret_pid = (uint32_t)value;
	return strace_from(t, n);
}

static struct record_bytes take_task(struct record_bytes t, struct strace_line *line)
{
	struct record_bytes inner;

	if (!bytes_start(t, "[pid "))
		return skip_spaces(take_pid(t, &line->tid));
	inner = take_pid(skip_spaces(strace_from(t, 5)), &line->tid);
	if (!line->tid || !bytes_start(inner, "]"))
		return t;
	line->bracketed = true;
	return skip_spaces(strace_from(inner, 1));
}

/* ".123456" in nanoseconds. Behind it. */
static struct record_bytes take_fraction(struct record_bytes t, uint64_t *ret_ns)
{
	uint64_t unit = SECOND / 10;
	size_t at = 1;

	*ret_ns = 0;
	if (!bytes_start(t, "."))
		return t;
	for (; at < t.length && isdigit((unsigned char)t.data[at]); at++, unit /= 10)
		*ret_ns += unit * (uint64_t)(t.data[at] - '0');
	return strace_from(t, at);
}

static bool take_two(struct record_bytes *t, uint64_t *ret_value)
{
	if (t->length < 3 || t->data[0] != ':' || !isdigit((unsigned char)t->data[1]) ||
	    !isdigit((unsigned char)t->data[2]))
		return false;
	*ret_value = (uint64_t)((t->data[1] - '0') * 10 + t->data[2] - '0');
	*t = strace_from(*t, 3);
	return true;
}

/* "23:10:11.5" behind its hours. */
static bool take_day(struct record_bytes *t, uint64_t hours, struct strace_line *line)
{
	uint64_t minutes, seconds, ns;

	if (hours > 23 || !take_two(t, &minutes) || !take_two(t, &seconds))
		return false;
	*t = take_fraction(*t, &ns);
	line->clock = STRACE_OF_DAY;
	line->time = (hours * 3600 + minutes * 60 + seconds) * SECOND + ns;
	return true;
}

static struct record_bytes take_time(struct record_bytes t, struct strace_line *line)
{
	struct record_bytes rest;
	uint64_t value, ns = 0;
	size_t n = strace_number(t, &value);

	if (!n || value > INT64_MAX / SECOND || bytes_start(t, "0x"))
		return t;
	rest = strace_from(t, n);
	if (!take_day(&rest, value, line)) {
		rest = take_fraction(rest, &ns);
		line->clock = value > PID_LIMIT ? STRACE_SINCE_1970 : STRACE_SINCE_LAST;
		line->time = value * SECOND + ns;
	}
	rest = skip_spaces(rest);
	if (bytes_start(rest, "(+")) /* -r beside another one */
		rest = skip_spaces(strace_from(rest, strace_find(rest, ")")));
	if (bytes_start(rest, ")"))
		rest = skip_spaces(strace_from(rest, 1));
	return rest;
}

/* Moves on over the text. false: it is not there. */
static bool skip(struct record_bytes *t, const char *text)
{
	if (!bytes_start(*t, text))
		return false;
	*t = strace_from(*t, strlen(text));
	return true;
}

/* "SEGV (core dumped) +++"; SIGKILL where strace's word is not known. */
static int signal_of(struct record_bytes t)
{
	t.length = strace_find(t, " ");
	for (int s = 1; s < NSIG; s++) {
		const char *name = sigabbrev_np(s);

		if (name && bytes_are(t, name))
			return s;
	}
	return SIGKILL;
}

/* "exited with 1 +++", "killed by SIGKILL (core dumped) +++" */
static void take_end(struct record_bytes t, struct strace_line *line)
{
	uint64_t value;

	if (skip(&t, "exited with ")) {
		if (!strace_number(t, &value))
			return;
		line->kind = STRACE_ENDED;
		line->status = (int)(value & 0xff) << 8;
	} else if (skip(&t, "killed by SIG")) {
		line->kind = STRACE_ENDED;
		line->status = signal_of(t);
	} else if (skip(&t, "superseded by execve in pid ")) {
		line->kind = STRACE_SUPERSEDED;
		take_pid(t, &line->other);
	}
}

/* "strace: Process 12 attached" at `t`. */
static bool take_attached(struct record_bytes t, uint32_t *ret_pid)
{
	if (!skip(&t, "strace: Process "))
		return false;
	t = take_pid(t, ret_pid);
	return *ret_pid && bytes_start(t, " attached");
}

static void take_resumed(struct record_bytes t, struct strace_line *line)
{
	static const char resumed[] = " resumed>";
	size_t at = strace_find(t, resumed);

	if (at == t.length)
		return;
	line->kind = STRACE_RESUMED;
	line->name = (struct record_bytes) { t.data, at };
	line->rest = skip_spaces(strace_from(t, at + strlen(resumed))); /* " )" in older versions */
}

static bool ends_with(struct record_bytes t, const char *what)
{
	size_t length = strlen(what);

	return t.length >= length && bytes_are(strace_from(t, t.length - length), what);
}

static void take_call(struct record_bytes t, struct strace_line *line)
{
	static const char unfinished[] = "<unfinished ...>";
	size_t n = 0, message;

	while (n < t.length && (isalnum((unsigned char)t.data[n]) || t.data[n] == '_'))
		n++;
	if (!n || isdigit((unsigned char)t.data[0]) || n == t.length || t.data[n] != '(')
		return;
	line->name = (struct record_bytes) { t.data, n };
	line->rest = strace_from(t, n + 1);
	line->kind = STRACE_CALL;
	if (ends_with(line->rest, unfinished)) {
		line->kind = STRACE_UNFINISHED;
		line->rest.length -= sizeof(unfinished) - 1;
	} else if (ends_with(line->rest, " attached")) {
		message = strace_find(line->rest, "strace: Process ");
		if (take_attached(strace_from(line->rest, message), &line->other)) {
			line->kind = STRACE_CUT;
			line->rest.length = message;
		}
	}
}

struct strace_line strace_line_parse(const char *data, size_t length)
{
	struct record_bytes t = { data, length };
	struct strace_line line = { 0 };

	if (take_attached(t, &line.other)) {
		line.kind = STRACE_ATTACHED;
		return line;
	}
	t = skip_spaces(take_time(skip_spaces(take_task(t, &line)), &line));
	if (bytes_start(t, "+++ "))
		take_end(strace_from(t, 4), &line);
	else if (bytes_start(t, "<... "))
		take_resumed(strace_from(t, 5), &line);
	else if (bytes_start(t, "--- ") || bytes_start(t, "strace: ") ||
		 bytes_start(t, "[ Process PID="))
		line.kind = STRACE_ASIDE;
	else
		take_call(t, &line);
	return line;
}
