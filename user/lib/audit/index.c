/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Made while lines go by. The text is parsed strictly: it decides where a reader looks and how much
 * memory that takes.
 */
#include "lib/event/event.h"
#include "block.h"
#include "chain.h"
#include "index.h"

#define FIELDS 8
#define TITLE "grith-audit-index"
#define VERSION "1"

static bool has_session(const struct audit_frame *frame, const char *session)
{
	/* From the end: a line is mostly of the session of the one before. */
	for (size_t i = frame->n_sessions; i > 0; i--)
		if (!strcmp(frame->sessions[i - 1], session))
			return true;
	return false;
}

static int note_session(struct audit_frame *frame, const char *session)
{
	int r;

	if (has_session(frame, session))
		return 0;
	r = ARRAY_GROW(frame->sessions, frame->n_sessions);
	if (r < 0)
		return r;
	snprintf(frame->sessions[frame->n_sessions++], SESSION_ID_LENGTH + 1, "%s", session);
	return 0;
}

static void note_time(struct audit_frame *frame, const char *time)
{
	if (!frame->since[0] || strcmp(time, frame->since) < 0)
		memcpy(frame->since, time, sizeof(frame->since));
	if (!frame->until[0] || strcmp(time, frame->until) > 0)
		memcpy(frame->until, time, sizeof(frame->until));
}

static int note_line(struct audit_frame *frame, struct record_bytes line)
{
	struct audit_link link;
	struct log_head head = { 0 };

	if (audit_link_parse(line.data, line.length, &link)) {
		if (!frame->first)
			frame->first = link.n;
		frame->last = link.n;
	}
	if (!log_head_parse(line.data, line.length, &head))
		return 0;
	note_time(frame, head.time);
	return head.session[0] ? note_session(frame, head.session) : 0;
}

int audit_frame_note(struct audit_frame *frame, const char *block, size_t length)
{
	struct record_bytes rest = { block, length }, line;
	int r = 0;

	while (r == 0 && log_block_first(&rest, &line))
		r = note_line(frame, line);
	frame->length = length;
	return r;
}

bool audit_frame_equal(const struct audit_frame *a, const struct audit_frame *b)
{
	if (a->length != b->length || a->first != b->first || a->last != b->last ||
	    strcmp(a->since, b->since) != 0 || strcmp(a->until, b->until) != 0 ||
	    a->n_sessions != b->n_sessions)
		return false;
	for (size_t i = 0; i < a->n_sessions; i++)
		if (!has_session(b, a->sessions[i]))
			return false;
	return true;
}

void audit_frame_free(struct audit_frame *frame)
{
	free(frame->sessions);
	*frame = (struct audit_frame) { 0 };
}

bool audit_frame_may_have(const struct audit_frame *frame, const char *session, const char *since)
{
	if (since[0] && strcmp(frame->until, since) < 0)
		return false;
	return !session[0] || has_session(frame, session);
}

int audit_index_add(struct audit_index *index, struct audit_frame *frame)
{
	int r = ARRAY_GROW(index->frames, index->count);

	if (r < 0)
		return r;
	index->frames[index->count++] = *frame;
	*frame = (struct audit_frame) { 0 };
	return 0;
}

void audit_index_free(struct audit_index *index)
{
	for (size_t i = 0; i < index->count; i++)
		audit_frame_free(&index->frames[i]);
	free(index->frames);
	*index = (struct audit_index) { 0 };
}

/* --- the text */

static int add_frame(struct text *out, const struct audit_frame *frame)
{
	int r = text_addf(out, "%llu %llu %llu %llu %llu %s %s ", (unsigned long long)frame->offset,
			  (unsigned long long)frame->size, (unsigned long long)frame->length,
			  (unsigned long long)frame->first, (unsigned long long)frame->last,
			  frame->since[0] ? frame->since : "-",
			  frame->until[0] ? frame->until : "-");

	for (size_t i = 0; i < frame->n_sessions && r == 0; i++)
		r = text_addf(out, "%s%s", i ? "," : "", frame->sessions[i]);
	return r < 0 ? r
		     : text_add(out, frame->n_sessions ? "\n" : "-\n", frame->n_sessions ? 1 : 2);
}

int audit_index_format(const struct audit_index *index, struct text *out)
{
	char hex[AUDIT_HEX_BYTES + 1];
	struct audit_hash hash;
	size_t start = out->length;
	int r = text_addf(out, TITLE " " VERSION " %zu\n", index->count);

	for (size_t i = 0; i < index->count && r == 0; i++)
		r = add_frame(out, &index->frames[i]);
	if (r < 0)
		return r;
	audit_hash_line(out->data + start, out->length - start, &hash);
	audit_hash_format(&hash, hex);
	return text_addf(out, "end %s\n", hex);
}

