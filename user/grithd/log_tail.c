/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Records are written a little out of order, so the highest number of a session is not in its last
 * line, but among its last ones. The start of a session says that there was none before.
 */
#include <string.h>
#include <sys/stat.h>

#include "audit_log.h"
#include "daemon.h"
#include "lines_back.h"
#include "log_filter.h"
#include "log_tail.h"

#define BYTES_MAX (1u << 30) /* of the log that are looked at */

/* What was found of one session. */
struct found {
	unsigned int lines; /* with a number; SEQUENCE_WINDOW of them are enough */
	bool all; /* nothing more needs to be seen */
	bool any;
	uint64_t next;
};

static void take_line(const struct log_head *head, struct found *found)
{
	if (head->sequence != UINT64_MAX) {
		found->any = true;
		if (head->sequence >= found->next)
			found->next = head->sequence + 1;
		found->lines++;
	}
	found->any |= head->is_start;
	found->all = head->is_start || found->lines == SEQUENCE_WINDOW;
}

static size_t index_of(const struct sessions *sessions, const char *id)
{
	size_t i = 0;

	while (i < sessions->count && strcmp(sessions->list[i]->info.id, id))
		i++;
	return i;
}

static int scan(struct daemon *daemon, int fd, struct found *found)
{
	OWNED_LINES_BACK struct lines_back lines = { 0 };
	const struct sessions *sessions = &daemon->sessions;
	size_t missing = sessions->count, length;
	struct log_head head;
	struct stat st;
	const char *line;
	off_t at;
	int r = 1;

	if (fstat(fd, &st) < 0)
		return -errno;
	lines.offset = st.st_size;
	while (missing && st.st_size - lines.offset < BYTES_MAX) {
		r = lines_back_read(&lines, fd, AUDIT_LINE_MAX);
		if (r <= 0)
			return r;
		while (missing && lines_back_next(&lines, &line, &length, &at)) {
			size_t i;

			if (!log_head_parse(line, length, &head) || !head.session[0])
				continue;
			i = index_of(sessions, head.session);
			if (i == sessions->count || found[i].all)
				continue;
			take_line(&head, &found[i]);
			missing -= found[i].all;
		}
	}
	return 0;
}

int log_tail_sequences(struct daemon *daemon)
{
	struct sessions *sessions = &daemon->sessions;
	OWNED_MEM struct found *found = NULL;
	OWNED_FD int fd = -1;
	int r;

	if (!sessions->count)
		return 0;
	found = calloc(sessions->count, sizeof(*found));
	fd = found ? audit_log_open_reader(daemon->audit) : -ENOMEM;
	if (fd < 0)
		return fd;
	r = scan(daemon, fd, found);
	if (r < 0)
		return r;
	for (size_t i = 0; i < sessions->count; i++) {
		struct session *session = sessions->list[i];

		if (!found[i].any)
			continue;
		session->sequence.next = session->sequence.end = found[i].next;
		session->counting = true;
	}
	return 0;
}
