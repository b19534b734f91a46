/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The `log` request: lines of the audit log that the requester wants and may see; some follow it.
 */
#include <fcntl.h>

#include "internal.h"

/* One request's reading. */
struct reading {
	struct visibility visibility;
	struct log_query *query;
	uint64_t lost; /* lines given up by grithd that the client knows of */
	uint64_t damaged; /* places of the log, the same */
	bool late; /* the follower was not told since that there is no more */
};

static void reading_free(void *job)
{
	struct reading *reading = job;

	log_query_free(reading->query);
	free(reading);
}

/* A line of the log is an event as it is; nothing is taken apart to send it. */
static int add_event(struct text *out, const char *line, size_t length)
{
	size_t before = out->length;
	int r = text_addf(out, "{\"v\":%d,\"event\":", PROTO_VERSION)
		?: text_add(out, line, length)
		?: text_add(out, "}\n", 2);

	if (r < 0 && out->data)
		out->data[out->length = before] = '\0';
	return r;
}

/* Tells by how much a count has grown, if it has. */
static int tell_more(struct text *out, const char *what, uint64_t count, uint64_t *told)
{
	int r = 0;

	if (count != *told)
		r = text_addf(out, "{\"v\":%d,\"%s\":%llu}\n", PROTO_VERSION, what,
			      (unsigned long long)(count - *told));
	if (r == 0)
		*told = count;
	return r;
}

/* The follower has all there is: what is missing of it, and that, where it was sent something. */
static int tell_current(struct text *out, struct reading *reading)
{
	int r = tell_more(out, "lost", audit_log_lost(reading->visibility.verbs->audit->log),
			  &reading->lost);

	if (r < 0 || !reading->late)
		return r;
	reading->late = false;
	return text_addf(out, "{\"v\":%d,\"current\":true}\n", PROTO_VERSION);
}

static int reading_step(struct client *client, void *job)
{
	struct reading *reading = job;
	size_t before = client->out.length, length;
	enum log_step step;
	const char *line;
	int r = log_query_step(reading->query, &step);

	while (r == 0 && log_query_line(reading->query, &line, &length))
		r = add_event(&client->out, line, length);
	if (r == 0)
		r = tell_more(&client->out, "damaged", log_query_damaged(reading->query),
			      &reading->damaged);
	if (r < 0)
		return r;
	client->stepping = step == LOG_MORE;
	reading->late |= client->out.length > before;
	if (step == LOG_END) {
		client_end_job(client);
		client->last_reply |=
			text_addf(&client->out, "{\"v\":%d,\"end\":true}\n", PROTO_VERSION) < 0;
	}
	return step == LOG_WAIT ? tell_current(&client->out, reading) : 0;
}

static const struct job_ops reading_ops = { reading_step, reading_free, .follows_log = true };

static void set_moment(int64_t seconds, const char *time, char moment[JSON_TIME_SIZE])
{
	uint64_t now = clock_real(), back = (uint64_t)seconds * UINT64_C(1000000000);

	if (time)
		snprintf(moment, JSON_TIME_SIZE, "%s", time);
	else if (seconds >= 0)
		json_format_time(now > back ? now - back : 0, moment);
}

/* The request's words were checked when it was read. */
static int make_filter(const struct proto_request *request, struct log_filter *filter)
{
	int r = text_copy(request->program, &filter->program)
		?: text_copy(request->path, &filter->path)
		?: text_copy(request->rule, &filter->rule);

	if (r == 0 && request->op)
		r = op_parse(request->op, &filter->op);
	if (r == 0 && request->verdict)
		r = verdict_parse(request->verdict, &filter->verdict);
	filter->by_verdict = request->verdict != NULL;
	filter->by_score = request->by_score;
	filter->score = request->score;
	filter->refused = request->refused;
	set_moment(request->since, request->since_time, filter->since);
	set_moment(request->until, request->until_time, filter->until);
	return r;
}

static int start_reading(struct reading *reading, const struct proto_request *request,
			 const char *session)
{
	OWNED_FD int directory =
		open(reading->visibility.verbs->log_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct log_question question = {
		.last = request->last,
		.reverse = request->reverse,
		.follow = request->follow,
		.may = visibility_allows,
		.arg = &reading->visibility,
	};
	int r = directory < 0 ? -errno : make_filter(request, &question.filter);

	if (r < 0) {
		log_filter_free(&question.filter);
		return r;
	}
	memcpy(question.filter.session, session, SESSION_ID_LENGTH + 1);
	return log_query_new(TAKE_FD(directory), &question, &reading->query);
}

json_t *verb_log(struct verbs *verbs, struct client *client, const struct proto_request *request)
{
	struct reading *reading = calloc(1, sizeof(*reading));
	char session[SESSION_ID_LENGTH + 1] = "";
	int r = 0;

	if (!reading)
		return NULL;
	reading->visibility = (struct visibility) { .verbs = verbs, .uid = client->peer.uid };
	if (request->session)
		r = visibility_find(&reading->visibility, request->session, session);
	if (r < 0) {
		reading_free(reading);
		return reply_no_session(r, request->session);
	}
	intake_refresh(verbs->intake); /* what happened before the request */
	r = start_reading(reading, request, session);
	if (r < 0) {
		reading_free(reading);
		return reply_failed("cannot read the audit log", r);
	}
	reading->lost = audit_log_lost(verbs->audit->log);
	client_start_job(client, &reading_ops, reading, true);
	return proto_ok_reply();
}
