/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What an execution does, as a list of simple commands: the one of the arguments themselves, and
 * those of the text that they hand to a shell. Pure.
 */
#pragma once

#include "lib/record/record.h"
#include "lib/shell/shell.h"

struct action {
	const struct shell_command *command;
	const struct shell_word *words; /* from the program that really runs */
	size_t n_words;
	const char *program; /* its name without directories; "" where it is not known */
	const char *valued; /* its options whose value is a word of its own; NULL: none */
	bool sends; /* the program is one that sends; set by eval_prepare() */
	bool outer; /* of the arguments themselves: what runs, not what a shell may run */
	size_t script; /* numbers of pipelines are those of one script */
};

struct actions {
	struct action *list;
	size_t count;

	/* Memory of the above. */
	struct shell_script *script;
	struct shell_command outer; /* the arguments as one command */
	char *names; /* the arguments */
	char *file; /* the program's */
};

/*
 * `path` is the program's file; where its name is not that of the first argument, the command is in
 * the list under both. 0; or 0 and a sentence in `ret_failure` where a shell's text cannot be taken
 * apart, with the command that has it in the list; or -ENOMEM.
 */
int actions_read(const struct record_bytes *argv, const struct record_bytes *path, bool cut,
		 struct actions **ret_actions, const char **ret_failure);
void actions_free(struct actions *actions);
DEFINE_CLEANUP(struct actions, actions_free)

/* --- reading a command's words ---*/

/* Whether a word is known as a whole, and is that text. */
bool action_is(const struct shell_word *word, const char *text);

/*
 * Whether the command has an option: a letter ('\0': none), also among others as in -rf, or its
 * long name ("--force"; NULL: none), also as --force=VALUE. Options end at "--".
 */
bool action_has(const struct action *action, char letter, const char *name);

/*
 * The value of an option from word `*at` on, as --name VALUE, --name=VALUE, -n VALUE or -nVALUE.
 * `*at` moves behind it. NULL: no more.
 */
const char *action_value(const struct action *action, char letter, const char *name, size_t *at);

/* A place among the operands. Starts as {0}. */
struct action_cursor {
	size_t at;
	bool behind_end; /* of the options, "--" */
};

/* The next argument that is no option and no value of one, or NULL. Options end at "--". */
const struct shell_word *action_next(const struct action *action, struct action_cursor *cursor);

/* The n-th of these, counted from 0. */
const struct shell_word *action_operand(const struct action *action, size_t n);

/* Whether the operands begin with these words, separated by spaces ("s3 rm"). */
bool action_operands_are(const struct action *action, const char *words);

/* The options of a program whose value is a word of its own ("-n --namespace"). NULL: none. */
const char *action_valued(struct record_bytes program);

/* Whether the words hold the name between spaces. */
bool words_have(const char *words, const char *name);
