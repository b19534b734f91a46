/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The table of fields is in the order in which write.c writes them: after one was read, the next
 * one is looked for from there on, and is nearly always found after a few steps.
 */
#include "read_internal.h"

#define FIELD(word, read_as, ...)                                                                \
	{                                                                                        \
		.name = (word), .length = sizeof(word) - 1, .type = FIELD_##read_as, __VA_ARGS__ \
	}
#define FIELD_AT(word, read_as, member) \
	FIELD(word, read_as, .offset = offsetof(struct log_event, member))

static const struct field fields[] = {
	FIELD("v", VERSION),
	FIELD("time", TIME),
	FIELD_AT("mono", U64, mono),
	FIELD_AT("seq", U64, sequence),
	FIELD_AT("session", TEXT, session),
	FIELD("kind", KIND),
	FIELD("op", OP),
	FIELD_AT("state", TEXT, state),
	FIELD_AT("lost", U64, lost),
	FIELD("verdict", VERDICT),
	FIELD("errno", ERRNO),
	FIELD_AT("path", TEXT, path),
	FIELD_AT("path2", TEXT, second),
	FIELD_AT("known_as", TEXT, view),
	FIELD_AT("for", TEXT, scope),
	FIELD_AT("by", TEXT, by),
	FIELD_AT("directory", TEXT, directory),
	FIELD_AT("address", TEXT, address),
	FIELD_AT("port", U16, port),
	FIELD_AT("family", WORD, family),
	FIELD_AT("type", WORD, type),
	FIELD("protocol", PASS),
	FIELD("target", TARGET),
	FIELD_AT("signal", U32, mode),
	FIELD("argv", ARGV),
	FIELD("argv_hex", ARGV_HEX),
	FIELD_AT("status", INT, status),
	FIELD_AT("rule", TEXT, rule),
	FIELD_AT("reason", TEXT, reason),
	FIELD_AT("move", TEXT, move),
	FIELD_AT("score", HUNDREDTHS, score),
	FIELD_AT("context", HUNDREDTHS, context),
	FIELD("filters", PASS),
	FIELD_AT("parts", RAW, parts),
	FIELD_AT("review", U32, review),
	FIELD_AT("pid", U32, pid),
	FIELD_AT("tid", U32, tid),
	FIELD_AT("ppid", U32, ppid),
	FIELD_AT("uid", U32, uid),
	FIELD_AT("comm", TEXT, comm),
	FIELD_AT("program", TEXT, program),
	FIELD_AT("parent", TEXT, parent),
	FIELD("attach", PASS),
	FIELD("flags", FLAGS),
	FIELD_AT("inode", DIGITS, inode),
	FIELD_AT("device", TEXT, device),
	FIELD_AT("name", TEXT, name),
	FIELD_AT("user", TEXT, user),
	FIELD_AT("profile", TEXT, profile),
	FIELD("mode", MODE),
	FIELD_AT("project", TEXT, project),
	FIELD_AT("home", TEXT, home),
	FIELD_AT("worktrees", RAW, worktrees),
	FIELD_AT("command", RAW, command),
	FIELD_AT("n", U64, number),
	FIELD("prev", PASS),
};
_Static_assert(ARRAY_SIZE(fields) <= 64, "a bit for every field in `seen`");

static const struct field target_fields[] = {
	FIELD_AT("pid", U32, target),
	FIELD_AT("comm", TEXT, target_comm),
	FIELD_AT("session", TEXT, target_session),
};

/* The place of a name in the table, or `count`. */
static size_t find_field(const struct field *table, size_t count, struct record_bytes name)
{
	size_t at = 0;

	while (at < count &&
	       (table[at].length != name.length || memcmp(table[at].name, name.data, name.length)))
		at++;
	return at;
}

/* Whether the name of this field and its colon come next, spelled without an escape. */
static bool is_next(const struct log_json *json, const struct field *field)
{
	const char *name = json->p + 1;
	const size_t length = field->length;

	return (size_t)(json->end - json->p) > length + 2 && *json->p == '"' &&
	       *name == *field->name && name[length] == '"' && name[length + 1] == ':' &&
	       !memcmp(name, field->name, length);
}

