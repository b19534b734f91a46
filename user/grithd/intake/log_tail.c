/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Records are written a little out of order, so the highest number of a session is not in its last
 * line, but among its last ones. Before the start of a session there is none.
 */
#include <fcntl.h>

#include "lib/audit/audit.h"
#include "intake.h"

#define BYTES_MAX (1u << 30) /* of the log that are looked at: some seconds of a start */

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

/* The block's lines from its end; `missing` are the sessions that need to see more. */
static void take_block(const struct sessions *sessions, const char *block, size_t length,
		       struct found *found, size_t *missing)
{
	while (length && *missing) {
		const char *newline = length > 1 ? memrchr(block, '\n', length - 1) : NULL;
		size_t start = newline ? newline + 1 - block : 0, i;
		struct log_head head;

		if (log_head_parse(block + start, length - 1 - start, &head) && head.session[0]) {
			i = index_of(sessions, head.session);
			if (i < sessions->count && !found[i].all) {
				take_line(&head, &found[i]);
				*missing -= found[i].all;
			}
		}
		length = start;
	}
}

static int scan(const struct sessions *sessions, int directory, struct found *found)
{
	CLEANUP(log_files_freep) struct log_files *files = NULL;
	size_t missing = sessions->count, length, seen = 0;
	const char *block;
	int r = log_files_open(directory, NULL, &files) ?: log_files_seek_end(files);

	while (r >= 0 && missing && seen < BYTES_MAX) {
		r = log_files_read_back(files, &block, &length);
		if (r == 0)
			break;
		if (r == 1)
			take_block(sessions, block, length, found, &missing);
		seen += r == 1 ? length : LOG_BLOCK;
		r = r == -EBADMSG ? 1 : r; /* it goes on before the damage */
	}
	return r < 0 ? r : 0;
}

int intake_find_sequences(struct sessions *sessions, const char *log_directory)
{
	OWNED_MEM struct found *found = NULL;
	OWNED_FD int directory = -1;
	int r;

	if (!sessions->count)
		return 0;
	found = calloc(sessions->count, sizeof(*found));
	if (!found)
		return -ENOMEM;
	directory = open(log_directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0)
		return -errno;
	r = scan(sessions, directory, found);
	if (r < 0)
		return r;
	for (size_t i = 0; i < sessions->count; i++) {
		struct intake_session *own = sessions->list[i]->intake;

		if (!found[i].any)
			continue;
		own->sequence.next = own->sequence.end = found[i].next;
		own->counting = true;
	}
	return 0;
}
