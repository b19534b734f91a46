/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A write may be cut short by a full disk in the middle of a line. The rest of it stays at the head
 * of what is to be written next, so the file never has a torn line but its last one.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "audit_log.h"

#define FILE_NAME "audit.jsonl"
#define PENDING_MAX (8u << 20) /* bytes kept in memory while nothing can be written */

struct audit_log {
	int directory, fd;
	struct text pending;
	uint64_t pending_lines;
	uint64_t lines, lost;
	uint64_t unsaid; /* of `lost`: not in a gap entry yet */
};

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

struct event_head audit_now(const char *session)
{
	return (struct event_head) { read_clock(CLOCK_REALTIME), read_clock(CLOCK_MONOTONIC),
				     session };
}

static int check_owner(int fd, mode_t type)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if ((st.st_mode & S_IFMT) != type)
		return type == S_IFDIR ? -ENOTDIR : -EBADF;
	return st.st_uid == geteuid() && !(st.st_mode & 022) ? 0 : -EPERM;
}

/* Where the last whole line of the file ends. */
static int find_end(int fd, off_t size, off_t *ret_end)
{
	char chunk[4096];

	while (size > 0) {
		size_t n = size < (off_t)sizeof(chunk) ? (size_t)size : sizeof(chunk);
		char *newline;

		if (pread(fd, chunk, n, size - n) != (ssize_t)n)
			return -EIO;
		newline = memrchr(chunk, '\n', n);
		size -= n;
		if (newline) {
			*ret_end = size + (newline - chunk) + 1;
			return 0;
		}
	}
	*ret_end = 0;
	return 0;
}

static int repair(int fd, bool *ret_torn)
{
	off_t size = lseek(fd, 0, SEEK_END), end;
	int r;

	if (size < 0)
		return -errno;
	r = find_end(fd, size, &end);
	if (r < 0)
		return r;
	if (end < size && ftruncate(fd, end) < 0)
		return -errno;
	*ret_torn = end < size;
	return 0;
}

static int open_file(struct audit_log *log, bool *ret_torn)
{
	int r;

	log->fd = openat(log->directory, FILE_NAME,
			 O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	if (log->fd < 0)
		return -errno;
	r = check_owner(log->fd, S_IFREG);
	return r < 0 ? r : repair(log->fd, ret_torn);
}

int audit_log_open(const char *directory, struct audit_log **ret_log, bool *ret_torn)
{
	CLEANUP(audit_log_freep) struct audit_log *log = calloc(1, sizeof(*log));
	bool torn = false;
	int r;

	if (!log)
		return -ENOMEM;
	log->fd = -1;
	if (mkdir(directory, 0700) < 0 && errno != EEXIST) {
		log->directory = -1;
		return -errno;
	}
	log->directory = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (log->directory < 0)
		return -errno;
	r = check_owner(log->directory, S_IFDIR);
	if (r < 0)
		return r;
	r = open_file(log, &torn);
	if (r < 0)
		return r;
	*ret_log = TAKE_PTR(log);
	*ret_torn = torn;
	return 0;
}

void audit_log_free(struct audit_log *log)
{
	if (!log)
		return;
	cleanup_close(&log->fd);
	cleanup_close(&log->directory);
	text_free(&log->pending);
	free(log);
}

/* Whether there is room for another line; where there is not, it is lost. */
static bool has_room(struct audit_log *log)
{
	if (log->pending.length < PENDING_MAX)
		return true;
	log->lost++;
	log->unsaid++;
	return false;
}

static void added(struct audit_log *log, int r)
{
	if (r == 0) {
		log->pending_lines++;
	} else {
		log->lost++;
		log->unsaid++;
	}
}

void audit_log_operation(struct audit_log *log, const struct event_operation *event)
{
	if (has_room(log))
		added(log, event_add_operation(&log->pending, event));
}

void audit_log_session(struct audit_log *log, const struct event_session *event)
{
	if (has_room(log))
		added(log, event_add_session(&log->pending, event));
}

void audit_log_gap(struct audit_log *log, const struct event_gap *event)
{
	if (has_room(log))
		added(log, event_add_gap(&log->pending, event));
}

/* Says in the log itself that lines are missing before this point. */
static void admit_loss(struct audit_log *log)
{
	struct event_gap gap = {
		.head = audit_now(NULL),
		.lost = log->unsaid,
		.reason = "the audit log could not be written to",
	};

	if (log->unsaid && event_add_gap(&log->pending, &gap) == 0) {
		log->pending_lines++;
		log->unsaid = 0;
	}
}

static int write_pending(struct audit_log *log)
{
	size_t done = 0;
	int r = 0;

	while (done < log->pending.length) {
		ssize_t n = write(log->fd, log->pending.data + done, log->pending.length - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			r = n < 0 ? -errno : -EIO;
			break;
		}
		done += n;
	}
	memmove(log->pending.data, log->pending.data + done, log->pending.length - done);
	log->pending.length -= done;
	log->pending.data[log->pending.length] = '\0';
	return r;
}

int audit_log_flush(struct audit_log *log, bool *ret_grew)
{
	size_t before;
	int r = 0;

	/* After a failure the gap comes behind the lines that are still waiting. */
	if (log->pending.length < PENDING_MAX)
		admit_loss(log);
	before = log->pending.length;
	if (before)
		r = write_pending(log);
	if (r == 0) {
		log->lines += log->pending_lines;
		log->pending_lines = 0;
	}
	*ret_grew = log->pending.length < before;
	return r;
}

uint64_t audit_log_lines(const struct audit_log *log)
{
	return log->lines;
}

uint64_t audit_log_lost(const struct audit_log *log)
{
	return log->lost;
}

int audit_log_open_reader(const struct audit_log *log)
{
	int fd = openat(log->directory, FILE_NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	return fd < 0 ? -errno : fd;
}
