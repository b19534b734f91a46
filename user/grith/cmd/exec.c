/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith exec: runs a command in a new session. The process that asks grithd is the one that is
 * placed and becomes the command; this one stays outside the session and stands in for it.
 */
#include <fcntl.h>

#include "grith/client/client.h"
#include "grith/exec/exec.h"
#include "lib/policy/policy.h"
#include "lib/proto/proto.h"
#include "cmd.h"

struct options {
	const char *policy; /* a file */
	bool quiet;
	struct launch launch;
};

/* Usage errors too: any lower status is the command's. */
static int misused(void)
{
	command_misused(&cmd_exec);
	return LAUNCH_FAILED;
}

static int take_on_hold(const struct option_entry *entry, const char *value)
{
	enum proto_on_hold on_hold;

	if (proto_on_hold_parse(value, &on_hold) < 0)
		return option_refuse(entry, value, "");
	*(const char **)entry->to = proto_on_hold_name(on_hold);
	return 0;
}

static int take_timeout(const struct option_entry *entry, const char *value)
{
	uint64_t *timeout = entry->to;

	if (moment_parse_span(value, timeout) == 0 && *timeout && *timeout <= PROTO_TIMEOUT_MAX)
		return 0;
	return option_refuse(entry, value, "");
}

/* 0, or -1 when the program ends with *ret_status. */
static int parse(int argc, char **argv, struct options *options, int *ret_status)
{
	struct launch *launch = &options->launch;
	bool help = false;
	const struct option_entry known[] = {
		{ "profile", .value = &launch->profile },
		{ "policy", .value = &options->policy },
		{ "observe", .flag = &launch->observe },
		{ "name", .value = &launch->name },
		{ "on-hold", .take = take_on_hold, .to = &launch->on_hold },
		{ "timeout", .take = take_timeout, .to = &launch->timeout },
		{ "quiet", .flag = &options->quiet },
		{ "socket", .value = &launch->socket },
		{ "help", 'h', .flag = &help },
		{ 0 },
	};
	int r = options_read_leading(argc, argv, known);

	if (r == 0 && help) {
		command_help(&cmd_exec, stdout);
		*ret_status = COMMAND_OK;
		return -1;
	}
	if (r == 0 && optind == argc) {
		message("exec needs a command");
		r = -EINVAL;
	} else if (r == 0 && options->policy && launch->profile) {
		message("--policy and --profile exclude each other");
		r = -EINVAL;
	}
	if (r < 0) {
		*ret_status = misused();
		return -1;
	}
	launch->socket = channel_socket(launch->socket);
	launch->argv = argv + optind;
	return 0;
}

static int find_command(const char *name, char **ret_program)
{
	int r = program_find(name, getenv("PATH"), ret_program);

	if (r == 0)
		return 0;
	message("%s: %s", name,
		r == -ENOENT ? strchr(name, '/') ? "no such file" : "command not found"
			     : strerror(-r));
	return r == -ENOENT ? LAUNCH_NOT_FOUND : LAUNCH_NOT_EXECUTABLE;
}

static int read_policy(const char *path, char **ret_text)
{
	int r = launch_read_policy(path, ret_text);

	if (r == -EFBIG)
		message("policy %s: longer than %u MiB", path, POLICY_TEXT_MAX >> 20);
	else if (r == -EILSEQ)
		message("policy %s: not UTF-8 text", path);
	else if (r < 0)
		message("policy %s: %s", path, strerror(-r));
	return r;
}

/*
 * The child: asks, then becomes the command. `hints`: the reader is a person, who may need to know
 * what to do about a refusal or a hold.
 */
static void __attribute__((noreturn))
become(const struct launch *launch, json_t *request, bool hints)
{
	OWNED_TEXT struct text error = { 0 };
	OWNED_TEXT struct text notes = { 0 };
	json_auto_t *reply = NULL;
	int status = LAUNCH_FAILED;

	if (launch_ask(launch, request, &reply, &error) == 0) {
		launch_notes(reply, &notes);
		if (hints)
			launch_hint(reply, &notes);
		fputs(notes.data ? notes.data : "", stderr);
		status = launch_execute(launch, reply, &error);
	}
	fprintf(stderr, "grith: %s\n", error.data ? error.data : strerror(ENOMEM));
	_exit(status);
}

/*
 * A pipe that the command closes must be closed for its other end as well: the parent keeps none of
 * the command's descriptors but stderr, for its own messages.
 */
static void release_descriptors(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
	}
	close_range(STDERR_FILENO + 1, ~0U, 0);
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	OWNED_MEM char *program = NULL;
	OWNED_MEM char *policy = NULL;
	json_auto_t *request = NULL;
	struct relay relay;
	int status;
	pid_t child;

	if (parse(argc, argv, &options, &status) < 0)
		return status;
	status = find_command(options.launch.argv[0], &program);
	if (status)
		return status;
	if (options.policy && read_policy(options.policy, &policy) < 0)
		return LAUNCH_FAILED;

	options.launch.program = program;
	options.launch.policy_name = options.policy;
	options.launch.policy_text = policy;
	request = launch_request(&options.launch);
	if (!request) {
		message("%s", strerror(ENOMEM));
		return LAUNCH_FAILED;
	}

	relay_prepare(&relay);
	child = fork();
	if (child < 0) {
		message("cannot create a process: %s", strerror(errno));
		return LAUNCH_FAILED;
	}
	if (child == 0) {
		relay_restore(&relay);
		become(&options.launch, request, !options.quiet && isatty(STDERR_FILENO));
	}
	release_descriptors();
	return relay_run(&relay, child);
}

const struct command cmd_exec = {
	.name = "exec",
	.arguments = "[--profile NAME | --policy FILE] [--observe] [--name NAME] "
		     "[--on-hold wait|deny|allow] [--timeout SECONDS] [--quiet] [--socket PATH] "
		     "[--] COMMAND [ARGUMENT]...",
	.summary = "run a command in a new session",
	.help = "  --profile NAME  a profile of grithd's policy directory; without this and --policy,\n"
		"                  the one that matches the command, else 'generic'\n"
		"  --policy FILE   a policy of your own, read now and never again\n"
		"  --observe       record what the policy would refuse, and refuse nothing\n"
		"  --name NAME     what the other verbs may call the session besides its id\n"
		"  --on-hold WHAT  what becomes of an operation that needs somebody's answer: wait for it\n"
		"                  (the default), deny or allow at once\n"
		"  --timeout SECONDS\n"
		"                  how long it waits before it is denied, 300 if not given; 10m, 2h, 7d\n"
		"  --quiet         no line at the start about 'grith why' and 'grith review'; there is\n"
		"                  none anyway where stderr is not a terminal\n"
		"  --socket PATH   where grithd listens\n"
		"\n"
		"The command runs as you, in this terminal; GRITH_SESSION in its environment is the\n"
		"session's id. Without grithd it does not run at all. The session lasts until its last\n"
		"process has ended, even when grith exec itself is gone before. A process whose\n"
		"operation is held is stopped until somebody answers; that is no job control, and\n"
		"grith exec goes on. Ctrl-Z stops the job then as ever.\n"
		"\n"
		"Exit status: the command's, or 128 + N when signal N ended it; 125 when it was not\n"
		"run, 126 when it cannot be executed, 127 when it was not found.\n",
	.run = run,
};
