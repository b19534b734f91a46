/* SPDX-License-Identifier: MPL-2.0 */
/* The `list` request: the sessions that the asker may see, and their processes from /proc. */
#include <fcntl.h>

#include "grithd/audit/audit.h"
#include "grithd/daemon.h"
#include "lib/base/base.h"
#include "verbs.h"

#define COMMAND_MAX 4096 /* bytes of a process's command that are shown */
#define PROCESSES_MAX 4096 /* of one session that are shown */

static ssize_t read_proc(pid_t pid, const char *file, char *buffer, size_t size)
{
	OWNED_FD int fd = -1;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -1 : read(fd, buffer, size);
}

/* The fourth field of stat; the second one may hold anything, in parentheses. */
static unsigned int parent_of(pid_t pid)
{
	char text[1024];
	ssize_t n = read_proc(pid, "stat", text, sizeof(text) - 1);
	const char *end;
	unsigned int ppid;

	if (n <= 0)
		return 0;
	text[n] = '\0';
	end = strrchr(text, ')');
	return end && sscanf(end + 1, " %*c %u", &ppid) == 1 ? ppid : 0;
}

static void add_program(json_t *process, pid_t pid)
{
	char path[64], program[GRITH_PATH_MAX];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	n = readlink(path, program, sizeof(program));
	if (n > 0)
		json_object_set_new(process, "program", json_of_bytes(program, n));
}

static void add_command(json_t *process, pid_t pid)
{
	char command[COMMAND_MAX];
	ssize_t n = read_proc(pid, "cmdline", command, sizeof(command));

	while (n > 0 && !command[n - 1])
		n--;
	for (ssize_t i = 0; i < n; i++)
		if (!command[i])
			command[i] = ' ';
	if (n > 0)
		json_object_set_new(process, "command", json_of_bytes(command, n));
}

static json_t *processes_to_json(const struct session *session)
{
	OWNED_MEM pid_t *pids = NULL;
	size_t count = 0;
	json_t *array = json_array();

	if (cgroup_pids(session->cgroup, &pids, &count) < 0)
		return array;
	for (size_t i = 0; i < count && i < PROCESSES_MAX; i++) {
		json_t *process = json_pack("{s:i, s:I}", "pid", (int)pids[i], "ppid",
					    (json_int_t)parent_of(pids[i]));

		add_program(process, pids[i]);
		add_command(process, pids[i]);
		json_array_append_new(array, process);
	}
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

	if (kernel_session_get(session->daemon->kernel, session->info.cgroup, &state) < 0 ||
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
			 (json_int_t)session->operations, "refused", (json_int_t)session->refused,
			 "lost", (json_int_t)session->lost, "processes",
			 processes_to_json(session));
}

json_t *verb_list(struct daemon *daemon, const struct peer *peer)
{
	json_t *reply = proto_ok_reply(), *array = json_array();

	daemon_catch_up(daemon);
	for (size_t i = 0; i < daemon->sessions.count; i++) {
		const struct session *session = daemon->sessions.list[i];

		if (peer->uid == 0 || peer->uid == session->info.uid)
			json_array_append_new(array, session_to_json(session));
	}
	if (reply && json_object_set(reply, "sessions", array) < 0) {
		json_decref(reply);
		reply = NULL;
	}
	json_decref(array);
	return reply;
}
