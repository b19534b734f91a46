/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Options and operands of one command, by the conventions of getopt_long(3). Knows no program.
 */
#include <string.h>

#include "actions.h"

bool action_is(const struct shell_word *word, const char *text)
{
	return !word->unknown && !strcmp(word->text, text);
}

static bool is_option(const struct shell_word *word)
{
	return word->text[0] == '-' && word->text[1];
}

static bool is_end(const struct shell_word *word)
{
	return action_is(word, "--");
}

/* Whether the word is the long option; where a value follows its '=', that too. */
static bool is_long(const struct shell_word *word, const char *name, const char **ret_value)
{
	size_t n = name ? strlen(name) : 0;

	if (!n || strncmp(word->text, name, n) != 0 || (word->text[n] && word->text[n] != '='))
		return false;
	*ret_value = word->text[n] ? word->text + n + 1 : NULL;
	return true;
}

bool action_has(const struct action *action, char letter, const char *name)
{
	for (size_t i = 1; i < action->n_words; i++) {
		const struct shell_word *word = &action->words[i];
		const char *value = NULL;

		if (is_end(word))
			return false;
		if (is_long(word, name, &value))
			return true;
		if (letter && is_option(word) && word->text[1] != '-' &&
		    strchr(word->text + 1, letter))
			return true;
	}
	return false;
}

const char *action_value(const struct action *action, char letter, const char *name, size_t *at)
{
	for (size_t i = *at ? *at : 1; i < action->n_words; i++) {
		const struct shell_word *word = &action->words[i];
		bool separate = i + 1 < action->n_words;
		const char *value = NULL;

		if (is_end(word))
			break;
		if (is_long(word, name, &value)) {
			*at = i + (value ? 1 : 2);
			if (value || separate)
				return value ? value : action->words[i + 1].text;
		} else if (letter && word->text[0] == '-' && word->text[1] == letter) {
			value = word->text[2] ? word->text + 2 : NULL;
			*at = i + (value ? 1 : 2);
			if (value || separate)
				return value ? value : action->words[i + 1].text;
		}
	}
	*at = action->n_words;
	return NULL;
}

bool words_have(const char *words, const char *name)
{
	const size_t n = strlen(name);

	for (const char *p = words; p && n && (p = strstr(p, name)); p++)
		if ((p == words || p[-1] == ' ') && (!p[n] || p[n] == ' '))
			return true;
	return false;
}

const struct shell_word *action_next(const struct action *action, const char *valued,
				     struct action_cursor *cursor)
{
	while (++cursor->at < action->n_words) {
		const struct shell_word *word = &action->words[cursor->at];

		if (!cursor->behind_end && is_end(word))
			cursor->behind_end = true;
		else if (cursor->behind_end || !is_option(word))
			return word;
		else if (words_have(valued, word->text))
			cursor->at++;
	}
	return NULL;
}

const struct shell_word *action_operand(const struct action *action, size_t n, const char *valued)
{
	struct action_cursor cursor = { 0 };
	const struct shell_word *word = action_next(action, valued, &cursor);

	while (word && n--)
		word = action_next(action, valued, &cursor);
	return word;
}

bool action_operands_are(const struct action *action, const char *words, const char *valued)
{
	struct action_cursor cursor = { 0 };

	while (*words) {
		const struct shell_word *word = action_next(action, valued, &cursor);
		size_t length = strcspn(words, " ");

		if (!word || word->unknown || word->length != length ||
		    memcmp(word->text, words, length) != 0)
			return false;
		words += length;
		words += strspn(words, " ");
	}
	return true;
}
