/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What is open stays readable, whatever becomes of its name, so a file is read to its end before
 * anything else is looked at. The next one is found by the number of its first line. A new
 * audit.jsonl is opened before the directory is listed: what was sealed in between is in the list.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "files.h"
#include "place.h"

struct log_files {
	int directory; /* the caller's */
	char session[SESSION_ID_LENGTH + 1], since[JSON_TIME_SIZE];
	struct log_place ahead;
	uint64_t after; /* nothing is open: the segment that was read last */

	struct audit_segments before; /* those that were there at the end, for going back */
	size_t n_before; /* of them were not read yet */
	struct log_place back;

	struct audit_buffer block;
};

int log_files_open(int directory, const struct log_files_want *want, struct log_files **ret_files)
{
	struct log_files *files = calloc(1, sizeof(*files));

	if (!files)
		return -ENOMEM;
	files->directory = directory;
	files->ahead = files->back = LOG_PLACE_NOWHERE;
	memcpy(files->session, want->session, sizeof(files->session));
	if (want->since)
		json_format_time(want->since, files->since);
	*ret_files = files;
	return 0;
}

void log_files_free(struct log_files *files)
{
	if (!files)
		return;
	log_place_close(&files->ahead);
	log_place_close(&files->back);
	audit_segments_free(&files->before);
	audit_buffer_free(&files->block);
	free(files);
}

static struct log_place_want wanted(const struct log_files *files)
{
	return (struct log_place_want) { files->session, files->since };
}

static const struct audit_segment *next_after(const struct audit_segments *segments, uint64_t first)
{
	for (size_t i = 0; i < segments->count; i++)
		if (segments->list[i].first > first &&
		    (segments->list[i].plain || segments->list[i].compressed))
			return &segments->list[i];
	return NULL;
}

/* 1, or 0: there is nothing yet. */
static int open_next(struct log_files *files)
{
	OWNED_AUDIT_SEGMENTS struct audit_segments segments = { 0 };
	const struct audit_segment *next;
	int r = log_place_open_active(files->directory, &files->ahead), listed;

	if (r < 0 && r != -ENOENT)
		return r;
	listed = audit_segments_list(files->directory, &segments);
	if (listed < 0)
		return listed;
	next = next_after(&segments, files->after);
	if (!next)
		return r == 0;
	r = log_place_open_segment(files->directory, next->first, &files->ahead);
	if (r == 0)
		return 1;
	log_place_close(&files->ahead);
	files->after = next->first;
	return r == -ENOENT ? open_next(files) : r; /* it was removed meanwhile */
}

/* Whether the file that is open is still the one that is written. */
static int is_current(const struct log_files *files, const struct log_place *place)
{
	struct stat open, named;

	if (fstat(place->fd, &open) < 0)
		return -errno;
	if (fstatat(files->directory, AUDIT_FILE, &named, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -errno;
	return open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/* At the end of a file. 1: go on; 0: it is the end of all. */
static int leave(struct log_files *files)
{
	struct log_place *place = &files->ahead;
	uint64_t first;
	int r;

	if (place->active) {
		r = is_current(files, place);
		if (r != 0)
			return r < 0 ? r : 0;
		/* What was written before it was renamed is still to be read. */
		place->active = false;
		return 1;
	}
	r = log_place_find_first(place, &first);
	if (r < 0 && r != -EBADMSG)
		return r;
	if (r == 0 && first > files->after)
		files->after = first;
	log_place_close(place);
	return 1;
}

int log_files_read(struct log_files *files, const char **ret_block, size_t *ret_length)
{
	const struct log_place_want want = wanted(files);
	int r = 1;

	while (r == 1) {
		r = files->ahead.fd < 0 ? open_next(files) : 1;
		if (r != 1)
			break;
		r = log_place_read(&files->ahead, &want, &files->block);
		if (r == 1) {
			*ret_block = files->block.data;
			*ret_length = files->block.length;
			return 1;
		}
		if (r == 0)
			r = leave(files);
	}
	return r;
}

/* 1: what was opened is what is written; 0: it was sealed meanwhile, try again. */
static int find_end(struct log_files *files)
{
	struct log_place *ahead = &files->ahead;
	int r = log_place_open_active(files->directory, ahead), listed;

	if (r < 0 && r != -ENOENT)
		return r;
	audit_segments_free(&files->before);
	listed = audit_segments_list(files->directory, &files->before);
	if (listed < 0)
		return listed;
	files->n_before = files->before.count;
	files->after = files->n_before ? files->before.list[files->n_before - 1].first : 0;
	if (r == -ENOENT)
		return 1;
	r = is_current(files, ahead);
	if (r <= 0)
		return r;
	r = log_place_seek_end(ahead);
	return r < 0 ? r : 1;
}

int log_files_seek_end(struct log_files *files)
{
	int r;

	log_place_close(&files->ahead);
	log_place_close(&files->back);
	do
		r = find_end(files);
	while (r == 0);
	if (r < 0 || files->ahead.fd < 0)
		return r < 0 ? r : 0;
	files->back.fd = fcntl(files->ahead.fd, F_DUPFD_CLOEXEC, 0);
	if (files->back.fd < 0)
		return -errno;
	files->back.offset = files->ahead.offset;
	return 0;
}

/* The segment before. 1; 0: there is none. */
static int open_before(struct log_files *files)
{
	while (files->n_before) {
		uint64_t first = files->before.list[--files->n_before].first;
		int r = log_place_open_segment(files->directory, first, &files->back);

		if (r == 0)
			r = log_place_seek_end(&files->back);
		if (r == 0)
			return 1;
		if (r != -ENOENT)
			return r;
	}
	return 0;
}

int log_files_read_back(struct log_files *files, const char **ret_block, size_t *ret_length)
{
	const struct log_place_want want = wanted(files);
	int r = 1;

	while (r == 1) {
		r = files->back.fd < 0 ? open_before(files) : 1;
		if (r != 1)
			break;
		r = log_place_read_back(&files->back, &want, &files->block);
		if (r == 1) {
			*ret_block = files->block.data;
			*ret_length = files->block.length;
			return 1;
		}
		if (r == 0) {
			log_place_close(&files->back);
			r = 1;
		}
	}
	return r;
}

void log_files_turn(struct log_files *files)
{
	log_place_close(&files->ahead);
	files->ahead = files->back;
	files->back = LOG_PLACE_NOWHERE;
	/* That the file is a sealed one, and which comes after it, is found out at its end. */
	files->ahead.active = files->ahead.fd >= 0;
	files->after = 0;
}
