/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith trust: what was learned from answers, and the forgetting of it.
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
	const char *reset; /* a key, or "all"; NULL: nothing */
	bool json;
};

static int parse(int argc, char **argv, struct options *options)
{
	static const struct option known[] = {
		{ "reset", required_argument, NULL, 'r' },
		{ "reset-all", no_argument, NULL, 'R' },
		{ "json", no_argument, NULL, 'j' },
		{ "socket", required_argument, NULL, 's' },
		{ 0 },
	};
	const char *socket = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if ((c == 'r' || c == 'R') && options->reset)
			return -EINVAL;
		switch (c) {
		case 'r':
			options->reset = optarg;
			break;
		case 'R':
			options->reset = "all";
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
	return optind < argc ? -EINVAL : 0;
}

static int run(int argc, char **argv)
{
	struct term term = term_of(STDOUT_FILENO);
	struct options options = { 0 };
	OWNED_TEXT struct text error = { 0 };
	OWNED_TEXT struct text out = { 0 };
	json_auto_t *request = NULL;
	json_auto_t *reply = NULL;

	if (parse(argc, argv, &options) < 0)
		return command_misused(&cmd_trust);
	request = json_pack("{s:s, s:s*}", "do", proto_verb_name(PROTO_TRUST), "reset",
			    options.reset);
	if (!request) {
		fputs("grith: a key is UTF-8 text, as 'grith trust' lists it\n", stderr);
		return COMMAND_USAGE;
	}
	if (channel_ask(options.socket, 0, request, &reply, &error) < 0) {
		fprintf(stderr, "grith: %s\n", error.data);
		return COMMAND_FAILED;
	}
	if (options.json) {
		json_dumpf(json_object_get(reply, "trust"), stdout, FORMAT);
		putchar('\n');
		return COMMAND_OK;
	}
	if (view_trust(json_object_get(reply, "trust"), &term, &out) < 0) {
		fprintf(stderr, "grith: %s\n", strerror(ENOMEM));
		return COMMAND_FAILED;
	}
	fputs(out.data, stdout);
	return COMMAND_OK;
}

const struct command cmd_trust = {
	.name = "trust",
	.arguments = "[--reset KEY | --reset-all] [--json] [--socket PATH]",
	.summary = "show or forget what was learned from answers",
	.help = "  --reset KEY    forget what was learned under that key, as it is listed\n"
		"  --reset-all    forget everything\n"
		"  --json         all that is known, as a JSON array\n"
		"  --socket PATH  where grithd listens\n"
		"\n"
		"TRUST is from 0 to 1, ANSWERS how much it rests on (it fades with time), EFFECT what\n"
		"it adds to the score of such an operation now. Forgetting lists what is left.\n"
		"\n"
		"Exit status: 0 done; 1 failed: there is no such key, or grithd is not running; 2 wrong\n"
		"usage.\n",
	.run = run,
};
