/* SPDX-License-Identifier: MPL-2.0 */
/*
 * audit.jsonl is opened before the directory is listed, so that what is sealed meanwhile is seen
 * once. A segment that vanishes was removed for its age, and then everything is begun anew.
 */
#include <sys/stat.h>

#include "block.h"
#include "cursor.h"
#include "verify_files.h"

#define TRIES 5 /* at what is removed while it is read */

/* One run over the files. */
struct run {
	struct audit_verify *verify;
	struct audit_range range;
	struct audit_buffer block;
	struct audit_spot spot; /* of the line that comes next, but for its number in the log */
	bool done; /* the range was passed */
};

static void clear(struct run *run)
{
	audit_buffer_free(&run->block);
}

static bool is_done(const struct run *run, uint64_t n)
{
	const struct audit_verify *verify = run->verify;

	return run->range.to && n > run->range.to && !verify->suspect.is && !verify->unsigned_lines;
}

/* Whether to go on. */
static bool take_lines(struct run *run)
{
	struct record_bytes rest = { run->block.data, run->block.length }, line;
	struct audit_link link;

	while (log_block_first(&rest, &line)) {
		run->spot.line++;
		/* A line without a number is bad wherever it is. */
		if (run->range.from && audit_link_parse(line.data, line.length, &link) &&
		    link.n < run->range.from && !run->verify->first)
			continue;
		if (!audit_verify_line(run->verify, &run->spot, line.data, line.length))
			return false;
		if (is_done(run, run->verify->last.n)) {
			run->done = true;
			return false;
		}
	}
	return true;
}

static struct audit_spot spot_of(const char *file)
{
	struct audit_spot spot = { 0 };

	snprintf(spot.file, sizeof(spot.file), "%s", file);
	return spot;
}

static int take_plain(struct run *run, struct log_cursor *cursor, bool sealed)
{
	int r;

	while ((r = log_cursor_read(cursor, NULL, &run->block)) == 1)
		if (!take_lines(run))
			return 0;
	if (r == -EBADMSG) {
		audit_verify_fail(run->verify, AUDIT_DAMAGED, &run->spot,
				  "what comes after this line is not a line");
		return 0;
	}
	if (r == 0 && sealed && run->verify->first)
		audit_verify_sealed(run->verify);
	return r;
}

static bool check_frame(struct run *run, const struct audit_frame *said)
{
	OWNED_AUDIT_FRAME struct audit_frame found = { 0 };

	if (audit_frame_note(&found, run->block.data, run->block.length) < 0)
		return false;
	if (audit_frame_equal(&found, said))
		return true;
	return audit_verify_fail(run->verify, AUDIT_BAD_INDEX, &run->spot,
				 "the index does not say what is in the frame after this line");
}

/* Nothing lies behind the last frame. */
static int check_size(struct run *run, const struct log_cursor *cursor)
{
	const struct audit_index *index = &cursor->index;
	const struct audit_frame *last = index->count ? &index->frames[index->count - 1] : NULL;
	struct stat st;

	if (fstat(cursor->fd, &st) < 0)
		return -errno;
	if (st.st_size != (off_t)(last ? last->offset + last->size : 0))
		audit_verify_fail(run->verify, AUDIT_DAMAGED, &run->spot,
				  "the file is not as long as its index says");
	return 0;
}

static int take_compressed(struct run *run, struct log_cursor *cursor)
{
	int r = check_size(run, cursor);

	while (r == 0 && !run->verify->fault && cursor->frame < cursor->index.count) {
		const struct audit_frame *frame = &cursor->index.frames[cursor->frame];

		r = log_cursor_read(cursor, NULL, &run->block);
		if (r == -EBADMSG) {
			audit_verify_fail(run->verify, AUDIT_DAMAGED, &run->spot,
					  "frame %zu of the file, lines %llu to %llu",
					  cursor->frame, (unsigned long long)frame->first,
					  (unsigned long long)frame->last);
			return 0;
		}
		if (r < 0)
			return r;
		if (!check_frame(run, frame) || !take_lines(run))
			return 0;
		r = 0;
	}
	if (r == 0 && run->verify->first)
		audit_verify_sealed(run->verify);
	return r;
}

static int take_segment(struct run *run, int directory, const struct audit_segment *segment)
{
	enum audit_form form = segment->compressed ? AUDIT_COMPRESSED : AUDIT_PLAIN;
	struct log_cursor cursor = LOG_CURSOR_CLOSED;
	int r = log_cursor_open_segment(directory, segment->first, &cursor);

	run->spot = spot_of(audit_segment_name(segment->first, form).text);
	if (r == -EBADMSG) {
		audit_verify_fail(run->verify, AUDIT_BAD_INDEX, &run->spot,
				  "it has no index, or a damaged one");
		return 0;
	}
	if (r == 0)
		r = cursor.compressed ? take_compressed(run, &cursor)
				      : take_plain(run, &cursor, true);
	log_cursor_close(&cursor);
	return r;
}

/* Whether all of its lines come before the range. */
static bool is_before(const struct run *run, const struct audit_segments *segments, size_t i)
{
	return i + 1 < segments->count && segments->list[i + 1].first <= run->range.from;
}

static int take_segments(struct run *run, int directory, const struct audit_segments *segments)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < segments->count && !run->done; i++) {
		const struct audit_segment *segment = &segments->list[i];

		if ((segment->plain || segment->compressed) && !is_before(run, segments, i))
			r = take_segment(run, directory, segment);
		if (run->verify->fault)
			break;
	}
	return r;
}

/* Whether it was sealed after it was opened, and so is in the list. */
static bool was_sealed(struct log_cursor *active, const struct audit_segments *segments)
{
	uint64_t first = 0;

	if (log_cursor_find_first(active, &first) < 0 || !first)
		return false;
	for (size_t i = 0; i < segments->count; i++)
		if (segments->list[i].first == first)
			return true;
	return false;
}

static int take_all(struct run *run, int directory, struct log_cursor *active)
{
	OWNED_AUDIT_SEGMENTS struct audit_segments segments = { 0 };
	int opened = log_cursor_open_active(directory, active);
	int r = audit_segments_list(directory, &segments);

	if (r == 0 && opened < 0 && opened != -ENOENT)
		r = opened;
	if (r == 0)
		r = take_segments(run, directory, &segments);
	if (r < 0 || run->verify->fault || run->done || opened < 0 || was_sealed(active, &segments))
		return r;
	run->spot = spot_of(AUDIT_FILE);
	return take_plain(run, active, false);
}

int audit_verify_directory(struct audit_verify *verify, int directory,
			   const struct audit_range *range)
{
	const struct audit_verify begin = *verify;
	int r = -ENOENT;

	for (int i = 0; i < TRIES && r == -ENOENT; i++) {
		struct log_cursor active = LOG_CURSOR_CLOSED;
		CLEANUP(clear) struct run run = { .verify = verify, .range = *range };

		*verify = begin;
		verify->from_anywhere |= range->from > 1;
		r = take_all(&run, directory, &active);
		log_cursor_close(&active);
		if (run.done)
			verify->head.n = 0; /* of a line that was not looked at */
	}
	if (r == 0)
		audit_verify_end(verify);
	return r;
}
