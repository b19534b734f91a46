/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Destruction in databases, caches and object stores: by the words that a client is given, in its
 * arguments, in a here-document or through a pipe.
 */
#include <string.h>

#include "destructive.h"

/* Programs that run another one elsewhere, whose arguments are a client's and the client's own. */
static bool carries_client(const struct harm *harm, const struct action *a)
{
	static const char *const carriers[] = { "kubectl", "docker-compose", "ssh", "oc" };
	const struct score_list *clients = harm_list(harm, DESTRUCTIVE_CLIENTS);
	const struct score_list *caches = harm_list(harm, DESTRUCTIVE_CACHES);
	bool carrier = score_list_has(harm_list(harm, DESTRUCTIVE_RUNTIMES), a->program);

	for (size_t i = 0; i < ARRAY_SIZE(carriers); i++)
		carrier = carrier || !strcmp(a->program, carriers[i]);
	for (size_t i = 1; carrier && i < a->n_words; i++) {
		const char *name = place_name(a->words[i].text);

		if (score_list_has(clients, name) || score_list_has(caches, name))
			return true;
	}
	return false;
}

static bool reaches_database(const struct harm *harm, const struct action *a)
{
	return judged_feeds(harm->judged, a, harm_list(harm, DESTRUCTIVE_CLIENTS)) ||
	       carries_client(harm, a);
}

static bool reaches_cache(const struct harm *harm, const struct action *a)
{
	/* memcached is spoken to with whatever connects. */
	const struct score_list *nc =
		score_list(harm->judged->weights, FILTER_DLP_GATE, DLP_NETWORK_TOOLS);

	return judged_feeds(harm->judged, a, harm_list(harm, DESTRUCTIVE_CACHES)) ||
	       carries_client(harm, a) ||
	       (a->command->piped_out && judged_feeds(harm->judged, a, nc));
}

static const char *phrase_of(enum destructive_number number)
{
	switch (number) {
	case DESTROY_DATABASE:
		return "drops a database";
	case DESTROY_OBJECT:
		return "drops a schema or a table";
	case DESTROY_TRUNCATE:
		return "truncates a table";
	default:
		return "flushes a cache";
	}
}

static void harm_phrases(struct harm *harm, const struct action *a)
{
	const struct judged *judged = harm->judged;
	const struct score_hit *hit;
	size_t at = 0;

	while ((hit = judged_next(judged, FILTER_DESTRUCTIVE_ACTION, DESTRUCTIVE_LISTS, &at))) {
		const struct score_section *section = judged_section(judged, hit->to - 1);
		enum destructive_number number = hit->pattern->item;

		if (!section || section->kind != SECTION_ACTION || section->action != a)
			continue;
		if (number == DESTROY_CACHE ? reaches_cache(harm, a) : reaches_database(harm, a))
			harm_raise(harm, number, phrase_of(number));
	}
}

void harm_data(struct harm *harm, const struct action *a)
{
	harm_phrases(harm, a);
	if (!strcmp(a->program, "dropdb") && !action_has(a, '\0', "--help"))
		harm_raise(harm, DESTROY_DATABASE, "drops a database");
	if (!strcmp(a->program, "mysqladmin") || !strcmp(a->program, "mariadb-admin"))
		for (size_t i = 1; i < a->n_words; i++)
			if (action_is(&a->words[i], "drop"))
				harm_raise(harm, DESTROY_DATABASE, "drops a database");
	/* The only thing it does. */
	if (!strcmp(a->program, "memcflush"))
		harm_raise(harm, DESTROY_CACHE, "flushes a cache");
}
