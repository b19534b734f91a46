/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith top: what all sessions do now.
 */
#include "grith/client/client.h"
#include "grith/top/top.h"
#include "cmd.h"

#define DELAY_MAX 3600 /* seconds */
#define LOOKS_MAX 1000000

static int take_looks(const struct option_entry *entry, const char *value)
{
	uint64_t *looks = entry->to;

	if (text_parse_u64(value, LOOKS_MAX, looks) < 0 || !*looks)
		return option_refuse(entry, value, "");
	return 0;
}

static int take_delay(const struct option_entry *entry, const char *value)
{
	int hundredths;

	if (text_parse_hundredths(value, DELAY_MAX, &hundredths) < 0 || hundredths < 10)
		return option_refuse(entry, value, "");
	*(int64_t *)entry->to = hundredths * INT64_C(10);
	return 0;
}

static int run(int argc, char **argv)
{
	struct top_batch options = { 0 };
	bool batch = false;
	const struct option_entry known[] = {
		{ "batch", 'b', .flag = &batch },
		{ "iterations", 'n', .take = take_looks, .to = &options.looks },
		{ "delay", 'd', .take = take_delay, .to = &options.delay },
		{ "json", .flag = &options.json },
		{ "filter", 'f', .value = &options.filter },
		{ "socket", .value = &options.socket },
		{ 0 },
	};

	if (options_read(argc, argv, known) < 0 || optind < argc ||
	    ((options.looks || options.delay || options.json) && !batch))
		return command_misused(&cmd_top);
	if (!options.delay)
		options.delay = 1000;
	options.socket = channel_socket(options.socket);
	return batch ? top_batch_run(&options) : top_screen_run(options.socket, options.filter);
}

const struct command cmd_top = {
	.name = "top",
	.arguments = "[--filter WORDS] [--socket PATH]\n"
		     "       grith top -b [-n N] [-d SECONDS] [--json] [--filter WORDS]",
	.summary = "watch what sessions do, and answer what is held",
	.help = "The full screen, until 'q': sessions and their processes, events as they happen, what\n"
		"is held, and the paths and destinations there is most of. '?' there lists the keys.\n"
		"\n"
		"  -f, --filter WORDS  events that all of this applies to: session=S program=P op=OP\n"
		"                      verdict=V path=GLOB rule=GLOB score=N (at least) refused, or\n"
		"                      parts of the object\n"
		"  -b, --batch         print instead, once a second\n"
		"  -n N                so many times; without it until nobody reads it\n"
		"  -d SECONDS          so far apart, 0.1 to 3600\n"
		"  --json              one JSON object each time\n"
		"  --socket PATH       where grithd listens\n"
		"\n"
		"You see your own sessions, root sees all. OPS/s is the mean of the last three seconds.\n"
		"An '~' before a number says that it may be too large: there were more different paths\n"
		"or destinations than are counted, 1024 each.\n"
		"\n"
		"Exit status: 0 done, 1 failed, 2 wrong usage.\n",
	.run = run,
};
