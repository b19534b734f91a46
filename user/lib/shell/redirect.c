/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Redirections (XCU 2.7) as they are written. The bodies of here-documents are here.c.
 */
#include "parser.h"

static const struct {
	enum shell_redirect_kind kind;
	int fd;
} meanings[] = {
	[TOKEN_LESS] = { SHELL_READ, 0 },
	[TOKEN_GREAT] = { SHELL_WRITE, 1 },
	[TOKEN_CLOBBER] = { SHELL_WRITE, 1 },
	[TOKEN_APPEND] = { SHELL_APPEND, 1 },
	[TOKEN_LESS_GREAT] = { SHELL_READ_WRITE, 0 },
	[TOKEN_DUP_IN] = { SHELL_DUPLICATE, 0 },
	[TOKEN_DUP_OUT] = { SHELL_DUPLICATE, 1 },
	[TOKEN_HERE] = { SHELL_HERE, 0 },
	[TOKEN_HERE_TABS] = { SHELL_HERE, 0 },
	[TOKEN_HERE_STRING] = { SHELL_HERE, 0 },
	[TOKEN_BOTH] = { SHELL_WRITE, 1 },
	[TOKEN_BOTH_APPEND] = { SHELL_APPEND, 1 },
};

/* The here-document's body comes later; what is read now is its delimiter. */
static int delimiter(struct source *s, struct redirect_node *node, bool tabs)
{
	struct raw_word word;
	struct here *here;
	size_t start;
	int r;

	source_skip_blanks(s);
	start = s->at;
	r = word_read_delimiter(s, &word);
	if (r < 0)
		return r;
	if (!word.length && !word.quoted)
		return shell_fail(s, start, -EINVAL);
	here = memory_take(&s->shell->memory, sizeof(*here));
	if (!here)
		return -ENOMEM;
	*here = (struct here) { .delimiter = { word.data, word.length },
				.quoted = word.quoted,
				.tabs = tabs,
				.target = &node->redirect.target,
				.bytes = &node->bytes,
				.entry = SIZE_MAX,
				.group = SIZE_MAX,
				.fd = node->redirect.fd };
	if (s->last_here)
		s->last_here->next = here;
	else
		s->heres = here;
	s->last_here = here;
	node->here = here;
	return 0;
}

static int target(struct source *s, struct redirect_node *node)
{
	struct word_list list = { 0 };
	int r = token_peek(s);

	if (r < 0)
		return r;
	/* In 2>&1>file the 1 is a target, though it is right before a redirection. */
	if (s->token.kind != TOKEN_WORD && s->token.kind != TOKEN_FD)
		return shell_fail(s, s->token.start, -EINVAL);
	r = finish_word(s->shell, &s->token.word, FINISH_TARGET, &list);
	if (r < 0)
		return r;
	node->redirect.target = list.first->word;
	node->bytes = list.first->bytes;
	return token_take(s);
}

/* A number, - or both; or a variable alone, which is most likely one. */
static bool is_descriptor(const struct shell_word *word)
{
	size_t digits = strspn(word->text, "0123456789");

	return word->length - digits == 0 ||
	       (word->length - digits == 1 && word->text[digits] == '-');
}

int redirect_read(struct source *s, struct draft *draft)
{
	bool command_position = s->command_position;
	struct redirect_node *node = memory_take(&s->shell->memory, sizeof(*node));
	enum token_kind kind;
	int fd = -1, r = 0;

	if (!node)
		return -ENOMEM;
	if (s->token.kind == TOKEN_FD) {
		fd = s->token.fd;
		r = token_take(s) ?: token_peek(s);
	}
	kind = s->token.kind;
	if (r == 0 && kind < TOKEN_LESS)
		r = shell_fail(s, s->token.start, -EINVAL);
	r = r ?: token_take_then(s, false);
	if (r < 0)
		return r;
	node->redirect.kind = meanings[kind].kind;
	node->redirect.fd = fd < 0 ? meanings[kind].fd : fd;
	node->redirect.target = (struct shell_word) { .text = "", .variables = "" };
	node->bytes = (struct bytes) { "", 0 };
	if (kind == TOKEN_HERE || kind == TOKEN_HERE_TABS)
		r = delimiter(s, node, kind == TOKEN_HERE_TABS);
	else
		r = target(s, node);
	if (kind == TOKEN_DUP_OUT && !is_descriptor(&node->redirect.target))
		node->redirect.kind = SHELL_WRITE;
	if (draft->last_redirect)
		draft->last_redirect->next = node;
	else
		draft->first_redirect = node;
	draft->last_redirect = node;
	draft->n_redirects++;
	s->command_position = command_position;
	return r;
}
