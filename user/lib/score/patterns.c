/* SPDX-License-Identifier: MPL-2.0 */
/*
 * All patterns of the weights and of the filters as one database of libvectorscan, so that a text
 * is looked through once, however many there are.
 *
 * In the text, each word, name and address is between NUL bytes; what must be a whole one has
 * them in its expression.
 */
#include <ctype.h>

#include "lib/base/base.h"
#include "weights_internal.h"

/* What libvectorscan is given. */
struct sources {
	char **expressions;
	unsigned int *flags, *ids;
	size_t count;
};

static void free_sources(struct sources *sources)
{
	for (size_t i = 0; i < sources->count; i++)
		free(sources->expressions[i]);
	free(sources->expressions);
	free(sources->flags);
	free(sources->ids);
}

static void free_error(hs_compile_error_t **error)
{
	hs_free_compile_error(*error);
}

/* Takes the expression, also when it fails. */
static int add_source(struct sources *sources, struct score_weights *weights, char *expression,
		      unsigned int flags, struct score_pattern pattern)
{
	OWNED_MEM char *owned = expression;
	int r;

	if (!owned)
		return -ENOMEM;
	r = ARRAY_GROW(sources->expressions, sources->count);
	if (r == 0)
		r = ARRAY_GROW(sources->flags, sources->count);
	if (r == 0)
		r = ARRAY_GROW(sources->ids, sources->count);
	if (r == 0)
		r = ARRAY_GROW(weights->patterns, weights->n_patterns);
	if (r < 0)
		return r;
	sources->expressions[sources->count] = TAKE_PTR(owned);
	sources->flags[sources->count] = flags;
	sources->ids[sources->count] = weights->n_patterns;
	sources->count++;
	weights->patterns[weights->n_patterns++] = pattern;
	return 0;
}

/* An expression for the bytes of a word, between two others. NULL: no memory. */
static char *literal(const char *before, const char *word, const char *behind)
{
	OWNED_TEXT struct text t = { 0 };
	int r = text_add(&t, before, strlen(before));

	for (const char *p = word; *p && r == 0; p++)
		r = isalnum((unsigned char)*p) ? text_add(&t, p, 1)
					       : text_addf(&t, "\\x%02x", (unsigned char)*p);
	if (r == 0)
		r = text_add(&t, behind, strlen(behind));
	return r < 0 ? NULL : TAKE_PTR(t.data);
}

/* The expression that matches an item of a list. */
static char *expression_of(enum score_list_form form, const char *item)
{
	const char *colon;

	switch (form) {
	case SCORE_HOSTS:
		return literal("[\\x00.]", item, "\\.?\\x00");
	case SCORE_TLDS:
		return literal("\\.", item, "\\.?\\x00");
	case SCORE_SUFFIXES:
		return literal("", item, "[^A-Za-z0-9_-]");
	case SCORE_MARKERS:
		return literal("[^A-Za-z0-9]", item, "[^A-Za-z0-9]");
	case SCORE_FORMATS:
		colon = strstr(item, ": ");
		return strdup(colon ? colon + 2 : "");
	default:
		return NULL;
	}
}

static int add_list(const char *name, struct diag *diag, struct score_weights *weights,
		    enum filter_id filter, unsigned int index, struct sources *sources)
{
	const enum score_list_form form = filter_of(filter)->lists[index].form;
	const struct score_list *list = score_list(weights, filter, index);
	unsigned int flags = form == SCORE_FORMATS ? 0 : HS_FLAG_CASELESS | HS_FLAG_DOTALL;

	for (size_t i = 0; i < list->count && form != SCORE_WORDS; i++) {
		const struct score_item *item = &list->items[i];
		int r;

		if (form == SCORE_FORMATS && !strstr(item->text, ": ")) {
			diag_add(diag, name, item->line, item->column,
				 "expected NAME: REGULAR EXPRESSION");
			continue;
		}
		r = add_source(sources, weights, expression_of(form, item->text), flags,
			       (struct score_pattern) { filter, index, i });
		if (r < 0)
			return r;
	}
	return 0;
}

static int add_filter(const char *name, struct diag *diag, struct score_weights *weights,
		      enum filter_id filter, struct sources *sources)
{
	const struct filter *kind = filter_of(filter);
	int r = 0;

	for (size_t i = 0; kind && i < kind->n_lists && r == 0; i++)
		r = add_list(name, diag, weights, filter, i, sources);
	for (size_t i = 0; kind && i < kind->n_phrases && r == 0; i++)
		r = add_source(sources, weights, strdup(kind->phrases[i].expression),
			       HS_FLAG_CASELESS | HS_FLAG_DOTALL,
			       (struct score_pattern) {
				       .filter = filter,
				       .list = kind->n_lists,
				       .item = kind->phrases[i].number,
			       });
	return r;
}

/* Whose expression it was that the library did not take. */
static void refuse(const char *name, struct diag *diag, const struct score_weights *weights,
		   const hs_compile_error_t *error)
{
	const struct score_pattern *pattern = NULL;
	const struct score_item *item = NULL;

	if (error->expression >= 0 && (size_t)error->expression < weights->n_patterns)
		pattern = &weights->patterns[error->expression];
	if (pattern && pattern->list < filter_of(pattern->filter)->n_lists)
		item = &score_list(weights, pattern->filter, pattern->list)->items[pattern->item];
	diag_add(diag, name, item ? item->line : 0, item ? item->column : 0,
		 "not a regular expression of libvectorscan: %s", error->message);
}

int score_compile_patterns(const char *name, struct diag *diag, struct score_weights *weights)
{
	CLEANUP(free_sources) struct sources sources = { 0 };
	CLEANUP(free_error) hs_compile_error_t *error = NULL;
	size_t before = diag->count + diag->dropped;
	hs_error_t failed;
	int r = 0;

	for (unsigned int f = 0; f < N_FILTERS && r == 0; f++)
		r = add_filter(name, diag, weights, f, &sources);
	if (r < 0)
		return r;
	if (diag->count + diag->dropped > before)
		return -EINVAL;
	failed = hs_compile_multi((const char *const *)sources.expressions, sources.flags,
				  sources.ids, sources.count, HS_MODE_BLOCK, NULL,
				  &weights->database, &error);
	if (failed == HS_COMPILER_ERROR) {
		refuse(name, diag, weights, error);
		return -EINVAL;
	}
	if (failed != HS_SUCCESS ||
	    hs_alloc_scratch(weights->database, &weights->scratch) != HS_SUCCESS)
		return -ENOMEM;
	return 0;
}
