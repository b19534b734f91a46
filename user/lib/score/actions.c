/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From an argument vector to the commands in it. The grammar is lib/shell/shell.h's; an argument
 * vector that is no shell's goes through it too, each argument quoted, because find, xargs and
 * others have commands in their arguments.
 */

#include "lib/base/base.h"
#include "actions.h"
#include "place.h"

static int split_words(const struct record_bytes *argv, struct actions *actions)
{
	struct shell_command *outer = &actions->outer;
	size_t count = 0, at = 0;

	/* The last argument may have been cut before its NUL. */
	actions->names = malloc(argv->length + 1);
	if (!actions->names)
		return -ENOMEM;
	memcpy(actions->names, argv->data, argv->length);
	actions->names[argv->length] = '\0';
	for (size_t i = 0; i < argv->length; i++)
		count += !argv->data[i];
	outer->words = calloc(count + 1, sizeof(*outer->words));
	if (!outer->words)
		return -ENOMEM;
	while (at < argv->length) {
		const char *text = actions->names + at;
		size_t length = strlen(text);

		outer->words[outer->n_words++] = (struct shell_word) {
			.text = text,
			.length = length,
			.variables = "",
		};
		at += length + 1;
	}
	return 0;
}

static int add_quoted(struct text *t, const struct shell_word *word)
{
	const char *p = word->text, *quote;
	int r = text_add(t, "'", 1);

	while (r == 0 && (quote = strchr(p, '\''))) {
		r = text_add(t, p, quote - p);
		if (r == 0)
			r = text_add(t, "'\\''", 4);
		p = quote + 1;
	}
	if (r == 0)
		r = text_add(t, p, strlen(p));
	return r == 0 ? text_add(t, "' ", 2) : r;
}

/* The commands of an argument vector that is no shell's. */
static int parse_quoted(const struct shell_command *outer, struct shell_script **ret_script)
{
	OWNED_TEXT struct text t = { 0 };
	int r = 0;

	for (size_t i = 0; i < outer->n_words && r == 0; i++)
		r = add_quoted(&t, &outer->words[i]);
	if (r < 0)
		return r;
	return t.length ? shell_parse(t.data, t.length, NULL, ret_script) : -EINVAL;
}

static void set_program(struct action *action)
{
	static const char *const boxes[] = { "busybox", "toybox" };
	const struct shell_command *command = action->command;
	size_t at = shell_effective_program(command->words, command->n_words);

	action->program = "";
	action->words = command->words + at;
	action->n_words = command->n_words - at;
	if (!action->n_words || action->words[0].unknown)
		return;
	action->program = place_name(action->words[0].text);
	for (size_t i = 0; i < ARRAY_SIZE(boxes); i++) {
		if (strcmp(action->program, boxes[i]) != 0 || action->n_words < 2)
			continue;
		action->words++;
		action->n_words--;
		action->program = place_name(action->words[0].text);
		break;
	}
}

static void add(struct actions *actions, const struct shell_command *command, bool outer,
		size_t script)
{
	struct action *action = &actions->list[actions->count++];

	*action = (struct action) { .command = command, .outer = outer, .script = script };
	set_program(action);
}

/* The first command under the name of the program's file, where that is another one. */
static int add_by_file(struct actions *actions, const struct record_bytes *path)
{
	const struct action *first = &actions->list[0];
	struct action *action = &actions->list[actions->count];
	char *copy;

	if (!path->length || !first->n_words || first->words != first->command->words ||
	    place_has_name(path->data, path->length, first->program))
		return 0;
	copy = strndup(path->data, path->length);
	if (!copy)
		return -ENOMEM;
	actions->file = copy;
	*action = *first;
	action->program = place_name(copy);
	actions->count++;
	return 0;
}

static int fill(struct actions *actions, const struct record_bytes *argv, bool cut,
		const char **ret_failure)
{
	const char *text;
	size_t length = 0, n_commands;
	int r;

	text = shell_command_text(actions->names, argv->length, &length);
	if (text)
		r = cut ? -E2BIG : shell_parse(text, length, NULL, &actions->script);
	else
		r = cut ? -E2BIG : parse_quoted(&actions->outer, &actions->script);
	if (r == -ENOMEM)
		return r;
	n_commands = actions->script ? actions->script->n_commands : 0;
	actions->list = calloc(n_commands + 2, sizeof(*actions->list));
	if (!actions->list)
		return -ENOMEM;
	if (text || r < 0 || !n_commands)
		add(actions, &actions->outer, true, 0);
	for (size_t i = 0; i < n_commands; i++)
		add(actions, &actions->script->commands[i], !text && !i, 1);
	if (text && r < 0)
		*ret_failure = r == -EINVAL ? "the shell's command line cannot be understood"
					    : "the shell's command line is too long";
	return 0;
}

int actions_read(const struct record_bytes *argv, const struct record_bytes *path, bool cut,
		 struct actions **ret_actions, const char **ret_failure)
{
	CLEANUP(actions_freep) struct actions *actions = calloc(1, sizeof(*actions));
	const char *failure = NULL;
	int r;

	if (!actions)
		return -ENOMEM;
	r = split_words(argv, actions);
	if (r == 0)
		r = fill(actions, argv, cut, &failure);
	if (r == 0)
		r = add_by_file(actions, path);
	if (r < 0)
		return r;
	*ret_actions = TAKE_PTR(actions);
	if (failure)
		*ret_failure = failure;
	return 0;
}

void actions_free(struct actions *actions)
{
	if (!actions)
		return;
	shell_script_free(actions->script);
	free(actions->outer.words);
	free(actions->list);
	free(actions->names);
	free(actions->file);
	free(actions);
}
