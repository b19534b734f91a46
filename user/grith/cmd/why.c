/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith why: explains one decision. The only verb that works inside of a session, too, for that
 * session.
 */
#include <getopt.h>
#include <string.h>

#include "grith/base/base.h"
#include "grith/client/client.h"
#include "grith/review/review.h"
#include "lib/proto/proto.h"

#define FORMAT (JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12))

struct options {
	const char *socket, *session;
	const char *event; /* NULL: the last one */
	bool json;
};

static int parse(int argc, char **argv, struct options *options)
{
	static const struct option known[] = {
		{ "last", no_argument, NULL, 'l' },
		{ "session", required_argument, NULL, 'S' },
		{ "json", no_argument, NULL, 'j' },
		{ "socket", required_argument, NULL, 's' },
		{ 0 },
	};
	const char *inside = getenv(PROTO_SESSION_ENV), *socket = NULL;
	bool last = false;
	int c;

	while ((c = getopt_long(argc, argv, "l", known, NULL)) != -1) {
		switch (c) {
		case 'l':
			last = true;
			break;
		case 'S':
			options->session = optarg;
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
	if (last == (optind < argc) || optind + 1 < argc)
		return -EINVAL;
	options->event = last ? NULL : argv[optind];
	if (!options->session && inside && *inside)
		options->session = inside;
	options->socket = channel_socket(socket);
	return 0;
}

static int print(const json_t *why, bool json)
{
	struct term term = term_of(STDOUT_FILENO);
	OWNED_TEXT struct text out = { 0 };
	int r;

	if (json) {
		json_dumpf(why, stdout, FORMAT);
		putchar('\n');
		return COMMAND_OK;
	}
	r = view_why(why, &term, &out);
	if (r < 0) {
		fprintf(stderr, "grith: %s\n", strerror(-r));
		return COMMAND_FAILED;
	}
	fputs(out.data, stdout);
	return COMMAND_OK;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	OWNED_TEXT struct text error = { 0 };
	json_auto_t *request = NULL;
	json_auto_t *reply = NULL;
	int r;

	if (parse(argc, argv, &options) < 0)
		return command_misused(&cmd_why);
	r = why_request(options.event, options.session, &request);
	if (r == -EINVAL) {
		message("'%s' is not an event: SESSION:NUMBER, as the log shows it", options.event);
		return command_misused(&cmd_why);
	}
	if (r == 0)
		r = channel_ask(options.socket, 0, request, &reply, &error);
	if (r < 0) {
		fprintf(stderr, "grith: %s\n", error.data ? error.data : strerror(-r));
		return COMMAND_FAILED;
	}
	return print(json_object_get(reply, "why"), options.json);
}

const struct command cmd_why = {
	.name = "why",
	.arguments = "[--session S] [--json] [--socket PATH] EVENT | --last",
	.summary = "explain a decision",
	.help = "  EVENT          SESSION:NUMBER, as 'grith log' shows it; with --session and inside\n"
		"                 of a session, the number alone\n"
		"  -l, --last     the last thing that was refused or held; in observe mode: would\n"
		"                 have been\n"
		"  --session S    of this session, by id or name; inside of one, that one\n"
		"  --json         all that is known; see grith-protocol(7)\n"
		"  --socket PATH  where grithd listens\n"
		"\n"
		"Says what was done and by whom, which rule decided and why, what each filter added to\n"
		"the score, what led to it, and how to allow it. A process in a session can ask about\n"
		"that session.\n"
		"\n"
		"Exit status: 0 done, 1 failed: there is no such event, or grithd is not running; 2\n"
		"wrong usage.\n",
	.run = run,
};
