/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Builds the tree from libfyaml's events with a stack of open collections. An alias becomes a
 * second pointer to the node it names, so a text cannot make the tree larger than itself; the
 * weights bound the time of a walk.
 */
#include <libfyaml.h>

#include "yaml.h"

struct anchor {
	char *name;
	size_t length;
	struct yaml_node *node;
};

struct yaml {
	struct yaml_node **nodes; /* owns them all */
	size_t n_nodes;
	struct anchor *anchors;
	size_t n_anchors;
	struct yaml_node *root;
};

struct builder {
	struct yaml *yaml;
	const char *name;
	struct diag *diag;
	struct yaml_node *open[YAML_DEPTH_MAX];
	unsigned int depth;
	unsigned int documents;
};

DEFINE_CLEANUP(struct fy_parser, fy_parser_destroy)
DEFINE_CLEANUP(struct fy_diag, fy_diag_destroy)
DEFINE_CLEANUP(struct fy_token_iter, fy_token_iter_destroy)

static int refuse(struct builder *b, unsigned int line, unsigned int column, const char *message)
{
	diag_add(b->diag, b->name, line, column, "%s", message);
	return -EINVAL;
}

struct place {
	unsigned int line, column;
};

/* libfyaml's marks of aliases and quoted scalars are behind the '*' or the quote. */
static struct place place_of(struct fy_event *event)
{
	const struct fy_mark *mark = fy_event_start_mark(event);
	enum fy_scalar_style style = FYSS_PLAIN;
	bool behind = event->type == FYET_ALIAS;

	if (!mark)
		return (struct place) { 0 };
	if (event->type == FYET_SCALAR && event->scalar.value)
		style = fy_token_scalar_style(event->scalar.value);
	behind = behind || style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
	return (struct place) { mark->line + 1, mark->column + !behind };
}

static int new_node(struct builder *b, struct fy_event *event, enum yaml_kind kind,
		    struct yaml_node **ret_node)
{
	const struct place place = place_of(event);
	struct yaml_node *node;

	if (ARRAY_GROW(b->yaml->nodes, b->yaml->n_nodes) < 0)
		return -ENOMEM;
	node = calloc(1, sizeof(*node));
	if (!node)
		return -ENOMEM;
	b->yaml->nodes[b->yaml->n_nodes++] = node;
	node->kind = kind;
	node->weight = 1;
	node->line = place.line;
	node->column = place.column;
	if (fy_event_get_tag_token(event))
		return refuse(b, node->line, node->column, "tags (!...) have no meaning here");
	*ret_node = node;
	return 0;
}

static int add_anchor(struct builder *b, struct fy_event *event, struct yaml_node *node)
{
	struct fy_token *token = fy_event_get_anchor_token(event);
	size_t length = 0;
	const char *text = token ? fy_token_get_text(token, &length) : NULL;
	char *name;

	if (!text)
		return 0;
	if (b->yaml->n_anchors == YAML_ANCHORS_MAX)
		return refuse(b, node->line, node->column, "too many anchors (YAML_ANCHORS_MAX)");
	if (ARRAY_GROW(b->yaml->anchors, b->yaml->n_anchors) < 0)
		return -ENOMEM;
	name = strndup(text, length);
	if (!name)
		return -ENOMEM;
	b->yaml->anchors[b->yaml->n_anchors++] = (struct anchor) { name, length, node };
	return 0;
}

static bool is_open(const struct builder *b, const struct yaml_node *node)
{
	for (unsigned int i = 0; i < b->depth; i++)
		if (b->open[i] == node)
			return true;
	return false;
}

static int find_anchor(struct builder *b, struct fy_event *event, struct yaml_node **ret_node)
{
	const struct place place = place_of(event);
	size_t length = 0;
	const char *text = fy_token_get_text(event->alias.anchor, &length);

	/* The latest anchor of a name counts. */
	for (size_t i = b->yaml->n_anchors; text && i-- > 0;) {
		struct anchor *a = &b->yaml->anchors[i];

		if (a->length != length || memcmp(a->name, text, length) != 0)
			continue;
		if (is_open(b, a->node))
			return refuse(b, place.line, place.column,
				      "an alias to what it is a part of");
		*ret_node = a->node;
		return 0;
	}
	return refuse(b, place.line, place.column, "an alias without an anchor before it");
}

