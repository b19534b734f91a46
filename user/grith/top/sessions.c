/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grithd's list has the whole of it, but comes seldom; events come at once. The numbers of a
 * session are the list's, and go on with each event until the next one.
 */
#include <search.h>

#include "sessions.h"

/* The texts of a session, where grithd's list has them, and where the session's own events do. */
static const struct {
	size_t text; /* a char *, at this offset */
	const char *key;
	size_t event; /* a struct record_bytes; 0: nowhere */
} texts[] = {
	{ offsetof(struct top_session, id), "id", 0 },
	{ offsetof(struct top_session, state), "state", 0 },
	{ offsetof(struct top_session, name), "name", offsetof(struct log_event, name) },
	{ offsetof(struct top_session, user), "user", offsetof(struct log_event, user) },
	{ offsetof(struct top_session, profile), "profile", offsetof(struct log_event, profile) },
	{ offsetof(struct top_session, mode), "mode", offsetof(struct log_event, session_mode) },
	{ offsetof(struct top_session, project), "project", offsetof(struct log_event, project) },
};

static char **text_of(struct top_session *session, size_t i)
{
	return (char **)((char *)session + texts[i].text);
}

/* Escaped and cut. What is empty does not replace what is known. */
static int set(char **string, struct record_bytes value)
{
	OWNED_LINE struct line line = { .out = &line.own };

	if (!value.length && *string)
		return 0;
	if (value.length > TOP_LABEL)
		value.length = TOP_LABEL;
	line_add(&line, "");
	line_add_bytes(&line, value);
	if (line.r < 0)
		return line.r;
	free(*string);
	*string = TAKE_PTR(line.own.data);
	return 0;
}

static void session_free(struct top_session *session)
{
	for (size_t i = 0; session && i < ARRAY_SIZE(texts); i++)
		free(*text_of(session, i));
	free(session);
}

static size_t find(const struct top_sessions *sessions, struct record_bytes id)
{
	size_t i = 0;

	if (sessions->found < sessions->count && bytes_are(id, sessions->list[sessions->found]->id))
		return sessions->found;
	while (i < sessions->count && !bytes_are(id, sessions->list[i]->id))
		i++;
	return i;
}

const struct top_session *top_sessions_find(const struct top_sessions *sessions,
					    struct record_bytes id)
{
	size_t i = find(sessions, id);

	return i < sessions->count ? sessions->list[i] : NULL;
}

const char *top_session_name(const struct top_session *session)
{
	return *session->name ? session->name : session->id;
}

bool top_session_is_tainted(const struct top_session *session, int64_t second)
{
	return session->tainted && second - session->tainted <= FLOW_SECONDS_DEFAULT;
}

/* NULL in *ret_session where there is no room for one more. */
static int see_session(struct top_sessions *sessions, struct record_bytes id,
		       struct top_session **ret_session)
{
	static const struct record_bytes none;
	struct top_session *session;
	size_t i = find(sessions, id);
	int r;

	*ret_session = NULL;
	if (i < sessions->count) {
		sessions->found = i;
		*ret_session = sessions->list[i];
		return 0;
	}
	if (sessions->count == TOP_SESSIONS)
		return 0;
	session = calloc(1, sizeof(*session));
	r = session ? ARRAY_GROW(sessions->list, sessions->count) : -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(texts) && r == 0; i++)
		r = set(text_of(session, i),
			texts[i].text == offsetof(struct top_session, id) ? id : none);
	if (r < 0) {
		session_free(session);
		return r;
	}
	sessions->list[sessions->count++] = session;
	*ret_session = session;
	return 0;
}

static int by_pid(const void *a, const void *b)
{
	const struct top_process *p = a, *q = b;

	return p->pid < q->pid ? -1 : p->pid > q->pid;
}

static struct top_process *find_process(const struct top_sessions *sessions, uint32_t pid)
{
	struct top_process wanted = { .pid = pid }, **found;

	found = tfind(&wanted, &sessions->tree, by_pid);
	return found ? *found : NULL;
}

