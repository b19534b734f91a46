/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The top of a policy: its keys and everything but the rules, which are rules.c.
 */

#include "reader.h"

static void set_name(struct reader *reader, const struct yaml_node *value)
{
	const char *name;
	char *copy;

	/* What another policy extends has a name of its own. */
	if (!value_name(reader, value, &name) || reader->extended_by)
		return;
	copy = strdup(name);
	if (!copy)
		reader->no_memory = true;
	free(reader->policy->name);
	reader->policy->name = copy;
}

static void add_match(struct reader *reader, const struct yaml_node *node)
{
	struct policy *policy = reader->policy;
	const char *name;
	char *copy;

	if (!value_name(reader, node, &name) || reader->extended_by)
		return;
	copy = strdup(name);
	if (!copy || ARRAY_GROW(policy->match, policy->n_match) < 0) {
		free(copy);
		reader->no_memory = true;
		return;
	}
	policy->match[policy->n_match++] = copy;
}

static void key_version(struct reader *reader, const struct yaml_node *value)
{
	if (value->kind != YAML_SCALAR || value->quoted || strcmp(value->text, "1") != 0)
		reader_error(reader, value, "expected 1, the only version of this language");
}

static void key_extends(struct reader *reader, const struct yaml_node *value)
{
	/* read_policy() did it before all else. */
	(void)reader;
	(void)value;
}

static void key_match(struct reader *reader, const struct yaml_node *value)
{
	for (size_t i = 0; i < value_count(value); i++)
		add_match(reader, value_at(value, i));
}

static void key_mode(struct reader *reader, const struct yaml_node *value)
{
	static const struct word words[] = {
		{ "enforce", GRITH_ENFORCE },
		{ "observe", GRITH_OBSERVE },
	};
	unsigned int mode;

	if (value_word(reader, value, words, ARRAY_SIZE(words), &mode))
		reader->policy->mode = mode;
}

void read_settings(struct reader *reader, const struct yaml_node *node,
		   const struct setting *settings, size_t n_settings)
{
	struct word words[32];

	for (size_t i = 0; i < n_settings; i++)
		words[i] = (struct word) { settings[i].name, i };
	if (node->kind != YAML_MAP) {
		unknown_word(reader, node, "mapping with some of these keys", words, n_settings);
		return;
	}
	for (size_t i = 0; i < node->count; i += 2) {
		size_t k;

		for (k = 0; k < n_settings; k++)
			if (strcmp(settings[k].name, node->items[i]->text) == 0)
				break;
		if (k < n_settings)
			settings[k].set(reader, node->items[i + 1], settings[k].index);
		else
			unknown_word(reader, node->items[i], "key", words, n_settings);
	}
}

static void set_threshold(struct reader *reader, const struct yaml_node *value, size_t is_deny)
{
	struct policy *policy = reader->policy;
	int16_t threshold;

	if (!value_score(reader, value, &threshold))
		return;
	if (threshold < 0) {
		reader_error(reader, value,
			     "a threshold is 0 or more: below 0 lies what nothing "
			     "speaks against");
		return;
	}
	*(is_deny ? &policy->threshold_deny : &policy->threshold_hold) = threshold;
}

static void key_thresholds(struct reader *reader, const struct yaml_node *value)
{
	static const struct setting settings[] = {
		{ "hold", set_threshold, 0 },
		{ "deny", set_threshold, 1 },
	};

	read_settings(reader, value, settings, ARRAY_SIZE(settings));
	if (reader->policy->threshold_hold > reader->policy->threshold_deny)
		reader_error(reader, value, "the threshold of hold is above that of deny");
}

static bool verdict(struct reader *reader, const struct yaml_node *value,
		    enum grith_verdict *ret_verdict)
{
	unsigned int v;

	if (!value_word(reader, value, verdict_words, N_VERDICT_WORDS, &v))
		return false;
	*ret_verdict = v;
	return true;
}

/* A verdict, or `score`: allowed, with what the static filters say. */
static bool scored(struct reader *reader, const struct yaml_node *value,
		   enum grith_verdict *ret_verdict, bool *ret_scored)
{
	static const struct word words[] = {
		{ "allow", GRITH_ALLOW }, { "deny", GRITH_DENY },      { "hide", GRITH_HIDE },
		{ "hold", GRITH_HOLD },	  { "score", GRITH_VERDICTS },
	};
	unsigned int v;

	if (!value_word(reader, value, words, ARRAY_SIZE(words), &v))
		return false;
	*ret_verdict = v == GRITH_VERDICTS ? GRITH_ALLOW : v;
	*ret_scored = v == GRITH_VERDICTS;
	return true;
}

static void set_one_default(struct reader *reader, const struct yaml_node *value,
			    enum grith_verdict *verdict, uint32_t *set, size_t index)
{
	bool is_scored;

