/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith top: what all sessions do now.
 */
#include <getopt.h>

#include "grith/base/base.h"
#include "grith/client/client.h"
#include "grith/top/top.h"
#include "lib/base/base.h"

#define DELAY_MAX 3600 /* seconds */
#define LOOKS_MAX 1000000

static const struct option known[] = {
	{ "batch", no_argument, NULL, 'b' },
	{ "iterations", required_argument, NULL, 'n' },
	{ "delay", required_argument, NULL, 'd' },
	{ "json", no_argument, NULL, 'j' },
	{ "filter", required_argument, NULL, 'f' },
	{ "socket", required_argument, NULL, 's' },
	{ 0 },
};

static int wrong(const char *option, const char *value)
{
	message("%s cannot be '%s'", option, value);
	return command_misused(&cmd_top);
}

static int run(int argc, char **argv)
{
	struct top_batch options = { .delay = 1000 };
	bool batch = false, only_batch = false;
	int c, hundredths;

	while ((c = getopt_long(argc, argv, "bn:d:f:", known, NULL)) != -1) {
		switch (c) {
		case 'b':
			batch = true;
			break;
		case 'n':
			only_batch = true;
			if (text_parse_u64(optarg, LOOKS_MAX, &options.looks) < 0 || !options.looks)
				return wrong("-n", optarg);
			break;
		case 'd':
			only_batch = true;
			if (text_parse_hundredths(optarg, DELAY_MAX, &hundredths) < 0 ||
			    hundredths < 10)
				return wrong("-d", optarg);
			options.delay = hundredths * INT64_C(10);
			break;
		case 'j':
			only_batch = options.json = true;
			break;
		case 'f':
			options.filter = optarg;
			break;
		case 's':
			options.socket = optarg;
			break;
		default:
			return command_misused(&cmd_top);
		}
	}
	if (optind < argc || (only_batch && !batch))
		return command_misused(&cmd_top);
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
