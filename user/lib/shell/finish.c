/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From a word as it was read to the words a command gets: braces become several words (braces.c),
 * patterns and ~user are parts that are not known, quotes are gone.
 */
#include "parser.h"

static bool is_plain(const struct raw_word *raw, size_t at, char byte)
{
	return at < raw->length && raw->data[at] == byte && !raw->marks[at];
}

/* The byte behind a [...] that starts here, or 0 where none does. */
static size_t bracket_end(const struct raw_word *raw, size_t at)
{
	size_t end = at + 1;

	if (is_plain(raw, end, '!') || is_plain(raw, end, '^'))
		end++;
	for (end++; end < raw->length; end++)
		if (is_plain(raw, end, ']'))
			return end + 1;
	return 0;
}

/* Replaces patterns by the mark of what is not known, in place; they only get shorter. */
static void drop_patterns(struct raw_word *raw)
{
	size_t to = 0, end;
	bool closed = true; /* a [ may still find its ] */

	for (size_t at = 0; at < raw->length;) {
		end = 0;
		if (is_plain(raw, at, '*') || is_plain(raw, at, '?')) {
			end = at + 1;
		} else if (closed && is_plain(raw, at, '[')) {
			end = bracket_end(raw, at);
			closed = end != 0;
		}
		raw->data[to] = end ? '\0' : raw->data[at];
		raw->marks[to] = end ? 1 : raw->marks[at];
		to++;
		at = end ? end : at + 1;
	}
	raw->length = to;
	raw->data[to] = '\0';
}

/* How long a ~ or ~user is that starts here: 0 where there is none. */
static size_t tilde_length(const struct raw_word *raw, size_t at, const char *ends)
{
	size_t n = 1;

	if (!is_plain(raw, at, '~'))
		return 0;
	for (; at + n < raw->length; n++) {
		char c = raw->data[at + n];

		if (raw->marks[at + n] || !c)
			return 0;
		if (strchr(ends, c))
			break;
	}
	return n;
}

/* Whether there is a tilde that the shell replaces; `ret_home`: by the value of HOME. */
static bool has_tilde(const struct raw_word *raw, enum finish how, bool *ret_home)
{
	bool found = false, start = true, assigned = false;
	size_t n;

	*ret_home = false;
	for (size_t at = 0; at < raw->length; at++) {
		n = start ? tilde_length(raw, at, assigned ? "/:" : "/") : 0;
		found |= n > 0;
		*ret_home |= n == 1;
		if (how != FINISH_ASSIGNMENT)
			break;
		start = is_plain(raw, at, '=') || (assigned && is_plain(raw, at, ':'));
		assigned |= is_plain(raw, at, '=');
	}
	return found;
}

/* NAME, or NAME and what was there before. */
static const char *add_variable(struct shell *shell, const char *variables, const char *name)
{
	OWNED_TEXT struct text t = { 0 };

	if (text_add(&t, variables, strlen(variables)) < 0 ||
	    text_addf(&t, "%s%s", variables[0] ? " " : "", name) < 0)
		return NULL;
	return memory_copy(&shell->memory, t.data, t.length);
}

int finish_bytes(struct shell *shell, struct bytes bytes, struct shell_word *ret_word)
{
	char *text = memory_copy(&shell->memory, bytes.data, bytes.length);
	size_t to = 0;

	if (!text)
		return -ENOMEM;
	for (size_t i = 0; i < bytes.length; i++)
		if (text[i])
			text[to++] = text[i];
	text[to] = '\0';
	*ret_word = (struct shell_word) {
		.text = text,
		.length = to,
		.unknown = to < bytes.length,
		.variables = "",
	};
	return 0;
}

static int add_word(struct shell *shell, struct raw_word *raw, enum finish how,
		    struct word_list *list)
{
	struct word_node *node = memory_take(&shell->memory, sizeof(*node));
	bool home, tilde = has_tilde(raw, how, &home);
	int r;

	if (!node)
		return -ENOMEM;
	if (how != FINISH_ASSIGNMENT)
		drop_patterns(raw);
	if (home)
		raw->variables = add_variable(shell, raw->variables, "HOME");
	if (!raw->variables)
		return -ENOMEM;
	node->bytes = (struct bytes) { raw->data, raw->length };
	r = finish_bytes(shell, node->bytes, &node->word);
	if (r < 0)
		return r;
	node->word.unknown |= tilde;
	node->word.variables = raw->variables;
	if (list->last)
		list->last->next = node;
	else
		list->first = node;
	list->last = node;
	list->count++;
	return 0;
}

int finish_word(struct shell *shell, const struct raw_word *raw, enum finish how,
		struct word_list *list)
{
	struct raw_word one = *raw;
	struct raw_list words = { &one, 1 };
	int r = 0;

	if (how == FINISH_WORD)
		r = braces_expand(shell, raw, &words);
	for (size_t i = 0; i < words.count && r == 0; i++)
		r = add_word(shell, &words.words[i], how, list);
	return r;
}