	if (scored(reader, value, verdict, &is_scored))
		*set = (*set & ~(1u << index)) | (uint32_t)is_scored << index;
}

static void set_default(struct reader *reader, const struct yaml_node *value, size_t class)
{
	struct policy *policy = reader->policy;

	set_one_default(reader, value, &policy->defaults[class], &policy->scored, class);
}

static void set_net_default(struct reader *reader, const struct yaml_node *value, size_t op)
{
	struct policy *policy = reader->policy;

	set_one_default(reader, value, &policy->net_defaults[op], &policy->net_scored, op);
}

static void set_unix_default(struct reader *reader, const struct yaml_node *value, size_t index)
{
	struct policy *policy = reader->policy;
	enum grith_verdict v;
	bool is_scored;

	(void)index;
	if (!scored(reader, value, &v, &is_scored))
		return;
	policy->defaults[GRITH_OP_CLASS_CONNECT] = v;
	policy->defaults[GRITH_OP_CLASS_BIND] = v;
	policy->scored &= ~(1u << GRITH_OP_CLASS_CONNECT | 1u << GRITH_OP_CLASS_BIND);
	if (is_scored)
		policy->scored |= 1u << GRITH_OP_CLASS_CONNECT | 1u << GRITH_OP_CLASS_BIND;
}

static void set_socket_default(struct reader *reader, const struct yaml_node *value, size_t index)
{
	(void)index;
	verdict(reader, value, &reader->policy->socket_default);
}

static void key_defaults(struct reader *reader, const struct yaml_node *value)
{
	static const struct setting settings[] = {
		{ "read", set_default, GRITH_OP_CLASS_READ },
		{ "write", set_default, GRITH_OP_CLASS_WRITE },
		{ "create", set_default, GRITH_OP_CLASS_CREATE },
		{ "delete", set_default, GRITH_OP_CLASS_DELETE },
		{ "rename", set_default, GRITH_OP_CLASS_RENAME },
		{ "link", set_default, GRITH_OP_CLASS_LINK },
		{ "metadata", set_default, GRITH_OP_CLASS_METADATA },
		{ "list", set_default, GRITH_OP_CLASS_LIST },
		{ "exec", set_default, GRITH_OP_CLASS_EXEC },
		{ "connect", set_net_default, GRITH_NET_CONNECT },
		{ "bind", set_net_default, GRITH_NET_BIND },
		{ "listen", set_net_default, GRITH_NET_LISTEN },
		{ "unix", set_unix_default, 0 },
		{ "socket", set_socket_default, 0 },
	};

	read_settings(reader, value, settings, ARRAY_SIZE(settings));
}

/* Nothing can wait for an answer here, so `hold` is no word. */
static bool refusal(struct reader *reader, const struct yaml_node *value,
		    enum grith_verdict *ret_verdict)
{
	static const struct word words[] = {
		{ "allow", GRITH_ALLOW },
		{ "deny", GRITH_DENY },
		{ "hide", GRITH_HIDE },
	};
	unsigned int v;

	if (!value_word(reader, value, words, ARRAY_SIZE(words), &v))
		return false;
	*ret_verdict = v;
	return true;
}

static void set_outside(struct reader *reader, const struct yaml_node *value, size_t index)
{
	(void)index;
	refusal(reader, value, &reader->policy->touch);
}

static void set_signal(struct reader *reader, const struct yaml_node *value, size_t index)
{
	(void)index;
	refusal(reader, value, &reader->policy->signal);
}

static void key_processes(struct reader *reader, const struct yaml_node *value)
{
	static const struct setting outside[] = { { "outside", set_outside, 0 },
						  { "signal", set_signal, 0 } };
	enum grith_verdict before = reader->policy->signal;
	bool has_outside = false, has_signal = false;

	read_settings(reader, value, outside, ARRAY_SIZE(outside));
	for (size_t i = 0; value->kind == YAML_MAP && i < value->count; i += 2) {
		has_outside |= strcmp(value->items[i]->text, "outside") == 0;
		has_signal |= strcmp(value->items[i]->text, "signal") == 0;
	}
	/* `signal` is what `outside` is unless the same mapping says otherwise. */
	if (!has_signal)
		reader->policy->signal = has_outside ? reader->policy->touch : before;
}

static void key_io_uring(struct reader *reader, const struct yaml_node *value)
{
	static const struct word words[] = { { "enforce", GRITH_ALLOW }, { "deny", GRITH_DENY } };
	unsigned int v;

	if (value_word(reader, value, words, ARRAY_SIZE(words), &v))
		reader->policy->ring = v;
}

static void key_unknown(struct reader *reader, const struct yaml_node *value)
{
	verdict(reader, value, &reader->policy->unknown);
}

static void key_files(struct reader *reader, const struct yaml_node *value)
{
	read_section(reader, POLICY_FILES, value);
}

static void key_exec(struct reader *reader, const struct yaml_node *value)
{
	read_section(reader, POLICY_EXEC, value);
}

