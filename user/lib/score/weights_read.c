/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Reads the weights. The file says everything: a number that a filter needs and that is not there
 * is an error, as is one that no filter knows. The keys `rules` and `operations` are for the
 * compiler of policies, which complains about what is in them.
 */

#include "lib/base/base.h"
#include "lib/policy/policy.h"
#include "weights_internal.h"

#define WEIGHTS_VERSION "1"
#define NUMBER_MAX 1000000 /* no limit in the file comes near it */
#define NAMES_MAX 64 /* of one kind in one place */
#define ITEMS_MAX 4096 /* of one list */
#define ITEM_BYTES_MAX 1024

struct reader {
	const char *name;
	struct diag *diag;
	struct score_weights *weights;
	bool failed; /* no memory */
};

/* Complains about a word, and says what it may have been. */
static void unknown(struct reader *reader, const struct yaml_node *node, const char *what,
		    const char *const *known, size_t n_known)
{
	const char *near = suggest(node->text, known, n_known);

	if (near)
		diag_add(reader->diag, reader->name, node->line, node->column,
			 "unknown %s \"%s\"; is \"%s\" meant?", what, node->text, near);
	else
		diag_add(reader->diag, reader->name, node->line, node->column, "unknown %s \"%s\"",
			 what, node->text);
}

static bool expect(struct reader *reader, const struct yaml_node *node, enum yaml_kind kind)
{
	static const char *const kinds[] = {
		[YAML_SCALAR] = "a word",
		[YAML_LIST] = "a list",
		[YAML_MAP] = "a mapping",
	};

	if (node->kind == kind)
		return true;
	diag_add(reader->diag, reader->name, node->line, node->column, "expected %s", kinds[kind]);
	return false;
}

static void missing(struct reader *reader, const struct yaml_node *node, const char *what,
		    const char *name)
{
	diag_add(reader->diag, reader->name, node->line, node->column, "%s \"%s\" is missing", what,
		 name);
}

static bool is_true(struct reader *reader, const struct yaml_node *node)
{
	bool plain = node->kind == YAML_SCALAR && !node->quoted;

	if (plain && !strcmp(node->text, "true"))
		return true;
	if (!plain || strcmp(node->text, "false") != 0)
		diag_add(reader->diag, reader->name, node->line, node->column,
			 "expected true or false");
	return false;
}

static void read_numbers(struct reader *reader, enum filter_id filter,
			 const struct yaml_node *filter_node, const struct yaml_node *node)
{
	const struct filter *kind = filter_of(filter);
	bool seen[NAMES_MAX] = { false };

	if (node && !expect(reader, node, YAML_MAP))
		return;
	for (size_t i = 0; node && i < node->count; i += 2) {
		const struct yaml_node *key = node->items[i], *value = node->items[i + 1];
		size_t n;

		for (n = 0; n < kind->n_numbers; n++)
			if (!strcmp(kind->numbers[n], key->text))
				break;
		if (n == kind->n_numbers) {
			unknown(reader, key, "number", kind->numbers, kind->n_numbers);
			continue;
		}
		seen[n] = true;
		if (value->kind != YAML_SCALAR || value->quoted ||
		    text_parse_hundredths(value->text, NUMBER_MAX,
					  &reader->weights->numbers[filter][n]) < 0)
			diag_add(reader->diag, reader->name, value->line, value->column,
				 "expected a number with at most two decimals");
	}
	for (size_t n = 0; n < kind->n_numbers; n++)
		if (!seen[n])
			missing(reader, node ? node : filter_node, "number", kind->numbers[n]);
}

static void read_items(struct reader *reader, const struct yaml_node *node, struct score_list *list)
{
	if (!expect(reader, node, YAML_LIST))
		return;
	if (node->count > ITEMS_MAX) {
		diag_add(reader->diag, reader->name, node->line, node->column, "too many items");
		return;
	}
	list->items = calloc(node->count ? node->count : 1, sizeof(*list->items));
	reader->failed = reader->failed || !list->items;
	for (size_t i = 0; i < node->count && list->items; i++) {
		const struct yaml_node *item = node->items[i];

		if (!expect(reader, item, YAML_SCALAR))
			continue;
		if (!*item->text || strlen(item->text) > ITEM_BYTES_MAX) {
			diag_add(reader->diag, reader->name, item->line, item->column,
				 "an item must have 1 to %d bytes", ITEM_BYTES_MAX);
			continue;
		}
		list->items[list->count] = (struct score_item) {
			.text = strdup(item->text),
			.line = item->line,
			.column = item->column,
		};
		if (!list->items[list->count].text) {
			reader->failed = true;
			return;
		}
		list->count++;
	}
}

