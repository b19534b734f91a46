/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith exec: runs a command in a new session. The process that asks grithd is the one that is
 * placed and becomes the command; this one stays outside the session and stands in for it.
 */
#include <fcntl.h>
#include <getopt.h>
#include <string.h>

#include "grith/base/base.h"
#include "grith/client/client.h"
#include "grith/exec/exec.h"
#include "lib/policy/policy.h"
#include "lib/proto/proto.h"

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

/* --on-hold and --timeout. -EINVAL, after a message, where the value cannot be. */
static int take_hold_option(int option, const char *value, struct launch *launch)
{
	enum proto_on_hold on_hold;

	if (option == 'w' && proto_on_hold_parse(value, &on_hold) == 0) {
		launch->on_hold = proto_on_hold_name(on_hold);
		return 0;
	}
	if (option == 't' && moment_parse_span(value, &launch->timeout) == 0 && launch->timeout &&
	    launch->timeout <= PROTO_TIMEOUT_MAX)
		return 0;
	message("--%s cannot be '%s'", option == 'w' ? "on-hold" : "timeout", value);
	misused();
	return -EINVAL;
}

/* 0, or -1 when the program ends with *ret_status. */
static int parse(int argc, char **argv, struct options *options, int *ret_status)
{
	static const struct option known[] = {
		{ "profile", required_argument, NULL, 'p' },
		{ "policy", required_argument, NULL, 'f' },
		{ "observe", no_argument, NULL, 'o' },
		{ "name", required_argument, NULL, 'n' },
		{ "on-hold", required_argument, NULL, 'w' },
		{ "timeout", required_argument, NULL, 't' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "socket", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	const char *socket = NULL;
	int c;

	*ret_status = LAUNCH_FAILED;
	while ((c = getopt_long(argc, argv, "+h", known, NULL)) != -1) {
		switch (c) {
		case 'p':
			options->launch.profile = optarg;
			break;
		case 'f':
			options->policy = optarg;
			break;
		case 'o':
			options->launch.observe = true;
			break;
		case 'n':
			options->launch.name = optarg;
			break;
		case 'w':
		case 't':
			if (take_hold_option(c, optarg, &options->launch) < 0)
				return -1;
			break;
		case 'q':
			options->quiet = true;
			break;
		case 's':
			socket = optarg;
			break;
		case 'h':
			command_help(&cmd_exec, stdout);
			*ret_status = COMMAND_OK;
			return -1;
		default:
			misused();
			return -1;
		}
	}
	if (optind == argc) {
		fputs("grith: exec needs a command\n", stderr);
		misused();
		return -1;
	}
	if (options->policy && options->launch.profile) {
		fputs("grith: --policy and --profile exclude each other\n", stderr);
		misused();
		return -1;
	}
	options->launch.socket = channel_socket(socket);
	options->launch.argv = argv + optind;
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
 * The child: only what is needed to ask, then the command. `hints`: somebody sits there who may
 * want to know what to do about a refusal or a hold. Never returns.
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
 * A pipe that the command closes must be closed for its other end as well, so we keep none of
 * the descriptors that the command got, but stderr, for what we may have to say.
 */
static void let_go(void)
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
		fprintf(stderr, "grith: %s\n", strerror(ENOMEM));
		return LAUNCH_FAILED;
	}

	relay_prepare(&relay);
	child = fork();
	if (child < 0) {
		fprintf(stderr, "grith: cannot make a process: %s\n", strerror(errno));
		return LAUNCH_FAILED;
	}
	if (child == 0) {
		relay_restore(&relay);
		become(&options.launch, request, !options.quiet && isatty(STDERR_FILENO));
	}
	let_go();
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
