/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith ps: which sessions there are, and what runs in them.
 */
#include "grith/client/client.h"
#include "lib/proto/proto.h"
#include "cmd.h"
#include "view_sessions.h"

static int view_table(const json_t *sessions, const struct term *term, struct text *out)
{
	return view_sessions(sessions, clock_ms(CLOCK_REALTIME), term, out);
}

static int view_ids(const json_t *sessions, const struct term *term, struct text *out)
{
	const json_t *session;
	size_t i;
	int r = 0;

	(void)term;
	json_array_foreach (sessions, i, session)
		if (r == 0)
			r = text_addf(out, "%s\n", member_string(session, "id"));
	return r;
}

static int run(int argc, char **argv)
{
	const char *socket = NULL, *style = "table";
	const struct option_entry known[] = {
		{ "json", .value = &style, .is = "json" },
		{ "quiet", 'q', .value = &style, .is = "ids" },
		{ "socket", .value = &socket },
		{ 0 },
	};
	json_auto_t *request = json_pack("{s:s}", "do", proto_verb_name(PROTO_LIST));

	if (options_read(argc, argv, known) < 0 || optind < argc)
		return command_misused(&cmd_ps);
	return ask_and_print(socket, request, "sessions", !strcmp(style, "json"),
			     !strcmp(style, "ids") ? view_ids : view_table);
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
