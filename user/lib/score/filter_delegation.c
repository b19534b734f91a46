/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Delegated authority: programs that have a process outside of the session do the work. Allow
 * becomes hold, except for what only looks. The program is known by the file that is executed.
 */
#include <string.h>

#include "egress.h"
#include "internal.h"

static const struct score_list_kind lists[] = {
	[DELEGATION_PROGRAMS] = { "programs", SCORE_WORDS },
	[DELEGATION_LOOPBACK] = { "loopback", SCORE_WORDS },
	[DELEGATION_READING] = { "reading", SCORE_WORDS },
};

/* Options before the subcommand whose value is a word of its own. */
static const struct {
	const char *programs, *options;
} valued[] = {
	{ "docker podman nerdctl", "-H --host -c --context --config -l --log-level" },
	{ "kubectl", "-n --namespace --context --cluster --user --kubeconfig -s --server" },
	{ "tmux", "-L -S -f" },
	{ "systemctl loginctl machinectl busctl",
	  "-H --host -M --machine -t --type -p --property -n --lines -o --output" },
};

#define SSH_VALUED "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w"

static const char *file_name(const struct score_operation *o, size_t *ret_length)
{
	const char *slash = memrchr(o->path.data, '/', o->path.length);

	*ret_length = slash ? o->path.length - (size_t)(slash + 1 - o->path.data) : o->path.length;
	return slash ? slash + 1 : o->path.data;
}

static bool is_one_of(const struct score_list *list, const char *name, size_t length)
{
	for (size_t i = 0; i < list->count; i++)
		if (strlen(list->items[i].text) == length &&
		    !memcmp(list->items[i].text, name, length))
			return true;
	return false;
}

/* tmux runs commands that stand behind ";" or in "#(...)". */
static bool has_more(const struct action *a)
{
	for (size_t i = 1; i < a->n_words; i++) {
		const struct shell_word *word = &a->words[i];

		if (strstr(word->text, "#(") ||
		    (word->length && word->text[word->length - 1] == ';'))
			return true;
	}
	return false;
}

static const char *valued_of(const char *name, size_t length)
{
	char program[32];

	if (length >= sizeof(program))
		return NULL;
	memcpy(program, name, length);
	program[length] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(valued); i++)
		if (words_have(valued[i].programs, program))
			return valued[i].options;
	return NULL;
}

/* Whether the arguments are those of an entry, "PROGRAM SUBCOMMAND" or "PROGRAM -OPTION". */
static bool only_reads(const struct judged *judged, const char *name, size_t length,
		       const struct action *a)
{
	const struct score_list *list =
		score_list(judged->weights, FILTER_DELEGATION, DELEGATION_READING);
	const char *options = valued_of(name, length);
	const bool is_tmux = length == 4 && !memcmp(name, "tmux", 4);

	for (size_t i = 0; i < list->count; i++) {
		const char *entry = list->items[i].text;
		const char *verb = entry + length + 1;

		if (strncmp(entry, name, length) != 0 || entry[length] != ' ')
			continue;
		if (*verb == '-' ? a->n_words == 2 && action_is(&a->words[1], verb)
				 : action_operands_are(a, verb, options))
			return !is_tmux || !has_more(a);
	}
	return false;
}

/* Whether ssh would connect to this machine. */
static bool goes_here(const struct judged *judged, const struct action *a)
{
	const struct shell_word *host = action_operand(a, 0, SSH_VALUED);
	const char *name;
	size_t length;

	if (!host)
		return false;
	name = strrchr(host->text, '@');
	name = name ? name + 1 : host->text;
	if (!strncmp(name, "ssh://", 6))
		name += 6;
	if (*name == '[')
		name++;
	/* An IPv6 address has more than one ':'. */
	length = strchr(name, ':') == strrchr(name, ':') ? strcspn(name, ":]") : strcspn(name, "]");
	return score_is_local_name(judged->weights, name, length);
}

static void judge(const struct judged *judged, struct score *score)
{
	const struct score_operation *o = judged->operation;
	struct action own = { .program = "" };
	bool known = judged->actions && judged->actions->count, hold;
	const char *name;
	size_t length;

	if (o->op != GRITH_OP_EXEC || !o->path.length)
		return;
	/* All the words: this is about the file that is executed, not about one that it may run. */
	if (known) {
		own.command = judged->actions->list[0].command;
		own.words = own.command->words;
		own.n_words = own.command->n_words;
	}
	name = file_name(o, &length);
	if (is_one_of(score_list(judged->weights, FILTER_DELEGATION, DELEGATION_PROGRAMS), name,
		      length))
		hold = !known || !only_reads(judged, name, length, &own);
	else
		hold = length == 3 && !memcmp(name, "ssh", 3) && known && goes_here(judged, &own);
	if (!hold)
		return;
	score->hold = true;
	score_add(score, FILTER_DELEGATION, 0, "%.*s has others outside of the session do it",
		  (int)length, name);
}

const struct filter filter_delegation = {
	.lists = lists,
	.n_lists = ARRAY_SIZE(lists),
	.judge = judge,
};
