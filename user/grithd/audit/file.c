/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A write may be cut short by a full disk in the middle of a line. The rest of it stays at the head
 * of what is to be written next, so the file never has a torn line but its last one.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "grithd/base/base.h"
#include "lib/audit/audit.h"
#include "file.h"

static int open_file(struct audit_file *file)
{
	OWNED_FD int fd =
		openat(file->directory, AUDIT_FILE,
		       O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EBADF;
	if (st.st_uid != geteuid() || (st.st_mode & 022))
		return -EPERM;
	file->size = (uint64_t)st.st_size;
	file->fd = TAKE_FD(fd);
	return 0;
}

/* Cuts off what is behind the last whole line, and finds the number of the first one. */
static int repair(struct audit_file *file, bool *ret_torn)
{
	struct log_cursor place = LOG_CURSOR_CLOSED;
	uint64_t end = 0;
	int r = log_cursor_open_active(file->directory, &place) ?: log_cursor_seek_end(&place);

	if (r == 0) {
		end = place.offset;
		r = log_cursor_find_first(&place, &file->first);
	}
	log_cursor_close(&place);
	if (r == -EBADMSG) /* no lines at all; verifying will say so */
		r = 0;
	if (r == 0 && end < file->size && ftruncate(file->fd, (off_t)end) < 0)
		r = -errno;
	if (r < 0)
		return r;
	*ret_torn = end < file->size;
	file->size = end;
	return 0;
}

int audit_file_open(struct audit_file *file, const char *directory, bool *ret_torn)
{
	return state_directory_open(AT_FDCWD, directory, &file->directory)
		?: open_file(file)
		?: repair(file, ret_torn);
}

void audit_file_close(struct audit_file *file)
{
	cleanup_close(&file->fd);
	cleanup_close(&file->directory);
	*file = AUDIT_FILE_CLOSED;
}

/* After sealing. */
static int open_new(struct audit_file *file)
{
	int r = open_file(file);

	if (r < 0)
		return r;
	file->first = 0;
	return fsync(file->directory) < 0 ? -errno : 0;
}

static void cut_front(struct text *text, size_t length)
{
	memmove(text->data, text->data + length, text->length - length);
	text->length -= length;
	text->data[text->length] = '\0';
}

int audit_file_append(struct audit_file *file, struct text *text, uint64_t first)
{
	size_t done = 0;
	int r = file->fd < 0 ? open_new(file) : 0;

	while (r == 0 && done < text->length) {
		ssize_t n = write(file->fd, text->data + done, text->length - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			r = n < 0 ? -errno : -EIO;
		else
			done += n;
	}
	if (!done)
		return r;
	if (!file->first)
		file->first = first;
	file->size += done;
	file->in_line = text->data[done - 1] != '\n';
	cut_front(text, done);
	return r;
}

int audit_file_sync(const struct audit_file *file)
{
	return file->fd >= 0 && fsync(file->fd) < 0 ? -errno : 0;
}

/* What comes next goes into a new file. */
static void leave(struct audit_file *file)
{
	close(TAKE_FD(file->fd));
	file->size = 0;
	file->first = 0;
	file->in_line = false;
}

int audit_file_seal(struct audit_file *file)
{
	int r = audit_file_sync(file);

	if (r < 0)
		return r;
	if (renameat2(file->directory, AUDIT_FILE, file->directory,
		      audit_segment_name(file->first, AUDIT_PLAIN).text, RENAME_NOREPLACE) < 0)
		return -errno;
	leave(file);
	return fsync(file->directory) < 0 ? -errno : 0;
}

bool audit_file_is_gone(struct audit_file *file, struct text *text)
{
	const char *newline = NULL;
	struct stat st;

	if (file->fd < 0 || fstat(file->fd, &st) < 0 || st.st_nlink)
		return false;
	if (file->in_line)
		newline = memchr(text->data, '\n', text->length);
	if (newline)
		cut_front(text, newline + 1 - text->data);
	leave(file);
	return true;
}
