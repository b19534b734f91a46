/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "argument": what is odd about names and arguments themselves, such as their length.
 */
#include <string.h>

#include "internal.h"

enum {
	LONG_PATH = 0,
	PATH_BYTES,
	SHELL_CHARACTERS,
	CLIMBING,
	LONG_COMMAND,
	COMMAND_BYTES,
	LONG_URL,
	URL_BYTES,
};

static const char *const numbers[] = {
	[LONG_PATH] = "long-path",
	[PATH_BYTES] = "path-bytes",
	[SHELL_CHARACTERS] = "shell-characters",
	[CLIMBING] = "climbing",
	[LONG_COMMAND] = "long-command",
	[COMMAND_BYTES] = "command-bytes",
	[LONG_URL] = "long-url",
	[URL_BYTES] = "url-bytes",
};

static size_t count_of(const struct judged *judged, size_t number)
{
	return score_count(judged->weights, FILTER_ARGUMENT, number);
}

static void add(const struct judged *judged, struct score *score, size_t number, const char *why)
{
	score_add(score, FILTER_ARGUMENT, score_number(judged->weights, FILTER_ARGUMENT, number),
		  "%s", why);
}

/*
 * What a shell would act on if the name got into a command line. Not '$', brackets and braces by
 * themselves, which compilers and web frameworks put into names.
 */
static bool has_shell_characters(const struct record_bytes *path)
{
	for (size_t i = 0; i < path->length; i++) {
		char c = path->data[i];

		if (c && strchr(";|&`<>\n", c))
			return true;
		if (c == '$' && i + 1 < path->length &&
		    (path->data[i + 1] == '(' || path->data[i + 1] == '{'))
			return true;
	}
	return false;
}

static void judge_path(const struct judged *judged, const struct record_bytes *path,
		       struct score *score)
{
	if (path->length > count_of(judged, PATH_BYTES))
		add(judged, score, LONG_PATH, "a very long path");
	if (has_shell_characters(path))
		add(judged, score, SHELL_CHARACTERS, "characters of the shell in a path");
}

static void judge_word(const struct judged *judged, const struct shell_word *word,
		       struct score *score)
{
	/* A text, such as a program for node -e, is no path and no address. */
	if (strpbrk(word->text, " \t\n"))
		return;
	if (strstr(word->text, "../../../"))
		add(judged, score, CLIMBING, "an argument climbs up three directories");
	if (word->length > count_of(judged, URL_BYTES) && strstr(word->text, "://"))
		add(judged, score, LONG_URL, "a very long URL");
}

static void judge(const struct judged *judged, struct score *score)
{
	const struct score_operation *o = judged->operation;

	/* An abstract name is no path: anything may be in it. */
	if (!(o->flags & GRITH_RECORD_ABSTRACT)) {
		judge_path(judged, &o->path, score);
		judge_path(judged, &o->second, score);
	}
	if (o->argv.length > count_of(judged, COMMAND_BYTES))
		add(judged, score, LONG_COMMAND, "a very long command");
	for (size_t i = 0; judged->actions && i < judged->actions->count; i++) {
		const struct action *action = &judged->actions->list[i];

		for (size_t w = 0; w < action->command->n_words; w++)
			judge_word(judged, &action->command->words[w], score);
	}
}

const struct filter filter_argument = {
	.numbers = numbers,
	.n_numbers = ARRAY_SIZE(numbers),
	.judge = judge,
};
