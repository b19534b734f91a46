/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The `list` request: the sessions that the requester may see, and their processes from /proc. They
 * can be very many, so the reply is made in steps.
 */
#include "internal.h"

#define COMMAND_MAX 4096 /* bytes of a process's command that are shown */
#define PROCESSES_MAX 4096 /* of one session that are shown */

/* One request's reply, as far as it is made. */
struct listing {
	struct verbs *verbs;
	char (*ids)[SESSION_ID_LENGTH + 1]; /* of sessions: they may end meanwhile */
	size_t n_ids, next_id;
	bool open; /* the last one's processes are being added */
	pid_t *pids;
	size_t n_pids, next_pid;
	size_t size; /* bytes so far */
	bool any;
};

static void listing_free(void *job)
{
	struct listing *listing = job;

	if (!listing)
		return;
	free(listing->ids);
	free(listing->pids);
	free(listing);
}
DEFINE_CLEANUP(struct listing, listing_free)

/* NULL: not known, here and below. */
static json_t *program_of(pid_t pid)
{
	OWNED_MEM char *program = NULL;

	return proc_link(pid, "exe", &program) == 0 && program[0]
		       ? json_of_bytes(program, strlen(program))
		       : NULL;
}

static json_t *command_of(pid_t pid)
{
	OWNED_TEXT struct text command = { 0 };
	size_t length;
	bool cut;

	if (proc_arguments(pid, COMMAND_MAX, &command, &cut) < 0)
		return NULL;
	length = command.length;
	while (length && !command.data[length - 1])
		length--;
	for (size_t i = 0; i < length; i++)
		if (!command.data[i])
			command.data[i] = ' ';
	return length ? json_of_bytes(command.data, length) : NULL;
}

static json_t *process_to_json(pid_t pid)
{
	return json_pack("{s:i, s:I, s:o*, s:o*}", "pid", (int)pid, "ppid",
			 (json_int_t)proc_parent(pid), "program", program_of(pid), "command",
			 command_of(pid));
}

static json_t *command_to_json(const struct session_info *info)
{
	json_t *array = json_array();

	for (size_t i = 0; i < info->n_command; i++)
		json_array_append_new(array, json_string(info->command[i]));
	return array;
}

/* When the session read a secret last; null: it has not. */
static json_t *tainted_to_json(const struct session *session)
{
	struct event_head now = event_now(NULL);
	struct grith_session state;
	char time[JSON_TIME_SIZE];

	if (kernel_session_get(session->sessions->kernel, session->info.cgroup, &state) < 0 ||
	    !state.context.tainted_any)
		return json_null();
	json_format_time(state.context.tainted_any + (now.time - now.mono), time);
	return json_string(time);
}

/* All but its processes. */
static json_t *session_to_json(const struct session *session)
{
	const struct session_info *info = &session->info;
	char started[JSON_TIME_SIZE];
	bool frozen = false;

	json_format_time(info->started, started);
	cgroup_is_frozen(session->cgroup, &frozen);
	return json_pack("{s:s, s:s, s:s, s:I, s:s, s:s, s:s, s:s, s:o, s:s,"
			 " s:o, s:{s:I, s:I, s:I}}",
			 "id", info->id, "name", info->name, "user", info->user, "uid",
			 (json_int_t)info->uid, "profile", info->profile, "mode",
			 mode_name(info->mode), "state", frozen ? "frozen" : "running", "started",
			 started, "command", command_to_json(info), "project", info->project,
			 "tainted", tainted_to_json(session), "counts", "operations",
			 (json_int_t)session->intake->operations, "refused",
			 (json_int_t)session->intake->refused, "lost",
			 (json_int_t)session->intake->lost);
}

/* Adds one object; an `unfinished` one without its brace. NULL: no memory. Takes over `json`. */
static int add_object(struct text *out, json_t *json, bool unfinished)
{
	OWNED_MEM char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;

	json_decref(json);
	return text ? text_add(out, text, strlen(text) - unfinished) : -ENOMEM;
}

static int add_session(struct listing *listing, struct text *out)
{
	const struct session *session =
		sessions_find_id(listing->verbs->sessions, listing->ids[listing->next_id++]);
	int r;

	if (!session)
		return 0;
	free(TAKE_PTR(listing->pids));
	listing->n_pids = listing->next_pid = 0;
	cgroup_pids(session->cgroup, &listing->pids, &listing->n_pids);
	if (listing->n_pids > PROCESSES_MAX)
		listing->n_pids = PROCESSES_MAX;
	r = listing->any ? text_add(out, ",", 1) : 0;
	r = r ?: add_object(out, session_to_json(session), true);
	listing->any = listing->open = true;
	return r ?: text_addf(out, ",\"processes\":[");
}

/* As many as fit into a reply. */
static int add_process(struct listing *listing, struct text *out)
{
	int r;

	if (listing->next_pid == listing->n_pids || listing->size > PROTO_REPLY_MAX / 2) {
		listing->open = false;
		return text_add(out, "]}", 2);
	}
	r = listing->next_pid ? text_add(out, ",", 1) : 0;
	return r ?: add_object(out, process_to_json(listing->pids[listing->next_pid++]), false);
}

static int listing_step(struct client *client, void *job)
{
	struct listing *listing = job;
	size_t before = client->out.length;
	uint64_t end = clock_mono() + STEP_NS;
	int r = 0;

	while (r == 0 && clock_mono() < end) {
		if (listing->open) {
			r = add_process(listing, &client->out);
		} else if (listing->next_id < listing->n_ids) {
			r = add_session(listing, &client->out);
		} else {
			client_end_job(client);
			return text_add(&client->out, "]}\n", 3);
		}
	}
	listing->size += client->out.length - before;
	return r;
}

static const struct job_ops listing_ops = { listing_step, listing_free, .follows_log = false };

static int start_listing(struct verbs *verbs, struct client *client)
{
	CLEANUP(listing_freep) struct listing *listing = calloc(1, sizeof(*listing));
	const struct sessions *sessions = verbs->sessions;
	uint32_t uid = client->peer.uid;
	int r;

	if (!listing)
		return -ENOMEM;
	listing->verbs = verbs;
	listing->ids = calloc(sessions->count + 1, sizeof(*listing->ids));
	if (!listing->ids)
		return -ENOMEM;
	for (size_t i = 0; i < sessions->count; i++)
		if (uid == 0 || uid == sessions->list[i]->info.uid)
			memcpy(listing->ids[listing->n_ids++], sessions->list[i]->info.id,
			       sizeof(*listing->ids));
	r = text_addf(&client->out, "{\"v\":%d,\"ok\":true,\"sessions\":[", PROTO_VERSION);
	if (r == 0)
		client_start_job(client, &listing_ops, TAKE_PTR(listing), true);
	return r;
}

void verb_list(struct verbs *verbs, struct client *client)
{
	intake_refresh(verbs->intake);
	if (start_listing(verbs, client) < 0)
		client_reply(client, NULL);
}
