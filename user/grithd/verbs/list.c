/* SPDX-License-Identifier: MPL-2.0 */
/* The `list` request: the sessions that the requester may see, and their processes from /proc. */
#include "internal.h"

#define COMMAND_MAX 4096 /* bytes of a process's command that are shown */
#define PROCESSES_MAX 4096 /* of one session that are shown */

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

static json_t *processes_to_json(const struct session *session)
{
	OWNED_MEM pid_t *pids = NULL;
	size_t count = 0;
	json_t *array = json_array();

	if (cgroup_pids(session->cgroup, &pids, &count) < 0)
		return array;
	for (size_t i = 0; i < count && i < PROCESSES_MAX; i++)
		json_array_append_new(
			array, json_pack("{s:i, s:I, s:o*, s:o*}", "pid", (int)pids[i], "ppid",
					 (json_int_t)proc_parent(pids[i]), "program",
					 program_of(pids[i]), "command", command_of(pids[i])));
	return array;
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

static json_t *session_to_json(const struct session *session)
{
	const struct session_info *info = &session->info;
	char started[JSON_TIME_SIZE];
	bool frozen = false;

	json_format_time(info->started, started);
	cgroup_is_frozen(session->cgroup, &frozen);
	return json_pack("{s:s, s:s, s:s, s:I, s:s, s:s, s:s, s:s, s:o, s:s,"
			 " s:o, s:{s:I, s:I, s:I}, s:o}",
			 "id", info->id, "name", info->name, "user", info->user, "uid",
			 (json_int_t)info->uid, "profile", info->profile, "mode",
			 mode_name(info->mode), "state", frozen ? "frozen" : "running", "started",
			 started, "command", command_to_json(info), "project", info->project,
			 "tainted", tainted_to_json(session), "counts", "operations",
			 (json_int_t)session->intake->operations, "refused",
			 (json_int_t)session->intake->refused, "lost",
			 (json_int_t)session->intake->lost, "processes",
			 processes_to_json(session));
}

json_t *verb_list(struct verbs *verbs, struct client *client, const struct proto_request *request)
{
	const struct sessions *sessions = verbs->sessions;
	uint32_t uid = client->peer.uid;
	json_t *array = json_array();

	(void)request;
	intake_catch_up(verbs->intake);
	for (size_t i = 0; i < sessions->count; i++)
		if (uid == 0 || uid == sessions->list[i]->info.uid)
			json_array_append_new(array, session_to_json(sessions->list[i]));
	return reply_with("sessions", array);
}
