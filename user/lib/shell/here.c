/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Here-documents (XCU 2.7.4): their bodies are the lines behind the line that names them.
 */
#include "parser.h"

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
	struct shell_word word = { .text = body.data, .length = body.length, .variables = "" };
	struct raw_word raw;
	char *text;
	size_t to = 0;
	int r;

	if (!here->quoted) {
		r = shell_read_quoted(s, start, body, &raw);
		if (r < 0)
			return r;
		body = (struct bytes) { raw.data, raw.length };
		word.variables = raw.variables;
	}
	text = memory_copy(&s->shell->memory, body.data, body.length);
	if (!text)
		return -ENOMEM;
	for (size_t i = 0; i < body.length; i++)
		if (text[i])
			text[to++] = text[i];
	text[to] = '\0';
	word.text = text;
	word.length = to;
	word.unknown = to < body.length;
	*here->target = word;
	if (here->bytes)
		*here->bytes = body;
	return 0;
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

int here_read_bodies(struct source *s)
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
