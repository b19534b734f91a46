/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The keys of a rule: which section knows which, and how each fills the draft. Single values are
 * read by values.c.
 */
#include <sys/socket.h>

#include "lib/base/base.h"
#include "draft.h"

#define EVERYWHERE (PATHS | BIT(POLICY_NETWORK) | BIT(POLICY_SOCKETS))

static const struct word file_operations[] = {
	{ "read", BIT(GRITH_OP_CLASS_READ) },	      { "write", BIT(GRITH_OP_CLASS_WRITE) },
	{ "create", BIT(GRITH_OP_CLASS_CREATE) },     { "delete", BIT(GRITH_OP_CLASS_DELETE) },
	{ "rename", BIT(GRITH_OP_CLASS_RENAME) },     { "link", BIT(GRITH_OP_CLASS_LINK) },
	{ "metadata", BIT(GRITH_OP_CLASS_METADATA) }, { "list", BIT(GRITH_OP_CLASS_LIST) },
	{ "exec", BIT(GRITH_OP_CLASS_EXEC) },	      { "truncate", BIT(GRITH_OP_CLASS_WRITE) },
	{ "all", BIT(GRITH_OP_CLASS_EXEC + 1) - 1 },
};
static const struct word exec_operations[] = {
	{ "exec", BIT(GRITH_OP_CLASS_EXEC) },
	{ "all", BIT(GRITH_OP_CLASS_EXEC) },
};
static const struct word network_operations[] = {
	{ "connect", BIT(GRITH_NET_CONNECT) },
	{ "bind", BIT(GRITH_NET_BIND) },
	{ "listen", BIT(GRITH_NET_LISTEN) },
	{ "all", BIT(GRITH_NET_OPS) - 1 },
};
static const struct word unix_operations[] = {
	{ "connect", BIT(GRITH_OP_CLASS_CONNECT) },
	{ "bind", BIT(GRITH_OP_CLASS_BIND) },
	{ "all", BIT(GRITH_OP_CLASS_CONNECT) | BIT(GRITH_OP_CLASS_BIND) },
};
static const struct word socket_operations[] = {
	{ "socket", 1 },
	{ "all", 1 },
};

/* Rules of filters for paths are for unix sockets too. */
static const struct word filter_operations[] = {
	{ "read", BIT(GRITH_OP_CLASS_READ) },
	{ "write", BIT(GRITH_OP_CLASS_WRITE) },
	{ "create", BIT(GRITH_OP_CLASS_CREATE) },
	{ "delete", BIT(GRITH_OP_CLASS_DELETE) },
	{ "rename", BIT(GRITH_OP_CLASS_RENAME) },
	{ "link", BIT(GRITH_OP_CLASS_LINK) },
	{ "metadata", BIT(GRITH_OP_CLASS_METADATA) },
	{ "list", BIT(GRITH_OP_CLASS_LIST) },
	{ "exec", BIT(GRITH_OP_CLASS_EXEC) },
	{ "unix-connect", BIT(GRITH_OP_CLASS_CONNECT) },
	{ "unix-bind", BIT(GRITH_OP_CLASS_BIND) },
};

struct operations {
	const struct word *words;
	size_t count;
};

static const struct operations operations[] = {
	[POLICY_FILES] = { file_operations, ARRAY_SIZE(file_operations) },
	[POLICY_EXEC] = { exec_operations, ARRAY_SIZE(exec_operations) },
	[POLICY_NETWORK] = { network_operations, ARRAY_SIZE(network_operations) },
	[POLICY_UNIX] = { unix_operations, ARRAY_SIZE(unix_operations) },
	[POLICY_SOCKETS] = { socket_operations, ARRAY_SIZE(socket_operations) },
};

static struct operations operations_of(const struct draft *d)
{
	static const struct operations of_filters = { filter_operations,
						      ARRAY_SIZE(filter_operations) };

	return d->weights && d->rule.section == POLICY_FILES ? of_filters
							     : operations[d->rule.section];
}

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
	{ "raw", SOCKET_RAW }, /* SOCK_RAW and SOCK_PACKET */
	{ "other", SOCKET_OTHER },
};

static void read_operations(struct reader *reader, struct draft *d, const struct yaml_node *node)
{
	const struct operations known = operations_of(d);

	if (!value_count(node))
		reader_error(reader, node, "expected at least one operation");
	for (size_t i = 0; i < value_count(node); i++) {
		const struct yaml_node *item = value_at(node, i);
		unsigned int bits = 0;

		for (size_t k = 0; k < known.count; k++)
			if (item->kind == YAML_SCALAR &&
			    strcmp(item->text, known.words[k].text) == 0)
				bits = known.words[k].value;
		if (!bits)
			unknown_word(reader, item, "operation", known.words, known.count);
		d->rule.operations |= bits;
	}
}

