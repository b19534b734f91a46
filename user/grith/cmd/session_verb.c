/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One request to grithd for each session named, or for each there is.
 */
#include <getopt.h>
#include <stdbool.h>
#include <string.h>

#include "grith/client/client.h"
#include "session_verb.h"

struct options {
	const char *socket;
	bool all;
};

static int parse(const struct command *command, int argc, char **argv, struct options *options)
{
	static const struct option known[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "socket", required_argument, NULL, 's' },
		{ 0 },
	};
	const char *socket = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (c) {
		case 'a':
			options->all = true;
			break;
		case 's':
			socket = optarg;
			break;
		default:
			return command_misused(command);
		}
	}
	if (options->all == (optind < argc)) {
		message("%s needs sessions%s", command->name,
			options->all ? " or --all, not both" : ", or --all");
		return command_misused(command);
	}
	options->socket = channel_socket(socket);
	return COMMAND_OK;
}

static int do_one(const struct options *options, enum proto_verb verb, const char *session)
{
	OWNED_TEXT struct text error = { 0 };
	OWNED_TEXT struct text name = { 0 };
	json_auto_t *request = NULL;
	json_auto_t *reply = NULL;

	text_add_escaped(&name, session, strlen(session));
	request = json_pack("{s:s, s:s?}", "do", proto_verb_name(verb), "session", name.data);
	if (channel_ask(options->socket, 0, request, &reply, &error) == 0)
		return COMMAND_OK;
	fprintf(stderr, "grith: %s: %s\n", name.data, error.data);
	return COMMAND_FAILED;
}

static int do_all(const struct options *options, enum proto_verb verb)
{
	OWNED_TEXT struct text error = { 0 };
	json_auto_t *request = json_pack("{s:s}", "do", proto_verb_name(PROTO_LIST));
	json_auto_t *reply = NULL;
	const json_t *session;
	int status = COMMAND_OK;
	size_t i;

	if (channel_ask(options->socket, 0, request, &reply, &error) < 0) {
		fprintf(stderr, "grith: %s\n", error.data);
		return COMMAND_FAILED;
	}
	json_array_foreach (json_object_get(reply, "sessions"), i, session) {
		const char *id = json_string_value(json_object_get(session, "id"));

		if (id && do_one(options, verb, id) != COMMAND_OK)
			status = COMMAND_FAILED;
	}
	return status;
}

int session_verb_run(const struct command *command, enum proto_verb verb, int argc, char **argv)
{
	struct options options = { 0 };
	int status = parse(command, argc, argv, &options);

	if (status != COMMAND_OK)
		return status;
	if (options.all)
		return do_all(&options, verb);
	for (int i = optind; i < argc; i++) {
		if (do_one(&options, verb, argv[i]) != COMMAND_OK)
			status = COMMAND_FAILED;
	}
	return status;
}
