/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The newest lines are found by going back, block by block, and counting; in the order in which
 * they were written they are then read forward from that block on, without those that were counted
 * too many.
 */

#include "lib/base/base.h"
#include "files.h"
#include "query.h"
#include "tail.h"

enum phase {
	PHASE_COUNT, /* going back, to where the newest lines start */
	PHASE_BACK, /* giving lines on the way back */
	PHASE_FORWARD,
};

struct log_query {
	int directory;
	struct log_question question;
	struct log_files *files;
	struct log_event_reader reader;
	enum phase phase;
	uint64_t count; /* COUNT: lines found; BACK: lines given */
	uint64_t skip; /* FORWARD: lines that are too many */
	uint64_t end; /* number of the last line to give; 0: of none */
	bool near_end; /* it may be in this block */
	bool ended;
	const char *block;
	size_t at, length; /* what is left of the block: from `at`, or going back up to `length` */
	uint64_t damaged;
};

static int open_files(struct log_query *query)
{
	const struct log_question *question = &query->question;
	struct log_files_want want = { 0 };
	int r;

	memcpy(want.session, question->filter.session, sizeof(want.session));
	if (question->filter.since[0] &&
	    log_time_parse(question->filter.since, LOG_TIME_LENGTH, &want.since) < 0)
		return -EINVAL;
	r = log_files_open(query->directory, &want, &query->files);
	if (r == 0 && (question->reverse || question->last >= 0))
		r = log_files_seek_end(query->files);
	return r;
}

/* Without following, what is written meanwhile is not read: it may come faster than it is read. */
static int find_end(struct log_query *query)
{
	struct audit_chain last;
	int r = audit_tail_find(query->directory, &last);

	if (r == 0)
		query->end = last.n;
	return r == -EBADMSG ? 0 : r;
}

int log_query_new(int directory, struct log_question *question, struct log_query **ret_query)
{
	CLEANUP(log_query_freep) struct log_query *query = calloc(1, sizeof(*query));
	OWNED_FD int owned = directory;
	int r;

	if (!query) {
		log_filter_free(&question->filter);
		return -ENOMEM;
	}
	query->question = *question;
	question->filter = (struct log_filter) { 0 };
	query->directory = TAKE_FD(owned);
	r = query->question.follow ? 0 : find_end(query);
	if (r == 0)
		r = open_files(query);
	if (r < 0)
		return r;
	if (query->question.reverse)
		query->phase = PHASE_BACK;
	else
		query->phase = query->question.last > 0 ? PHASE_COUNT : PHASE_FORWARD;
	*ret_query = TAKE_PTR(query);
	return 0;
}

void log_query_free(struct log_query *query)
{
	if (!query)
		return;
	log_files_free(query->files);
	log_event_reader_free(&query->reader);
	log_filter_free(&query->question.filter);
	cleanup_close(&query->directory);
	free(query);
}

uint64_t log_query_damaged(const struct log_query *query)
{
	return query->damaged;
}

static bool is_wanted(struct log_query *query, const char *line, size_t length)
{
	const struct log_question *question = &query->question;
	struct log_head head;

	if (!log_head_parse(line, length, &head)) {
		query->damaged += query->phase != PHASE_COUNT;
		return false;
	}
	return log_filter_matches(&question->filter, &query->reader, &head, line, length) &&
	       (!question->may || question->may(question->arg, head.session));
}

/* The next line of the block, going forward. */
static bool take_next(struct log_query *query, const char **ret_line, size_t *ret_length)
{
	const char *line = query->block + query->at, *newline;

	if (query->at == query->length)
		return false;
	newline = memchr(line, '\n', query->length - query->at);
	if (!newline) { /* blocks are of whole lines */
		query->at = query->length;
		return false;
	}
	*ret_line = line;
	*ret_length = newline - line;
	query->at += *ret_length + 1;
	return true;
}

/* The line before, going back. */
static bool take_before(struct log_query *query, const char **ret_line, size_t *ret_length)
{
	const char *newline;
	size_t start;

	if (!query->length)
		return false;
	newline = query->length > 1 ? memrchr(query->block, '\n', query->length - 1) : NULL;
	start = newline ? newline + 1 - query->block : 0;
	*ret_line = query->block + start;
	*ret_length = query->length - 1 - start;
	query->length = start;
	return true;
}

static bool is_enough(const struct log_query *query)
{
	return query->question.last >= 0 && query->count >= (uint64_t)query->question.last;
}

static bool is_after_end(const struct log_query *query, const char *line, size_t length)
{
	struct audit_link link;

	return query->end && audit_link_parse(line, length, &link) && link.n > query->end;
}

bool log_query_line(struct log_query *query, const char **ret_line, size_t *ret_length)
{
	const char *line;
	size_t length;

	if (query->phase == PHASE_BACK) {
		while (!is_enough(query) && take_before(query, &line, &length))
			if (is_wanted(query, line, length)) {
				query->count++;
				*ret_line = line;
				*ret_length = length;
				return true;
			}
		return false;
	}
	while (!query->ended && take_next(query, &line, &length)) {
		query->ended = query->near_end && is_after_end(query, line, length);
		if (query->ended || !is_wanted(query, line, length))
			continue;
		if (query->skip) {
			query->skip--;
			continue;
		}
		*ret_line = line;
		*ret_length = length;
		return true;
	}
	return false;
}

/* Numbers rise from line to line, so the last one tells of all. */
static bool has_end(struct log_query *query)
{
	const size_t length = query->length;
	size_t line_length;
	const char *line;
	bool has =
		take_before(query, &line, &line_length) && is_after_end(query, line, line_length);

	query->length = length;
	return has;
}

/* 1, 0 or -errno like log_files_read(). */
static int read_block(struct log_query *query)
{
	int r = query->phase == PHASE_FORWARD
			? log_files_read(query->files, &query->block, &query->length)
			: log_files_read_back(query->files, &query->block, &query->length);

	query->at = 0;
	if (r != 1)
		query->length = 0;
	query->near_end = query->phase != PHASE_BACK && has_end(query);
	if (r != -EBADMSG)
		return r;
	query->damaged += query->phase != PHASE_COUNT;
	return 1; /* it goes on after the damage */
}

static int count_block(struct log_query *query)
{
	const char *line;
	size_t length;
	int r = read_block(query);

	if (r < 0)
		return r;
	while (take_next(query, &line, &length))
		query->count += !(query->near_end && is_after_end(query, line, length)) &&
				is_wanted(query, line, length);
	if (r == 1 && !is_enough(query))
		return 0;
	if (is_enough(query))
		query->skip = query->count - (uint64_t)query->question.last;
	query->phase = PHASE_FORWARD;
	log_files_turn(query->files);
	return 0;
}

int log_query_step(struct log_query *query, enum log_step *ret_step)
{
	enum log_step step = LOG_MORE;
	int r;

	query->at = query->length = 0;
	if (query->phase == PHASE_COUNT) {
		r = count_block(query);
	} else if (query->ended || (query->phase == PHASE_BACK && is_enough(query))) {
		step = LOG_END;
		r = 0;
	} else {
		r = read_block(query);
		if (r == 0)
			step = query->phase == PHASE_FORWARD && query->question.follow ? LOG_WAIT
										       : LOG_END;
	}
	if (r < 0)
		return r;
	*ret_step = step;
	return 0;
}
