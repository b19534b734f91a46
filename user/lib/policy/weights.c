/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The one parser of the file of weights: its filters, with the keys that each has (filters.h), and
 * the form of their numbers and lists. Rules and operations are read by weights_join.c, numbers and
 * lists by the filters in lib/score.
 */
#include "lib/base/base.h"
#include "reader.h"
#include "weights.h"

#define WEIGHTS_TEXT_MAX 1024 /* bytes of one text of a list */
#define WEIGHTS_TEXTS_MAX 4096 /* of one list */

static void check_list(struct reader *reader, const struct yaml_node *list)
{
	const char *ignored;

	if (list->kind != YAML_LIST)
		reader_error(reader, list, "expected a list of texts");
	else if (list->count > WEIGHTS_TEXTS_MAX)
		reader_error(reader, list, "too many texts in a list (WEIGHTS_TEXTS_MAX, 4096)");
	else
		for (size_t i = 0; i < list->count; i++)
			value_text(reader, list->items[i], WEIGHTS_TEXT_MAX, &ignored);
}

/* NULL where it is no mapping: there is nothing of it to be read. */
static const struct yaml_node *check_map(struct reader *reader, const struct yaml_node *node,
					 const char *of_what)
{
	if (node->kind == YAML_MAP)
		return node;
	reader_error(reader, node, "expected a mapping of names to %s", of_what);
	return NULL;
}

static void read_filter(struct reader *reader, struct weights_filter *filter,
			struct grith_context_weights *weights)
{
	static const struct word words[] = {
		{ "enabled", 0 },
		{ "rules", FILTER_HAS_RULES },
		{ "operations", FILTER_HAS_OPERATIONS },
		{ "numbers", FILTER_HAS_NUMBERS },
		{ "lists", FILTER_HAS_LISTS },
	};
	const struct yaml_node *node = filter->node, *numbers = node, *enabled = NULL;
	struct grith_context_weights own = *weights;
	struct word has[ARRAY_SIZE(words)];
	unsigned int what;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!words[i].value || words[i].value & filter_has(filter->id))
			has[n++] = words[i];
	for (size_t i = 0; i < node->count; i += 2) {
		const struct yaml_node *value = node->items[i + 1];

		if (!known_word(node->items[i], has, n, &what)) {
			unknown_word(reader, node->items[i], "key", has, n);
			continue;
		}
		if (what == FILTER_HAS_RULES)
			filter->rules = value;
		else if (what == FILTER_HAS_OPERATIONS)
			filter->operations = value;
		else if (what == FILTER_HAS_LISTS)
			filter->lists = check_map(reader, value, "lists");
		else if (what == FILTER_HAS_NUMBERS)
			filter->numbers = check_map(reader, numbers = value, "numbers");
		else
			value_bool(reader, enabled = value, &filter->enabled);
	}
	if (filter->numbers)
		read_numbers(reader, filter, &own);
	for (size_t i = 1; filter->lists && i < filter->lists->count; i += 2)
		check_list(reader, filter->lists->items[i]);
	if (!enabled)
		reader_error(reader, node, "`enabled: true` or `enabled: false` is missing");
	if (!filter->enabled)
		return;
	*weights = own;
	need_numbers(reader, filter, numbers);
}

static void read_filters(struct reader *reader, const struct yaml_node *node,
			 struct weights_file *file)
{
	struct word words[N_FILTERS - 1];
	unsigned int id;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = (struct word) { filter_name(i + 1), i + 1 };
	if (node->kind != YAML_MAP) {
		unknown_word(reader, node, "mapping with some of these filters", words,
			     ARRAY_SIZE(words));
		return;
	}
	file->node = node;
	for (size_t i = 0; i < node->count; i += 2) {
		const struct yaml_node *value = node->items[i + 1];
		struct weights_filter *filter = &file->filters[file->n_filters];

		if (!known_word(node->items[i], words, ARRAY_SIZE(words), &id)) {
			unknown_word(reader, node->items[i], "filter", words, ARRAY_SIZE(words));
		} else if (value->kind != YAML_MAP) {
			reader_error(reader, value, "expected a filter, such as {enabled: true}");
		} else if (file->n_filters < ARRAY_SIZE(file->filters)) {
			*filter = (struct weights_filter) { .id = id, .node = value };
			file->n_filters++;
			read_filter(reader, filter, &file->weights);
		}
	}
}

static void read_root(struct reader *reader, const struct yaml_node *root,
		      struct weights_file *file)
{
	static const struct word words[] = { { "grith-weights", 0 }, { "filters", 1 } };
	bool found[ARRAY_SIZE(words)] = { false };
	unsigned int word;

	for (size_t i = 0; i < root->count; i += 2) {
		const struct yaml_node *key = root->items[i], *value = root->items[i + 1];

		if (!known_word(key, words, ARRAY_SIZE(words), &word)) {
			unknown_word(reader, key, "key", words, ARRAY_SIZE(words));
			continue;
		}
		found[word] = true;
		if (word == 1)
			read_filters(reader, value, file);
		else if (!value_is(value, "1"))
			reader_error(reader, value, "expected 1, the only version of this file");
	}
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!found[i])
			reader_error(reader, root, "`%s` is missing", words[i].text);
}

int weights_parse(const char *name, const char *text, size_t length, struct diag *diag,
		  struct weights_file *ret_file)
{
	struct reader reader = { .diag = diag, .file = name };
	struct weights_file file = { 0 };
	int r = yaml_read(name, text, length, diag, &file.yaml);

	if (r < 0)
		return r;
	if (yaml_root(file.yaml) && yaml_root(file.yaml)->kind == YAML_MAP)
		read_root(&reader, yaml_root(file.yaml), &file);
	else
		diag_add(diag, name, 1, 1, "expected weights, which start with `grith-weights: 1`");
	*ret_file = file;
	return reader.no_memory ? -ENOMEM : 0;
}

void weights_file_clear(struct weights_file *file)
{
	yaml_free(file->yaml);
}