static void set_action(struct reader *reader, struct draft *d, const struct yaml_node *key)
{
	if (d->action)
		reader_error(reader, key, "\"%s\" besides \"%s\": a rule does one thing", key->text,
			     d->action->text);
	d->action = key;
}

static void key_verdict(struct reader *reader, struct draft *d, const struct yaml_node *key,
			const struct yaml_node *value)
{
	set_action(reader, d, key);
	for (size_t i = 0; i < N_VERDICT_WORDS; i++)
		if (strcmp(verdict_words[i].text, key->text) == 0)
			d->rule.verdict = verdict_words[i].value;
	read_operations(reader, d, value);
}

static void key_score(struct reader *reader, struct draft *d, const struct yaml_node *key,
		      const struct yaml_node *value)
{
	set_action(reader, d, key);
	d->rule.is_score = true;
	value_score(reader, value, &d->rule.score);
}

static void key_judge(struct reader *reader, struct draft *d, const struct yaml_node *key,
		      const struct yaml_node *value)
{
	static const struct word words[] = { { "argv", 1 } };
	unsigned int ignored;

	set_action(reader, d, key);
	d->rule.judge_argv = true;
	d->rule.operations = BIT(GRITH_OP_CLASS_EXEC);
	value_word(reader, value, words, ARRAY_SIZE(words), &ignored);
}

static void key_on(struct reader *reader, struct draft *d, const struct yaml_node *key,
		   const struct yaml_node *value)
{
	(void)key;
	d->on = value;
	read_operations(reader, d, value);
}

static void key_path(struct reader *reader, struct draft *d, const struct yaml_node *key,
		     const struct yaml_node *value)
{
	bool abstract = strcmp(key->text, "abstract") == 0;

	d->has_object = true;
	draft_globs(reader, value, abstract, &d->rule.globs, &d->rule.n_globs);
}

static void key_except(struct reader *reader, struct draft *d, const struct yaml_node *key,
		       const struct yaml_node *value)
{
	(void)key;
	draft_globs(reader, value, false, &d->rule.except, &d->rule.n_except);
}

static void key_host(struct reader *reader, struct draft *d, const struct yaml_node *key,
		     const struct yaml_node *value)
{
	(void)key;
	d->has_object = true;
	if (!value_count(value))
		reader_error(reader, value, "expected at least one host");
	for (size_t i = 0; i < value_count(value); i++) {
		char *host;

		if (!value_host(reader, value_at(value, i), &host))
			continue;
		if (ARRAY_GROW(d->rule.hosts, d->rule.n_hosts) < 0) {
			free(host);
			reader->no_memory = true;
			return;
		}
		d->rule.hosts[d->rule.n_hosts++] = host;
	}
}

static void key_cidr(struct reader *reader, struct draft *d, const struct yaml_node *key,
		     const struct yaml_node *value)
{
	(void)key;
	d->has_object = true;
	if (!value_count(value))
		reader_error(reader, value, "expected at least one network");
	for (size_t i = 0; i < value_count(value); i++) {
		struct policy_prefix prefix;

		if (!value_prefix(reader, value_at(value, i), &prefix))
			continue;
		if (ARRAY_GROW(d->rule.prefixes, d->rule.n_prefixes) < 0) {
			reader->no_memory = true;
			return;
		}
		d->rule.prefixes[d->rule.n_prefixes++] = prefix;
	}
}

static void key_port(struct reader *reader, struct draft *d, const struct yaml_node *key,
		     const struct yaml_node *value)
{
	(void)key;
	if (!value_count(value))
		reader_error(reader, value, "expected at least one port");
	for (size_t i = 0; i < value_count(value); i++) {
		struct policy_port port;

		if (!value_port(reader, value_at(value, i), &port))
			continue;
		if (ARRAY_GROW(d->rule.ports, d->rule.n_ports) < 0) {
			reader->no_memory = true;
			return;
		}
		d->rule.ports[d->rule.n_ports++] = port;
	}
}

static void key_family(struct reader *reader, struct draft *d, const struct yaml_node *key,
		       const struct yaml_node *value)
{
	(void)key;
	if (!value_count(value))
		reader_error(reader, value, "expected at least one address family");
	d->rule.families = 0;
	for (size_t i = 0; i < value_count(value); i++) {
		unsigned int family;

		if (value_word(reader, value_at(value, i), families, ARRAY_SIZE(families), &family))
			d->rule.families |= UINT64_C(1) << family;
	}
}

static void key_type(struct reader *reader, struct draft *d, const struct yaml_node *key,
		     const struct yaml_node *value)
{
	unsigned int type = SOCKET_ANY;

	(void)key;
	value_word(reader, value, socket_types, ARRAY_SIZE(socket_types), &type);
	d->rule.raw = type != SOCKET_OTHER;
	d->rule.cooked = type != SOCKET_RAW;
}