static void drop_process(struct top_sessions *sessions, size_t i)
{
	struct top_process *process = sessions->processes[i];

	tdelete(process, &sessions->tree, by_pid);
	sessions->processes[i] = sessions->processes[--sessions->n_processes];
	free(process->label);
	free(process);
}

/* NULL in *ret_process where there is no room for one more. */
static int see_process(struct top_sessions *sessions, const struct top_session *session,
		       uint32_t pid, struct top_process **ret_process)
{
	struct top_process *process = find_process(sessions, pid);

	*ret_process = process;
	if (process && process->session != session) {
		/* another one, with the number of one that ended */
		process->session = session;
		process->activity = (struct top_activity) { .seen = process->activity.seen };
		free(process->label);
		process->label = NULL;
	}
	if (process || sessions->n_processes == TOP_PROCESSES)
		return 0;
	if (ARRAY_GROW(sessions->processes, sessions->n_processes) < 0)
		return -ENOMEM;
	process = calloc(1, sizeof(*process));
	if (!process)
		return -ENOMEM;
	process->pid = pid;
	process->session = session;
	if (!tsearch(process, &sessions->tree, by_pid)) {
		free(process);
		return -ENOMEM;
	}
	sessions->processes[sessions->n_processes++] = process;
	*ret_process = process;
	return 0;
}

/* Arguments with spaces instead of NULs. */
static int set_command(struct top_process *process, struct record_bytes argv)
{
	char command[TOP_LABEL];
	size_t length = argv.length < sizeof(command) ? argv.length : sizeof(command);

	while (length && !argv.data[length - 1])
		length--;
	for (size_t i = 0; i < length; i++)
		command[i] = argv.data[i] ? argv.data[i] : ' ';
	return set(&process->label, (struct record_bytes) { command, length });
}

static void end_process(struct top_sessions *sessions, uint32_t pid)
{
	size_t i = 0;

	while (i < sessions->n_processes && sessions->processes[i]->pid != pid)
		i++;
	if (i < sessions->n_processes)
		drop_process(sessions, i);
}

static void count(struct top_activity *activity, bool refused, int64_t second)
{
	activity->operations++;
	activity->refused += refused;
	activity->seen = second;
	top_rates_add(&activity->rates, second);
}

static int process_event(struct top_sessions *sessions, const struct top_session *session,
			 const struct log_event *event, bool refused, int64_t second)
{
	struct top_process *process;
	int r;

	if (event->kind == LOG_EXIT) {
		end_process(sessions, event->pid);
		return 0;
	}
	r = see_process(sessions, session, event->pid, &process);
	if (r < 0 || !process)
		return r;
	process->ppid = event->ppid;
	count(&process->activity, refused, second);
	if (event->kind == LOG_EXEC && event->argv.length && !event->error)
		return set_command(process, event->argv);
	if (process->label)
		return 0;
	return set(&process->label, event->program.length ? event->program : event->comm);
}

static int session_event(struct top_session *session, const struct log_event *event)
{
	int r = 0;

	session->ended = bytes_are(event->change, "end");
	for (size_t i = 0; i < ARRAY_SIZE(texts) && r == 0; i++)
		if (texts[i].event)
			r = set(text_of(session, i),
				*(const struct record_bytes *)((const char *)event +
							       texts[i].event));
	return r;
}

/* Whether what the filters added is there because the session has read a secret. */
static bool is_tainted(const struct log_event *event)
{
	static const char filter[] = "\"filter\":\"taint\"";

	return event->parts.length &&
	       memmem(event->parts.data, event->parts.length, filter, sizeof(filter) - 1);
}

int top_sessions_event(struct top_sessions *sessions, const struct log_event *event)
{
	int64_t second = (int64_t)(event->time / 1000000000);
	bool refused = log_event_is_refused(event);
	struct top_session *session;
	int r;

	if (!event->session.length)
		return 0;
	r = see_session(sessions, event->session, &session);
	if (r < 0 || !session)
		return r;
	session->activity.seen = second;
	if (event->kind == LOG_SESSION)
		return session_event(session, event);
	if (event->kind == LOG_GAP)
		session->lost += event->lost;
	if (event->sequence == LOG_NO_NUMBER)
		return 0;
	count(&session->activity, refused, second);
	if (is_tainted(event))
		session->tainted = second;
	return process_event(sessions, session, event, refused, second);
}

