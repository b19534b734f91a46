/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "argument": what is odd about names and arguments themselves, such as their length.
 */
#include "evaluation.h"

#define NUMBERS(NUMBER)                              \
	NUMBER(LONG_PATH, "long-path")               \
	NUMBER(PATH_BYTES, "path-bytes")             \
	NUMBER(SHELL_CHARACTERS, "shell-characters") \
	NUMBER(CLIMBING, "climbing")                 \
	NUMBER(LONG_COMMAND, "long-command")         \
	NUMBER(COMMAND_BYTES, "command-bytes")       \
	NUMBER(LONG_URL, "long-url")                 \
	NUMBER(URL_BYTES, "url-bytes")
FILTER_INDICES(NUMBERS);

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

static void evaluate_path(const struct evaluation *e, const struct record_bytes *path)
{
	if (path->length > eval_count(e, PATH_BYTES))
		eval_add(e, LONG_PATH, "a very long path");
	if (has_shell_characters(path))
		eval_add(e, SHELL_CHARACTERS, "characters of the shell in a path");
}

static void evaluate_word(const struct evaluation *e, const struct shell_word *word)
{
	/* A text, such as a program for node -e, is no path and no address. */
	if (strpbrk(word->text, " \t\n"))
		return;
	if (strstr(word->text, "../../../"))
		eval_add(e, CLIMBING, "an argument climbs up three directories");
	if (word->length > eval_count(e, URL_BYTES) && strstr(word->text, "://"))
		eval_add(e, LONG_URL, "a very long URL");
}

static void evaluate(const struct evaluation *e)
{
	const struct score_operation *o = e->operation;

	/* An abstract name is no path: anything may be in it. */
	if (!(o->flags & GRITH_RECORD_ABSTRACT)) {
		evaluate_path(e, &o->path);
		evaluate_path(e, &o->second);
	}
	if (o->argv.length > eval_count(e, COMMAND_BYTES))
		eval_add(e, LONG_COMMAND, "a very long command");
	for (size_t i = 0; e->actions && i < e->actions->count; i++) {
		const struct shell_command *command = e->actions->list[i].command;

		for (size_t w = 0; w < command->n_words; w++)
			evaluate_word(e, &command->words[w]);
	}
}

FILTER(argument, NUMBERS, NO_KEYS, .evaluate = evaluate);
