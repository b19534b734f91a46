/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith: what people type. Picks the verb, one of cmd/cmd.h, and gives it the rest of the command
 * line.
 */
#include "grith/cmd/cmd.h"
#include "installed.h"

#define POINT_TO(name) &cmd_##name,
static const struct command *const commands[] = { VERBS(POINT_TO) };

static void help(FILE *out)
{
	fputs("usage: grith VERB [ARGUMENT]...\n\n"
	      "Supervises coding agents: each file, program and connection of a supervised command\n"
	      "is decided in the kernel, by a policy, before it happens, and recorded.\n\n",
	      out);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(out, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
	fputs("  help      say more about a verb, as does --help after it\n"
	      "\n"
	      "  --help, --version\n"
	      "\n"
	      "Exit status: 0 done, 1 failed, 2 wrong usage; exec exits as its command does.\n"
	      "Environment: GRITH_SOCKET, where grithd listens; NO_COLOR, no colours.\n"
	      "See grith(1), grith-audit(5), grithd(8).\n",
	      out);
}

static const struct command *find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	}
	return NULL;
}

static int no_such_verb(const char *name)
{
	const char *names[ARRAY_SIZE(commands) + 1], *meant;

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		names[i] = commands[i]->name;
	names[ARRAY_SIZE(commands)] = "help";
	meant = suggest(name, names, ARRAY_SIZE(names));

	if (meant)
		message("there is no verb '%s'; did you mean '%s'?", name, meant);
	else
		message("there is no verb '%s'", name);
	fputs("'grith --help' lists them.\n", stderr);
	return COMMAND_USAGE;
}

static int help_verb(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2) {
		help(stdout);
		return COMMAND_OK;
	}
	command = find(argv[1]);
	if (!command)
		return no_such_verb(argv[1]);
	command_help(command, stdout);
	return COMMAND_OK;
}

static bool is_help(const char *argument)
{
	return !strcmp(argument, "--help") || !strcmp(argument, "-h");
}

static int run(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2) {
		help(stderr);
		return COMMAND_USAGE;
	}
	if (is_help(argv[1]) || !strcmp(argv[1], "help"))
		return help_verb(argc - 1, argv + 1);
	if (!strcmp(argv[1], "--version")) {
		puts("grith " GRITH_VERSION);
		return COMMAND_OK;
	}
	command = find(argv[1]);
	if (!command)
		return no_such_verb(argv[1]);
	if (argc > 2 && is_help(argv[2])) {
		command_help(command, stdout);
		return COMMAND_OK;
	}
	return command->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	int status;

	message_open();
	status = run(argc, argv);
	/* A full disk or a closed pipe must not look like success. */
	if ((fflush(stdout) || ferror(stdout)) && status == COMMAND_OK) {
		message("cannot write the output: %s", strerror(errno));
		return COMMAND_FAILED;
	}
	return status;
}