/* The bit of a class, which gets one at its first use. */
static void add_class(struct reader *reader, struct draft *d, const struct yaml_node *node)
{
	struct policy *policy = reader->policy;
	const char *name;
	size_t i;

	if (!value_name(reader, node, &name))
		return;
	for (i = 0; i < policy->n_classes; i++)
		if (strcmp(policy->classes[i], name) == 0)
			break;
	if (i == POLICY_CLASSES_MAX) {
		reader_error(reader, node,
			     "\"%s\": too many classes (POLICY_CLASSES_MAX, 16): "
			     "give one of the others a wider meaning",
			     name);
		return;
	}
	if (i == policy->n_classes) {
		policy->classes[i] = strdup(name);
		if (!policy->classes[i]) {
			reader->no_memory = true;
			return;
		}
		policy->n_classes++;
	}
	d->rule.classes |= 1u << i;
}

static void key_class(struct reader *reader, struct draft *d, const struct yaml_node *key,
		      const struct yaml_node *value)
{
	(void)key;
	for (size_t i = 0; i < value_count(value); i++)
		add_class(reader, d, value_at(value, i));
}

static void key_final(struct reader *reader, struct draft *d, const struct yaml_node *key,
		      const struct yaml_node *value)
{
	(void)key;
	value_bool(reader, value, &d->rule.final);
}

static void key_always(struct reader *reader, struct draft *d, const struct yaml_node *key,
		       const struct yaml_node *value)
{
	(void)key;
	value_bool(reader, value, &d->rule.always);
}

static void key_otherwise(struct reader *reader, struct draft *d, const struct yaml_node *key,
			  const struct yaml_node *value)
{
	(void)key;
	value_bool(reader, value, &d->rule.otherwise);
}

static void key_reason(struct reader *reader, struct draft *d, const struct yaml_node *key,
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

#define POLICIES 1
#define FILTERS 2

static const struct {
	const char *name;
	unsigned int sections;
	unsigned int owners; /* POLICIES, FILTERS: whose rules have it */
	void (*read)(struct reader *reader, struct draft *d, const struct yaml_node *key,
		     const struct yaml_node *value);
} keys[] = {
	{ "allow", EVERYWHERE, POLICIES, key_verdict },
	{ "deny", EVERYWHERE, POLICIES, key_verdict },
	{ "hide", EVERYWHERE, POLICIES, key_verdict },
	{ "hold", EVERYWHERE, POLICIES, key_verdict },
	{ "score", EVERYWHERE & ~BIT(POLICY_SOCKETS), POLICIES | FILTERS, key_score },
	{ "judge", BIT(POLICY_EXEC), POLICIES, key_judge },
	{ "on", EVERYWHERE & ~BIT(POLICY_SOCKETS), POLICIES | FILTERS, key_on },
	{ "path", PATHS, POLICIES | FILTERS, key_path },
	{ "abstract", BIT(POLICY_UNIX), POLICIES, key_path },
	{ "abstract", BIT(POLICY_FILES), FILTERS, key_path },
	{ "except", PATHS, POLICIES | FILTERS, key_except },
	{ "host", BIT(POLICY_NETWORK), POLICIES | FILTERS, key_host },
	{ "cidr", BIT(POLICY_NETWORK), POLICIES | FILTERS, key_cidr },
	{ "port", BIT(POLICY_NETWORK), POLICIES | FILTERS, key_port },
	{ "family", BIT(POLICY_SOCKETS), POLICIES, key_family },
	{ "type", BIT(POLICY_SOCKETS), POLICIES, key_type },
	{ "class", EVERYWHERE, POLICIES | FILTERS, key_class },
	{ "final", EVERYWHERE, POLICIES | FILTERS, key_final },
	{ "always", EVERYWHERE, POLICIES, key_always },
	{ "otherwise", EVERYWHERE, FILTERS, key_otherwise },
	{ "reason", EVERYWHERE, POLICIES | FILTERS, key_reason },
};

static bool has_key(const struct draft *d, size_t index)
{
	return keys[index].sections & BIT(d->rule.section) &&
	       keys[index].owners & (d->weights ? FILTERS : POLICIES);
}

static void unknown_key(struct reader *reader, const struct draft *d, const struct yaml_node *key)
{
	struct word words[ARRAY_SIZE(keys)];
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (has_key(d, i))
			words[n++] = (struct word) { .text = keys[i].name };
	unknown_word(reader, key, "key", words, n);
}

void draft_key(struct reader *reader, struct draft *d, const struct yaml_node *key,
	       const struct yaml_node *value)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(keys[i].name, key->text) != 0 || !has_key(d, i))
			continue;
		keys[i].read(reader, d, key, value);
		return;
	}
	if (value->kind == YAML_SCALAR && !value->quoted && !*value->text)
		reader_error(reader, key, "\"%s\" has no value: a text with a comma needs quotes",
			     key->text);
	else
		unknown_key(reader, d, key);
}
