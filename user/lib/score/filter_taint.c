/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "taint", as far as it is about arguments: an execution that names a source of secrets
 * which was read, or a variable that holds one. The kernel has the part about connections.
 */
#include <string.h>

#include "score_internal.h"

static const char *const numbers[] = {
	[TAINT_CONNECT_HIGH] = "connect-high",
	[TAINT_CONNECT_OTHER] = "connect-other",
	[TAINT_SPAWN] = "spawn",
	[TAINT_EGRESS_SOON] = "egress-soon",
	[TAINT_EGRESS_SECONDS] = "egress-seconds",
	[TAINT_LIFETIME] = "lifetime-seconds",
};
static const struct score_list_kind lists[] = {
	[TAINT_SECRET_VARIABLES] = { "secret-variables", SCORE_WORDS },
};

/* Whether a variable's name has the words between its beginning, its end and underscores. */
static bool has_words(const char *name, size_t length, const char *words)
{
	const size_t n = strlen(words);
	const char *end = name + length;

	for (const char *p = name; (p = memmem(p, end - p, words, n)); p++)
		if ((p == name || p[-1] == '_') && (p + n == end || p[n] == '_'))
			return true;
	return false;
}

static bool names_secret(const struct judged *judged, const struct shell_word *word)
{
	const struct score_list *list =
		score_list(judged->weights, SCORE_TAINT, TAINT_SECRET_VARIABLES);
	const char *name = word->variables;

	while (*name) {
		size_t length = strcspn(name, " ");

		for (size_t i = 0; i < list->count; i++)
			if (has_words(name, length, list->items[i].text))
				return true;
		name += length;
		name += strspn(name, " ");
	}
	return false;
}

/* Whether an argument's end is the path, or the end of it where it is not absolute. */
static bool names_path(const struct judged *judged, const char *argument, const char *path)
{
	const char *home = judged->operation->home;
	size_t n = strlen(argument), length = strlen(path);

	if (*argument == '/')
		return !strcmp(argument, path);
	if (*argument == '~' && argument[1] == '/' && home) {
		size_t skip = strlen(home);

		return !strncmp(path, home, skip) && !strcmp(path + skip, argument + 1);
	}
	while (!strncmp(argument, "./", 2) || !strncmp(argument, "../", 3)) {
		argument = strchr(argument, '/') + 1;
		n = strlen(argument);
	}
	return n && length > n && path[length - n - 1] == '/' &&
	       !strcmp(path + length - n, argument);
}

static bool names_tainted(const struct judged *judged, const struct shell_word *word)
{
	const struct score_session *session = judged->session;
	size_t lifetime = score_count(judged->weights, SCORE_TAINT, TAINT_LIFETIME);
	/* "@FILE" and "NAME=FILE" name it too. */
	const char *behind = strpbrk(word->text, "@=");

	for (size_t i = 0; i < SCORE_TAINTED_MAX; i++) {
		const struct score_tainted *tainted = &session->tainted[i];

		if (!tainted->path ||
		    !score_is_recent(tainted->time, judged->operation->time, lifetime))
			continue;
		if (names_path(judged, word->text, tainted->path) ||
		    (behind &&
		     names_path(judged, behind + (behind[1] == '@' ? 2 : 1), tainted->path)))
			return true;
	}
	return false;
}

static void judge_word(const struct judged *judged, const struct shell_word *word, bool secrets,
		       struct score *score)
{
	int points = score_number(judged->weights, SCORE_TAINT, TAINT_SPAWN);

	if (names_tainted(judged, word))
		score_add(score, SCORE_TAINT, points, "names a secret file that was read");
	else if (secrets && names_secret(judged, word))
		score_add(score, SCORE_TAINT, points, "names a variable for a secret");
}

static void judge(const struct judged *judged, struct score *score)
{
	bool tainted = score_is_tainted(judged);

	for (size_t i = 0; i < judged->n_sections; i++) {
		const struct score_section *section = &judged->sections[i];
		const struct shell_command *command;

		if (section->kind != SECTION_ACTION)
			continue;
		command = section->action->command;
		/* What is sent counts also where no source was read: the value is in memory. */
		for (size_t w = 0; w < command->n_words; w++)
			judge_word(judged, &command->words[w], tainted || section->leaves, score);
		for (size_t r = 0; r < command->n_redirects; r++)
			judge_word(judged, &command->redirects[r].target,
				   tainted || section->leaves, score);
	}
}

const struct score_kind score_kind_taint = {
	.name = "taint",
	.numbers = numbers,
	.n_numbers = ARRAY_SIZE(numbers),
	.lists = lists,
	.n_lists = ARRAY_SIZE(lists),
	.judge = judge,
};
