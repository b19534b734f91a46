/* SPDX-License-Identifier: MPL-2.0 */
/* Every word is checked here, so that a mistake is named the same way wherever the log is read. */
#include <getopt.h>

#include "grith/base/base.h"
#include "lib/base/base.h"
#include "lib/proto/proto.h"
#include "options.h"

#define LAST_BEFORE_FOLLOWING 10

static const char *const formats[] = {
	[LOG_AS_TEXT] = "text",
	[LOG_AS_JSON] = "json",
	[LOG_AS_CSV] = "csv",
	[LOG_AS_OCSF] = "ocsf",
};
_Static_assert(ARRAY_SIZE(formats) == LOG_FORMATS, "a word for every format");

enum {
	OPTION_SESSION = 256,
	OPTION_OP,
	OPTION_VERDICT,
	OPTION_REFUSED,
	OPTION_PROGRAM,
	OPTION_PATH,
	OPTION_RULE,
	OPTION_SCORE,
	OPTION_SINCE,
	OPTION_UNTIL,
	OPTION_JSON,
	OPTION_FORMAT,
	OPTION_LOG_DIR,
	OPTION_SOCKET,
};

static const struct option known[] = {
	{ "follow", no_argument, NULL, 'f' },
	{ "lines", required_argument, NULL, 'n' },
	{ "reverse", no_argument, NULL, 'r' },
	{ "session", required_argument, NULL, OPTION_SESSION },
	{ "op", required_argument, NULL, OPTION_OP },
	{ "verdict", required_argument, NULL, OPTION_VERDICT },
	{ "refused", no_argument, NULL, OPTION_REFUSED },
	{ "program", required_argument, NULL, OPTION_PROGRAM },
	{ "path", required_argument, NULL, OPTION_PATH },
	{ "rule", required_argument, NULL, OPTION_RULE },
	{ "score", required_argument, NULL, OPTION_SCORE },
	{ "since", required_argument, NULL, OPTION_SINCE },
	{ "until", required_argument, NULL, OPTION_UNTIL },
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "log-dir", required_argument, NULL, OPTION_LOG_DIR },
	{ "socket", required_argument, NULL, OPTION_SOCKET },
	{ 0 },
};

static const char *option_name(int option)
{
	for (size_t i = 0; known[i].name; i++) {
		if (known[i].val == option)
			return known[i].name;
	}
	return "?";
}

/* "--op cannot be 'reed'", and what can be. Returns -EINVAL. */
static int refuse(struct text *error, int option, const char *value, const char *hint)
{
	text_addf(error, "--%s cannot be '", option_name(option));
	text_add_escaped(error, value, strlen(value));
	text_addf(error, "'%s%s", *hint ? ": " : "", hint);
	return -EINVAL;
}

static int refuse_word(struct text *error, int option, const char *value, const char *const *words,
		       size_t count)
{
	OWNED_TEXT struct text hint = { 0 };
	const char *meant = suggest(value, words, count);

	if (meant)
		text_addf(&hint, "is %s meant?", meant);
	else
		text_addf(&hint, "'grith log --help' lists what there is");
	return refuse(error, option, value, hint.data ? hint.data : "");
}

static int take_op(struct log_options *options, const char *value, struct text *error)
{
	const char *words[GRITH_OPS - 1];

	if (op_parse(value, &options->filter.op) == 0)
		return 0;
	for (unsigned int op = 1; op < GRITH_OPS; op++)
		words[op - 1] = op_name(op);
	return refuse_word(error, OPTION_OP, value, words, ARRAY_SIZE(words));
}

static int take_verdict(struct log_options *options, const char *value, struct text *error)
{
	const char *words[GRITH_VERDICTS];

	options->filter.by_verdict = true;
	if (verdict_parse(value, &options->filter.verdict) == 0)
		return 0;
	for (unsigned int verdict = 0; verdict < GRITH_VERDICTS; verdict++)
		words[verdict] = verdict_name(verdict);
	return refuse_word(error, OPTION_VERDICT, value, words, ARRAY_SIZE(words));
}

static int take_format(struct log_options *options, const char *value, struct text *error)
{
	for (unsigned int i = 0; i < LOG_FORMATS; i++)
		if (!strcmp(value, formats[i])) {
			options->format = i;
			return 0;
		}
	return refuse_word(error, OPTION_FORMAT, value, formats, LOG_FORMATS);
}

static int take_moment(int option, const char *value, uint64_t now, char moment[JSON_TIME_SIZE],
		       struct text *error)
{
	uint64_t time;

	if (moment_parse_point(value, now, &time) < 0)
		return refuse(error, option, value,
			      "a span such as 90s, 10m, 2h, 7d or 1w, or a time such as "
			      "'2026-01-02 03:04' or 2026-01-02T03:04:05Z");
	json_format_time(time, moment);
	return 0;
}

static int take_number(struct log_options *options, const char *value, struct text *error)
{
	uint64_t number;

	if (text_parse_u64(value, PROTO_LAST_MAX, &number) < 0)
		return refuse(error, 'n', value, "a number from 0 to 100000");
	options->last = (int64_t)number;
	return 0;
}

static int take_score(struct log_options *options, const char *value, struct text *error)
{
	if (text_parse_hundredths(value, PROTO_SCORE_MAX, &options->filter.score) < 0)
		return refuse(error, OPTION_SCORE, value, "a score such as 3 or 2.50");
	options->filter.by_score = true;
	return 0;
}

