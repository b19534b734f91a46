/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Redirections (XCU 2.7), and here-documents (XCU 2.7.4), whose bodies are the lines behind the
 * one that names them.
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

/*
 * The next line without its newline, at the end of `body`; a continuation of it, where the
 * delimiter is not quoted, makes it longer. `ret_last`: nothing is behind it.
 */
static int next_line(struct source *s, const struct here *here, struct text *body, bool *ret_last)
{
	bool escaped = false;
	int r = 0;

	while (here->tabs && source_byte(s, 0) == '\t')
		s->at++;
	for (; s->at < s->length && r == 0; s->at++) {
		char c = s->text[s->at];

		if (c == '\n' && escaped && !here->quoted) {
			body->length--;
			escaped = false;
			continue;
		}
		if (c == '\n')
			break;
		escaped = c == '\\' && !escaped;
		r = text_add(body, &c, 1);
	}
	*ret_last = s->at == s->length;
	s->at += !*ret_last;
	return r;
}

/*
 * Whether the line is the delimiter. In a substitution bash also takes a line that starts with it
 * and has the ) behind it, and reads on behind the delimiter.
 */
static bool ends(struct source *s, const struct here *here, const char *line, size_t length,
		 bool last)
{
	const struct bytes *delimiter = &here->delimiter;

	if (length < delimiter->length || memcmp(line, delimiter->data, delimiter->length) != 0)
		return false;
	if (length == delimiter->length)
		return true;
	if (!s->substitution || s->shell->plain ||
	    !memchr(line + delimiter->length, ')', length - delimiter->length))
		return false;
	s->at -= length - delimiter->length + !last;
	return true;
}

static int fill(struct source *s, struct here *here, size_t start, struct bytes body)
{
	struct raw_word raw = { .variables = "" };
	int r = here->quoted ? 0 : shell_read_quoted(s, start, body, &raw);

	if (r < 0)
		return r;
	if (!here->quoted)
		body = (struct bytes) { raw.data, raw.length };
	r = finish_bytes(s->shell, body, here->target);
	here->target->variables = raw.variables;
	if (here->bytes)
		*here->bytes = body;
	return r;
}

static int read_body(struct source *s, struct here *here)
{
	OWNED_TEXT struct text body = { 0 };
	struct bytes kept;
	size_t start = s->at;
	bool last = start == s->length;
	int r = text_add(&body, "", 0);

	while (r == 0 && !last) {
		size_t line = body.length;

		r = next_line(s, here, &body, &last);
		if (r == 0 && ends(s, here, body.data + line, body.length - line, last)) {
			body.length = line;
			break;
		}
		if (r == 0 && !last)
			r = text_add(&body, "\n", 1);
	}
	if (r < 0)
		return r;
	kept.length = body.length;
	kept.data = memory_copy(&s->shell->memory, body.data, body.length);
	return kept.data ? fill(s, here, start, kept) : -ENOMEM;
}

/* The commands that read the body as their program. */
static int run(struct source *s, const struct here *here)
{
	struct entry *entry;
	size_t n = s->shell->n_entries;
	int r = 0;

	if (here->fd != 0 || here->entry == SIZE_MAX)
		return 0;
	entry = &s->shell->entries[here->entry];
	entry->input = INPUT_TEXT;
	entry->input_text = *here->bytes;
	if (here->group == SIZE_MAX)
		return nested_input(s, here->entry);
	for (size_t i = here->group; i < here->entry && i < n && r == 0; i++) {
		entry = &s->shell->entries[i];
		if (entry->level != s->shell->level || entry->input != INPUT_OPEN ||
		    entry->command.piped_in)
			continue;
		entry->input = INPUT_TEXT;
		entry->input_text = *here->bytes;
		r = nested_input(s, i);
		if (s->shell->n_entries > n)
			break; /* the first shell reads all of it */
	}
	return r;
}

int redirect_read_bodies(struct source *s)
{
	int r = 0;

	while (s->heres && r == 0) {
		struct here *here = s->heres;

		s->heres = here->next;
		if (!s->heres)
			s->last_here = NULL;
		r = read_body(s, here) ?: run(s, here);
	}
	return r;
}
