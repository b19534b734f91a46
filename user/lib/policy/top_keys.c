/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The top of a policy: the table of its keys, and how each but the rules (rules.c) is read.
 */
#include "reader.h"

static void set_version(struct reader *reader, const struct yaml_node *value, size_t index)
{
	(void)index;
	if (!value_is(value, "1"))
		reader_error(reader, value, "expected 1, the only version of this language");
}

/* A copy of a name; NULL where it is none, or one of a policy that another extends. */
static char *own_name(struct reader *reader, const struct yaml_node *node)
{
	const char *name;
	char *copy;

	if (!value_name(reader, node, &name) || reader->extended_by)
		return NULL;
	copy = strdup(name);
	reader->no_memory |= !copy;
	return copy;
}

static void set_name(struct reader *reader, const struct yaml_node *value, size_t index)
{
	char *name = own_name(reader, value);

	(void)index;
	if (!name)
		return;
	free(reader->policy->name);
	reader->policy->name = name;
}

static void add_match(struct reader *reader, const struct yaml_node *value, size_t index)
{
	struct policy *policy = reader->policy;

	(void)index;
	for (size_t i = 0; i < value_count(value); i++) {
		char *name = own_name(reader, value_at(value, i));

		if (!name)
			continue;
		if (ARRAY_GROW(policy->match, policy->n_match) < 0) {
			free(name);
			reader->no_memory = true;
			return;
		}
		policy->match[policy->n_match++] = name;
	}
}

static void set_mode(struct reader *reader, const struct yaml_node *value, size_t index)
{
	static const struct word words[] = {
		{ "enforce", GRITH_ENFORCE },
		{ "observe", GRITH_OBSERVE },
	};
	unsigned int mode;

	(void)index;
	if (value_word(reader, value, words, ARRAY_SIZE(words), &mode))
		reader->policy->mode = mode;
}

void read_settings(struct reader *reader, const struct yaml_node *node,
		   const struct setting *settings, size_t n_settings)
{
	struct word words[WORDS_MAX];
	unsigned int number;

	for (size_t i = 0; i < n_settings; i++)
		words[i] = (struct word) { settings[i].name, i };
	if (node->kind != YAML_MAP) {
		unknown_word(reader, node, "mapping with some of these keys", words, n_settings);
		return;
	}
	for (size_t i = 0; i < node->count && !reader->no_memory; i += 2) {
		if (!known_word(node->items[i], words, n_settings, &number))
			unknown_word(reader, node->items[i], "key", words, n_settings);
		else if (settings[number].set)
			settings[number].set(reader, node->items[i + 1], settings[number].index);
	}
}

static void set_threshold(struct reader *reader, const struct yaml_node *value, size_t is_deny)
{
	struct policy *policy = reader->policy;
	int16_t threshold;

	if (!value_score(reader, value, &threshold))
		return;
	if (threshold < 0) {
		reader_error(
			reader, value,
			"a threshold is 0 or more: no operation without a finding may be held");
		return;
	}
	*(is_deny ? &policy->threshold_deny : &policy->threshold_hold) = threshold;
}

static void set_thresholds(struct reader *reader, const struct yaml_node *value, size_t index)
{
	static const struct setting settings[] = {
		{ "hold", set_threshold, 0 },
		{ "deny", set_threshold, 1 },
	};

	(void)index;
	read_settings(reader, value, settings, ARRAY_SIZE(settings));
	if (reader->policy->threshold_hold > reader->policy->threshold_deny)
		reader_error(reader, value, "the threshold of hold is above that of deny");
}

/* A verdict, or `score`: allowed, with what the static filters add. */
static void set_default(struct reader *reader, const struct yaml_node *value, size_t number)
{
	const struct op_word *word = &op_words[number];
	struct policy *policy = reader->policy;
	bool is_net = word->section == POLICY_NETWORK;
	enum grith_verdict *defaults = is_net ? policy->net_defaults : policy->defaults;
	uint32_t *scored = is_net ? &policy->net_scored : &policy->scored;
	unsigned int v;

	if (!value_word(reader, value, verdict_words,
			word->section == POLICY_SOCKETS ? VERDICTS : VERDICTS_OR_SCORE, &v))
		return;
	if (word->section == POLICY_SOCKETS) {
		policy->socket_default = v;
		return;
	}
	for (unsigned int op = 0; word->operations >> op; op++)
		if (word->operations >> op & 1)
			defaults[op] = v == GRITH_VERDICTS ? GRITH_ALLOW : v;
	*scored = (*scored & ~word->operations) | (v == GRITH_VERDICTS ? word->operations : 0);
}

