/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Delegated authority: programs that have a process outside of the session do the work. Allow
 * becomes hold, except for what only looks. The program is known by the file that is executed.
 */
#include "egress.h"
#include "evaluation.h"

#define LISTS(LIST)                             \
	LIST(PROGRAMS, "programs", SCORE_WORDS) \
	LIST(LOOPBACK, "loopback", SCORE_WORDS) \
	LIST(READING, "reading", SCORE_WORDS)
FILTER_INDICES(LISTS);

const struct score_list *score_loopback_names(const struct score_weights *weights)
{
	return score_list(weights, FILTER_DELEGATION, LOOPBACK);
}

static struct record_bytes file_name(struct record_bytes path)
{
	const char *slash = memrchr(path.data, '/', path.length);

	if (!slash)
		return path;
	return (struct record_bytes) { slash + 1, path.length - (size_t)(slash + 1 - path.data) };
}

static bool is_one_of(const struct score_list *list, struct record_bytes name)
{
	for (size_t i = 0; i < list->count; i++)
		if (bytes_are(name, list->items[i].text))
			return true;
	return false;
}

/* tmux runs commands behind ";" or in "#(...)". */
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

/* Whether the arguments are those of an entry, "PROGRAM SUBCOMMAND" or "PROGRAM -OPTION". */
static bool only_reads(const struct evaluation *e, struct record_bytes name, const struct action *a)
{
	const struct score_list *list = eval_list(e, READING);

	for (size_t i = 0; i < list->count; i++) {
		const char *entry = list->items[i].text;
		const char *verb = entry + name.length + 1;

		if (strncmp(entry, name.data, name.length) != 0 || entry[name.length] != ' ')
			continue;
		if (*verb == '-' ? a->n_words == 2 && action_is(&a->words[1], verb)
				 : action_operands_are(a, verb))
			return !bytes_are(name, "tmux") || !has_more(a);
	}
	return false;
}

/* Whether ssh would connect to this machine. */
static bool goes_here(const struct evaluation *e, const struct action *a)
{
	const struct shell_word *host = action_operand(a, 0);
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
	return egress_is_local_name(e->weights, name, length);
}

static void evaluate(const struct evaluation *e)
{
	const struct score_operation *o = e->operation;
	bool known = e->actions && e->actions->count, hold;
	struct action own = { .program = "" };
	struct record_bytes name;

	if (o->op != GRITH_OP_EXEC || !o->path.length)
		return;
	name = file_name(o->path);
	own.valued = action_valued(name);
	/* All the words: this is about the file that is executed, not about one that it may run. */
	if (known) {
		own.command = e->actions->list[0].command;
		own.words = own.command->words;
		own.n_words = own.command->n_words;
	}
	if (is_one_of(eval_list(e, PROGRAMS), name))
		hold = !known || !only_reads(e, name, &own);
	else
		hold = bytes_are(name, "ssh") && known && goes_here(e, &own);
	if (!hold)
		return;
	e->score->hold = true;
	score_add(e->score, e->filter, 0, "%.*s has others outside of the session do it",
		  (int)name.length, name.data);
}

FILTER(delegation, NO_KEYS, LISTS, .evaluate = evaluate);
