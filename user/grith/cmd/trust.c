/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith trust: what was learned from answers, and how to make grithd forget it.
 */
#include "grith/client/client.h"
#include "lib/proto/proto.h"
#include "cmd.h"
#include "view_learned.h"

static int take_reset(const struct option_entry *entry, const char *value)
{
	const char **reset = entry->to;

	if (*reset)
		return -EINVAL;
	*reset = value;
	return 0;
}

static int run(int argc, char **argv)
{
	const char *socket = NULL, *reset = NULL; /* a key, or "all" */
	bool json = false;
	const struct option_entry known[] = {
		{ "reset", .take = take_reset, .to = &reset },
		{ "reset-all", .take = take_reset, .to = &reset, .is = "all" },
		{ "json", .flag = &json },
		{ "socket", .value = &socket },
		{ 0 },
	};
	json_auto_t *request = NULL;

	if (options_read(argc, argv, known) < 0 || optind < argc)
		return command_misused(&cmd_trust);
	request = json_pack("{s:s, s:s*}", "do", proto_verb_name(PROTO_TRUST), "reset", reset);
	if (request)
		return ask_and_print(socket, request, "trust", json, view_trust);
	message("a key is UTF-8 text, as 'grith trust' lists it");
	return COMMAND_USAGE;
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
