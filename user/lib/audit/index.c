/* SPDX-License-Identifier: MPL-2.0 */
/* Made and compared while lines go by; written and read in index_text.c. */

#include "lib/event/event.h"
#include "chain.h"
#include "index.h"

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

static int note_line(struct audit_frame *frame, const char *line, size_t length)
{
	struct audit_link link;
	struct log_head head = { 0 };

	if (audit_link_parse(line, length, &link)) {
		if (!frame->first)
			frame->first = link.n;
		frame->last = link.n;
	}
	if (!log_head_parse(line, length, &head))
		return 0;
	note_time(frame, head.time);
	return head.session[0] ? note_session(frame, head.session) : 0;
}

int audit_frame_note(struct audit_frame *frame, const char *block, size_t length)
{
	const char *end = block + length, *newline;
	int r = 0;

	for (; r == 0 && (newline = memchr(block, '\n', end - block)); block = newline + 1)
		r = note_line(frame, block, newline - block);
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