static int check_key(struct builder *b, const struct yaml_node *map, const struct yaml_node *key)
{
	if (key->kind != YAML_SCALAR)
		return refuse(b, key->line, key->column, "a key must be a word");
	if (map->count >= 2 * YAML_KEYS_MAX)
		return refuse(b, key->line, key->column, "too many keys in one mapping");
	for (size_t i = 0; i < map->count; i += 2) {
		if (strcmp(map->items[i]->text, key->text) != 0)
			continue;
		/* The rest of the mapping is still read: other errors are to be seen too. */
		diag_add(b->diag, b->name, key->line, key->column,
			 "\"%s\" was given before, on line %u", key->text, map->items[i]->line);
		break;
	}
	return 0;
}

/* Puts a finished node, or an alias's target, where the innermost open collection wants it. */
static int attach(struct builder *b, struct yaml_node *node)
{
	struct yaml_node *parent = b->depth ? b->open[b->depth - 1] : NULL;
	int r;

	if (!parent) {
		b->yaml->root = node;
		return 0;
	}
	if (parent->kind == YAML_MAP && parent->count % 2 == 0) {
		r = check_key(b, parent, node);
		if (r < 0)
			return r;
	}
	if (parent->weight + node->weight > YAML_NODES_MAX)
		return refuse(b, node->line, node->column,
			      "too many nodes (YAML_NODES_MAX), aliases counted as copies");
	if (ARRAY_GROW(parent->items, parent->count) < 0)
		return -ENOMEM;
	/*
	 * An empty value, as after "key:", has no position of its own: take that of the token
	 * before.
	 */
	if (!node->line) {
		const struct yaml_node *near =
			parent->count ? parent->items[parent->count - 1] : parent;

		node->line = near->line;
		node->column = near->column;
	}
	parent->items[parent->count++] = node;
	parent->weight += node->weight;
	return 0;
}

/* Piece by piece: libfyaml 0.7 leaks in fy_token_get_text() where a scalar has many pieces. */
static int add_text(struct fy_token *token, struct text *text)
{
	CLEANUP(fy_token_iter_destroyp)
	struct fy_token_iter *iterator = fy_token_iter_create(token);
	const struct fy_iter_chunk *chunk = NULL;
	int failed = 0, r = 0;

	if (!iterator)
		return -ENOMEM;
	while (r == 0 && (chunk = fy_token_iter_chunk_next(iterator, chunk, &failed)))
		r = text_add(text, chunk->str, chunk->len);
	return r == 0 && failed ? -ENOMEM : r;
}

static int on_scalar(struct builder *b, struct fy_event *event)
{
	OWNED_TEXT struct text text = { 0 };
	struct yaml_node *node = NULL;
	int r;

	r = new_node(b, event, YAML_SCALAR, &node);
	if (r == 0)
		r = text_add(&text, "", 0);
	if (r == 0 && event->scalar.value) {
		node->quoted = fy_token_scalar_style(event->scalar.value) != FYSS_PLAIN;
		r = add_text(event->scalar.value, &text);
	}
	if (r < 0)
		return r;
	if (memchr(text.data, '\0', text.length))
		return refuse(b, node->line, node->column, "a NUL byte");
	node->text = TAKE_PTR(text.data);
	r = add_anchor(b, event, node);
	return r < 0 ? r : attach(b, node);
}

static int on_open(struct builder *b, struct fy_event *event, enum yaml_kind kind)
{
	struct yaml_node *node = NULL;
	int r;

	r = new_node(b, event, kind, &node);
	if (r < 0)
		return r;
	if (b->depth == YAML_DEPTH_MAX)
		return refuse(b, node->line, node->column, "nested too deep (YAML_DEPTH_MAX)");
	r = add_anchor(b, event, node);
	if (r < 0)
		return r;
	b->open[b->depth++] = node;
	return 0;
}

static int on_close(struct builder *b)
{
	if (!b->depth)
		return -EINVAL; /* libfyaml balances its events */
	b->depth--;
	return attach(b, b->open[b->depth]);
}

