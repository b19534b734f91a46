/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The keys of a rule: the table of them, which section knows which, and how each fills the draft.
 * Single values are read by values.c. What the rule means with it is decided in precedence.c.
 */
#include <sys/socket.h>

#include "lib/base/base.h"
#include "draft.h"

#define EVERYWHERE (PATHS | BIT(POLICY_NETWORK) | BIT(POLICY_SOCKETS))

static const struct word families[] = {
	{ "unix", AF_UNIX },	   { "inet", AF_INET },
	{ "inet6", AF_INET6 },	   { "packet", AF_PACKET },
	{ "netlink", AF_NETLINK }, { "vsock", AF_VSOCK },
	{ "alg", AF_ALG },	   { "bluetooth", AF_BLUETOOTH },
	{ "can", AF_CAN },	   { "tipc", AF_TIPC },
	{ "xdp", AF_XDP },	   { "key", AF_KEY },
	{ "rds", AF_RDS },	   { "nfc", AF_NFC },
	{ "qipcrtr", AF_QIPCRTR }, { "smc", AF_SMC },
	{ "kcm", AF_KCM },
};
_Static_assert(GRITH_FAMILIES <= 64, "families are bits of a 64-bit word");

enum { SOCKET_ANY, SOCKET_RAW, SOCKET_OTHER };
static const struct word socket_types[] = {
	{ "any", SOCKET_ANY },
	{ "raw", SOCKET_RAW }, /* and unusual protocols: bpf/net.bpf.h */
	{ "other", SOCKET_OTHER },
};

static void read_operations(struct reader *reader, struct draft *d, const struct yaml_node *node)
{
	read_ops(reader,
		 d->weights && d->rule.section == POLICY_FILES ? OPS_FILTERS : d->rule.section,
		 node, &d->rule.operations);
}

static void set_action(struct reader *reader, struct draft *d, const struct yaml_node *key)
{
	if (d->action)
		reader_error(reader, key, "\"%s\" besides \"%s\": a rule does one thing", key->text,
			     d->action->text);
	d->action = key;
}

static void set_verdict(struct reader *reader, struct draft *d, const struct yaml_node *key,
			const struct yaml_node *value)
{
	unsigned int verdict;

	set_action(reader, d, key);
	if (known_word(key, verdict_words, VERDICTS, &verdict))
		d->rule.verdict = verdict;
	read_operations(reader, d, value);
}

static void set_score(struct reader *reader, struct draft *d, const struct yaml_node *key,
		      const struct yaml_node *value)
{
	set_action(reader, d, key);
	d->rule.is_score = true;
	value_score(reader, value, &d->rule.score);
}

static void set_judge(struct reader *reader, struct draft *d, const struct yaml_node *key,
		      const struct yaml_node *value)
{
	static const struct word words[] = { { "argv", 1 } };
	unsigned int ignored;

	set_action(reader, d, key);
	d->rule.inspect_argv = true;
	d->rule.operations = BIT(GRITH_OP_CLASS_EXEC);
	value_word(reader, value, words, ARRAY_SIZE(words), &ignored);
}

static void set_on(struct reader *reader, struct draft *d, const struct yaml_node *key,
		   const struct yaml_node *value)
{
	(void)key;
	d->on = value;
	read_operations(reader, d, value);
}

static void set_type(struct reader *reader, struct draft *d, const struct yaml_node *key,
		     const struct yaml_node *value)
{
	unsigned int type = SOCKET_ANY;

	(void)key;
	value_word(reader, value, socket_types, ARRAY_SIZE(socket_types), &type);
	d->rule.raw = type != SOCKET_OTHER;
	d->rule.cooked = type != SOCKET_RAW;
}

static void set_otherwise(struct reader *reader, struct draft *d, const struct yaml_node *key,
			  const struct yaml_node *value)
{
	(void)key;
	value_bool(reader, value, &d->rule.otherwise);
}

static void set_reason(struct reader *reader, struct draft *d, const struct yaml_node *key,
		       const struct yaml_node *value)
{
	const char *text;

	(void)key;
	if (!value_text(reader, value, POLICY_REASON_MAX, &text))
		return;
	d->rule.reason = strdup(text);
	if (!d->rule.reason)
		reader->no_memory = true;
}

