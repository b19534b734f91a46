/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The newest lines are found by going back, block by block, and counting; in the order in which
 * they were written they are then read forward from that block on, without those that were counted
 * too many.
 */
#include "block.h"
#include "files.h"
#include "query.h"

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
	struct record_bytes rest; /* of the block */
	uint64_t damaged;
};

static int open_files(struct log_query *query)
{
	const struct log_question *question = &query->question;
	struct log_want want;
	uint64_t since;
	int r;

	memcpy(want.session, question->filter.session, sizeof(want.session));
	memcpy(want.since, question->filter.since, sizeof(want.since));
	if (want.since[0] && log_time_parse(want.since, LOG_TIME_LENGTH, &since) < 0)
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
	int r = log_files_find_last(query->directory, &last);

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

static bool is_wanted(struct log_query *query, struct record_bytes line)
{
	const struct log_question *question = &query->question;
	struct log_head head;

	if (!log_head_parse(line.data, line.length, &head)) {
		query->damaged += query->phase != PHASE_COUNT;
		return false;
	}
	return log_filter_matches(&question->filter, &query->reader, &head, line.data,
				  line.length) &&
	       (!question->may || question->may(question->arg, head.session));
}

static bool is_enough(const struct log_query *query)
{
	return query->question.last >= 0 && query->count >= (uint64_t)query->question.last;
}

static bool is_after_end(const struct log_query *query, struct record_bytes line)
{
	struct audit_link link;

	return query->end && audit_link_parse(line.data, line.length, &link) && link.n > query->end;
}

/* The next line of the block that is wanted, without those that were counted too many. */
static bool take_forward(struct log_query *query, struct record_bytes *ret_line)
{
	while (!query->ended && log_block_first(&query->rest, ret_line)) {
		query->ended = query->near_end && is_after_end(query, *ret_line);
		if (query->ended || !is_wanted(query, *ret_line))
			continue;
		if (!query->skip)
			return true;
		query->skip--;
	}
	return false;
}

static bool take_back(struct log_query *query, struct record_bytes *ret_line)
{
	while (!is_enough(query) && log_block_last(&query->rest, ret_line))
		if (is_wanted(query, *ret_line)) {
			query->count++;
			return true;
		}
	return false;
}

bool log_query_line(struct log_query *query, const char **ret_line, size_t *ret_length)
{
	struct record_bytes line;

	if (query->phase == PHASE_BACK ? !take_back(query, &line) : !take_forward(query, &line))
		return false;
	*ret_line = line.data;
	*ret_length = line.length;
	return true;
}

/* Numbers rise from line to line, so the last one decides for all. */
static bool has_end(const struct log_query *query)
{
	struct record_bytes rest = query->rest, line;

	return log_block_last(&rest, &line) && is_after_end(query, line);
}

/* 1, 0 or -errno like log_files_read(). */
static int read_block(struct log_query *query)
{
	struct record_bytes block = { 0 };
	int r = query->phase == PHASE_FORWARD
			? log_files_read(query->files, &block.data, &block.length)
			: log_files_read_back(query->files, &block.data, &block.length);

	query->rest = r == 1 ? block : (struct record_bytes) { 0 };
	query->near_end = query->phase != PHASE_BACK && has_end(query);
	if (r != -EBADMSG)
		return r;
	query->damaged += query->phase != PHASE_COUNT;
	return 1; /* it goes on after the damage */
}

static int count_block(struct log_query *query)
{
	struct record_bytes line;
	int r = read_block(query);

	if (r < 0)
		return r;
	while (log_block_first(&query->rest, &line))
		query->count +=
			!(query->near_end && is_after_end(query, line)) && is_wanted(query, line);
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

	query->rest.length = 0;
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
