/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A script as one line that a table of tests can hold. Commands are parted by "; ", each with a >
 * for its depth, | where it is connected, its assignments in [ ], its words, its redirections and
 * & in the background. A word ends with ? where it is not known whole, with {NAMES} of variables in
 * it; one that is empty or has blanks is in < >.
 */
#pragma once

#include <criterion/criterion.h>

#include "lib/base/base.h"
#include "lib/shell/shell.h"

static inline void render_word(struct text *t, const struct shell_word *word)
{
	bool marked = !word->length || strpbrk(word->text, " \t\n;<>");

	text_addf(t, marked ? "<%s>" : "%s", word->text);
	if (word->unknown)
		text_add(t, "?", 1);
	if (word->variables[0])
		text_addf(t, "{%s}", word->variables);
}

static inline void render_redirect(struct text *t, const struct shell_redirect *redirect)
{
	static const char *const signs[] = {
		[SHELL_READ] = "<",	   [SHELL_WRITE] = ">", [SHELL_APPEND] = ">>",
		[SHELL_READ_WRITE] = "<>", [SHELL_HERE] = "<<", [SHELL_DUPLICATE] = ">&",
	};

	text_addf(t, " %d%s", redirect->fd, signs[redirect->kind]);
	render_word(t, &redirect->target);
}

static inline void render_command(struct text *t, const struct shell_command *c)
{
	const char *blank = "";

	for (unsigned int i = 0; i < c->depth; i++)
		text_add(t, ">", 1);
	if (c->piped_in)
		text_add(t, "| ", 2);
	for (size_t i = 0; i < c->n_assignments; i++, blank = " ") {
		text_addf(t, "%s[", blank);
		render_word(t, &c->assignments[i]);
		text_add(t, "]", 1);
	}
	for (size_t i = 0; i < c->n_words; i++, blank = " ") {
		text_addf(t, "%s", blank);
		render_word(t, &c->words[i]);
	}
	for (size_t i = 0; i < c->n_redirects; i++)
		render_redirect(t, &c->redirects[i]);
	if (c->piped_out)
		text_add(t, " |", 2);
	if (c->background)
		text_add(t, " &", 2);
}

static inline void render_script(struct text *t, const struct shell_script *script)
{
	text_add(t, "", 0);
	for (size_t i = 0; i < script->n_commands; i++) {
		if (i)
			text_add(t, "; ", 2);
		render_command(t, &script->commands[i]);
	}
}

struct shell_case {
	const char *text;
	const char *expected;
};

static inline void expect_script(const struct shell_case *test)
{
	CLEANUP(shell_script_freep) struct shell_script *script = NULL;
	OWNED_TEXT struct text t = { 0 };
	size_t at = 0, length = strlen(test->text);
	/* Without a NUL behind it, so that a byte read there is found. */
	OWNED_MEM char *copy = malloc(length ? length : 1);
	int r;

	cr_assert(copy);
	memcpy(copy, test->text, length);
	r = shell_parse(copy, length, &at, &script);
	cr_expect_eq(r, 0, "%s: %d at byte %zu", test->text, r, at);
	if (r < 0)
		return;
	render_script(&t, script);
	cr_expect_str_eq(t.data, test->expected, "%s: %s", test->text, t.data);
}

static inline void expect_scripts(const struct shell_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++)
		expect_script(&cases[i]);
}
