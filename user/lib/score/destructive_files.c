/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Destruction on this machine: file systems made anew, disks overwritten, trees removed.
 */
#include <fnmatch.h>

#include "destructive.h"

static bool makes_file_system(const struct harm *harm, const struct action *a)
{
	const struct score_list *makers = eval_list(harm->e, DESTROY_MAKERS);

	for (size_t i = 0; i < makers->count; i++)
		if (fnmatch(makers->items[i].text, a->program, 0) == 0)
			return true;
	return false;
}

static void harm_disks(struct harm *harm, const struct action *a)
{
	bool is_dd = !strcmp(a->program, "dd"), is_shred = !strcmp(a->program, "shred");

	for (size_t i = 1; (is_dd || is_shred) && i < a->n_words; i++) {
		const char *word = a->words[i].text;

		if (is_dd && !strncmp(word, "of=", 3) && place_is_block_device(word + 3))
			harm_raise(harm, DESTROY_DENY, "overwrites a disk");
		if (is_shred && place_is_block_device(word))
			harm_raise(harm, DESTROY_DENY, "overwrites a disk");
	}
	for (size_t i = 0; i < a->command->n_redirects; i++) {
		const struct shell_redirect *redirect = &a->command->redirects[i];

		if ((redirect->kind == SHELL_WRITE || redirect->kind == SHELL_APPEND) &&
		    place_is_block_device(redirect->target.text))
			harm_raise(harm, DESTROY_DENY, "overwrites a disk");
	}
}

/* Whether the arguments have the text with one of these bytes behind it. */
static bool is_written(const struct harm *harm, const char *text, const char *behind)
{
	const struct record_bytes *argv = &harm->e->operation->argv;
	const char *end = argv->data + argv->length;
	const size_t n = strlen(text);

	for (const char *p = argv->data; (p = memmem(p, end - p, text, n)); p++)
		if (p + n < end && strchr(behind, p[n]))
			return true;
	return false;
}

/*
 * Whether a word of a shell's text, which is not known as a whole, covers all of its known part: a
 * "*" at the end does, and $(...) may be anything. The parsed word is the same for both; what was
 * written differs.
 */
static bool is_all_of(const struct harm *harm, const struct shell_word *word)
{
	OWNED_MEM char *blank = NULL;

	if (!word->unknown)
		return true;
	blank = text_format(" %s", word->text);
	if (!blank)
		return true;
	return is_written(harm, blank, *word->text == '~' ? "* \t\n;&|)" : "*");
}

/* $HOME, "${HOME}"/ and the like, and with a "*" behind it. */
static bool is_home_variable(const struct harm *harm, const struct shell_word *word)
{
	static const char *const spellings[] = { "HOME/", "HOME}/", "HOME\"/", "HOME}\"/" };

	if (strcmp(word->variables, "HOME") != 0 || (*word->text && strcmp(word->text, "/") != 0))
		return false;
	for (size_t i = 0; *word->text && i < ARRAY_SIZE(spellings); i++)
		if (is_written(harm, spellings[i], "* \t\n;&|\""))
			return true;
	return !*word->text;
}

/*
 * The absolute path that an argument names, as far as it is known: "~" and $HOME are the home
 * directory, and a "*" at the end is all of what is before it. NULL: not known, or no memory, and
 * then `*ret_failed`.
 */
static char *target_of(const struct harm *harm, const struct shell_word *word, bool *ret_failed)
{
	const char *home = harm->e->operation->home;
	const char *prefix = "", *rest = word->text;
	OWNED_MEM char *joined = NULL;
	char *path;

	if (is_home_variable(harm, word))
		prefix = home ? home : "";
	else if ((*word->variables && *rest != '~') || !is_all_of(harm, word))
		return NULL;
	else if (*rest != '/' && !(*rest == '~' && (!rest[1] || rest[1] == '/')))
		return NULL;
	if (*rest == '~') {
		prefix = home ? home : "";
		rest++;
	}
	if (asprintf(&joined, "%s%s", prefix, rest) < 0) {
		joined = NULL;
		*ret_failed = true;
		return NULL;
	}
	path = malloc(strlen(joined) + 2);
	if (path)
		place_normalise(joined, strlen(joined), path);
	else
		*ret_failed = true;
	return path;
}

static bool is_below_one(const struct score_list *list, const char *path)
{
	for (size_t i = 0; i < list->count; i++)
		if (path_text_is_below(path, list->items[i].text))
			return true;
	return false;
}

/* Whether the path is such a place or right below one: /mnt/disk1, but not a file on the disk. */
static bool is_near_one(const struct score_list *list, const char *path)
{
	for (size_t i = 0; i < list->count; i++) {
		size_t n = strlen(list->items[i].text);

		if (path_text_is_below(path, list->items[i].text) &&
		    (!path[n] || !strchr(path + n + 1, '/')))
			return true;
	}
	return false;
}

static void harm_tree(struct harm *harm, const char *path, bool recursive)
{
	const struct score_operation *o = harm->e->operation;
	bool is_home = o->home && *o->home && !strcmp(path, o->home);

	if (recursive && (is_home || score_list_has(eval_list(harm->e, DESTROY_ROOTS), path)))
		harm_raise(harm, DESTROY_DENY, "removes a directory that the system needs");
	if (recursive && is_below_one(eval_list(harm->e, DESTROY_DATABASES), path))
		harm_raise(harm, DESTROY_DENY, "removes the data of a database");
	/* What the agent works in is its own, wherever it is mounted. */
	if (path_text_is_below(path, o->project))
		return;
	if (is_below_one(eval_list(harm->e, DESTROY_BACKUPS), path))
		harm_raise(harm, DESTROY_BACKUP, NULL);
	if (recursive && is_near_one(eval_list(harm->e, DESTROY_DATA_MOUNTS), path))
		harm_raise(harm, DESTROY_MOUNT, NULL);
}

static void harm_removal(struct harm *harm, const struct action *a)
{
	bool recursive = action_has(a, 'r', "--recursive") || action_has(a, 'R', NULL);
	struct action_cursor cursor = { 0 };
	const struct shell_word *word;
	bool failed = false;

	while (!failed && (word = action_next(a, &cursor))) {
		OWNED_MEM char *path = target_of(harm, word, &failed);

		if (path && *path)
			harm_tree(harm, path, recursive);
	}
	if (failed)
		harm_raise(harm, DESTROY_DENY, "no memory to look at what is removed");
}

void harm_files(struct harm *harm, const struct action *a)
{
	static const char *const walkers[] = { "rm", "chmod", "chown", "chgrp" };

	if (makes_file_system(harm, a))
		harm_raise(harm, DESTROY_DENY, "makes a file system anew");
	harm_disks(harm, a);
	for (size_t i = 0; i < ARRAY_SIZE(walkers); i++)
		if (!strcmp(a->program, walkers[i]) && action_has(a, '\0', "--no-preserve-root"))
			harm_raise(harm, DESTROY_DENY, "does not stop at the root directory");
	if (!strcmp(a->program, "rm"))
		harm_removal(harm, a);
}
