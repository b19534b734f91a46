/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith log: what was recorded, and what is being recorded. grithd selects, this prints.
 */
#include <getopt.h>
#include <string.h>

#include "channel.h"
#include "command.h"
#include "follow.h"
#include "moment.h"
#include "proto.h"
#include "shown.h"
#include "view_event.h"

#define LAST_BEFORE_FOLLOWING 10
#define FORMAT (JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12))

struct printer {
	struct term term;
	bool json;
	struct text text; /* of one line, used again and again */
};

static int print_event(struct printer *printer, const json_t *event)
{
	int r;

	if (printer->json) {
		if (json_dumpf(event, stdout, FORMAT) < 0)
			return -EIO;
		putchar('\n');
		return 0;
	}
	printer->text.length = 0;
	r = view_event(event, &printer->term, &printer->text);
	if (r < 0)
		return r;
	fputs(printer->text.data, stdout);
	return 0;
}

static int print_line(void *arg, const json_t *line)
{
	struct printer *printer = arg;
	const json_t *event = json_object_get(line, "event");

	if (json_is_object(event))
		return print_event(printer, event);
	if (json_object_get(line, "lost")) {
		fprintf(stderr, "grith: %lld entries of the log are missing here\n",
			(long long)shown_integer(line, "lost"));
		return 0;
	}
	return 0; /* of a newer grithd */
}

static int flush(void *arg)
{
	(void)arg;
	return fflush(stdout) ? -errno : 0;
}

static int print_log(const char *socket, json_t *request, bool json)
{
	struct printer printer = { .term = term_of(STDOUT_FILENO), .json = json };
	CLEANUP(channel_freep) struct channel *channel = NULL;
	OWNED_TEXT struct text error = { 0 };
	json_auto_t *reply = NULL;
	int r;

	r = channel_open(socket, 0, &channel);
	if (r == 0)
		r = channel_send(channel, request);
	if (r == 0)
		r = channel_receive(channel, &reply);
	if (r == 0 && channel_check(reply, &error) < 0) {
		fprintf(stderr, "grith: %s\n", error.data);
		return COMMAND_FAILED;
	}
	if (r == 0)
		r = follow(channel, STDOUT_FILENO, print_line, flush, &printer);
	text_free(&printer.text);
	if (r == 0)
		return COMMAND_OK;
	channel_explain(r, socket, &error);
	fprintf(stderr, "grith: %s\n", error.data);
	return COMMAND_FAILED;
}

static int set_number(json_t *request, const char *key, uint64_t value)
{
	return json_object_set_new(request, key, json_integer(value));
}

static int set_word(json_t *request, const char *key, const char *word)
{
	return json_object_set_new(request, key, json_string(word));
}

/* The request's part of one option. -EINVAL: there is no such option; else its value is wrong. */
static int set_option(json_t *request, int option, const char *value)
{
	uint64_t number;

	switch (option) {
	case 'f':
		return json_object_set_new(request, "follow", json_true());
	case 'r':
		return json_object_set_new(request, "refused", json_true());
	case 'S':
		return set_word(request, "session", value);
	case 'o':
		return set_word(request, "op", value);
	case 'v':
		return set_word(request, "verdict", value);
	case 'p':
		return set_word(request, "program", value);
	case 'g':
		return set_word(request, "path", value);
	case 't':
		if (moment_parse_span(value, &number) < 0)
			break;
		return set_number(request, "since", number);
	case 'n':
		if (text_parse_u64(value, PROTO_LAST_MAX, &number) < 0)
			break;
		return set_number(request, "last", number);
	default:
		return -EINVAL;
	}
	return -EDOM;
}

static const struct option known[] = {
	{ "follow", no_argument, NULL, 'f' },	     { "session", required_argument, NULL, 'S' },
	{ "op", required_argument, NULL, 'o' },	     { "verdict", required_argument, NULL, 'v' },
	{ "program", required_argument, NULL, 'p' }, { "path", required_argument, NULL, 'g' },
	{ "refused", no_argument, NULL, 'r' },	     { "since", required_argument, NULL, 't' },
	{ "lines", required_argument, NULL, 'n' },   { "json", no_argument, NULL, 'j' },
	{ "socket", required_argument, NULL, 's' },  { 0 },
};

static const char *option_name(int option)
{
	for (size_t i = 0; known[i].name; i++) {
		if (known[i].val == option)
			return known[i].name;
	}
	return "?";
}

static int run(int argc, char **argv)
{
	json_auto_t *request = json_pack("{s:s}", "do", proto_verb_name(PROTO_LOG));
	const char *socket = NULL;
	bool json = false;
	int c, r;

	while ((c = getopt_long(argc, argv, "fn:", known, NULL)) != -1) {
		if (c == 'j') {
			json = true;
		} else if (c == 's') {
			socket = optarg;
		} else {
			r = set_option(request, c, optarg);
			if (r < 0 && r != -EINVAL)
				fprintf(stderr, "grith: --%s cannot be '%s'\n", option_name(c),
					optarg);
			if (r < 0)
				return command_misused(&cmd_log);
		}
	}
	if (optind < argc)
		return command_misused(&cmd_log);
	if (json_object_get(request, "follow") && !json_object_get(request, "last") &&
	    !json_object_get(request, "since"))
		set_number(request, "last", LAST_BEFORE_FOLLOWING);
	return print_log(channel_socket(socket), request, json);
}

const struct command cmd_log = {
	.name = "log",
	.arguments = "[-f] [-n N] [--since SPAN] [--session S] [--op OP] [--verdict V] [--refused] "
		     "[--program P] [--path GLOB] [--json] [--socket PATH]",
	.summary = "show what was recorded",
	.help = "  -f, --follow   go on with what is recorded from now on, until interrupted\n"
		"  -n, --lines N  the last N entries only; with -f and without --since, 10\n"
		"  --since SPAN   not older than 90s, 10m, 2h, 7d, 1w\n"
		"  --session S    of one session, by id or name, also of one that has ended\n"
		"  --op OP        read, write, create, delete, rename, link, truncate, metadata, stat,\n"
		"                 opendir, list, receive, exec, map, socket, connect, bind, listen,\n"
		"                 send, ring, touch, signal or exit\n"
		"  --verdict V    allow, deny, hide or hold\n"
		"  --refused      any verdict but allow; in observe mode, what would be refused\n"
		"  --program P    done by this program: a name, or a pattern for its path\n"
		"  --path GLOB    done to a path like this; * matches slashes too\n"
		"  --json         one JSON object a line, with all that is known; see grithd(8)\n"
		"  --socket PATH  where grithd listens\n"
		"\n"
		"All that is given must apply. A line has the time, the session and the entry's number\n"
		"(for 'grith why'), the program and its process, the verdict, the operation, its object,\n"
		"the rule and the rule's reason, the score where there is one, and in brackets the error\n"
		"that the program got and what else is out of the ordinary, such as 'held' and\n"
		"'answered' with the review's number. Bytes that a terminal would obey are shown as\n"
		"\\n, \\e, \\xNN.\n"
		"\n"
		"Exit status: 0 done, 1 failed, 2 wrong usage.\n",
	.run = run,
};