static int take_pattern(char **pattern, const char *value)
{
	free(*pattern);
	*pattern = strdup(value);
	return *pattern ? 0 : -ENOMEM;
}

static int take_option(struct log_options *options, int option, const char *value, uint64_t now,
		       struct text *error)
{
	struct log_filter *filter = &options->filter;

	switch (option) {
	case 'f':
		options->follow = true;
		return 0;
	case 'n':
		return take_number(options, value, error);
	case 'r':
		options->reverse = true;
		return 0;
	case OPTION_SESSION:
		options->session = value;
		return 0;
	case OPTION_OP:
		return take_op(options, value, error);
	case OPTION_VERDICT:
		return take_verdict(options, value, error);
	case OPTION_REFUSED:
		filter->refused = true;
		return 0;
	case OPTION_PROGRAM:
		return take_pattern(&filter->program, value);
	case OPTION_PATH:
		return take_pattern(&filter->path, value);
	case OPTION_RULE:
		return take_pattern(&filter->rule, value);
	case OPTION_SCORE:
		return take_score(options, value, error);
	case OPTION_SINCE:
		return take_moment(option, value, now, filter->since, error);
	case OPTION_UNTIL:
		return take_moment(option, value, now, filter->until, error);
	case OPTION_JSON:
		options->format = LOG_AS_JSON;
		return 0;
	case OPTION_FORMAT:
		return take_format(options, value, error);
	case OPTION_LOG_DIR:
		options->log_dir = value;
		return 0;
	case OPTION_SOCKET:
		options->socket = value;
		return 0;
	default:
		return -EINVAL;
	}
}

/* A request is JSON, which has no way to say other bytes. */
static int check_texts(const struct log_options *options, struct text *error)
{
	const struct {
		int option;
		const char *text;
	} texts[] = {
		{ OPTION_SESSION, options->session },
		{ OPTION_PROGRAM, options->filter.program },
		{ OPTION_PATH, options->filter.path },
		{ OPTION_RULE, options->filter.rule },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (texts[i].text && !text_is_utf8(texts[i].text, strlen(texts[i].text)))
			return refuse(error, texts[i].option, texts[i].text,
				      "it is not UTF-8; a ? stands for any byte");
	return 0;
}

/* What is right in itself, but not together. */
static int check(const struct log_options *options, struct text *error)
{
	if (options->follow && options->reverse) {
		text_addf(error, "--follow and --reverse exclude each other");
		return -EINVAL;
	}
	if (options->follow && options->log_dir) {
		text_addf(error, "--follow needs grithd, which --log-dir does without");
		return -EINVAL;
	}
	if (options->session && options->log_dir &&
	    (strlen(options->session) != SESSION_ID_LENGTH || !session_id_valid(options->session)))
		return refuse(error, OPTION_SESSION, options->session,
			      "with --log-dir it must be an id, as the entries have it");
	return options->log_dir ? 0 : check_texts(options, error);
}

int log_options_read(int argc, char **argv, uint64_t now, struct log_options *options,
		     struct text *error)
{
	int c, r;

	*options = (struct log_options) { .last = -1 };
	while ((c = getopt_long(argc, argv, "fn:r", known, NULL)) != -1) {
		r = take_option(options, c, optarg, now, error);
		if (r < 0)
			return r;
	}
	if (optind < argc) {
		text_addf(error, "what does '");
		text_add_escaped(error, argv[optind], strlen(argv[optind]));
		text_addf(error, "' mean? Everything is an option, such as --session");
		return -EINVAL;
	}
	if (options->follow && options->last < 0 && !options->filter.since[0])
		options->last = LAST_BEFORE_FOLLOWING;
	return check(options, error);
}

void log_options_free(struct log_options *options)
{
	log_filter_free(&options->filter);
}

static void set_text(json_t *request, const char *key, const char *text)
{
	if (text && *text)
		json_object_set_new(request, key, json_string(text));
}

static void set_flag(json_t *request, const char *key, bool flag)
{
	if (flag)
		json_object_set_new(request, key, json_true());
}

json_t *log_options_request(const struct log_options *options)
{
	const struct log_filter *filter = &options->filter;
	json_t *request = json_pack("{s:s}", "do", proto_verb_name(PROTO_LOG));

	if (!request)
		return NULL;
	set_text(request, "session", options->session);
	if (filter->op != GRITH_OP_NONE)
		set_text(request, "op", op_name(filter->op));
	if (filter->by_verdict)
		set_text(request, "verdict", verdict_name(filter->verdict));
	if (filter->by_score)
		json_object_set_new(request, "score", json_real(filter->score / 100.0));
	set_text(request, "program", filter->program);
	set_text(request, "path", filter->path);
	set_text(request, "rule", filter->rule);
	set_text(request, "since", filter->since);
	set_text(request, "until", filter->until);
	set_flag(request, "refused", filter->refused);
	set_flag(request, "reverse", options->reverse);
	set_flag(request, "follow", options->follow);
	if (options->last >= 0)
		json_object_set_new(request, "last", json_integer(options->last));
	return request;
}

void log_options_question(struct log_options *options, struct log_question *ret_question)
{
	*ret_question = (struct log_question) {
		.filter = options->filter,
		.last = options->last,
		.reverse = options->reverse,
	};
	options->filter = (struct log_filter) { 0 };
	if (options->session)
		memcpy(ret_question->filter.session, options->session, SESSION_ID_LENGTH + 1);
}
