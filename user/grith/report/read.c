/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Finds the session, then reads all of it: two questions to the log.
 */
#include <inttypes.h>
#include <poll.h>
#include <time.h>

#include "grith/base/base.h"
#include "grith/log/log.h"
#include "lib/proto/proto.h"
#include "read.h"

#define NEWEST 1000 /* entries in which the newest session is looked for */

/* What is asked of the log. */
struct wanted {
	const char *session; /* id, or where grithd is asked name too; NULL: any */
	uint64_t since; /* seconds back; 0: all */
	int64_t last; /* at most so many, the newest first; 0: all, in order */
};

static int ask(const struct report_where *where, const struct wanted *wanted, struct text *error,
	       struct log_source **ret_source)
{
	json_auto_t *request = json_pack("{s:s}", "do", proto_verb_name(PROTO_LOG));
	int r = request ? 0 : -1;

	if (r == 0 && wanted->session)
		r = json_object_set_new(request, "session", json_string(wanted->session));
	if (r == 0 && wanted->since)
		r = json_object_set_new(request, "since", json_integer(wanted->since));
	if (r == 0 && wanted->last)
		r = json_object_set_new(request, "last", json_integer(wanted->last));
	if (r == 0 && wanted->last)
		r = json_object_set_new(request, "reverse", json_true());
	return r < 0 ? -ENOMEM : log_source_ask(where->socket, 0, request, error, ret_source);
}

static int open_directory(const struct report_where *where, const struct wanted *wanted,
			  struct text *error, struct log_source **ret_source)
{
	struct log_question question = { .last = wanted->last ? wanted->last : -1,
					 .reverse = wanted->last };
	struct timespec now;
	uint64_t since;

	if (wanted->session)
		snprintf(question.filter.session, sizeof(question.filter.session), "%s",
			 wanted->session);
	if (wanted->since) {
		clock_gettime(CLOCK_REALTIME, &now);
		since = (uint64_t)now.tv_sec > wanted->since ? now.tv_sec - wanted->since : 0;
		json_format_time(since * 1000000000, question.filter.since);
	}
	return log_source_question(where->directory, &question, error, ret_source);
}

static int open_source(const struct report_where *where, const struct wanted *wanted,
		       struct text *error, struct log_source **ret_source)
{
	return where->directory ? open_directory(where, wanted, error, ret_source)
				: ask(where, wanted, error, ret_source);
}

/* 1 and an event, 0 at the end, or -errno and a message. */
static int next(struct log_source *source, struct text *error, const struct log_event **ret_event)
{
	struct pollfd wait = { .fd = log_source_fd(source), .events = POLLIN };
	int r;

	while ((r = log_source_next(source, ret_event)) == -EAGAIN)
		if (poll(&wait, 1, -1) < 0 && errno != EINTR)
			return -errno;
	if (r < 0)
		log_source_explain(source, r, error);
	return r;
}

static int explain(struct text *error, int r)
{
	if (!error->length)
		text_addf(error, "%s", strerror(-r));
	return r;
}

static bool is_named(const struct log_event *event, const char *name)
{
	return event->kind == LOG_SESSION && event->name.length == strlen(name) &&
	       !memcmp(event->name.data, name, event->name.length);
}

/*
 * The newest session: of any name (NULL), or of that one. -ENOENT: there is none.
 * A name is found at the session's start, so all entries are looked at; ids are found anywhere.
 */
static int find_session(const struct report_where *where, const char *name, struct text *error,
			char ret_id[SESSION_ID_LENGTH + 1])
{
	CLEANUP(log_source_freep) struct log_source *source = NULL;
	const struct log_event *event;
	int r = open_source(where, &(struct wanted) { .last = name ? INT64_MAX : NEWEST }, error,
			    &source);

	while (r == 0 && (r = next(source, error, &event)) > 0) {
		r = 0;
		if (event->session.length != SESSION_ID_LENGTH || (name && !is_named(event, name)))
			continue;
		memcpy(ret_id, event->session.data, SESSION_ID_LENGTH);
		ret_id[SESSION_ID_LENGTH] = '\0';
		return 0;
	}
	return r < 0 ? r : -ENOENT;
}

/* What could not be read belongs to the report: its counts are too low. */
static int add_missing(struct report *report, const struct log_source *source)
{
	struct log_event gap = { .kind = LOG_GAP, .lost = log_source_lost(source) };
	uint64_t damaged = log_source_damaged(source);
	OWNED_TEXT struct text note = { 0 };
	int r = report_add(report, &gap);

	if (r < 0 || !damaged)
		return r;
	r = text_addf(&note,
		      "%" PRIu64 " places in the log could not be read; 'grith audit verify' "
		      "names them.",
		      damaged);
	return r < 0 ? r : report_add_note(report, note.data);
}

static int add_all(struct report *report, struct log_source *source, struct text *error)
{
	const struct log_event *event;
	uint64_t count = 0;
	int r;

	while ((r = next(source, error, &event)) > 0) {
		r = report_add(report, event);
		if (r < 0)
			return r;
		count++;
	}
	if (r == 0)
		r = add_missing(report, source);
	return r < 0 ? r : count ? 0 : -ENOENT;
}

static int read_session(const struct report_where *where, const char *session, struct text *error,
			struct report **ret_report)
{
	CLEANUP(log_source_freep) struct log_source *source = NULL;
	CLEANUP(report_freep) struct report *report = NULL;
	struct wanted wanted = { .session = session };
	int r = 0;

	if (where->since)
		r = moment_parse_span(where->since, &wanted.since);
	if (r == 0)
		r = report_new(&where->options, &report);
	if (r == 0)
		r = open_source(where, &wanted, error, &source);
	if (r == 0)
		r = add_all(report, source, error);
	if (r == 0)
		*ret_report = TAKE_PTR(report);
	return r;
}

int report_read(const struct report_where *where, struct text *error, struct report **ret_report)
{
	char id[SESSION_ID_LENGTH + 1];
	const char *session = where->session;
	int r = 0;

	/* grithd finds sessions by their names by itself. */
	if (!session || (where->directory && !session_id_valid(session))) {
		r = find_session(where, session, error, id);
		session = id;
	}
	if (r == 0)
		r = read_session(where, session, error, ret_report);
	/* A name may look like an id. */
	if (r == -ENOENT && where->session && where->directory && session == where->session) {
		r = find_session(where, session, error, id);
		if (r == 0)
			r = read_session(where, id, error, ret_report);
	}
	if (r == -ENOENT && !error->length)
		text_addf(error,
			  where->session ? "the log has nothing of a session '%s'"
					 : "the log has nothing of any session%s",
			  where->session ? where->session : "");
	return r < 0 ? explain(error, r) : 0;
}
