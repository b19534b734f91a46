/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Nothing has its final name before it is whole and on the disk, and the index has it first: where
 * there is a compressed form there is an index. The plain form goes last.
 */
#include <fcntl.h>

#include "sealed.h"

bool audit_compress_is_busy(const struct audit_compress *job)
{
	return job->out >= 0;
}

static struct audit_name part_name(const struct audit_compress *job)
{
	return audit_segment_part(job->first, AUDIT_COMPRESSED);
}

static void clear(struct audit_compress *job)
{
	log_cursor_close(&job->source);
	cleanup_close(&job->out);
	audit_index_free(&job->index);
	audit_buffer_free(&job->block);
	audit_buffer_free(&job->packed);
	*job = AUDIT_COMPRESS_IDLE;
}

int audit_compress_begin(struct audit_compress *job, int directory, uint64_t first)
{
	int r;

	job->directory = directory;
	job->first = first;
	r = log_cursor_open_plain(directory, first, &job->source);
	if (r == 0) {
		job->out = openat(directory, part_name(job).text,
				  O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
		r = job->out < 0 ? -errno : 0;
	}
	if (r < 0)
		clear(job);
	return r;
}

static int add_frame(struct audit_compress *job)
{
	OWNED_AUDIT_FRAME struct audit_frame frame = { .offset = job->offset };
	int r = audit_pack(job->block.data, job->block.length, &job->packed)
		?: audit_frame_note(&frame, job->block.data, job->block.length)
		?: write_all(job->out, job->packed.data, job->packed.length);

	if (r < 0)
		return r;
	frame.size = job->packed.length;
	job->offset += frame.size;
	return audit_index_add(&job->index, &frame);
}

static int finish(struct audit_compress *job)
{
	OWNED_TEXT struct text text = { 0 };
	int r = audit_index_format(&job->index, &text);

	if (r == 0 && fsync(job->out) < 0)
		r = -errno;
	if (r == 0)
		r = small_file_write(job->directory,
				     audit_segment_name(job->first, AUDIT_INDEX).text, 0600,
				     text.data, text.length);
	if (r < 0)
		return r;
	if (renameat(job->directory, part_name(job).text, job->directory,
		     audit_segment_name(job->first, AUDIT_COMPRESSED).text) < 0 ||
	    fsync(job->directory) < 0 ||
	    unlinkat(job->directory, audit_segment_name(job->first, AUDIT_PLAIN).text, 0) < 0)
		return -errno;
	return 0;
}

int audit_compress_step(struct audit_compress *job)
{
	int r = log_cursor_read(&job->source, NULL, &job->block);

	if (r == 1) {
		r = add_frame(job);
		if (r == 0)
			return 1;
	} else if (r == 0) {
		r = finish(job);
	}
	if (r < 0)
		audit_compress_stop(job);
	else
		clear(job);
	return r;
}

void audit_compress_stop(struct audit_compress *job)
{
	if (audit_compress_is_busy(job))
		unlinkat(job->directory, part_name(job).text, 0);
	clear(job);
}