static void key_network(struct reader *reader, const struct yaml_node *value)
{
	read_section(reader, POLICY_NETWORK, value);
}

static void key_unix(struct reader *reader, const struct yaml_node *value)
{
	read_section(reader, POLICY_UNIX, value);
}

static void key_sockets(struct reader *reader, const struct yaml_node *value)
{
	read_section(reader, POLICY_SOCKETS, value);
}

static const struct {
	const char *name;
	void (*read)(struct reader *reader, const struct yaml_node *value);
} keys[] = {
	{ "grith", key_version },	{ "name", set_name },
	{ "extends", key_extends },	{ "match", key_match },
	{ "mode", key_mode },		{ "thresholds", key_thresholds },
	{ "defaults", key_defaults },	{ "files", key_files },
	{ "exec", key_exec },		{ "network", key_network },
	{ "unix", key_unix },		{ "sockets", key_sockets },
	{ "processes", key_processes }, { "io_uring", key_io_uring },
	{ "unknown", key_unknown },
};

static void unknown_key(struct reader *reader, const struct yaml_node *key)
{
	struct word words[ARRAY_SIZE(keys)];

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		words[i] = (struct word) { .text = keys[i].name };
	unknown_word(reader, key, "key", words, ARRAY_SIZE(words));
}

static void read_key(struct reader *reader, const struct yaml_node *key,
		     const struct yaml_node *value)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(keys[i].name, key->text) != 0)
			continue;
		keys[i].read(reader, value);
		return;
	}
	unknown_key(reader, key);
}

static const struct yaml_node *find(const struct yaml_node *map, const char *key)
{
	for (size_t i = 0; i < map->count; i += 2)
		if (strcmp(map->items[i]->text, key) == 0)
			return map->items[i + 1];
	return NULL;
}

void read_policy(struct reader *reader, const char *text, size_t length)
{
	CLEANUP(yaml_freep) struct yaml *yaml = NULL;
	const struct yaml_node *root, *extends;
	int r;

	r = yaml_read(reader->file, text, length, reader->diag, &yaml);
	if (r == -ENOMEM)
		reader->no_memory = true;
	if (r < 0)
		return;
	root = yaml_root(yaml);
	if (!root || root->kind != YAML_MAP) {
		diag_add(reader->diag, reader->file, 1, 1,
			 "expected a policy, which starts with `grith: 1`");
		return;
	}
	if (!find(root, "grith"))
		reader_error(reader, root, "`grith: 1` is missing");
	extends = find(root, "extends");
	if (extends)
		read_extended(reader, extends);
	for (size_t i = 0; i < root->count && !reader->no_memory; i += 2)
		read_key(reader, root->items[i], root->items[i + 1]);
}

const char *keep_file_name(struct reader *reader, const char *name)
{
	struct policy *policy = reader->policy;
	char *copy = strdup(name);

	if (!copy || ARRAY_GROW(policy->files, policy->n_files) < 0) {
		free(copy);
		reader->no_memory = true;
		return NULL;
	}
	policy->files[policy->n_files++] = copy;
	return copy;
}

/* What holds where a policy says nothing: everything that a rule can allow is refused. */
static struct policy *policy_new(void)
{
	struct policy *policy = calloc(1, sizeof(*policy));

	if (!policy)
		return NULL;
	policy->mode = GRITH_ENFORCE;
	policy->threshold_hold = 300;
	policy->threshold_deny = 800;
	for (size_t i = 0; i < ARRAY_SIZE(policy->defaults); i++)
		policy->defaults[i] = GRITH_DENY;
	for (size_t i = 0; i < ARRAY_SIZE(policy->net_defaults); i++)
		policy->net_defaults[i] = GRITH_DENY;
	memset(policy->first_final, 0xff, sizeof(policy->first_final));
	policy->socket_default = GRITH_DENY;
	policy->unknown = GRITH_HOLD;
	policy->touch = GRITH_DENY;
	policy->signal = GRITH_DENY;
	policy->ring = GRITH_ALLOW;
	return policy;
}

int policy_read_text(const char *name, const char *text, size_t length,
		     const struct policy_context *context, struct diag *diag,
		     struct policy **ret_policy)
{
	CLEANUP(policy_freep) struct policy *policy = policy_new();
	struct reader reader = { .context = context, .diag = diag, .policy = policy };
	size_t before = diag->count + diag->dropped;

	if (!policy)
		return -ENOMEM;
	reader.file = keep_file_name(&reader, name);
	if (!reader.file)
		return -ENOMEM;
	read_policy(&reader, text, length);
	if (!reader.no_memory)
		read_weights(&reader);
	if (reader.no_memory)
		return -ENOMEM;
	if (diag->count + diag->dropped > before)
		return -EINVAL;
	*ret_policy = TAKE_PTR(policy);
	return 0;
}