/*
 * Takes a name, looked for from `next` on, and its colon. The place in the table; or `count`, and
 * then the name is not in it; or -EBADMSG.
 */
static int take_name(struct log_json *json, const struct field *table, size_t count, size_t next,
		     struct record_bytes *ret_name)
{
	for (size_t i = 0; i < count; i++) {
		size_t at = next + i < count ? next + i : next + i - count;

		if (is_next(json, &table[at])) {
			json->p += table[at].length + strlen("\"\":");
			return (int)at;
		}
	}
	if (log_json_text(json, ret_name) < 0 || !log_json_skip(json, ':'))
		return -EBADMSG;
	return (int)find_field(table, count, *ret_name);
}

/* "NAME_hex" of a text, or a field that is not known. */
static int take_other(struct reading *reading, const struct field *table, size_t count,
		      struct record_bytes name)
{
	static const char suffix[] = "_hex";
	const size_t length = sizeof(suffix) - 1;
	struct record_bytes passed;
	size_t at = count;

	if (name.length > length && !memcmp(name.data + name.length - length, suffix, length)) {
		name.length -= length;
		at = find_field(table, count, name);
	}
	if (at < count && table[at].type == FIELD_TEXT)
		return log_json_hex(&reading->json,
				    (void *)((char *)&reading->event + table[at].offset));
	return log_json_raw(&reading->json, &passed);
}

/* One object. `ret_seen` has a bit for each field of the table that was there; none comes twice. */
static int take_members(struct reading *reading, const struct field *table, size_t count,
			uint64_t *ret_seen)
{
	struct log_json *json = &reading->json;
	struct record_bytes name = { 0 };
	uint64_t seen = 0;
	size_t next = 0;
	int r;

	if (!log_json_skip(json, '{'))
		return -EBADMSG;
	do {
		int at = take_name(json, table, count, next, &name);

		if (at < 0)
			return at;
		if ((size_t)at == count) {
			r = take_other(reading, table, count, name);
		} else {
			if (seen & UINT64_C(1) << at)
				return -EBADMSG;
			seen |= UINT64_C(1) << at;
			next = (size_t)at + 1;
			r = log_event_value(reading, &table[at]);
		}
		if (r < 0)
			return r;
	} while (log_json_skip(json, ','));
	if (!log_json_skip(json, '}'))
		return -EBADMSG;
	*ret_seen = seen;
	return 0;
}

int log_event_target(struct reading *reading)
{
	uint64_t seen;

	return take_members(reading, target_fields, ARRAY_SIZE(target_fields), &seen);
}

/* Room for all texts that can be made out of the line. */
static int reserve(struct text *texts, size_t length)
{
	char *data;

	if (texts->size > length)
		return 0;
	data = realloc(texts->data, length + 1);
	if (!data)
		return -ENOMEM;
	texts->data = data;
	texts->size = length + 1;
	return 0;
}

int log_event_read(struct log_event_reader *reader, const char *line, size_t length,
		   struct log_event *ret_event)
{
	/* The version and the time, which are the first two. */
	const uint64_t always = 3;
	struct reading reading = { .event.sequence = LOG_NO_NUMBER };
	uint64_t seen;
	int r = reserve(&reader->texts, length);

	if (r < 0)
		return r;
	reading.json = (struct log_json) { line, line + length, reader->texts.data };
	r = take_members(&reading, fields, ARRAY_SIZE(fields), &seen);
	if (r < 0)
		return r;
	if (reading.json.p != reading.json.end || (seen & always) != always)
		return -EBADMSG;
	if (reading.event.kind == LOG_SESSION)
		reading.event.change = reading.op;
	else
		reading.event.op = op_find(reading.op.data, reading.op.length);
	*ret_event = reading.event;
	return 0;
}

void log_event_reader_free(struct log_event_reader *reader)
{
	text_free(&reader->texts);
}

bool log_event_is_refused(const struct log_event *event)
{
	return event->decided && event->error && !(event->flags & GRITH_RECORD_HELD);
}
