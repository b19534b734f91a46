/* SPDX-License-Identifier: MPL-2.0 */
/*
 * {a,b}: several words from one, as bash makes them before anything else is expanded. Where they
 * would be too many, and for {1..9}, the braces are a part that is not known.
 */
#include "parser.h"

#define WORDS_MAX 64 /* from one word */

struct braces {
	size_t open, close;
	size_t commas;
};

static char plain(const struct raw_word *raw, size_t at)
{
	return at < raw->length && !raw->marks[at] ? raw->data[at] : '\0';
}

/* Whether what starts here is a number or one byte, and `..`. */
static bool is_range(const struct raw_word *raw, size_t at)
{
	size_t n = plain(raw, at) == '-';

	while (plain(raw, at + n) >= '0' && plain(raw, at + n) <= '9')
		n++;
	n = n ? n : 1;
	return plain(raw, at) && plain(raw, at + n) == '.' && plain(raw, at + n + 1) == '.';
}

/* The outermost braces that mean something, the first ones. `opens` has room for each { . */
static bool find(const struct raw_word *raw, struct braces *opens, struct braces *ret_braces)
{
	struct braces found = { .open = SIZE_MAX };
	size_t depth = 0;

	for (size_t at = 0; at < raw->length; at++) {
		char c = plain(raw, at);

		if (c == '{') {
			opens[depth++] = (struct braces) { .open = at };
		} else if (c == ',' && depth) {
			opens[depth - 1].commas++;
		} else if (c == '}' && depth) {
			struct braces b = opens[--depth];

			b.close = at;
			if (b.open < found.open && (b.commas || is_range(raw, b.open + 1)))
				found = b;
		}
	}
	if (found.open == SIZE_MAX)
		return false;
	*ret_braces = found;
	return true;
}

static void append(struct raw_word *to, const struct raw_word *from, size_t start, size_t end)
{
	memcpy(to->data + to->length, from->data + start, end - start);
	memcpy(to->marks + to->length, from->marks + start, end - start);
	to->length += end - start;
}

/* What is before the braces, then what is in them from `start` to `end`, then the rest. */
static int replace(struct shell *shell, const struct raw_word *raw, const struct braces *b,
		   size_t start, size_t end, struct raw_word *ret_word)
{
	struct raw_word word = { .quoted = raw->quoted, .variables = raw->variables };

	word.data = memory_take(&shell->memory, raw->length + 1);
	word.marks = memory_take(&shell->memory, raw->length + 1);
	if (!word.data || !word.marks)
		return -ENOMEM;
	append(&word, raw, 0, b->open);
	if (start == end && start == SIZE_MAX)
		word.marks[word.length++] = 1;
	else
		append(&word, raw, start, end);
	append(&word, raw, b->close + 1, raw->length);
	*ret_word = word;
	return 0;
}

/* The words of one pair of braces in the place of the word `at`. */
static int split(struct shell *shell, struct raw_list *list, size_t at, const struct braces *b)
{
	struct raw_word raw = list->words[at];
	size_t more = b->commas, start = b->open + 1, depth = 0, made = 0;
	int r = 0;

	if (!more || list->count + more > WORDS_MAX)
		return replace(shell, &raw, b, SIZE_MAX, SIZE_MAX, &list->words[at]);
	memmove(&list->words[at + more], &list->words[at],
		(list->count - at) * sizeof(*list->words));
	list->count += more;
	for (size_t i = start; i <= b->close && r == 0; i++) {
		char c = plain(&raw, i);

		if ((c == ',' && !depth) || i == b->close) {
			r = replace(shell, &raw, b, start, i, &list->words[at + made++]);
			start = i + 1;
		}
		depth += c == '{';
		depth -= c == '}' && depth;
	}
	return r;
}

int braces_expand(struct shell *shell, const struct raw_word *raw, struct raw_list *ret_list)
{
	OWNED_MEM struct braces *opens = NULL;
	struct raw_list list = { .count = 1 };
	struct braces b;
	size_t n = 0;
	int r = 0;

	for (size_t i = 0; i < raw->length; i++)
		n += plain(raw, i) == '{';
	if (!n)
		return 0;
	opens = calloc(n, sizeof(*opens));
	list.words = memory_take(&shell->memory, WORDS_MAX * sizeof(*list.words));
	if (!opens || !list.words)
		return -ENOMEM;
	list.words[0] = *raw;
	for (size_t at = 0; at < list.count;) {
		if (!find(&list.words[at], opens, &b)) {
			at++;
			continue;
		}
		r = shell_spend(shell, (b.commas + 1) * raw->length) ?: split(shell, &list, at, &b);
		if (r < 0)
			return r;
	}
	/* What is empty and was not quoted is no word: {,} is none. */
	for (size_t i = n = 0; i < list.count; i++)
		if (list.words[i].length || raw->quoted)
			list.words[n++] = list.words[i];
	list.count = n;
	*ret_list = list;
	return 0;
}
