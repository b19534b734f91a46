/* SPDX-License-Identifier: MPL-2.0 */
/* getopt_long(3) behind a table. */
#include "message.h"
#include "options.h"

#define OPTIONS_MAX 24
#define LONG_ONLY 256 /* + index: what getopt_long() returns for a long option */

static int assign(const struct option_entry *entry, const char *argument)
{
	const char *value = entry->is ? entry->is : argument;

	if (entry->take)
		return entry->take(entry, value);
	if (entry->flag)
		*entry->flag = true;
	else
		*entry->value = value;
	return 0;
}

static size_t entry_of(const struct option_entry *entries, int c)
{
	size_t i = 0;

	if (c >= LONG_ONLY)
		return (size_t)(c - LONG_ONLY);
	while (entries[i].name && entries[i].letter != c)
		i++;
	return i;
}

/* `order` is "+" or "", as at the start of getopt's list of letters. */
static int read_all(int argc, char **argv, const char *order, const struct option_entry *entries)
{
	struct option known[OPTIONS_MAX + 1] = { 0 };
	char letters[2 * OPTIONS_MAX + 2], *letter = stpcpy(letters, order);
	int c, r = 0;

	for (int i = 0; i < OPTIONS_MAX && entries[i].name; i++) {
		bool bare = entries[i].flag || entries[i].is;

		known[i] =
			(struct option) { entries[i].name, bare ? no_argument : required_argument,
					  NULL, LONG_ONLY + i };
		if (entries[i].letter) {
			*letter++ = entries[i].letter;
			letter = stpcpy(letter, bare ? "" : ":");
		}
	}
	*letter = '\0';
	while (r == 0 && (c = getopt_long(argc, argv, letters, known, NULL)) != -1)
		r = c == '?' ? -EINVAL : assign(&entries[entry_of(entries, c)], optarg);
	return r;
}

int options_read(int argc, char **argv, const struct option_entry *entries)
{
	return read_all(argc, argv, "", entries);
}

int options_read_leading(int argc, char **argv, const struct option_entry *entries)
{
	return read_all(argc, argv, "+", entries);
}

int option_refuse(const struct option_entry *entry, const char *value, const char *hint)
{
	message("--%s cannot be '%s'%s", entry->name, value, hint);
	return -EINVAL;
}
