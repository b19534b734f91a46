/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "destructive-action": what cannot be undone. Decides how much it adds; destructive_*.c
 * know the programs.
 */
#include "destructive.h"

/* Between two words of SQL: white space or comments. Bounds would make the database large. */
#define GAP "(\\s|/\\*[^*]*\\*/)+"

static const struct score_phrase phrases[] = {
	{ "\\bdrop" GAP "database\\b", DESTROY_DATABASE },
	{ "\\.dropDatabase\\s*\\(", DESTROY_DATABASE }, /* MongoDB */
	{ "\\bdrop" GAP "(schema|keyspace|table)\\b", DESTROY_OBJECT },
	{ "\\.drop\\s*\\(\\s*\\)", DESTROY_OBJECT }, /* MongoDB: a collection */
	{ "\\btruncate" GAP "[a-z\"`\\[]", DESTROY_TRUNCATE },
	{ "\\bflush_?(all|db)\\b", DESTROY_CACHE }, /* Redis, memcached */
};

#define WHY(index, name, why) why,
static const char *const whys[] = { DESTROY_NUMBERS(WHY) };

void harm_raise(struct harm *harm, enum destructive_number number, const char *why)
{
	int points = eval_number(harm->e, number);

	if (points <= harm->points)
		return;
	harm->points = points;
	harm->number = number;
	harm->why = why ? why : whys[number];
}

/* Whether they are the same or connected by a pipe. */
static bool belong_together(const struct action *left, const struct action *right)
{
	return left == right || (left->script == right->script &&
				 (left->command->piped_in || left->command->piped_out) &&
				 left->command->pipeline == right->command->pipeline);
}

/* Whether a word of the command, or of its pipeline, marks what others depend on. */
static bool is_production(const struct evaluation *e, const struct action *action)
{
	static const unsigned int marks[] = { DESTROY_MARKERS, DESTROY_MANAGED };

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		const struct score_hit *hit;
		size_t at = 0;

		while ((hit = eval_next(e, marks[i], &at))) {
			const struct score_section *section = eval_section(e, hit);

			if (section && section->kind == SECTION_ACTION &&
			    belong_together(section->action, action))
				return true;
		}
	}
	return false;
}

static void evaluate_action(const struct evaluation *e, const struct action *action)
{
	struct harm harm = { .e = e };

	harm_files(&harm, action);
	harm_data(&harm, action);
	harm_verbs(&harm, action);
	harm_containers(&harm, action);
	if (!harm.points)
		return;
	if (harm.number != DESTROY_DENY && is_production(e, action))
		eval_add(e, DESTROY_PRODUCTION, "%s, in production", harm.why);
	else
		score_add(e->score, e->filter, harm.points, "%s", harm.why);
}

static void evaluate(const struct evaluation *e)
{
	for (size_t i = 0; e->actions && i < e->actions->count; i++)
		evaluate_action(e, &e->actions->list[i]);
}

FILTER(destructive_action, DESTROY_NUMBERS, DESTROY_LISTS, .phrases = phrases,
       .n_phrases = ARRAY_SIZE(phrases), .evaluate = evaluate, .on_records = true);
