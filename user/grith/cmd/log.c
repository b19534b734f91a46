/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith log: what was recorded, and what is being recorded. grithd selects, or the same filter does
 * over the files of a directory; this prints.
 */
#include "grith/client/client.h"
#include "grith/log/log.h"
#include "cmd.h"

#define HOST_MAX 256

/* One stream of entries on its way to the terminal. */
struct listing {
	struct log_source *source;
	struct log_printer printer;
	uint64_t lost, damaged; /* reported already */
};

static void report_missing(struct listing *listing)
{
	uint64_t lost = log_source_lost(listing->source);
	uint64_t damaged = log_source_damaged(listing->source);

	if (lost != listing->lost)
		message("%llu entries of the log are missing here",
			(unsigned long long)(lost - listing->lost));
	if (damaged != listing->damaged)
		message("the log could not be read in %llu places; 'grith audit verify' says what "
			"is wrong with it",
			(unsigned long long)(damaged - listing->damaged));
	listing->lost = lost;
	listing->damaged = damaged;
}

static int print_event(void *arg, const struct log_event *event)
{
	struct listing *listing = arg;

	return log_printer_add(&listing->printer, event, log_source_line(listing->source));
}

static int idle(void *arg)
{
	struct listing *listing = arg;
	int r = log_printer_flush(&listing->printer);

	report_missing(listing);
	return r;
}

static int open_source(struct log_options *options, struct text *error,
		       struct log_source **ret_source)
{
	json_auto_t *request = NULL;
	struct log_question question;

	if (options->log_dir) {
		log_options_question(options, &question);
		return log_source_question(options->log_dir, &question, error, ret_source);
	}
	request = log_options_request(options);
	return log_source_ask(channel_socket(options->socket), 0, request, error, ret_source);
}

static int print_all(struct listing *listing, struct text *error)
{
	int r = log_printer_start(&listing->printer);

	if (r == 0)
		r = follow(listing->source, STDOUT_FILENO, print_event, idle, listing);
	if (r < 0 && r != -EPIPE)
		log_source_explain(listing->source, r, error);
	if (r == 0)
		r = log_printer_flush(&listing->printer);
	report_missing(listing);
	return r == -EPIPE ? 0 : r; /* the reader has closed the pipe: no failure */
}

static int print_log(struct log_options *options)
{
	char host[HOST_MAX] = "";
	CLEANUP(log_source_freep) struct log_source *source = NULL;
	OWNED_TEXT struct text error = { 0 };
	struct listing listing = {
		.printer = { .out = stdout,
			     .format = options->format,
			     .term = term_of(STDOUT_FILENO) },
	};
	int r = open_source(options, &error, &source);

	/* A directory may be a copy of another machine's log. */
	if (!options->log_dir && gethostname(host, sizeof(host) - 1) == 0)
		listing.printer.ocsf.host = host;
	listing.source = source;
	if (r == 0)
		r = print_all(&listing, &error);
	log_printer_free(&listing.printer);
	return r < 0 ? output_failure(error.data, r) : COMMAND_OK;
}

static int run(int argc, char **argv)
{
	OWNED_LOG_OPTIONS struct log_options options = { 0 };
	uint64_t now = (uint64_t)clock_ms(CLOCK_REALTIME) * 1000000;

	return log_options_read(argc, argv, now, &options) < 0 ? command_misused(&cmd_log)
							       : print_log(&options);
}

const struct command cmd_log = {
	.name = "log",
	.arguments = "[-f | -r] [-n N] [--since WHEN] [--until WHEN] [--session S] [--op OP] "
		     "[--verdict V] [--refused] [--program P] [--path GLOB] [--rule R] [--score N] "
		     "[--json | --format F] [--log-dir DIR | --socket PATH]",
	.summary = "show what was recorded",
	.help = "  -f, --follow   go on with what is recorded from now on, until interrupted\n"
		"  -r, --reverse  the newest entry first\n"
		"  -n, --lines N  the last N entries only; with -f and without --since, 10\n"
		"  --since WHEN   not older than 90s, 10m, 2h, 7d, 1w, or than a time of this time\n"
		"                 zone: 2026-01-02, '2026-01-02 03:04'; with a Z behind it, of UTC\n"
		"  --until WHEN   older than that\n"
		"  --session S    of one session, by id or name, also of one that has ended\n"
		"  --op OP        read, write, create, delete, rename, link, truncate, metadata, stat,\n"
		"                 opendir, list, receive, exec, map, socket, connect, bind, listen,\n"
		"                 send, ring, touch, signal or exit\n"
		"  --verdict V    allow, deny, hide or hold\n"
		"  --refused      any verdict but allow; in observe mode, what would be refused\n"
		"  --program P    done by this program: a name, or a pattern for its path\n"
		"  --path GLOB    done to a path like this; * matches slashes too\n"
		"  --rule R       decided by this rule, base.yaml:12, 'base.yaml:*' or default\n"
		"  --score N      with a score of N or more\n"
		"  --json         one JSON object a line, with all that is known; see grith-audit(5)\n"
		"  --format F     text, json, csv (RFC 4180) or ocsf (one event of the Open\n"
		"                 Cybersecurity Schema Framework 1.3.0 a line); see grith(1)\n"
		"  --log-dir DIR  read the files in DIR, without grithd: as root, or in a copy\n"
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
