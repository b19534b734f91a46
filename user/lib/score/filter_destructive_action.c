/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "destructive-action": what cannot be undone. Says how much it is; destructive_*.c know
 * the programs.
 */
#include <string.h>

#include "destructive.h"

static const char *const numbers[] = {
	[DESTROY_DENY] = "deny",
	[DESTROY_PRODUCTION] = "production",
	[DESTROY_DATABASE] = "drop-database",
	[DESTROY_OBJECT] = "drop-object",
	[DESTROY_TRUNCATE] = "truncate",
	[DESTROY_CACHE] = "cache-flush",
	[DESTROY_STORE] = "object-store-remove",
	[DESTROY_STORE_ALL] = "object-store-remove-all",
	[DESTROY_KUBECTL] = "kubectl-delete",
	[DESTROY_TERRAFORM] = "terraform-destroy",
	[DESTROY_HELM] = "helm-uninstall",
	[DESTROY_GROUP] = "cloud-group-delete",
	[DESTROY_CONTAINER] = "container-escape",
	[DESTROY_BACKUP] = "remove-backup",
	[DESTROY_MOUNT] = "remove-data-mount",
};
_Static_assert(ARRAY_SIZE(numbers) == DESTROY_NUMBERS, "a name for every number");

static const struct score_list_kind lists[] = {
	[DESTRUCTIVE_MAKERS] = { "makers", SCORE_WORDS },
	[DESTRUCTIVE_ROOTS] = { "system-roots", SCORE_WORDS },
	[DESTRUCTIVE_DATABASES] = { "database-directories", SCORE_WORDS },
	[DESTRUCTIVE_CLIENTS] = { "database-clients", SCORE_WORDS },
	[DESTRUCTIVE_CACHES] = { "cache-clients", SCORE_WORDS },
	[DESTRUCTIVE_RUNTIMES] = { "container-runtimes", SCORE_WORDS },
	[DESTRUCTIVE_FLAGS] = { "container-flags", SCORE_WORDS },
	[DESTRUCTIVE_SYSTEM_MOUNTS] = { "system-mounts", SCORE_WORDS },
	[DESTRUCTIVE_BACKUPS] = { "backups", SCORE_WORDS },
	[DESTRUCTIVE_DATA_MOUNTS] = { "data-mounts", SCORE_WORDS },
	[DESTRUCTIVE_MARKERS] = { "production-markers", SCORE_MARKERS },
	[DESTRUCTIVE_MANAGED] = { "managed-databases", SCORE_SUFFIXES },
};
_Static_assert(ARRAY_SIZE(lists) == DESTRUCTIVE_LISTS, "a name for every list");

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

void harm_raise(struct harm *harm, enum destructive_number number, const char *why)
{
	int points = score_number(harm->judged->weights, FILTER_DESTRUCTIVE_ACTION, number);

	if (points <= harm->points)
		return;
	harm->points = points;
	harm->number = number;
	harm->why = why;
}

/* Whether they are the same or connected by a pipe. */
static bool belong_together(const struct action *left, const struct action *right)
{
	return left == right || (left->script == right->script &&
				 (left->command->piped_in || left->command->piped_out) &&
				 left->command->pipeline == right->command->pipeline);
}

/* Whether a word of the command, or of its pipeline, says that others depend on it. */
static bool is_production(const struct judged *judged, const struct action *action)
{
	static const unsigned int marks[] = { DESTRUCTIVE_MARKERS, DESTRUCTIVE_MANAGED };

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		const struct score_hit *hit;
		size_t at = 0;

		while ((hit = judged_next(judged, FILTER_DESTRUCTIVE_ACTION, marks[i], &at))) {
			const struct score_section *section = judged_section(judged, hit->to - 1);

			if (section && section->kind == SECTION_ACTION &&
			    belong_together(section->action, action))
				return true;
		}
	}
	return false;
}

static void judge_action(const struct judged *judged, const struct action *action,
			 struct score *score)
{
	struct harm harm = { .judged = judged };

	harm_files(&harm, action);
	harm_data(&harm, action);
	harm_stores(&harm, action);
	harm_clusters(&harm, action);
	harm_containers(&harm, action);
	if (!harm.points)
		return;
	if (harm.number != DESTROY_DENY && is_production(judged, action))
		score_add(score, FILTER_DESTRUCTIVE_ACTION,
			  score_number(judged->weights, FILTER_DESTRUCTIVE_ACTION,
				       DESTROY_PRODUCTION),
			  "%s, in production", harm.why);
	else
		score_add(score, FILTER_DESTRUCTIVE_ACTION, harm.points, "%s", harm.why);
}

static void judge(const struct judged *judged, struct score *score)
{
	for (size_t i = 0; judged->actions && i < judged->actions->count; i++)
		judge_action(judged, &judged->actions->list[i], score);
}

const struct filter filter_destructive_action = {
	.numbers = numbers,
	.n_numbers = ARRAY_SIZE(numbers),
	.lists = lists,
	.n_lists = ARRAY_SIZE(lists),
	.phrases = phrases,
	.n_phrases = ARRAY_SIZE(phrases),
	.judge = judge,
};
