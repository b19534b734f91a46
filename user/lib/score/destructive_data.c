/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Destruction in databases and caches: by the words that a client is given, in its
 * arguments, in a here-document or through a pipe.
 */
#include "destructive.h"

/* Programs that run another one elsewhere, whose arguments are a client's and the client's own. */
static bool carries_client(const struct harm *harm, const struct action *a)
{
	static const char *const carriers[] = { "kubectl", "docker-compose", "ssh", "oc" };
	const struct score_list *clients = eval_list(harm->e, DESTROY_CLIENTS);
	const struct score_list *caches = eval_list(harm->e, DESTROY_CACHES);
	bool carrier = score_list_has(eval_list(harm->e, DESTROY_RUNTIMES), a->program);

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
	return eval_feeds(harm->e, a, eval_list(harm->e, DESTROY_CLIENTS)) ||
	       carries_client(harm, a);
}

static bool reaches_cache(const struct harm *harm, const struct action *a)
{
	/* memcached is spoken to with whatever connects. */
	const struct score_list *nc = score_network_tools(harm->e->weights);

	return eval_feeds(harm->e, a, eval_list(harm->e, DESTROY_CACHES)) ||
	       carries_client(harm, a) || (a->command->piped_out && eval_feeds(harm->e, a, nc));
}

static void harm_phrases(struct harm *harm, const struct action *a)
{
	const struct score_hit *hit;
	size_t at = 0;

	while ((hit = eval_next(harm->e, DESTROY_PHRASES, &at))) {
		const struct score_section *section = eval_section(harm->e, hit);
		enum destructive_number number = hit->pattern->item;

		if (!section || section->kind != SECTION_ACTION || section->action != a)
			continue;
		if (number == DESTROY_CACHE ? reaches_cache(harm, a) : reaches_database(harm, a))
			harm_raise(harm, number, NULL);
	}
}

void harm_data(struct harm *harm, const struct action *a)
{
	harm_phrases(harm, a);
	if (!strcmp(a->program, "dropdb") && !action_has(a, '\0', "--help"))
		harm_raise(harm, DESTROY_DATABASE, NULL);
	if (!strcmp(a->program, "mysqladmin") || !strcmp(a->program, "mariadb-admin"))
		for (size_t i = 1; i < a->n_words; i++)
			if (action_is(&a->words[i], "drop"))
				harm_raise(harm, DESTROY_DATABASE, NULL);
	/* The only thing it does. */
	if (!strcmp(a->program, "memcflush"))
		harm_raise(harm, DESTROY_CACHE, NULL);
}
