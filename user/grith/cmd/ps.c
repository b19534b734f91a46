/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith ps: which sessions there are, and what runs in them.
 */
#include <getopt.h>
#include <string.h>
#include <time.h>

#include "grith/base/base.h"
#include "grith/client/client.h"
#include "lib/proto/proto.h"
#include "view_sessions.h"

enum style { STYLE_TABLE, STYLE_JSON, STYLE_IDS };

static void print_ids(const json_t *sessions)
{
	const json_t *session;
	size_t i;

	json_array_foreach (sessions, i, session)
		puts(shown_string(session, "id"));
}

static int print_table(const json_t *sessions)
{
	OWNED_TEXT struct text out = { 0 };
	struct term term = term_of(STDOUT_FILENO);
	struct timespec now;
	int r;

	clock_gettime(CLOCK_REALTIME, &now);
	r = view_sessions(sessions, (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000, &term,
			  &out);
	if (r < 0) {
		fprintf(stderr, "grith: %s\n", strerror(-r));
		return COMMAND_FAILED;
	}
	fputs(out.data, stdout);
	return COMMAND_OK;
}

static int print(const json_t *reply, enum style style)
{
	const json_t *sessions = json_object_get(reply, "sessions");

	switch (style) {
	case STYLE_JSON:
		json_dumpf(sessions, stdout,
			   JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12));
		putchar('\n');
		return COMMAND_OK;
	case STYLE_IDS:
		print_ids(sessions);
		return COMMAND_OK;
	default:
		return print_table(sessions);
	}
}

static int run(int argc, char **argv)
{
	static const struct option known[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "socket", required_argument, NULL, 's' },
		{ 0 },
	};
	OWNED_TEXT struct text error = { 0 };
	json_auto_t *request = json_pack("{s:s}", "do", proto_verb_name(PROTO_LIST));
	json_auto_t *reply = NULL;
	const char *socket = NULL;
	enum style style = STYLE_TABLE;
	int c;

	while ((c = getopt_long(argc, argv, "q", known, NULL)) != -1) {
		switch (c) {
		case 'j':
			style = STYLE_JSON;
			break;
		case 'q':
			style = STYLE_IDS;
			break;
		case 's':
			socket = optarg;
			break;
		default:
			return command_misused(&cmd_ps);
		}
	}
	if (optind < argc)
		return command_misused(&cmd_ps);
	if (channel_ask(channel_socket(socket), 0, request, &reply, &error) < 0) {
		fprintf(stderr, "grith: %s\n", error.data);
		return COMMAND_FAILED;
	}
	return print(reply, style);
}

const struct command cmd_ps = {
	.name = "ps",
	.arguments = "[-q | --json] [--socket PATH]",
	.summary = "list the sessions and their processes",
	.help = "  -q, --quiet    ids only\n"
		"  --json         all that is known, as a JSON array\n"
		"  --socket PATH  where grithd listens\n"
		"\n"
		"You see your own sessions, root sees all. Each line of a session is followed by its\n"
		"processes, children below their parents. AGE is since the session was started,\n"
		"OPERATIONS counts what was recorded, REFUSED how much of it was refused (in observe\n"
		"mode: would have been).\n"
		"\n"
		"Exit status: 0, also where there are no sessions; 1 failed, 2 wrong usage.\n",
	.run = run,
};