static void read_lists(struct reader *reader, enum filter_id filter,
		       const struct yaml_node *filter_node, const struct yaml_node *node)
{
	const struct filter *kind = filter_of(filter);
	const char *names[NAMES_MAX] = { NULL };
	bool seen[NAMES_MAX] = { false };

	if (node && !expect(reader, node, YAML_MAP))
		return;
	for (size_t n = 0; n < kind->n_lists; n++)
		names[n] = kind->lists[n].name;
	for (size_t i = 0; node && i < node->count; i += 2) {
		const struct yaml_node *key = node->items[i];
		size_t n;

		for (n = 0; n < kind->n_lists; n++)
			if (!strcmp(names[n], key->text))
				break;
		if (n == kind->n_lists) {
			unknown(reader, key, "list", names, kind->n_lists);
			continue;
		}
		seen[n] = true;
		read_items(reader, node->items[i + 1], &reader->weights->lists[filter][n]);
	}
	for (size_t n = 0; n < kind->n_lists; n++)
		if (!seen[n])
			missing(reader, node ? node : filter_node, "list", names[n]);
}

static void read_filter(struct reader *reader, enum filter_id filter, const struct yaml_node *name,
			const struct yaml_node *node)
{
	static const char *const keys[] = { "enabled", "numbers", "lists", "rules", "operations" };
	const struct filter *kind = filter_of(filter);
	const bool allowed[] = {
		true,
		kind->n_numbers > 0,
		kind->n_lists > 0,
		filter_has(filter) & FILTER_HAS_RULES,
		filter_has(filter) & FILTER_HAS_OPERATIONS,
	};
	const struct yaml_node *values[ARRAY_SIZE(keys)] = { NULL };
	const char *known[ARRAY_SIZE(keys)];
	size_t n_known = 0;

	if (!expect(reader, node, YAML_MAP))
		return;
	for (size_t k = 0; k < ARRAY_SIZE(keys); k++)
		if (allowed[k])
			known[n_known++] = keys[k];
	for (size_t i = 0; i < node->count; i += 2) {
		size_t k;

		for (k = 0; k < ARRAY_SIZE(keys); k++)
			if (allowed[k] && !strcmp(node->items[i]->text, keys[k]))
				break;
		if (k == ARRAY_SIZE(keys))
			unknown(reader, node->items[i], "key", known, n_known);
		else
			values[k] = node->items[i + 1];
	}
	if (values[0])
		reader->weights->enabled[filter] = is_true(reader, values[0]);
	else
		missing(reader, name, "key", keys[0]);
	read_numbers(reader, filter, name, values[1]);
	read_lists(reader, filter, name, values[2]);
}

static void read_filters(struct reader *reader, const struct yaml_node *node)
{
	const char *names[N_FILTERS];
	bool seen[N_FILTERS] = { false };
	size_t n_names = 0;

	if (!expect(reader, node, YAML_MAP))
		return;
	for (unsigned int f = 0; f < N_FILTERS; f++)
		if (filter_of(f))
			names[n_names++] = filter_name(f);
	for (size_t i = 0; i < node->count; i += 2) {
		const struct yaml_node *key = node->items[i];
		unsigned int f;

		for (f = 0; f < N_FILTERS; f++)
			if (filter_of(f) && !strcmp(filter_name(f), key->text))
				break;
		if (f == N_FILTERS) {
			unknown(reader, key, "filter", names, n_names);
			continue;
		}
		seen[f] = true;
		read_filter(reader, f, key, node->items[i + 1]);
	}
	for (unsigned int f = 0; f < N_FILTERS; f++)
		if (filter_of(f) && !seen[f])
			missing(reader, node, "filter", filter_name(f));
}

static void read_root(struct reader *reader, const struct yaml_node *root)
{
	static const char *const keys[] = { "grith-weights", "filters" };
	const struct yaml_node *values[ARRAY_SIZE(keys)] = { NULL };

	if (!expect(reader, root, YAML_MAP))
		return;
	for (size_t i = 0; i < root->count; i += 2) {
		if (!strcmp(root->items[i]->text, keys[0]))
			values[0] = root->items[i + 1];
		else if (!strcmp(root->items[i]->text, keys[1]))
			values[1] = root->items[i + 1];
		else
			unknown(reader, root->items[i], "key", keys, ARRAY_SIZE(keys));
	}
	if (!values[0])
		missing(reader, root, "key", keys[0]);
	else if (values[0]->kind != YAML_SCALAR || strcmp(values[0]->text, WEIGHTS_VERSION) != 0)
		diag_add(reader->diag, reader->name, values[0]->line, values[0]->column,
			 "expected %s, the version of the format", WEIGHTS_VERSION);
	if (values[1])
		read_filters(reader, values[1]);
	else
		missing(reader, root, "key", keys[1]);
}

int score_weights_read(const char *name, const char *text, size_t length, struct diag *diag,
		       struct score_weights **ret_weights)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = score_weights_new();
	CLEANUP(yaml_freep) struct yaml *yaml = NULL;
	struct reader reader = { .name = name, .diag = diag, .weights = weights };
	size_t before = diag->count + diag->dropped;
	int r;

	if (!weights)
		return -ENOMEM;
	r = yaml_read(name, text, length, diag, &yaml);
	if (r < 0)
		return r;
	if (!yaml_root(yaml)) {
		diag_add(diag, name, 1, 1, "no weights in it");
		return -EINVAL;
	}
	read_root(&reader, yaml_root(yaml));
	if (reader.failed)
		return -ENOMEM;
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