static int list_process(struct top_sessions *sessions, const struct top_session *session,
			const json_t *json)
{
	const json_t *command = json_object_get(json, "command");
	int64_t pid = member_integer(json, "pid"), ppid = member_integer(json, "ppid");
	struct top_process *process;
	int r;

	if (pid <= 0 || pid > INT32_MAX || ppid < 0 || ppid > INT32_MAX)
		return 0;
	r = see_process(sessions, session, (uint32_t)pid, &process);
	if (r < 0 || !process)
		return r;
	process->ppid = (uint32_t)ppid;
	process->listed = true;
	return set(&process->label,
		   bytes_of(json_is_string(command) ? json_string_value(command)
						    : member_string(json, "program")));
}

static int list_session(struct top_sessions *sessions, const json_t *json, int64_t now)
{
	const json_t *counts = json_object_get(json, "counts"), *process;
	struct top_session *session;
	int64_t started, tainted;
	size_t i;
	int r;

	r = see_session(sessions, bytes_of(member_string(json, "id")), &session);
	if (r < 0 || !session)
		return r;
	for (i = 0; i < ARRAY_SIZE(texts) && r == 0; i++)
		r = set(text_of(session, i), bytes_of(member_string(json, texts[i].key)));
	if (r < 0)
		return r;
	if (moment_parse(member_string(json, "started"), &started) == 0)
		session->started = started;
	if (moment_parse(member_string(json, "tainted"), &tainted) == 0 &&
	    session->tainted < tainted / 1000)
		session->tainted = tainted / 1000;
	session->activity.operations = (uint64_t)member_integer(counts, "operations");
	session->activity.refused = (uint64_t)member_integer(counts, "refused");
	session->lost = (uint64_t)member_integer(counts, "lost");
	session->ended = false;
	if (session->activity.seen < now)
		session->activity.seen = now;
	json_array_foreach (json_object_get(json, "processes"), i, process)
		if (r == 0)
			r = list_process(sessions, session, process);
	return r;
}

/* Processes first: they point to their sessions. */
static void drop_gone(struct top_sessions *sessions, int64_t now)
{
	for (size_t i = sessions->n_processes; i-- > 0;) {
		const struct top_process *process = sessions->processes[i];

		if ((!process->listed && process->activity.seen < now - 1) ||
		    process->session->activity.seen < now - TOP_ENDED_SECONDS)
			drop_process(sessions, i);
	}
	for (size_t i = sessions->count; i-- > 0;) {
		if (sessions->list[i]->activity.seen >= now - TOP_ENDED_SECONDS)
			continue;
		session_free(sessions->list[i]);
		sessions->count--;
		memmove(sessions->list + i, sessions->list + i + 1,
			(sessions->count - i) * sizeof(struct top_session *));
	}
}

int top_sessions_list(struct top_sessions *sessions, const json_t *list, int64_t now)
{
	const json_t *session;
	size_t i;
	int r = 0;

	for (i = 0; i < sessions->n_processes; i++)
		sessions->processes[i]->listed = false;
	json_array_foreach (list, i, session)
		if (r == 0)
			r = list_session(sessions, session, now);
	if (r == 0)
		drop_gone(sessions, now);
	return r;
}

void top_sessions_free(struct top_sessions *sessions)
{
	for (size_t i = 0; i < sessions->n_processes; i++)
		free(sessions->processes[i]->label);
	tdestroy(sessions->tree, free);
	for (size_t i = 0; i < sessions->count; i++)
		session_free(sessions->list[i]);
	free(sessions->processes);
	free(sessions->list);
	*sessions = (struct top_sessions) { 0 };
}
