/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Only the oldest segment is ever removed, so that what is left is one piece.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "sealed.h"

#define DAY_SECONDS 86400

static bool is_there(const struct audit_segment *segment)
{
	return segment->plain || segment->compressed;
}

/* The compressed form was finished, and grithd ended before it removed the plain one. */
static int drop_plain(const struct audit_sealed *sealed, uint64_t first)
{
	struct audit_name name = audit_segment_name(first, AUDIT_PLAIN);

	return unlinkat(sealed->directory, name.text, 0) < 0 ? -errno : 0;
}

/* 1: there is one to compress, and it was begun. */
static int begin_next(struct audit_sealed *sealed)
{
	OWNED_AUDIT_SEGMENTS struct audit_segments segments = { 0 };
	int r = audit_segments_list(sealed->directory, &segments);

	for (size_t i = 0; i < segments.count && r == 0; i++) {
		const struct audit_segment *segment = &segments.list[i];

		if (!segment->plain || segment->first <= sealed->tried)
			continue;
		sealed->tried = segment->first;
		if (segment->compressed && segment->indexed) {
			r = drop_plain(sealed, segment->first);
			continue;
		}
		r = audit_compress_begin(&sealed->compress, sealed->directory, segment->first);
		return r < 0 ? r : 1;
	}
	return r;
}

int audit_sealed_compress(struct audit_sealed *sealed)
{
	int r;

	if (audit_sealed_is_compressing(sealed)) {
		r = audit_compress_step(&sealed->compress);
		r = r < 0 ? r : 1;
	} else {
		r = begin_next(sealed);
	}
	if (r < 0 && r != -EBADMSG && !sealed->again)
		sealed->again = sealed->tried;
	return r;
}

bool audit_sealed_is_compressing(const struct audit_sealed *sealed)
{
	return audit_compress_is_busy(&sealed->compress);
}

void audit_sealed_again(struct audit_sealed *sealed)
{
	if (audit_sealed_is_compressing(sealed) || !sealed->again)
		return;
	sealed->tried = sealed->again - 1;
	sealed->again = 0;
}

/* By the time of its last change: it was sealed or compressed then. */
static bool is_old(const struct audit_sealed *sealed, const struct audit_segment *segment)
{
	enum audit_form form = segment->compressed ? AUDIT_COMPRESSED : AUDIT_PLAIN;
	struct stat st;

	if (!sealed->days ||
	    fstatat(sealed->directory, audit_segment_name(segment->first, form).text, &st,
		    AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	return time(NULL) - st.st_mtime > (time_t)(sealed->days * DAY_SECONDS);
}

int audit_sealed_find_old(const struct audit_sealed *sealed, uint64_t *ret_first,
			  struct audit_chain *ret_last)
{
	OWNED_AUDIT_SEGMENTS struct audit_segments segments = { 0 };
	struct log_cursor next = LOG_CURSOR_CLOSED;
	size_t count = 0, oldest = 0, second = 0;
	int r = audit_segments_list(sealed->directory, &segments);

	if (r < 0)
		return r;
	for (size_t i = segments.count; i > 0; i--)
		if (is_there(&segments.list[i - 1])) {
			second = oldest;
			oldest = i - 1;
			count++;
		}
	if (!count ||
	    !((sealed->keep && count > sealed->keep) || is_old(sealed, &segments.list[oldest])))
		return 0;
	if (count > 1)
		r = log_cursor_open_segment(sealed->directory, segments.list[second].first, &next);
	else
		r = log_cursor_open_active(sealed->directory, &next);
	r = r ?: log_cursor_find_before(&next, ret_last);
	log_cursor_close(&next);
	if (r < 0) /* the last segment stays until there is a line behind it */
		return r == -ENOENT && count == 1 ? 0 : r;
	*ret_first = segments.list[oldest].first;
	return 1;
}

int audit_sealed_remove(const struct audit_sealed *sealed, uint64_t first)
{
	static const enum audit_form forms[] = { AUDIT_PLAIN, AUDIT_COMPRESSED, AUDIT_INDEX };

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (unlinkat(sealed->directory, audit_segment_name(first, forms[i]).text, 0) < 0 &&
		    errno != ENOENT)
			return -errno;
	return fsync(sealed->directory) < 0 ? -errno : 0;
}

void audit_sealed_clear(struct audit_sealed *sealed)
{
	audit_compress_stop(&sealed->compress);
}
