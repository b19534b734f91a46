/* SPDX-License-Identifier: MPL-2.0 */
/* Words into a filter of the log, and what only this program filters by. */
#include "grith/log/log.h"
#include "filter.h"

#define SCORE_MAX 1000

static const struct {
	const char *key;
	size_t pattern; /* a char *, at this offset */
} patterns[] = {
	{ "session", offsetof(struct top_filter, session) },
	{ "program", offsetof(struct top_filter, log.program) },
	{ "path", offsetof(struct top_filter, log.path) },
	{ "rule", offsetof(struct top_filter, log.rule) },
};

static int set_string(char **string, const char *value)
{
	free(*string);
	*string = strdup(value);
	return *string ? 0 : -ENOMEM;
}

static int set_key(struct top_filter *filter, const char *key, const char *value, struct text *why)
{
	struct line line = { .out = why };
	struct log_filter *log = &filter->log;
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++)
		if (!strcmp(key, patterns[i].key))
			return set_string((char **)((char *)filter + patterns[i].pattern), value);
	if (!strcmp(key, "op")) {
		r = op_parse(value, &log->op);
	} else if (!strcmp(key, "verdict")) {
		log->by_verdict = true;
		r = verdict_parse(value, &log->verdict);
	} else if (!strcmp(key, "score")) {
		log->by_score = true;
		r = text_parse_hundredths(value, SCORE_MAX, &log->score);
	} else {
		line_add(&line, "filters are session= program= op= verdict= path= rule= score= "
				"refused");
		return line.r < 0 ? line.r : -EINVAL;
	}
	if (r == 0)
		return 0;
	line_addf(&line, "%s cannot be '", key);
	line_add_bytes(&line, bytes_of(value));
	line_add(&line, "'");
	return line.r < 0 ? line.r : -EINVAL;
}

static int set_word(struct top_filter *filter, char *word, struct text *why)
{
	char *equals = strchr(word, '=');

	if (equals) {
		*equals = '\0';
		return set_key(filter, word, equals + 1, why);
	}
	if (!strcmp(word, "refused")) {
		filter->log.refused = true;
		return 0;
	}
	if (filter->n_words == TOP_FILTER_WORDS) {
		text_addf(why, "at most %d words", TOP_FILTER_WORDS);
		return -EINVAL;
	}
	return set_string(&filter->words[filter->n_words++], word);
}

int top_filter_parse(const char *text, struct top_filter *ret_filter, struct text *why)
{
	OWNED_TOP_FILTER struct top_filter filter = { 0 };
	OWNED_MEM char *copy = strdup(text);
	char *rest = copy, *word;
	int r = copy ? 0 : -ENOMEM;

	while (r == 0 && (word = strsep(&rest, " ")))
		if (*word)
			r = set_word(&filter, word, why);
	if (r < 0)
		return r;
	*ret_filter = filter;
	filter = (struct top_filter) { 0 };
	return 0;
}

static bool session_matches(const char *pattern, const struct log_event *event, const char *name)
{
	return log_pattern_matches(pattern, event->session) ||
	       (*name && log_pattern_matches(pattern, bytes_of(name)));
}

static bool words_match(const struct top_filter *filter, const struct log_event *event)
{
	OWNED_LINE struct line object = { .out = &object.own };

	if (!filter->n_words)
		return true;
	view_object(event, &object);
	for (size_t i = 0; i < filter->n_words; i++)
		if (object.r < 0 || !strcasestr(line_text(&object), filter->words[i]))
			return false;
	return true;
}

bool top_filter_matches(const struct top_filter *filter, const struct log_event *event,
			const char *session_name)
{
	if (filter->session && !session_matches(filter->session, event, session_name))
		return false;
	return log_filter_matches_event(&filter->log, event) && words_match(filter, event);
}

void top_filter_free(struct top_filter *filter)
{
	log_filter_free(&filter->log);
	free(filter->session);
	for (size_t i = 0; i < filter->n_words; i++)
		free(filter->words[i]);
	*filter = (struct top_filter) { 0 };
}
