/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith kill, freeze and thaw: one request to grithd for each session that is named, or for each
 * there is.
 */
#include "grith/client/client.h"
#include "lib/proto/proto.h"
#include "cmd.h"

#define ARGUMENTS "[--socket PATH] SESSION... | --all"
#define HELP                                                                                   \
	"  --all          all sessions: yours, or everybody's when you are root\n"             \
	"  --socket PATH  where grithd listens\n"                                              \
	"\n"                                                                                   \
	"SESSION is an id or a name, as 'grith ps' shows them. A name that two sessions\n"     \
	"have is refused.\n"                                                                   \
	"\n"                                                                                   \
	"Exit status: 0 done for all of them, 1 not for each (the others are done), 2 wrong\n" \
	"usage.\n"

static int do_one(const char *socket, const char *verb, const char *session)
{
	OWNED_TEXT struct text error = { 0 };
	OWNED_TEXT struct text name = { 0 };
	json_auto_t *request = NULL;
	json_auto_t *reply = NULL;

	text_add_escaped(&name, session, strlen(session));
	request = json_pack("{s:s, s:s?}", "do", verb, "session", name.data);
	if (channel_ask(channel_socket(socket), 0, request, &reply, &error) == 0)
		return COMMAND_OK;
	fprintf(stderr, "grith: %s: %s\n", name.data, error.data);
	return COMMAND_FAILED;
}

static int do_all(const char *socket, const char *verb)
{
	json_auto_t *request = json_pack("{s:s}", "do", proto_verb_name(PROTO_LIST));
	json_auto_t *reply = NULL;
	int status = ask_grithd(socket, request, &reply);
	const json_t *session;
	size_t i;

	json_array_foreach (json_object_get(reply, "sessions"), i, session) {
		const char *id = json_string_value(json_object_get(session, "id"));

		if (id && do_one(socket, verb, id) != COMMAND_OK)
			status = COMMAND_FAILED;
	}
	return status;
}

/* The verbs are those of the protocol. */
static int run(int argc, char **argv)
{
	static const struct command *const commands[] = { &cmd_kill, &cmd_freeze, &cmd_thaw };
	const struct command *command = commands[0];
	const char *socket = NULL;
	bool all = false;
	const struct option_entry known[] = {
		{ "all", .flag = &all },
		{ "socket", .value = &socket },
		{ 0 },
	};
	int status = COMMAND_OK;

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(argv[0], commands[i]->name))
			command = commands[i];
	if (options_read(argc, argv, known) < 0)
		return command_misused(command);
	if (all == (optind < argc)) {
		message("%s needs sessions%s", command->name,
			all ? " or --all, not both" : ", or --all");
		return command_misused(command);
	}
	if (all)
		return do_all(socket, command->name);
	for (int i = optind; i < argc; i++)
		if (do_one(socket, command->name, argv[i]) != COMMAND_OK)
			status = COMMAND_FAILED;
	return status;
}

#define COMMAND(verb, what)                                                                      \
	const struct command cmd_##verb = {                                                      \
		.name = #verb, .summary = what, .arguments = ARGUMENTS, .help = HELP, .run = run \
	}

COMMAND(kill, "end all processes of a session");
COMMAND(freeze, "stop all processes of a session until it is thawed");
COMMAND(thaw, "let a frozen session go on");
