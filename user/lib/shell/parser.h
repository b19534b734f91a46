/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the files that read a command line share. Not for use outside of shell/.
 *
 * A text is read once, from left to right, by recursive descent: grammar.c takes tokens
 * (token.c), words are read byte by byte (word.c, expansion.c), and where a word holds a command
 * substitution the grammar is entered again at that byte, as shells do. No byte is read twice but
 * those of a text in a text: `...`, eval, sh -c, here-documents. All recursion goes through
 * shell_enter(), so that SHELL_DEPTH_MAX bounds the stack.
 *
 * Functions return 0 or a negative errno, so that `a() ?: b() ?: c()` does one after the other up
 * to the first that fails.
 *
 * A NUL in a text or in struct bytes is a part that is not known: a text that a shell is
 * given has none, and shell_parse() refuses one.
 */
#pragma once

#include "lib/base/base.h"
#include "memory.h"
#include "shell.h"

struct bytes {
	const char *data; /* with a NUL for each part that is not known, and one behind them */
	size_t length;
};

/* A word as it was read, before braces and patterns are looked at. */
struct raw_word {
	char *data; /* NUL: not known */
	char *marks; /* of each byte: 0, or 1 where it was quoted */
	size_t length;
	bool quoted; /* some of it, perhaps the empty string */
	const char *variables;
};

/* A word of the result, in a list. */
struct word_node {
	struct word_node *next;
	struct shell_word word;
	struct bytes bytes;
};

struct word_list {
	struct word_node *first, *last;
	size_t count;
};

struct redirect_node {
	struct redirect_node *next;
	struct shell_redirect redirect;
	struct bytes bytes;
	struct here *here; /* whose body is not read yet */
};

/* A command that is being read. */
struct draft {
	struct word_list words, assignments;
	struct redirect_node *first_redirect, *last_redirect;
	size_t n_redirects;
};

/* A command that was read, and what is known of it until the text is at its end. */
struct entry {
	struct shell_command command;
	struct bytes *words; /* as many as the command has */
	uint64_t hash; /* of the words, once they are compared */
	unsigned int
		level; /* of substitutions around it: commands of one level share their input */
	enum { INPUT_OPEN, INPUT_TEXT, INPUT_OTHER } input;
	struct bytes input_text; /* INPUT_TEXT: of a here-document or here-string */
};

/* What all texts of one shell_parse() share. */
struct shell {
	struct shell_script *script;
	struct memory *memory;
	struct entry *entries;
	size_t n_entries;
	size_t n_complete; /* entries up to the last line that a shell would have run by now */
	size_t n_pipelines;
	unsigned int depth, level;
	bool plain; /* read as a shell does that has no more than POSIX, such as dash */
	bool differs; /* something was read that means other commands to such a shell */
	size_t first_plain; /* the first entry that was read so */
	size_t budget; /* bytes that may still be read again or made by braces */
	size_t failed_at; /* the byte of the text that the caller knows */
	/* Stacks of the words that are not finished. */
	struct text bytes, marks, names;
	bool quoted; /* of the innermost one */
};

enum token_kind {
	TOKEN_END,
	TOKEN_NEWLINE,
	TOKEN_WORD,
	TOKEN_FD, /* a number or {name} right before a redirection */
	TOKEN_SEMICOLON,
	TOKEN_AND,
	TOKEN_AND_IF,
	TOKEN_OR_IF,
	TOKEN_PIPE,
	TOKEN_PIPE_BOTH,
	TOKEN_CASE_END, /* ;; ;& ;;& */
	TOKEN_OPEN,
	TOKEN_CLOSE,
	/* Redirections */
	TOKEN_LESS,
	TOKEN_GREAT,
	TOKEN_CLOBBER,
	TOKEN_APPEND,
	TOKEN_LESS_GREAT,
	TOKEN_DUP_IN,
	TOKEN_DUP_OUT,
	TOKEN_HERE,
	TOKEN_HERE_TABS,
	TOKEN_HERE_STRING,
	TOKEN_BOTH,
	TOKEN_BOTH_APPEND,
};

struct token {
	enum token_kind kind;
	size_t start; /* its first byte */
	size_t first_entry; /* how many entries there were before it */
	struct raw_word word;
	int fd;
};

/* A here-document whose body starts behind the next newline. */
struct here {
	struct here *next;
	struct bytes delimiter;
	bool quoted, tabs;
	struct shell_word *target; /* to be filled */
	struct bytes *bytes; /* to be filled, or NULL */
	size_t entry; /* of the command, or SIZE_MAX */
	size_t group; /* first entry of the compound command it is for, or SIZE_MAX */
	int fd;
};

