/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The numbers and lists of the filters, from the parsed file of weights, which has checked their
 * form (lib/policy/weights.h). Each filter must be there with all that it needs: no number has a
 * default.
 */
#include "lib/base/base.h"
#include "lib/policy/policy.h"
#include "weights_internal.h"

#define NAMES_MAX 64 /* of one kind in one filter */

struct reader {
	const char *name;
	struct diag *diag;
	struct score_weights *weights;
	bool failed; /* no memory */
};

static void missing(struct reader *reader, const struct yaml_node *node, const char *what,
		    const char *name)
{
	diag_add(reader->diag, reader->name, node->line, node->column, "%s \"%s\" is missing", what,
		 name);
}

/*
 * Complains of names in the mapping that the filter does not know, and of those that it needs and
 * that are not there. `in` may be NULL; `filter` is where it should be.
 */
static void check_names(struct reader *reader, const struct yaml_node *filter,
			const struct yaml_node *in, const char *what, const char *const *names,
			size_t n_names)
{
	for (size_t i = 0; in && i < in->count; i += 2) {
		const struct yaml_node *key = in->items[i];
		const char *near = suggest(key->text, names, n_names);
		size_t n = 0;

		while (n < n_names && strcmp(names[n], key->text) != 0)
			n++;
		if (n == n_names && near)
			diag_add(reader->diag, reader->name, key->line, key->column,
				 "unknown %s \"%s\": did you mean \"%s\"?", what, key->text, near);
		else if (n == n_names)
			diag_add(reader->diag, reader->name, key->line, key->column,
				 "unknown %s \"%s\"", what, key->text);
	}
	for (size_t n = 0; n < n_names; n++)
		if (!in || !yaml_find(in, names[n]))
			missing(reader, in ? in : filter, what, names[n]);
}

static void read_numbers(struct reader *reader, const struct weights_filter *from)
{
	const struct filter *filter = filter_of(from->id);

	check_names(reader, from->node, from->numbers, "number", filter->numbers,
		    filter->n_numbers);
	for (size_t n = 0; from->numbers && n < filter->n_numbers; n++) {
		const struct yaml_node *value = yaml_find(from->numbers, filter->numbers[n]);

		/* Of a form that weights_parse() has complained of the value does not matter. */
		if (value && value->kind == YAML_SCALAR)
			text_parse_hundredths(value->text, WEIGHTS_NUMBER_MAX,
					      &reader->weights->numbers[from->id][n]);
	}
}

static void read_texts(struct reader *reader, const struct yaml_node *node, struct score_list *list)
{
	list->items = calloc(node->count + 1, sizeof(*list->items));
	reader->failed = reader->failed || !list->items;
	for (size_t i = 0; i < node->count && list->items; i++) {
		const struct yaml_node *item = node->items[i];
		char *text = item->kind == YAML_SCALAR ? strdup(item->text) : NULL;

		if (!text) {
			reader->failed = reader->failed || item->kind == YAML_SCALAR;
			continue;
		}
		list->items[list->count++] = (struct score_item) {
			.text = text,
			.line = item->line,
			.column = item->column,
		};
	}
}

static void read_lists(struct reader *reader, const struct weights_filter *from)
{
	const struct filter *filter = filter_of(from->id);
	const char *names[NAMES_MAX] = { NULL };

	for (size_t n = 0; n < filter->n_lists; n++)
		names[n] = filter->lists[n].name;
	check_names(reader, from->node, from->lists, "list", names, filter->n_lists);
	for (size_t n = 0; from->lists && n < filter->n_lists; n++) {
		const struct yaml_node *value = yaml_find(from->lists, names[n]);

		if (value && value->kind == YAML_LIST)
			read_texts(reader, value, &reader->weights->lists[from->id][n]);
	}
}

static void read_file(struct reader *reader, const struct weights_file *file)
{
	bool seen[N_FILTERS] = { [FILTER_RULE] = true };

	for (size_t i = 0; i < file->n_filters; i++) {
		const struct weights_filter *from = &file->filters[i];

		seen[from->id] = true;
		reader->weights->enabled[from->id] = from->enabled;
		read_numbers(reader, from);
		read_lists(reader, from);
	}
	for (unsigned int f = 0; f < N_FILTERS && file->node; f++)
		if (!seen[f])
			missing(reader, file->node, "filter", filter_name(f));
}

int score_weights_read(const char *name, const char *text, size_t length, struct diag *diag,
		       struct score_weights **ret_weights)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = score_weights_new();
	CLEANUP(weights_file_clear) struct weights_file file = { 0 };
	OWNED_DIAG struct diag found = { 0 };
	struct reader reader = { .name = name, .diag = &found, .weights = weights };
	size_t before = diag->count + diag->dropped;
	int r;

	if (!weights)
		return -ENOMEM;
	r = weights_parse(name, text, length, diag, &file);
	if (r < 0)
		return r;
	read_file(&reader, &file);
	if (reader.failed)
		return -ENOMEM;
	/* An error that the parser has reported is not reported twice. */
	diag_join(diag, &found);
	if (diag->count + diag->dropped == before) {
		r = score_compile_patterns(name, diag, weights);
		if (r < 0)
			return r;
	}
	if (diag->count + diag->dropped > before)
		return -EINVAL;
	*ret_weights = TAKE_PTR(weights);
	return 0;
}