static void add_path(struct reader *reader, struct draft *d, const struct yaml_node *node)
{
	draft_glob(reader, node, false, &d->rule.globs, &d->rule.n_globs);
}

static void add_abstract(struct reader *reader, struct draft *d, const struct yaml_node *node)
{
	draft_glob(reader, node, true, &d->rule.globs, &d->rule.n_globs);
}

static void add_except(struct reader *reader, struct draft *d, const struct yaml_node *node)
{
	draft_glob(reader, node, false, &d->rule.except, &d->rule.n_except);
}

static void add_host(struct reader *reader, struct draft *d, const struct yaml_node *node)
{
	OWNED_MEM char *host = NULL;

	if (!value_host(reader, node, &host))
		return;
	if (ARRAY_GROW(d->rule.hosts, d->rule.n_hosts) < 0)
		reader->no_memory = true;
	else
		d->rule.hosts[d->rule.n_hosts++] = TAKE_PTR(host);
}

static void add_prefix(struct reader *reader, struct draft *d, const struct policy_prefix *prefix)
{
	if (ARRAY_GROW(d->rule.prefixes, d->rule.n_prefixes) < 0)
		reader->no_memory = true;
	else
		d->rule.prefixes[d->rule.n_prefixes++] = *prefix;
}

/* Where none is known it is this machine's, as for the C library; never an empty list. */
static void add_resolvers(struct reader *reader, struct draft *d)
{
	static const struct policy_prefix own = {
		.address = { [10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1 },
		.bits = 128,
	};
	const struct policy_context *c = reader->context;

	if (!c->n_resolvers)
		add_prefix(reader, d, &own);
	for (size_t i = 0; i < c->n_resolvers; i++)
		add_prefix(reader, d, &c->resolvers[i]);
}

static void add_cidr(struct reader *reader, struct draft *d, const struct yaml_node *node)
{
	struct policy_prefix prefix;

	if (node->kind == YAML_SCALAR && strcmp(node->text, "${RESOLVERS}") == 0)
		add_resolvers(reader, d);
	else if (value_prefix(reader, node, &prefix))
		add_prefix(reader, d, &prefix);
}

static void add_port(struct reader *reader, struct draft *d, const struct yaml_node *node)
{
	struct policy_port port;

	if (!value_port(reader, node, &port))
		return;
	if (ARRAY_GROW(d->rule.ports, d->rule.n_ports) < 0)
		reader->no_memory = true;
	else
		d->rule.ports[d->rule.n_ports++] = port;
}

static void add_family(struct reader *reader, struct draft *d, const struct yaml_node *node)
{
	unsigned int family;

	if (value_word(reader, node, families, ARRAY_SIZE(families), &family))
		d->rule.families |= UINT64_C(1) << family;
}

/* The bit of a label (`class`), which gets one at its first use. */
static void add_label(struct reader *reader, struct draft *d, const struct yaml_node *node)
{
	struct policy *policy = reader->policy;
	const char *name;
	size_t i;

	if (!value_name(reader, node, &name))
		return;
	for (i = 0; i < policy->n_labels; i++)
		if (strcmp(policy->labels[i], name) == 0)
			break;
	if (i == POLICY_LABELS_MAX) {
		reader_error(reader, node,
			     "\"%s\": too many classes (POLICY_LABELS_MAX, 16): "
			     "give one of the others a wider meaning",
			     name);
		return;
	}
	if (i == policy->n_labels) {
		policy->labels[i] = strdup(name);
		if (!policy->labels[i]) {
			reader->no_memory = true;
			return;
		}
		policy->n_labels++;
	}
	d->rule.labels |= 1u << i;
}

/* Whether the file, or the text that was read in its place, is called NAME.yaml. */
static bool is_profile(const char *file, const char *name)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
	size_t length = strlen(name);

	return strncmp(base, name, length) == 0 && strcmp(base + length, ".yaml") == 0;
}

/* Whether the policy is that profile, or extends it. */
static void add_unless(struct reader *reader, struct draft *d, const struct yaml_node *node)
{
	const char *name;

	if (!value_name(reader, node, &name))
		return;
	for (const struct reader *r = reader; r; r = r->extended_by)
		d->left_out |= is_profile(r->file, name);
}

#define POLICIES 1
#define FILTERS 2
#define BOTH (POLICIES | FILTERS)