static int on_alias(struct builder *b, struct fy_event *event)
{
	struct yaml_node *node = NULL;
	int r = find_anchor(b, event, &node);

	return r < 0 ? r : attach(b, node);
}

static int on_event(struct builder *b, struct fy_event *event)
{
	switch (event->type) {
	case FYET_DOCUMENT_START:
		return b->documents++
			       ? refuse(b, 0, 0, "only one YAML document is allowed in a file")
			       : 0;
	case FYET_MAPPING_START:
		return on_open(b, event, YAML_MAP);
	case FYET_SEQUENCE_START:
		return on_open(b, event, YAML_LIST);
	case FYET_MAPPING_END:
	case FYET_SEQUENCE_END:
		return on_close(b);
	case FYET_SCALAR:
		return on_scalar(b, event);
	case FYET_ALIAS:
		return on_alias(b, event);
	default:
		return 0;
	}
}

/* What libfyaml complained of, with its places. */
static int refuse_syntax(struct builder *b, struct fy_diag *errors)
{
	struct fy_diag_error *e;
	void *iterator = NULL;
	bool any = false;

	while ((e = fy_diag_errors_iterate(errors, &iterator))) {
		diag_add(b->diag, b->name, e->line > 0 ? e->line : 0, e->column > 0 ? e->column : 0,
			 "not YAML: %s", e->msg);
		any = true;
	}
	return any ? -EINVAL : refuse(b, 0, 0, "not YAML");
}

static int build(struct builder *b, const char *text, size_t length)
{
	CLEANUP(fy_diag_destroyp) struct fy_diag *errors = NULL;
	CLEANUP(fy_parser_destroyp) struct fy_parser *parser = NULL;
	struct fy_diag_cfg diag_config;
	struct fy_parse_cfg config = {
		.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_DEFAULT_VERSION_1_2 |
			 FYPCF_JSON_NONE,
	};
	struct fy_event *event;
	int r = 0;

	if (!yaml_check_text(b->name, text, length, b->diag))
		return -EINVAL;
	fy_diag_cfg_default(&diag_config);
	diag_config.fp = NULL;
	errors = fy_diag_create(&diag_config);
	if (!errors)
		return -ENOMEM;
	fy_diag_set_collect_errors(errors, true);
	config.diag = errors;
	parser = fy_parser_create(&config);
	if (!parser || fy_parser_set_string(parser, text, length) < 0)
		return -ENOMEM;
	while (r == 0 && (event = fy_parser_parse(parser))) {
		r = on_event(b, event);
		fy_parser_event_free(parser, event);
	}
	if (r == 0 && fy_parser_get_stream_error(parser))
		r = refuse_syntax(b, errors);
	return r;
}

int yaml_read(const char *name, const char *text, size_t length, struct diag *diag,
	      struct yaml **ret_yaml)
{
	CLEANUP(yaml_freep) struct yaml *yaml = calloc(1, sizeof(*yaml));
	struct builder b = { .yaml = yaml, .name = name, .diag = diag };
	size_t before = diag->count + diag->dropped;
	int r;

	if (!yaml)
		return -ENOMEM;
	if (length) {
		r = build(&b, text, length);
		if (r < 0)
			return r;
	}
	if (diag->count + diag->dropped > before)
		return -EINVAL;
	*ret_yaml = TAKE_PTR(yaml);
	return 0;
}

const struct yaml_node *yaml_root(const struct yaml *yaml)
{
	return yaml->root;
}

const struct yaml_node *yaml_find(const struct yaml_node *map, const char *key)
{
	for (size_t i = 0; map->kind == YAML_MAP && i < map->count; i += 2)
		if (strcmp(map->items[i]->text, key) == 0)
			return map->items[i + 1];
	return NULL;
}

void yaml_free(struct yaml *yaml)
{
	if (!yaml)
		return;
	for (size_t i = 0; i < yaml->n_nodes; i++) {
		free(yaml->nodes[i]->text);
		free(yaml->nodes[i]->items);
		free(yaml->nodes[i]);
	}
	for (size_t i = 0; i < yaml->n_anchors; i++)
		free(yaml->anchors[i].name);
	free(yaml->nodes);
	free(yaml->anchors);
	free(yaml);
}
