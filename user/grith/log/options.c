/* SPDX-License-Identifier: MPL-2.0 */
/* Every word is checked here, so that a mistake is named the same way wherever the log is read. */
#include "grith/base/base.h"
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

static int refuse_word(const struct option_entry *entry, const char *value,
		       const char *const *words, size_t count)
{
	const char *meant = suggest(value, words, count);
	char hint[80] = ": 'grith log --help' lists what there is";

	if (meant)
		snprintf(hint, sizeof(hint), ": is %s meant?", meant);
	return option_refuse(entry, value, hint);
}

static int take_op(const struct option_entry *entry, const char *value)
{
	const char *words[GRITH_OPS - 1];
	struct log_filter *filter = entry->to;

	if (op_parse(value, &filter->op) == 0)
		return 0;
	for (unsigned int op = 1; op < GRITH_OPS; op++)
		words[op - 1] = op_name(op);
	return refuse_word(entry, value, words, ARRAY_SIZE(words));
}

static int take_verdict(const struct option_entry *entry, const char *value)
{
	const char *words[GRITH_VERDICTS];
	struct log_filter *filter = entry->to;

	filter->by_verdict = true;
	if (verdict_parse(value, &filter->verdict) == 0)
		return 0;
	for (unsigned int verdict = 0; verdict < GRITH_VERDICTS; verdict++)
		words[verdict] = verdict_name(verdict);
	return refuse_word(entry, value, words, ARRAY_SIZE(words));
}

static int take_format(const struct option_entry *entry, const char *value)
{
	for (unsigned int i = 0; i < LOG_FORMATS; i++)
		if (!strcmp(value, formats[i])) {
			*(enum log_format *)entry->to = i;
			return 0;
		}
	return refuse_word(entry, value, formats, LOG_FORMATS);
}

/* What a time is relative to, and where it goes. */
struct moment {
	uint64_t now;
	char *time;
};

static int take_moment(const struct option_entry *entry, const char *value)
{
	const struct moment *moment = entry->to;
	uint64_t time;

	if (moment_parse_point(value, moment->now, &time) < 0)
		return option_refuse(entry, value,
				     ": a span such as 90s, 10m, 2h, 7d or 1w, or a time such as "
				     "'2026-01-02 03:04' or 2026-01-02T03:04:05Z");
	json_format_time(time, moment->time);
	return 0;
}

static int take_lines(const struct option_entry *entry, const char *value)
{
	uint64_t number;

	if (text_parse_u64(value, PROTO_LAST_MAX, &number) < 0)
		return option_refuse(entry, value, ": a number from 0 to 100000");
	*(int64_t *)entry->to = (int64_t)number;
	return 0;
}

static int take_score(const struct option_entry *entry, const char *value)
{
	struct log_filter *filter = entry->to;

	filter->by_score = true;
	if (text_parse_hundredths(value, PROTO_SCORE_MAX, &filter->score) == 0)
		return 0;
	return option_refuse(entry, value, ": a score such as 3 or 2.50");
}

static int take_pattern(const struct option_entry *entry, const char *value)
{
	char **pattern = entry->to;

	free(*pattern);
	*pattern = strdup(value);
	return *pattern ? 0 : -ENOMEM;
}

/* A request is JSON, which cannot hold other bytes. */
static int check_texts(const struct log_options *options)
{
	const struct {
		const char *name, *text;
	} texts[] = {
		{ "session", options->session },
		{ "program", options->filter.program },
		{ "path", options->filter.path },
		{ "rule", options->filter.rule },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (texts[i].text && !text_is_utf8(texts[i].text, strlen(texts[i].text))) {
			message("--%s cannot be '%s': it is not UTF-8; a ? stands for any byte",
				texts[i].name, texts[i].text);
			return -EINVAL;
		}
	return 0;
}

/* Options that exclude each other. */
static int check(const struct log_options *options)
{
	if (options->follow && options->reverse) {
		message("--follow and --reverse exclude each other");
		return -EINVAL;
	}
	if (options->follow && options->log_dir) {
		message("--follow needs grithd, which --log-dir does without");
		return -EINVAL;
	}
	if (options->session && options->log_dir &&
	    (strlen(options->session) != SESSION_ID_LENGTH ||
	     !session_id_valid(options->session))) {
		message("--session cannot be '%s': with --log-dir it must be an id, as the entries "
			"have it",
			options->session);
		return -EINVAL;
	}
	return options->log_dir ? 0 : check_texts(options);
}

int log_options_read(int argc, char **argv, uint64_t now, struct log_options *options)
{
	struct log_filter *filter = &options->filter;
	struct moment since = { now, filter->since }, until = { now, filter->until };
	const struct option_entry known[] = {
		{ "follow", 'f', .flag = &options->follow },
		{ "lines", 'n', .take = take_lines, .to = &options->last },
		{ "reverse", 'r', .flag = &options->reverse },
		{ "session", .value = &options->session },
		{ "op", .take = take_op, .to = filter },
		{ "verdict", .take = take_verdict, .to = filter },
		{ "refused", .flag = &filter->refused },
		{ "program", .take = take_pattern, .to = &filter->program },
		{ "path", .take = take_pattern, .to = &filter->path },
		{ "rule", .take = take_pattern, .to = &filter->rule },
		{ "score", .take = take_score, .to = filter },
		{ "since", .take = take_moment, .to = &since },
		{ "until", .take = take_moment, .to = &until },
		{ "json", .take = take_format, .to = &options->format, .is = "json" },
		{ "format", .take = take_format, .to = &options->format },
		{ "log-dir", .value = &options->log_dir },
		{ "socket", .value = &options->socket },
		{ 0 },
	};
	int r;

	*options = (struct log_options) { .last = -1 };
	r = options_read(argc, argv, known);
	if (r < 0)
		return r;
	if (optind < argc) {
		message("what does '%s' mean? Everything is an option, such as --session",
			argv[optind]);
		return -EINVAL;
	}
	if (options->follow && options->last < 0 && !filter->since[0])
		options->last = LAST_BEFORE_FOLLOWING;
	return check(options);
}

void log_options_free(struct log_options *options)
{
	log_filter_free(&options->filter);
}

static json_t *flag(bool set)
{
	return set ? json_true() : NULL;
}

static const char *given(const char *text)
{
	return text && *text ? text : NULL;
}

json_t *log_options_request(const struct log_options *options)
{
	const struct log_filter *f = &options->filter;

	return json_pack("{s:s, s:s*, s:s*, s:s*, s:o*, s:s*, s:s*, s:s*, s:s*, s:s*, s:o*, s:o*, "
			 "s:o*, s:o*}",
			 "do", proto_verb_name(PROTO_LOG), "session", given(options->session), "op",
			 f->op != GRITH_OP_NONE ? op_name(f->op) : NULL, "verdict",
			 f->by_verdict ? verdict_name(f->verdict) : NULL, "score",
			 f->by_score ? json_real(f->score / 100.0) : NULL, "program",
			 given(f->program), "path", given(f->path), "rule", given(f->rule), "since",
			 given(f->since), "until", given(f->until), "refused", flag(f->refused),
			 "reverse", flag(options->reverse), "follow", flag(options->follow), "last",
			 options->last >= 0 ? json_integer(options->last) : NULL);
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
