/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith doctor: whether all is well, and what to do where it is not.
 */
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <sys/wait.h>

#include "grith/client/client.h"
#include "lib/proto/proto.h"
#include "cmd.h"
#include "view_status.h"

#define SYSTEM_SEARCH "/usr/local/sbin:/usr/sbin:/sbin"

static int report_running(json_t *status, bool json)
{
	unsigned int problems = view_status_problems(status);
	struct term term = term_of(STDOUT_FILENO);
	OWNED_TEXT struct text out = { 0 };
	json_auto_t *report = NULL;

	if (json) {
		report = json_pack("{s:b, s:i, s:O}", "running", 1, "problems", (int)problems,
				   "status", status);
		output_json(report);
	} else {
		output_text(&out, view_status(status, &term, &out));
		if (problems)
			printf("%u problem%s\n", problems, problems == 1 ? "" : "s");
		else
			puts("all is well");
	}
	return problems ? COMMAND_FAILED : COMMAND_OK;
}

/* grithd next to this program, in the sbin next to it, in PATH, or in the system's sbin. */
static int find_grithd(char **ret_program)
{
	const char *search = getenv("PATH");
	OWNED_TEXT struct text all = { 0 };
	char self[PATH_MAX];
	ssize_t length;
	int r;

	length = readlink("/proc/self/exe", self, sizeof(self));
	if (length < 0)
		return -errno;
	while (length > 1 && self[length - 1] != '/')
		length--;
	r = text_addf(&all, "%.*s:%.*s../sbin:%s:" SYSTEM_SEARCH, (int)length, self, (int)length,
		      self, search ? search : "");
	return r < 0 ? r : program_find("grithd", all.data, ret_program);
}

static int spawn(const char *program, int out, pid_t *ret_child)
{
	char *argv[] = { "grithd", "--check", "--json", NULL };
	posix_spawn_file_actions_t actions;
	int r;

	r = -posix_spawn_file_actions_init(&actions);
	if (r < 0)
		return r;
	r = -posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (r == 0)
		r = -posix_spawn(ret_child, program, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return r;
}

/* What `grithd --check --json` reports; -EBADMSG where it printed something else. */
static int run_check(const char *program, json_t **ret_check)
{
	json_auto_t *check = NULL;
	OWNED_FD int from = -1;
	OWNED_FD int to = -1;
	pid_t child;
	int ends[2], r;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	from = ends[0];
	to = ends[1];
	r = spawn(program, to, &child);
	if (r < 0)
		return r;
	close(TAKE_FD(to));
	check = json_loadfd(from, 0, NULL);
	close(TAKE_FD(from)); /* a child that still writes ends now */
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	if (!json_is_object(check))
		return -EBADMSG;
	*ret_check = TAKE_PTR(check);
	return 0;
}

/* grithd not running is a problem in itself, even where this machine can enforce. */
static int report_not_running(const char *socket, bool json)
{
	struct term term = term_of(STDOUT_FILENO);
	OWNED_TEXT struct text out = { 0 };
	OWNED_MEM char *program = NULL;
	json_auto_t *check = NULL, *report = NULL;
	int r;

	r = find_grithd(&program);
	if (r == 0)
		r = run_check(program, &check);
	if (json) {
		report = json_pack("{s:b, s:o, s:O?}", "running", 0, "socket",
				   json_of_bytes(socket, strlen(socket)), "check", check);
		output_json(report);
	} else {
		text_addf(&out, "grithd      not running (socket ");
		text_add_escaped(&out, socket, strlen(socket));
		text_addf(&out, ")\n");
		output_text(&out, r == 0 ? view_check(check, &term, &out) : 0);
	}
	if (r < 0)
		message("cannot run grithd --check: %s",
			r == -ENOENT ? "grithd is not installed" : strerror(-r));
	return COMMAND_FAILED;
}

static int run(int argc, char **argv)
{
	json_auto_t *request = json_pack("{s:s}", "do", proto_verb_name(PROTO_STATUS));
	OWNED_TEXT struct text error = { 0 };
	json_auto_t *reply = NULL;
	const char *socket = NULL;
	bool json = false;
	const struct option_entry known[] = {
		{ "json", .flag = &json },
		{ "socket", .value = &socket },
		{ 0 },
	};
	int r;

	if (options_read(argc, argv, known) < 0 || optind < argc)
		return command_misused(&cmd_doctor);
	socket = channel_socket(socket);
	r = channel_ask(socket, 0, request, &reply, &error);
	if (r == 0)
		return report_running(reply, json);
	if (r == -ENOENT || r == -ECONNREFUSED)
		return report_not_running(socket, json);
	return output_failure(error.data, r);
}

const struct command cmd_doctor = {
	.name = "doctor",
	.arguments = "[--json] [--socket PATH]",
	.summary = "say whether grith works here, and what it lacks",
	.help = "  --json         as one JSON object\n"
		"  --socket PATH  where grithd listens\n"
		"\n"
		"Where grithd runs: how its programs are attached, which of them are not, and what was\n"
		"lost or went wrong. Where it does not: what this kernel lacks, each with its remedy;\n"
		"that needs root to be complete.\n"
		"\n"
		"Exit status: 0 all is well, 1 there are problems or grithd is not running, 2 wrong\n"
		"usage.\n",
	.run = run,
};
