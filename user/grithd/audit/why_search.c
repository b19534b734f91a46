/* SPDX-License-Identifier: MPL-2.0 */
/*
 * An operation that was held and then answered has the number of its review, whose entry is before
 * it and has the score taken apart.
 */
#include <fcntl.h>

#include "why_search.h"

#define REVIEW_BLOCKS 16 /* in which the review's entry is looked for, before the operation */
#define ENTRY_MAX (256u << 10) /* bytes of an entry that is shown */

struct why_search {
	struct log_query *query;
	struct log_event_reader reader;
	int64_t event;
	unsigned int blocks; /* that may still be looked at */
	bool at_end;
	json_t *found, *review;
	uint32_t review_number; /* 0: none is looked for */
	char session[SESSION_ID_LENGTH + 1]; /* of what was found */
};

void why_search_free(struct why_search *search)
{
	if (!search)
		return;
	log_query_free(search->query);
	log_event_reader_free(&search->reader);
	json_decref(search->found);
	json_decref(search->review);
	free(search);
}

int why_search_new(const char *log_directory, const struct why_question *question,
		   struct why_search **ret_search)
{
	CLEANUP(why_search_freep) struct why_search *search = calloc(1, sizeof(*search));
	OWNED_FD int directory = open(log_directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct log_question asked = {
		.last = -1,
		.reverse = true,
		.may = question->may,
		.arg = question->arg,
	};
	int r;

	if (!search || directory < 0)
		return search ? -errno : -ENOMEM;
	snprintf(asked.filter.session, sizeof(asked.filter.session), "%s", question->session);
	search->event = question->event;
	search->blocks = question->blocks;
	r = log_query_new(TAKE_FD(directory), &asked, &search->query);
	if (r == 0)
		*ret_search = TAKE_PTR(search);
	return r;
}

static bool is_operation(const struct why_search *search, const struct log_event *event)
{
	if (event->sequence == LOG_NO_NUMBER)
		return false;
	if (search->event >= 0)
		return event->sequence == (uint64_t)search->event;
	return event->decided && event->verdict != GRITH_ALLOW;
}

static bool is_review(const struct why_search *search, const struct log_event *event)
{
	return event->kind == LOG_REVIEW && event->decided &&
	       event->review == search->review_number &&
	       event->session.length == strlen(search->session) &&
	       !memcmp(event->session.data, search->session, event->session.length);
}

static void note_operation(struct why_search *search, const struct log_event *event)
{
	search->review_number = event->review;
	if (search->blocks > REVIEW_BLOCKS)
		search->blocks = REVIEW_BLOCKS;
	snprintf(search->session, sizeof(search->session), "%.*s", (int)event->session.length,
		 event->session.data);
}

static void look_at(struct why_search *search, const char *line, size_t length)
{
	struct log_event event;

	if (length > ENTRY_MAX || log_event_read(&search->reader, line, length, &event) < 0)
		return;
	if (!search->found && is_operation(search, &event)) {
		search->found = json_loadb(line, length, 0, NULL);
		if (search->found)
			note_operation(search, &event);
	} else if (search->found && is_review(search, &event)) {
		search->review = json_loadb(line, length, 0, NULL);
	}
}

static bool is_done(const struct why_search *search)
{
	return search->found && (!search->review_number || search->review);
}

int why_search_step(struct why_search *search, bool *ret_done)
{
	enum log_step step = LOG_MORE;
	int r = log_query_step(search->query, &step);
	const char *line;
	size_t length;

	if (r < 0)
		return r;
	while (log_query_line(search->query, &line, &length))
		if (!is_done(search))
			look_at(search, line, length);
	search->at_end = step != LOG_MORE;
	*ret_done = search->at_end || is_done(search) || !--search->blocks;
	return 0;
}

json_t *why_search_event(const struct why_search *search)
{
	return search->found;
}

json_t *why_search_review(const struct why_search *search)
{
	return search->review;
}

bool why_search_is_short(const struct why_search *search)
{
	return !search->found && !search->at_end;
}