/* Cuts the line at its blanks; whether there are as many fields as asked for. */
static bool split(char *line, char **fields, size_t wanted)
{
	for (size_t n = 0; n < wanted; n++) {
		fields[n] = strsep(&line, " ");
		if (!fields[n] || !*fields[n])
			return false;
	}
	return !line;
}

static bool parse_time(const char *field, char ret_time[JSON_TIME_SIZE])
{
	if (!strcmp(field, "-"))
		return true;
	if (strlen(field) != JSON_TIME_SIZE - 1)
		return false;
	memcpy(ret_time, field, JSON_TIME_SIZE);
	return true;
}

static int parse_sessions(char *field, struct audit_frame *frame)
{
	if (!strcmp(field, "-"))
		return 0;
	for (char *id; (id = strsep(&field, ","));) {
		int r;

		if (!session_id_valid(id))
			return -EBADMSG;
		r = ARRAY_GROW(frame->sessions, frame->n_sessions);
		if (r < 0)
			return r;
		memcpy(frame->sessions[frame->n_sessions++], id, SESSION_ID_LENGTH + 1);
	}
	return 0;
}

static int parse_frame(char *line, uint64_t offset, struct audit_frame *frame)
{
	char *fields[FIELDS];

	if (!split(line, fields, FIELDS) ||
	    text_parse_u64(fields[0], UINT64_MAX, &frame->offset) < 0 ||
	    text_parse_u64(fields[1], AUDIT_FRAME_MAX, &frame->size) < 0 ||
	    text_parse_u64(fields[2], AUDIT_FRAME_MAX, &frame->length) < 0 ||
	    text_parse_u64(fields[3], UINT64_MAX, &frame->first) < 0 ||
	    text_parse_u64(fields[4], UINT64_MAX, &frame->last) < 0 ||
	    !parse_time(fields[5], frame->since) || !parse_time(fields[6], frame->until))
		return -EBADMSG;
	if (frame->offset != offset || !frame->size || !frame->length || frame->last < frame->first)
		return -EBADMSG;
	return parse_sessions(fields[7], frame);
}

/* Whether the last line has the hash of all that is before it. */
static bool has_good_end(const char *text, size_t length, size_t *ret_length)
{
	const size_t end = strlen("end ") + AUDIT_HEX_BYTES + 1;
	struct audit_hash said, hash;

	if (length < end || memchr(text, '\0', length))
		return false;
	text += length - end;
	if (memcmp(text, "end ", 4) != 0 || text[end - 1] != '\n' ||
	    !audit_hash_parse(text + 4, &said))
		return false;
	audit_hash_line(text - (length - end), length - end, &hash);
	*ret_length = length - end;
	return audit_hash_equal(&said, &hash);
}

static int parse_frames(char *next, uint64_t count, struct audit_index *index)
{
	uint64_t offset = 0;

	for (char *line; (line = strsep(&next, "\n")) && *line;) {
		OWNED_AUDIT_FRAME struct audit_frame frame = { 0 };
		int r = parse_frame(line, offset, &frame);

		if (r < 0)
			return r;
		offset += frame.size;
		r = audit_index_add(index, &frame);
		if (r < 0)
			return r;
	}
	return index->count == count && !next ? 0 : -EBADMSG;
}

int audit_index_parse(const char *text, size_t length, struct audit_index *ret_index)
{
	OWNED_AUDIT_INDEX struct audit_index index = { 0 };
	OWNED_MEM char *copy = NULL;
	char *next, *line, *title[3];
	uint64_t count;
	int r;

	if (length > AUDIT_INDEX_MAX || !has_good_end(text, length, &length))
		return -EBADMSG;
	copy = strndup(text, length);
	if (!copy)
		return -ENOMEM;
	next = copy;
	line = strsep(&next, "\n");
	if (!next || !split(line, title, 3) || strcmp(title[0], TITLE) != 0 ||
	    strcmp(title[1], VERSION) != 0 || text_parse_u64(title[2], UINT64_MAX, &count) < 0)
		return -EBADMSG;
	r = parse_frames(next, count, &index);
	if (r < 0)
		return r;
	*ret_index = index;
	index = (struct audit_index) { 0 };
	return 0;
}
