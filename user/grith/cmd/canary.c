/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith canary: planted secrets, which have no use, so that a process that sends one has leaked it.
 */
#include "grith/client/client.h"
#include "lib/proto/proto.h"
#include "cmd.h"
#include "view_learned.h"

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
	if (options->action == PROTO_CANARY_ADD)
		return !options->path == !options->from_input ? -EINVAL : 0;
	if (options->path || (options->from_input && options->action != PROTO_CANARY_ROTATE))
		return -EINVAL;
	return 0;
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

/* NULL after a message. */
static json_t *make_request(const struct options *options)
{
	char value[PROTO_CANARY_MAX + 1] = "";
	OWNED_MEM char *path = NULL;
	json_t *request;
	int r = options->path ? absolute_path(options->path, &path) : 0;

	if (r < 0) {
		message("--path %s: %s", options->path, strerror(-r));
		return NULL;
	}
	if (options->from_input && read_value(value) < 0) {
		message("a value is a line of %d to %d bytes of UTF-8", PROTO_CANARY_MIN,
			PROTO_CANARY_MAX);
		return NULL;
	}
	request =
		json_pack("{s:s, s:s, s:s*, s:s*, s:s*}", "do", proto_verb_name(PROTO_CANARY),
			  "action", proto_canary_action_name(options->action), "name",
			  options->name, "path", path, "value", options->from_input ? value : NULL);
	if (!request)
		message("names and paths of canaries are UTF-8 text");
	return request;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	const struct option_entry known[] = {
		{ "path", .value = &options.path },
		{ "stdin", .flag = &options.from_input },
		{ "json", .flag = &options.json },
		{ "socket", .value = &options.socket },
		{ 0 },
	};
	json_auto_t *request = NULL;

	if (options_read(argc, argv, known) < 0 ||
	    parse_words(argv + optind, argc - optind, &options) < 0)
		return command_misused(&cmd_canary);
	request = make_request(&options);
	return request ? ask_and_print(options.socket, request, "canaries", options.json,
				       view_canaries)
		       : COMMAND_FAILED;
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
