/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Simple commands and functions that start like one (XCU 2.9.1), and how a command is put into the
 * list of all. Redirections are redirect.c.
 */
#include "parser.h"
#include "programs.h"

/* NAME= NAME+= NAME[...]= at the start, unquoted. */
static bool is_assignment(const struct raw_word *word)
{
	size_t n;

	if (!word->length || !word->data[0] || !strchr(NAME_START, word->data[0]))
		return false;
	for (n = 0; n < word->length && word->data[n] && strchr(NAME_BYTES, word->data[n]) &&
		    !word->marks[n];
	     n++)
		;
	if (n < word->length && word->data[n] == '[' && !word->marks[n]) {
		while (n < word->length && (word->data[n] != ']' || word->marks[n]))
			n++;
		n++;
	}
	if (n < word->length && word->data[n] == '+' && !word->marks[n])
		n++;
	return n < word->length && word->data[n] == '=' && !word->marks[n];
}

/* Builtins whose arguments may be NAME=(...), too. */
static bool takes_assignments(const struct draft *draft)
{
	return draft->words.first && slice_in(slice_of(draft->words.first->word.text),
					      "declare typeset local export readonly");
}

static int take_word(struct source *s, struct draft *draft)
{
	bool bare = !draft->assignments.count && !draft->n_redirects;
	int r;

	if (!draft->words.count && is_assignment(&s->token.word))
		return finish_word(s->shell, &s->token.word, FINISH_ASSIGNMENT, &draft->assignments)
			       ?: token_take_then(s, true);
	/* Words that no command starts with; where they are allowed the grammar has taken them. */
	if (!draft->words.count && bare &&
	    token_is(&s->token, "! } do done elif else esac fi then"))
		return shell_fail(s, s->token.start, -EINVAL);
	r = finish_word(s->shell, &s->token.word, FINISH_WORD, &draft->words) ?: token_take(s);
	s->command_position = takes_assignments(draft);
	return r;
}

/* NAME() command, with the ( at hand. */
static int function(struct source *s)
{
	int r = shell_enter(s->shell) ?: token_take(s) ?: token_expect(s, TOKEN_CLOSE)
						 ?: token_skip_newlines(s) ?: grammar_command(s);

	if (r == 0)
		shell_leave(s->shell);
	return r;
}

int command_simple(struct source *s, bool coprocess)
{
	struct draft draft = { 0 };
	size_t at = s->token.first_entry;
	bool any = false;
	int r;

	while ((r = token_peek(s)) == 0) {
		if (s->token.kind == TOKEN_WORD)
			r = take_word(s, &draft);
		else if (s->token.kind == TOKEN_FD || s->token.kind >= TOKEN_LESS)
			r = redirect_read(s, &draft);
		else
			break;
		if (r < 0)
			return r;
		if (!any && draft.words.count) {
			r = token_peek(s);
			if (r < 0)
				return r;
			if (coprocess && compound_starts(s))
				return compound_read(s);
			if (s->token.kind == TOKEN_OPEN)
				return function(s);
		}
		any = true;
	}
	if (r == 0 && !any)
		r = shell_fail(s, s->token.start, -EINVAL);
	return r < 0 ? r : command_add(s, &draft, at, SIZE_MAX);
}

int command_redirects(struct source *s, size_t first_entry)
{
	struct draft draft = { 0 };
	size_t at = s->shell->n_entries;
	int r;

	do
		r = token_peek(s);
	while (r == 0 && (s->token.kind == TOKEN_FD || s->token.kind >= TOKEN_LESS) &&
	       (r = redirect_read(s, &draft)) == 0);
	if (r < 0 || !draft.n_redirects)
		return r;
	return command_add(s, &draft, at, first_entry);
}

/* The words of a list as arrays; `ret_bytes` may be NULL. */
static int flatten(struct shell *shell, const struct word_list *list, struct shell_word **ret_words,
		   struct bytes **ret_bytes)
{
	struct shell_word *words = memory_take(&shell->memory, (list->count + 1) * sizeof(*words));
	struct bytes *bytes = memory_take(&shell->memory, (list->count + 1) * sizeof(*bytes));
	size_t n = 0;

	if (!words || !bytes)
		return -ENOMEM;
	for (const struct word_node *node = list->first; node; node = node->next) {
		words[n] = node->word;
		bytes[n++] = node->bytes;
	}
	*ret_words = words;
	if (ret_bytes)
		*ret_bytes = bytes;
	return 0;
}

static int flatten_redirects(struct shell *shell, const struct draft *draft, size_t at,
			     size_t group, struct entry *entry)
{
	struct shell_redirect *redirects;
	size_t n = 0;

	redirects = memory_take(&shell->memory, (draft->n_redirects + 1) * sizeof(*redirects));
	if (!redirects)
		return -ENOMEM;
	for (struct redirect_node *node = draft->first_redirect; node; node = node->next) {
		redirects[n] = node->redirect;
		if (node->redirect.fd == 0) {
			bool known = node->redirect.kind == SHELL_HERE && !node->here;

			entry->input = known ? INPUT_TEXT : INPUT_OTHER;
			entry->input_text = node->bytes;
		}
		if (node->here) {
			node->here->target = &redirects[n].target;
			node->here->entry = at;
			node->here->group = group;
		}
		n++;
	}
	entry->command.redirects = redirects;
	entry->command.n_redirects = n;
	return 0;
}

int command_insert(struct shell *shell, size_t at, const struct entry *entry)
{
	if (shell->n_entries - shell->first_plain >= SHELL_COMMANDS_MAX)
		return -E2BIG;
	if (ARRAY_GROW(shell->entries, shell->n_entries) < 0)
		return -ENOMEM;
	memmove(&shell->entries[at + 1], &shell->entries[at],
		(shell->n_entries - at) * sizeof(*shell->entries));
	shell->entries[at] = *entry;
	shell->n_entries++;
	return 0;
}

int command_add(struct source *s, struct draft *draft, size_t at, size_t group)
{
	struct shell *shell = s->shell;
	struct entry entry = { .level = shell->level };
	struct shell_command *command = &entry.command;

	command->depth = shell->depth;
	command->pipeline = shell->n_pipelines++;
	command->n_words = draft->words.count;
	command->n_assignments = draft->assignments.count;
	return flatten(shell, &draft->words, &command->words, &entry.words)
		       ?: flatten(shell, &draft->assignments, &command->assignments, NULL)
		       ?: flatten_redirects(shell, draft, at, group, &entry)
		       ?: command_insert(shell, at, &entry)
		       ?: nested_read(s, at);
}
