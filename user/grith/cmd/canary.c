/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith canary: secrets of no use to anybody, which nobody has a reason to send anywhere.
 */
#include <getopt.h>
#include <string.h>

#include "grith/base/base.h"
#include "grith/client/client.h"
#include "lib/proto/proto.h"
#include "view_learned.h"

#define FORMAT (JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12))

struct options {
	const char *socket;
	enum proto_canary_action action;
	const char *name; /* NULL for a list */
	const char *path; /* as given */
	bool from_input; /* the value is the first line of stdin */
	bool json;
};

static int parse_words(char **words, int count, struct options *options)
{
	if (count < 1 || proto_canary_action_parse(words[0], &options->action) < 0)
		return -EINVAL;
	if (count != (options->action == PROTO_CANARY_LIST ? 1 : 2))
		return -EINVAL;
	options->name = words[1];
	if (options->action == PROTO_CANARY_ADD && !options->path == !options->from_input)
		return -EINVAL;
	if (options->action != PROTO_CANARY_ADD && options->path)
		return -EINVAL;
	if (options->action != PROTO_CANARY_ADD && options->action != PROTO_CANARY_ROTATE &&
	    options->from_input)
		return -EINVAL;
	return 0;
}

static int parse(int argc, char **argv, struct options *options)
{
	static const struct option known[] = {
		{ "path", required_argument, NULL, 'p' },
		{ "stdin", no_argument, NULL, 'i' },
		{ "json", no_argument, NULL, 'j' },
		{ "socket", required_argument, NULL, 's' },
		{ 0 },
	};
	const char *socket = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (c) {
		case 'p':
			options->path = optarg;
			break;
		case 'i':
			options->from_input = true;
			break;
		case 'j':
			options->json = true;
			break;
		case 's':
			socket = optarg;
			break;
		default:
			return -EINVAL;
		}
	}
	options->socket = channel_socket(socket);
	return parse_words(argv + optind, argc - optind, options);
}

/* The first line of stdin, without its newline. -EINVAL where it cannot be a value. */
static int read_value(char ret_value[PROTO_CANARY_MAX + 1])
{
	char line[PROTO_CANARY_MAX + 2];
	size_t length;

	if (!fgets(line, sizeof(line), stdin))
		return -EINVAL;
	length = strlen(line);
	if (length && line[length - 1] == '\n')
		line[--length] = '\0';
	if (length < PROTO_CANARY_MIN || length > PROTO_CANARY_MAX || !text_is_utf8(line, length))
		return -EINVAL;
	memcpy(ret_value, line, length + 1);
	return 0;
}

/* 0 and the request, or an exit status after a message. */
static int make_request(const struct options *options, json_t **ret_request)
{
	char value[PROTO_CANARY_MAX + 1] = "";
	OWNED_MEM char *path = NULL;
	json_t *request;
	int r;

	if (options->path) {
		r = absolute_path(options->path, &path);
		if (r < 0) {
			message("--path %s: %s", options->path, strerror(-r));
			return COMMAND_FAILED;
		}
	}
	if (options->from_input && read_value(value) < 0) {
		fprintf(stderr, "grith: a value is a line of %d to %d bytes of UTF-8\n",
			PROTO_CANARY_MIN, PROTO_CANARY_MAX);
		return COMMAND_FAILED;
	}
	request =
		json_pack("{s:s, s:s, s:s*, s:s*, s:s*}", "do", proto_verb_name(PROTO_CANARY),
			  "action", proto_canary_action_name(options->action), "name",
			  options->name, "path", path, "value", options->from_input ? value : NULL);
	if (!request) {
		fputs("grith: names and paths of canaries are UTF-8 text\n", stderr);
		return COMMAND_FAILED;
	}
	*ret_request = request;
	return COMMAND_OK;
}

static int run(int argc, char **argv)
{
	struct term term = term_of(STDOUT_FILENO);
	struct options options = { 0 };
	OWNED_TEXT struct text error = { 0 };
	OWNED_TEXT struct text out = { 0 };
	json_auto_t *request = NULL;
	json_auto_t *reply = NULL;
	int status;

	if (parse(argc, argv, &options) < 0)
		return command_misused(&cmd_canary);
	status = make_request(&options, &request);
	if (status != COMMAND_OK)
		return status;
	if (channel_ask(options.socket, 0, request, &reply, &error) < 0) {
		fprintf(stderr, "grith: %s\n", error.data);
		return COMMAND_FAILED;
	}
	if (options.json) {
		json_dumpf(json_object_get(reply, "canaries"), stdout, FORMAT);
		putchar('\n');
		return COMMAND_OK;
	}
	if (view_canaries(json_object_get(reply, "canaries"), &term, &out) < 0) {
		fprintf(stderr, "grith: %s\n", strerror(ENOMEM));
		return COMMAND_FAILED;
	}
	fputs(out.data, stdout);
	return COMMAND_OK;
}

const struct command cmd_canary = {
	.name = "canary",
	.arguments = "list [--json] [--socket PATH]\n"
		     "       grith canary add NAME --path FILE | --stdin\n"
		     "       grith canary rotate NAME [--stdin]\n"
		     "       grith canary remove NAME",
	.summary = "plant secrets that nobody has a reason to send",
	.help = "  list           which there are, when each was last found in what was to be sent\n"
		"  add            a new one:\n"
		"  --path FILE    a new file, which belongs to you, with a value that grithd makes up\n"
		"  --stdin        a value that is somewhere already: one line, read from stdin so that\n"
		"                 no list of processes shows it\n"
		"  rotate         a new value; with --stdin for one that was given so\n"
		"  remove         watch for it no longer, and delete its file\n"
		"  --json         the list that follows each of them, as a JSON array\n"
		"  --socket PATH  where grithd listens\n"
		"\n"
		"A session that reads the file of a canary is watched more closely, and what has its\n"
		"value is not let out. No value is ever shown.\n"
		"\n"
		"Exit status: 0 done; 1 failed: there is no such canary, the file is there already,\n"
		"grithd is not running; 2 wrong usage.\n",
	.run = run,
};
