/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith review: what waits for an answer, on the full screen, as a list or as it comes; and answers
 * from the command line.
 */
#include <getopt.h>
#include <string.h>
#include <time.h>

#include "grith/base/base.h"
#include "grith/client/client.h"
#include "grith/review/review.h"

#define FORMAT (JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12))

struct options {
	struct review_watch watch; /* and what the other ways share with it */
	bool list, follow, all;
	const char *scope; /* of an answer, as given */
	const char *directory;
};

static const struct option known[] = {
	{ "list", no_argument, NULL, 'l' },	     { "watch", no_argument, NULL, 'w' },
	{ "all", no_argument, NULL, 'a' },	     { "json", no_argument, NULL, 'j' },
	{ "notify", no_argument, NULL, 'n' },	     { "bell", no_argument, NULL, 'b' },
	{ "command", required_argument, NULL, 'c' }, { "session", required_argument, NULL, 'S' },
	{ "for", required_argument, NULL, 'f' },     { "dir", required_argument, NULL, 'd' },
	{ "socket", required_argument, NULL, 's' },  { 0 },
};

static int failed(const char *error)
{
	fprintf(stderr, "grith: %s\n", error ? error : strerror(ENOMEM));
	return COMMAND_FAILED;
}

static int parse(int argc, char **argv, struct options *options)
{
	int c;

	while ((c = getopt_long(argc, argv, "lw", known, NULL)) != -1) {
		switch (c) {
		case 'l':
			options->list = true;
			break;
		case 'w':
			options->follow = true;
			break;
		case 'a':
			options->all = true;
			break;
		case 'j':
			options->watch.json = true;
			break;
		case 'n':
			options->watch.notify = true;
			break;
		case 'b':
			options->watch.bell = true;
			break;
		case 'c':
			options->watch.command = optarg;
			break;
		case 'S':
			options->watch.session = optarg;
			break;
		case 'f':
			options->scope = optarg;
			break;
		case 'd':
			options->directory = optarg;
			break;
		case 's':
			options->watch.socket = optarg;
			break;
		default:
			return -EINVAL;
		}
	}
	options->watch.socket = channel_socket(options->watch.socket);
	return 0;
}

static int list(const struct options *options)
{
	json_auto_t *request = review_request(options->watch.session, options->all, false);
	struct term term = term_of(STDOUT_FILENO);
	OWNED_TEXT struct text error = { 0 };
	OWNED_TEXT struct text out = { 0 };
	json_auto_t *reply = NULL;
	struct timespec now;
	int r;

	if (!request)
		return failed(NULL);
	if (channel_ask(options->watch.socket, 0, request, &reply, &error) < 0)
		return failed(error.data);
	if (options->watch.json) {
		json_dumpf(json_object_get(reply, "reviews"), stdout, FORMAT);
		putchar('\n');
		return COMMAND_OK;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	r = view_reviews(json_object_get(reply, "reviews"),
			 (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000, &term, &out);
	if (r < 0)
		return failed(NULL);
	fputs(out.data, stdout);
	return COMMAND_OK;
}

/* What --for and --dir say; a directory alone is for the session. -EINVAL after a message. */
static int take_scope(const struct options *options, enum proto_scope *ret_scope)
{
	enum proto_scope scope = options->directory ? PROTO_SESSION : PROTO_ONCE;

	if (options->scope && proto_scope_parse(options->scope, &scope) < 0) {
		message("--for cannot be '%s'", options->scope);
		return -EINVAL;
	}
	if (options->directory && scope == PROTO_ONCE) {
		fputs("grith: --dir needs --for session or always\n", stderr);
		return -EINVAL;
	}
	*ret_scope = scope;
	return 0;
}

static int send_answer(const struct options *options, struct review_answer *answer)
{
	OWNED_TEXT struct text error = { 0 };
	OWNED_MEM char *directory = NULL;
	json_auto_t *request = NULL;
	json_auto_t *reply = NULL;
	int r;

	if (options->directory) {
		r = absolute_path(options->directory, &directory);
		if (r < 0) {
			message("--dir %s: %s", options->directory, strerror(-r));
			return COMMAND_FAILED;
		}
		answer->directory = directory;
	}
	request = review_answer_request(answer);
	if (!request)
		return failed("a directory that is not UTF-8 cannot be answered for");
	if (channel_ask(options->watch.socket, 0, request, &reply, &error) < 0)
		return failed(error.data);
	return COMMAND_OK;
}

/* "allow ID" or "deny ID" */
static int give(const struct options *options, char **words, int count)
{
	struct review_answer answer = { .allow = !strcmp(words[0], "allow") };
	uint64_t id;

	if (count != 2 || (!answer.allow && strcmp(words[0], "deny") != 0) || options->list ||
	    options->follow)
		return command_misused(&cmd_review);
	if (text_parse_u64(words[1], PROTO_REVIEW_MAX, &id) < 0 || !id) {
		message("'%s' is not the number of a review", words[1]);
		return command_misused(&cmd_review);
	}
	answer.review = (int64_t)id;
	if (take_scope(options, &answer.scope) < 0)
		return command_misused(&cmd_review);
	return send_answer(options, &answer);
}

static bool only_watched(const struct options *options)
{
	return options->watch.notify || options->watch.bell || options->watch.command;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };

	if (parse(argc, argv, &options) < 0)
		return command_misused(&cmd_review);
	if (optind < argc)
		return give(&options, argv + optind, argc - optind);
	if (options.scope || options.directory || (options.list && options.follow) ||
	    (options.all && !options.list) || (only_watched(&options) && !options.follow))
		return command_misused(&cmd_review);
	if (options.list)
		return list(&options);
	if (options.follow)
		return review_watch_run(&options.watch);
	if (options.watch.json)
		return command_misused(&cmd_review);
	return review_screen_run(options.watch.socket, options.watch.session);
}

const struct command cmd_review = {
	.name = "review",
	.arguments = "[--session S] [--socket PATH]\n"
		     "       grith review --list [--all] [--json]\n"
		     "       grith review --watch [--notify] [--bell] [--command CMD] [--json]\n"
		     "       grith review allow|deny ID [--for once|session|always] [--dir PATH]",
	.summary = "answer what is held",
	.help = "Without --list, --watch and an answer: the full screen. '?' there lists its keys.\n"
		"\n"
		"  -l, --list     print what waits\n"
		"  --all          also what was answered within the last hour\n"
		"  -w, --watch    print a line for what waits and for what comes, until interrupted\n"
		"  --notify       with a notification of the desktop (needs notify-send)\n"
		"  --bell         with the terminal's bell\n"
		"  --command CMD  run CMD by the shell for each, with the review as JSON on its stdin;\n"
		"                 what it prints goes to stderr; 16 of them run at once\n"
		"  --json         all that is known; with --watch one object a line\n"
		"  --session S    of one session, by id or name\n"
		"  allow ID, deny ID\n"
		"                 answer the review with that number:\n"
		"  --for once     those who wait now (the default); where nobody could be held, the\n"
		"                 next try\n"
		"  --for session  the same operation on the same object in this session\n"
		"  --for always   in later sessions of the user with that profile, too\n"
		"  --dir PATH     that operation on everything below PATH; for the session if not\n"
		"                 --for always\n"
		"  --socket PATH  where grithd listens\n"
		"\n"
		"A process in a session cannot answer, not even for another one.\n"
		"\n"
		"Exit status: 0 done, also where nothing waits; 1 failed: there is no such review, it\n"
		"was answered already, grithd is not running; 2 wrong usage.\n",
	.run = run,
};
