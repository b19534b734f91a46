/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith review: what waits for an answer, on the full screen, as a list or as it comes; and answers
 * from the command line.
 */
#include "grith/client/client.h"
#include "grith/review/review.h"
#include "cmd.h"
#include "view_learned.h"

struct options {
	struct review_watch watch; /* and what the other ways share with it */
	bool list, follow, all;
	bool answers; /* that stand */
	const char *scope; /* of an answer, as given */
	const char *directory;
};

static int parse(int argc, char **argv, struct options *options)
{
	struct review_watch *watch = &options->watch;
	const struct option_entry known[] = {
		{ "list", 'l', .flag = &options->list },
		{ "watch", 'w', .flag = &options->follow },
		{ "answers", .flag = &options->answers },
		{ "all", .flag = &options->all },
		{ "json", .flag = &watch->json },
		{ "notify", .flag = &watch->notify },
		{ "bell", .flag = &watch->bell },
		{ "command", .value = &watch->command },
		{ "session", .value = &watch->session },
		{ "for", .value = &options->scope },
		{ "dir", .value = &options->directory },
		{ "socket", .value = &watch->socket },
		{ 0 },
	};
	int r = options_read(argc, argv, known);

	watch->socket = channel_socket(watch->socket);
	return r;
}

static int view(const json_t *reviews, const struct term *term, struct text *out)
{
	return view_reviews(reviews, clock_ms(CLOCK_REALTIME), term, out);
}

static int list(const struct options *options)
{
	json_auto_t *request = review_request(options->watch.session, options->all, false);

	return ask_and_print(options->watch.socket, request, "reviews", options->watch.json, view);
}

/* `revoke` NULL: only a list. */
static int show_answers(const struct options *options, json_t *revoke)
{
	json_auto_t *request = json_pack("{s:s, s:s*, s:o*}", "do", proto_verb_name(PROTO_ANSWERS),
					 "session", options->watch.session, "revoke", revoke);

	return ask_and_print(options->watch.socket, request, "answers", options->watch.json,
			     view_answers);
}

/* "revoke ID" or "revoke all" */
static int take_back(const struct options *options, char **words, int count)
{
	uint64_t id;

	if (count != 2 || options->list || options->follow || options->all || options->scope ||
	    options->directory)
		return command_misused(&cmd_review);
	if (!strcmp(words[1], "all"))
		return show_answers(options, json_string("all"));
	if (text_parse_u64(words[1], PROTO_REVIEW_MAX, &id) < 0 || !id) {
		message("'%s' is not the number of a review", words[1]);
		return command_misused(&cmd_review);
	}
	return show_answers(options, json_integer((json_int_t)id));
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
		message("--dir needs --for session or always");
		return -EINVAL;
	}
	*ret_scope = scope;
	return 0;
}

static int send_answer(const struct options *options, struct review_answer *answer)
{
	OWNED_MEM char *directory = NULL;
	json_auto_t *request = NULL;
	json_auto_t *reply = NULL;
	int r = options->directory ? absolute_path(options->directory, &directory) : 0;

	if (r < 0) {
		message("--dir %s: %s", options->directory, strerror(-r));
		return COMMAND_FAILED;
	}
	answer->directory = directory;
	request = review_answer_request(answer);
	if (!request)
		return output_failure("a directory that is not UTF-8 cannot be answered for", 0);
	return ask_grithd(options->watch.socket, request, &reply);
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
	if (optind < argc && !strcmp(argv[optind], "revoke"))
		return take_back(&options, argv + optind, argc - optind);
	if (optind < argc)
		return give(&options, argv + optind, argc - optind);
	if (options.scope || options.directory || (options.list && options.follow) ||
	    (options.all && !options.list) || (only_watched(&options) && !options.follow))
		return command_misused(&cmd_review);
	if (options.answers)
		return options.list || options.follow ? command_misused(&cmd_review)
						      : show_answers(&options, NULL);
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
		     "       grith review allow|deny ID [--for once|session|always] [--dir PATH]\n"
		     "       grith review --answers [--json]\n"
		     "       grith review revoke ID|all [--json]",
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
		"  --answers      print the answers that stand: those for a session, and for always\n"
		"  revoke ID, revoke all\n"
		"                 take back the answer to the review with that number, or all of yours;\n"
		"                 what is left is printed; with --session those of that session only\n"
		"  --socket PATH  where grithd listens\n"
		"\n"
		"A process in a session cannot answer, not even for another one.\n"
		"\n"
		"Exit status: 0 done, also where nothing waits; 1 failed: there is no such review, it\n"
		"was answered already, grithd is not running; 2 wrong usage.\n",
	.run = run,
};