/* A key has one of `set`, `add` and `flag`. */
static const struct rule_key {
	const char *name;
	unsigned int sections;
	unsigned int owners; /* POLICIES, FILTERS: whose rules have it */
	void (*set)(struct reader *reader, struct draft *d, const struct yaml_node *key,
		    const struct yaml_node *value);
	void (*add)(struct reader *reader, struct draft *d, const struct yaml_node *item);
	const char *what; /* of `add`: an item; NULL: the list may be empty */
	bool is_object; /* of `add`: is what the rule is for */
	unsigned int flag; /* GRITH_OUTCOME_* where the rule wins and the key is true */
} keys[] = {
	{ "allow", EVERYWHERE, POLICIES, .set = set_verdict },
	{ "deny", EVERYWHERE, POLICIES, .set = set_verdict },
	{ "hide", EVERYWHERE, POLICIES, .set = set_verdict },
	{ "hold", EVERYWHERE, POLICIES, .set = set_verdict },
	{ "score", EVERYWHERE & ~BIT(POLICY_SOCKETS), BOTH, .set = set_score },
	{ "judge", BIT(POLICY_EXEC), POLICIES, .set = set_judge },
	{ "on", EVERYWHERE & ~BIT(POLICY_SOCKETS), BOTH, .set = set_on },
	{ "path", PATHS, BOTH, .add = add_path, .what = "glob", .is_object = true },
	{ "abstract", BIT(POLICY_UNIX), POLICIES, .add = add_abstract, .what = "glob",
	  .is_object = true },
	{ "abstract", BIT(POLICY_FILES), FILTERS, .add = add_abstract, .what = "glob",
	  .is_object = true },
	{ "except", PATHS, BOTH, .add = add_except, .what = "glob" },
	{ "host", BIT(POLICY_NETWORK), BOTH, .add = add_host, .what = "host", .is_object = true },
	{ "cidr", BIT(POLICY_NETWORK), BOTH, .add = add_cidr, .what = "network",
	  .is_object = true },
	{ "port", BIT(POLICY_NETWORK), BOTH, .add = add_port, .what = "port" },
	{ "family", BIT(POLICY_SOCKETS), POLICIES, .add = add_family, .what = "address family" },
	{ "type", BIT(POLICY_SOCKETS), POLICIES, .set = set_type },
	{ "class", EVERYWHERE, BOTH, .add = add_label },
	{ "final", EVERYWHERE, BOTH, .flag = GRITH_OUTCOME_FINAL },
	{ "always", EVERYWHERE, POLICIES, .flag = GRITH_OUTCOME_ALWAYS },
	{ "otherwise", EVERYWHERE, FILTERS, .set = set_otherwise },
	{ "unless", EVERYWHERE, POLICIES, .add = add_unless, .what = "profile" },
	{ "reason", EVERYWHERE, BOTH, .set = set_reason },
};

static bool has_key(const struct draft *d, const struct rule_key *key)
{
	return key->sections & BIT(d->rule.section) &&
	       key->owners & (d->weights ? FILTERS : POLICIES);
}

static void read_key(struct reader *reader, struct draft *d, const struct rule_key *known,
		     const struct yaml_node *key, const struct yaml_node *value)
{
	bool flag = false;

	d->has_object |= known->is_object;
	if (known->set) {
		known->set(reader, d, key, value);
		return;
	}
	if (!known->add) {
		value_bool(reader, value, &flag);
		d->rule.flags |= flag ? known->flag : 0;
		return;
	}
	if (!value_count(value) && known->what)
		reader_error(reader, value, "expected at least one %s", known->what);
	for (size_t i = 0; i < value_count(value) && !reader->no_memory; i++)
		known->add(reader, d, value_at(value, i));
}

void draft_key(struct reader *reader, struct draft *d, const struct yaml_node *key,
	       const struct yaml_node *value)
{
	struct word words[ARRAY_SIZE(keys)];
	unsigned int number;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (has_key(d, &keys[i]))
			words[n++] = (struct word) { keys[i].name, i };
	if (known_word(key, words, n, &number))
		read_key(reader, d, &keys[number], key, value);
	else if (value_is(value, ""))
		reader_error(reader, key, "\"%s\" has no value: a text with a comma needs quotes",
			     key->text);
	else
		unknown_word(reader, key, "key", words, n);
}
