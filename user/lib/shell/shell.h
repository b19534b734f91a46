/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What a shell would do with a command line, as far as that is known without running it: the
 * simple commands in it, with their words, assignments and redirections, and which of them are
 * connected by pipes. The grammar is POSIX's (XCU 2.10) with the common extensions of bash: here
 * strings, process substitution, [[ ]], $'...', |&, &>, function, time, coproc, arrays.
 *
 * Words are given as far as they are known: quotes removed, and where a part is not known before it
 * runs (an expansion of a variable, of a pattern, of a command), the word is marked. Commands in
 * substitutions, groups, loops, functions, `eval`, `sh -c` and here-documents fed to a shell are
 * in the list too, and what `echo TEXT | sh` runs. Pure.
 *
 * Which shell will read it is not known. The text is read as bash does; where that hides a command
 * from a shell without extensions, such as `((rm x))` or what is behind `&>file`, the commands that
 * such a shell finds are behind the others.
 */
#pragma once

#include "lib/base/base.h"

#define SHELL_TEXT_MAX (128u << 10) /* bytes of one command line */
#define SHELL_COMMANDS_MAX 4096
#define SHELL_DEPTH_MAX 64 /* of nesting */

struct shell_word {
	/* Quotes removed, unknown parts left out; NUL-terminated, owned by the script. */
	const char *text;
	size_t length;
	/*
	 * Not all of it is known: $variable, $(command), a pattern, {1..9}; a ~ or ~user, which
	 * stays as it is written. Of ${variable:-text} the text is given, as if it had no value.
	 */
	bool unknown;
	const char *variables; /* names of variables in it, separated by spaces; "" */
};

enum shell_redirect_kind {
	SHELL_READ, /* < */
	SHELL_WRITE, /* > >| &> */
	SHELL_APPEND, /* >> &>> */
	SHELL_READ_WRITE, /* <> */
	SHELL_HERE, /* << <<- <<<; the word is the text */
	SHELL_DUPLICATE, /* >& <& with a number or - */
};

struct shell_redirect {
	enum shell_redirect_kind kind;
	int fd; /* that is redirected */
	struct shell_word target;
};

/*
 * {a,b} has become several words. Redirections of a compound command are those of a command without
 * words behind the commands in it. The words of `for NAME in WORDS` are assignments of a command
 * without words, NAME=WORD each.
 */
struct shell_command {
	struct shell_word *words; /* the program and its arguments */
	size_t n_words; /* 0: only assignments or redirections */
	struct shell_word *assignments; /* NAME=value */
	size_t n_assignments;
	struct shell_redirect *redirects;
	size_t n_redirects;
	/*
	 * Commands of one pipeline share the number, and data flows to higher positions; commands
	 * in a compound command that is a part of it are a part of it, at its place.
	 */
	size_t pipeline;
	size_t position; /* from 0 */
	unsigned int depth; /* 0: not inside of anything */
	bool piped_in, piped_out;
	bool background;
};

struct shell_script {
	struct shell_command *commands; /* in the order of the text */
	size_t n_commands;
	void *memory; /* where the strings are */
};

/*
 * 0 and the commands, or -EINVAL where a shell would find an error of syntax (`ret_at`, if not
 * NULL, is the byte), -E2BIG where a limit is reached, -ENOMEM. What is wrong in a text inside of
 * the text (sh -c, eval, `...`) is an error where all of that text is known; else what is before it
 * counts. shell_script_free() accepts NULL.
 */
int shell_parse(const char *text, size_t length, size_t *ret_at, struct shell_script **ret_script);
void shell_script_free(struct shell_script *script);
DEFINE_CLEANUP(struct shell_script, shell_script_free)

/*
 * The command line that an argument vector hands to a shell: of `sh -c TEXT`, `bash -lc TEXT`,
 * `env X=1 sh -c TEXT`, `busybox sh -c TEXT`, `su -c TEXT`, `timeout 5 sh -c TEXT`, `xargs sh -c`,
 * and the like. `argv` holds each argument with its NUL. NULL: none. Borrowed from `argv`.
 */
const char *shell_command_text(const char *argv, size_t length, size_t *ret_length);

/*
 * The program that a command really runs, behind env, nice, nohup, timeout, sudo, xargs, command,
 * exec, time, stdbuf, setsid, ... : the index of its word. That of env or sudo itself where they
 * run none, as in `sudo -l`. n where n is 0.
 */
size_t shell_effective_program(const struct shell_word *words, size_t n);