static void set_defaults(struct reader *reader, const struct yaml_node *value, size_t index)
{
	(void)index;
	read_op_settings(reader, OPS_DEFAULTS, value, set_default);
}

/* Of a verdict of the policy at `offset`. Nothing can wait for an answer here, so not `hold`. */
static void set_refusal(struct reader *reader, const struct yaml_node *value, size_t offset)
{
	unsigned int v;

	if (value_word(reader, value, verdict_words, REFUSALS, &v))
		*(enum grith_verdict *)((char *)reader->policy + offset) = v;
}

static void set_processes(struct reader *reader, const struct yaml_node *value, size_t index)
{
	static const struct setting settings[] = {
		{ "outside", set_refusal, offsetof(struct policy, outside) },
		{ "signal", set_refusal, offsetof(struct policy, signal) },
	};

	(void)index;
	read_settings(reader, value, settings, ARRAY_SIZE(settings));
	/* `signal` is what `outside` is unless the same mapping has its own. */
	if (yaml_find(value, "outside") && !yaml_find(value, "signal"))
		reader->policy->signal = reader->policy->outside;
}

/* `outside` alone: what may be done to an object that the session has not made. */
static void set_outside(struct reader *reader, const struct yaml_node *value, size_t offset)
{
	const struct setting settings[] = { { "outside", set_refusal, offset } };

	read_settings(reader, value, settings, ARRAY_SIZE(settings));
}

static void set_io_uring(struct reader *reader, const struct yaml_node *value, size_t index)
{
	static const struct word words[] = { { "enforce", GRITH_ALLOW }, { "deny", GRITH_DENY } };
	unsigned int v;

	(void)index;
	if (value_word(reader, value, words, ARRAY_SIZE(words), &v))
		reader->policy->ring = v;
}

static void set_unknown(struct reader *reader, const struct yaml_node *value, size_t index)
{
	unsigned int v;

	(void)index;
	if (value_word(reader, value, verdict_words, VERDICTS, &v))
		reader->policy->unknown = v;
}

static const struct setting keys[] = {
	{ "grith", set_version, 0 },
	{ "name", set_name, 0 },
	{ "extends", NULL, 0 }, /* comes before all else; read_policy() */
	{ "match", add_match, 0 },
	{ "mode", set_mode, 0 },
	{ "thresholds", set_thresholds, 0 },
	{ "defaults", set_defaults, 0 },
	{ "files", read_section, POLICY_FILES },
	{ "exec", read_section, POLICY_EXEC },
	{ "network", read_section, POLICY_NETWORK },
	{ "unix", read_section, POLICY_UNIX },
	{ "sockets", read_section, POLICY_SOCKETS },
	{ "processes", set_processes, 0 },
	{ "terminals", set_outside, offsetof(struct policy, terminal) },
	{ "ipc", set_outside, offsetof(struct policy, ipc) },
	{ "keyrings", set_outside, offsetof(struct policy, keyring) },
	{ "kernel", set_refusal, offsetof(struct policy, kernel) },
	{ "namespaces", set_refusal, offsetof(struct policy, namespace) },
	{ "io_uring", set_io_uring, 0 },
	{ "unknown", set_unknown, 0 },
};

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
	if (!yaml_find(root, "grith"))
		reader_error(reader, root, "`grith: 1` is missing");
	extends = yaml_find(root, "extends");
	if (extends)
		read_extended(reader, extends);
	read_settings(reader, root, keys, ARRAY_SIZE(keys));
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

/* The defaults fail closed: what a rule can allow is refused where there is none. */
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
	policy->outside = GRITH_DENY;
	policy->signal = GRITH_DENY;
	policy->ring = GRITH_ALLOW;
	policy->terminal = policy->ipc = policy->keyring = GRITH_DENY;
	policy->kernel = GRITH_DENY;
	policy->namespace = GRITH_ALLOW;
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