/* A text and how far it was read. */
struct source {
	struct shell *shell;
	const char *text;
	size_t length, at;
	struct token token;
	bool has_token;
	bool command_position; /* the next word may be the first of a command */
	bool substitution; /* ends at a ) */
	struct here *heres, *last_here;
	bool nested; /* a text in a text, ... */
	size_t shown_at; /* ... which starts at this byte of the text that the caller knows */
};

#define NAME_START "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define NAME_BYTES NAME_START "0123456789"

/* parser.c */
int shell_fail(struct source *s, size_t at, int error); /* notes where; returns the error */
int shell_enter(struct shell *shell); /* one level deeper: 0 or -E2BIG */
void shell_leave(struct shell *shell);
int shell_spend(struct shell *shell, size_t bytes); /* 0 or -E2BIG */
int shell_read_all(struct source *s);
/* Reads a text in a text; what is wrong in it is passed on only where all of it is known. */
int shell_read_nested(struct source *outer, size_t shown_at, struct bytes text);
int shell_read_quoted(struct source *outer, size_t shown_at, struct bytes text,
		      struct raw_word *ret_word);

/* plain.c */
int plain_read(struct shell *shell, const char *text, size_t length);

/* token.c */
int token_peek(struct source *s);
int token_take(struct source *s); /* what was peeked; reads here-documents behind a newline */
int token_take_then(struct source *s, bool command_position); /* of the token behind it */
bool token_is(const struct token *token, const char *words); /* one of them, unquoted */
int token_expect(struct source *s, enum token_kind kind);
int token_expect_word(struct source *s, const char *reserved); /* a command may follow */
int token_skip_newlines(struct source *s);
void source_skip_blanks(struct source *s);
void source_skip_continuations(struct source *s);
char source_byte(const struct source *s, size_t ahead); /* NUL at the end */

/* word.c: each reads on from s->at and adds to the word that is being read */
struct word_start {
	size_t bytes, marks, names;
	bool quoted;
};
struct word_start word_begin(struct shell *shell);
int word_end(struct shell *shell, struct word_start start, struct raw_word *ret_word);
int word_add(struct shell *shell, char byte, bool quoted);
int word_add_unknown(struct shell *shell);
int word_add_name(struct shell *shell, const char *name, size_t length);
int word_read(struct source *s, struct raw_word *ret_word);
int word_read_delimiter(struct source *s, struct raw_word *ret_word);
int word_read_regex(struct source *s, struct raw_word *ret_word);
int word_double_quotes(struct source *s);
int word_plain_or_quoted(struct source *s); /* one byte or one quoted or expanded part */
int word_here(struct source *s); /* the whole text as the body of a here-document */

/* ansi.c: $'...' */
int word_ansi_quotes(struct source *s);

/* expansion.c */
int expansion_dollar(struct source *s, bool in_quotes);
int expansion_backquote(struct source *s, bool in_quotes);
int expansion_substitution(struct source *s); /* behind the ( of $( <( >( */
int expansion_arithmetic(struct source *s, const char *end); /* up to and with `end` */
int expansion_is_arithmetic(struct source *s); /* behind ((: 1 where it ends in )) */

/* finish.c: from what was read to what the shell makes of it */
enum finish { FINISH_WORD, FINISH_ASSIGNMENT, FINISH_TARGET };
int finish_word(struct shell *shell, const struct raw_word *raw, enum finish how,
		struct word_list *list);
/* What of the bytes is known, as a word without variables. */
int finish_bytes(struct shell *shell, struct bytes bytes, struct shell_word *ret_word);
/* braces.c */
struct raw_list {
	struct raw_word *words;
	size_t count;
};
int braces_expand(struct shell *shell, const struct raw_word *raw, struct raw_list *ret_list);

/* grammar.c */
int grammar_list(struct source *s, bool may_be_empty);
int grammar_command(struct source *s);

/* command.c */
int command_simple(struct source *s, bool coprocess);
int command_redirects(struct source *s, size_t first_entry); /* behind a compound command */
int command_add(struct source *s, struct draft *draft, size_t at, size_t group);
int command_insert(struct shell *shell, size_t at, const struct entry *entry);
/* redirect.c */
int redirect_read(struct source *s, struct draft *draft);
int redirect_read_bodies(struct source *s); /* of here-documents, behind a newline */

/* compound.c */
bool compound_starts(const struct source *s);
int compound_read(struct source *s);
/* condition.c: [[ ]] */
int condition_read(struct source *s);

/* nested.c: commands that a command's words hold */
int nested_read(struct source *s, size_t entry);
int nested_input(struct source *s, size_t entry);
int nested_pipe(struct source *s, size_t from, size_t to);
