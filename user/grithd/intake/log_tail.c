/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Which records of a session are in the log already. They are written a little out of order, and an
 * earlier grithd may have ended before it said which of the last ones are missing: so the last
 * lines are looked through, back to the start of the session or for two windows. A gap says below
 * which number all is accounted for. One that does not, as of what could not be written, leaves
 * open which records it is about: then nothing counts as missing that is below the highest number.
 */
#include <fcntl.h>

#include "lib/audit/audit.h"
#include "intake.h"

#define BYTES_MAX (1u << 30) /* of the log that are looked at: some seconds of a start */

/* What was found of one session. */
struct found {
	struct sequence *sequence;
	unsigned int lines; /* with a number; two windows of them are enough */
	bool all; /* nothing more needs to be seen */
	bool any;
	bool unclear; /* which records a gap is about */
	uint64_t settled; /* what is missing below is accounted for */
};

static void take_gap(const struct log_head *head, struct found *found)
{
	if (!head->next)
		found->unclear |= head->lost != 0;
	else if (found->settled < head->next)
		found->settled = head->next;
}

static void take_line(const struct log_head *head, struct found *found)
{
	if (head->is_gap)
		take_gap(head, found);
	if (head->sequence != UINT64_MAX) {
		found->any = true;
		found->lines++;
		sequence_recall(found->sequence, head->sequence);
	}
	found->any |= head->is_start;
	found->all = head->is_start || found->lines == 2 * SEQUENCE_WINDOW;
}

/* Of no session: perhaps of any. */
static void take_gap_of_all(const struct log_head *head, struct found *found, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!found[i].all)
			found[i].unclear |= head->lost != 0;
}

static size_t index_of(const struct sessions *sessions, const char *id)
{
	size_t i = 0;

	while (i < sessions->count && strcmp(sessions->list[i]->info.id, id))
		i++;
	return i;
}

static void take_head(const struct sessions *sessions, const struct log_head *head,
		      struct found *found, size_t *missing)
{
	size_t i = index_of(sessions, head->session);

	if (!head->session[0] && head->is_gap)
		take_gap_of_all(head, found, sessions->count);
	if (!head->session[0] || i == sessions->count || found[i].all)
		return;
	take_line(head, &found[i]);
	*missing -= found[i].all;
}

/* The block's lines from its end; `missing` are the sessions that need to see more. */
static void take_block(const struct sessions *sessions, const char *block, size_t length,
		       struct found *found, size_t *missing)
{
	while (length && *missing) {
		const char *newline = length > 1 ? memrchr(block, '\n', length - 1) : NULL;
		size_t start = newline ? newline + 1 - block : 0;
		struct log_head head;

		if (log_head_parse(block + start, length - 1 - start, &head))
			take_head(sessions, &head, found, missing);
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
	for (size_t i = 0; i < sessions->count; i++)
		found[i].sequence = &sessions->list[i]->intake->sequence;
	directory = open(log_directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0)
		return -errno;
	r = scan(sessions, directory, found);
	if (r < 0)
		return r;
	for (size_t i = 0; i < sessions->count; i++) {
		bool known = found[i].all && !found[i].unclear;

		if (!found[i].any)
			continue;
		sequence_resume(found[i].sequence,
				known ? found[i].settled : found[i].sequence->end);
		sessions->list[i]->intake->counting = true;
	}
	return 0;
}
