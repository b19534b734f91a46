/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The second reading, as a shell does that has no extensions, since it is not known which one will
 * read it: `((rm x))` is arithmetic to bash and a command to dash, and they do not agree about
 * where a $'...' ends.
 */
#include "parser.h"

/* FNV-1a, with 64 bits. */
#define FNV_START 0xcbf29ce484222325
#define FNV_PRIME 0x100000001b3

static void hash_words(struct entry *entry)
{
	uint64_t hash = FNV_START;

	for (size_t i = 0; i < entry->command.n_words; i++)
		/* With the NUL behind it, which parts the words. */
		for (size_t k = 0; k <= entry->words[i].length; k++)
			hash = (hash ^ (unsigned char)entry->words[i].data[k]) * FNV_PRIME;
	entry->hash = hash;
}

static bool same_words(const struct entry *a, const struct entry *b)
{
	if (a->hash != b->hash || a->command.n_words != b->command.n_words)
		return false;
	for (size_t i = 0; i < a->command.n_words; i++)
		if (a->words[i].length != b->words[i].length ||
		    memcmp(a->words[i].data, b->words[i].data, a->words[i].length) != 0)
			return false;
	return true;
}

/* Whether the entry is worth a place behind the first `n`. */
static bool is_new(const struct shell *shell, size_t n, const struct entry *entry)
{
	const struct shell_command *command = &entry->command;

	if (!command->n_words || (command->words[0].unknown && !command->words[0].length))
		return false;
	for (size_t i = 0; i < n; i++)
		if (same_words(&shell->entries[i], entry))
			return false;
	return true;
}

/*
 * Commands that were not found before are added behind the others. An error is none here: the text
 * is right for bash, and such a shell runs the lines that are before the one with the error.
 */
int plain_read(struct shell *shell, const char *text, size_t length)
{
	struct source s = { .shell = shell, .text = text, .length = length };
	size_t kept = shell->n_entries;
	int r;

	shell->plain = true;
	shell->first_plain = kept;
	shell->depth = shell->level = 0;
	shell->n_complete = kept;
	r = shell_read_all(&s);
	if (r == -EINVAL)
		shell->n_entries = shell->n_complete;
	else if (r < 0)
		return r;
	for (size_t i = 0; i < shell->n_entries; i++)
		hash_words(&shell->entries[i]);
	for (size_t i = kept; i < shell->n_entries; i++)
		if (is_new(shell, kept, &shell->entries[i]))
			shell->entries[kept++] = shell->entries[i];
	shell->n_entries = kept;
	return 0;
}
