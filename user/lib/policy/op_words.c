/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The words for operations in policies and weights: the one table of what each means, and of the
 * places in the files that know it.
 */
#include "lib/base/base.h"
#include "reader.h"

#define SETTINGS (BIT(OPS_DEFAULTS) | BIT(OPS_RISK))

/* Rules of filters for paths are for unix sockets too; those have words of their own there. */
#define CLASS_PLACES(class)                                                           \
	((class) == GRITH_OP_CLASS_SPARE ? 0                                          \
	 : (class) > GRITH_OP_CLASS_EXEC ? BIT(OPS_FILTERS) | BIT(OPS_RISK)           \
	 : (class) == GRITH_OP_CLASS_EXEC                                             \
		 ? BIT(POLICY_FILES) | BIT(POLICY_EXEC) | BIT(OPS_FILTERS) | SETTINGS \
		 : BIT(POLICY_FILES) | BIT(OPS_FILTERS) | SETTINGS)
#define CLASS_WORD(class, number, word) { word, CLASS_PLACES(class), POLICY_FILES, BIT(class) },

/* Messages list the words of a place in this order. */
const struct op_word op_words[N_OP_WORDS] = {
	GRITH_OP_CLASS_TABLE(CLASS_WORD) { "truncate", BIT(POLICY_FILES), POLICY_FILES,
					   BIT(GRITH_OP_CLASS_WRITE) },
	{ "connect", BIT(POLICY_NETWORK) | SETTINGS, POLICY_NETWORK, BIT(GRITH_NET_CONNECT) },
	{ "bind", BIT(POLICY_NETWORK) | SETTINGS, POLICY_NETWORK, BIT(GRITH_NET_BIND) },
	{ "listen", BIT(POLICY_NETWORK) | SETTINGS, POLICY_NETWORK, BIT(GRITH_NET_LISTEN) },
	{ "connect", BIT(POLICY_UNIX), POLICY_UNIX, BIT(GRITH_OP_CLASS_CONNECT) },
	{ "bind", BIT(POLICY_UNIX), POLICY_UNIX, BIT(GRITH_OP_CLASS_BIND) },
	{ "unix", BIT(OPS_DEFAULTS), POLICY_UNIX,
	  BIT(GRITH_OP_CLASS_CONNECT) | BIT(GRITH_OP_CLASS_BIND) },
	{ "socket", BIT(POLICY_SOCKETS) | BIT(OPS_DEFAULTS), POLICY_SOCKETS, 1 },
	{ "all", BIT(POLICY_FILES), POLICY_FILES, BIT(GRITH_OP_CLASS_EXEC + 1) - 1 },
	{ "all", BIT(POLICY_EXEC), POLICY_FILES, BIT(GRITH_OP_CLASS_EXEC) },
	{ "all", BIT(POLICY_NETWORK), POLICY_NETWORK, BIT(GRITH_NET_OPS) - 1 },
	{ "all", BIT(POLICY_UNIX), POLICY_UNIX,
	  BIT(GRITH_OP_CLASS_CONNECT) | BIT(GRITH_OP_CLASS_BIND) },
	{ "all", BIT(POLICY_SOCKETS), POLICY_SOCKETS, 1 },
};

void read_ops(struct reader *reader, unsigned int place, const struct yaml_node *node,
	      uint32_t *operations)
{
	struct word words[N_OP_WORDS];
	unsigned int number;
	size_t n = 0;

	for (size_t i = 0; i < N_OP_WORDS; i++)
		if (op_words[i].places & BIT(place))
			words[n++] = (struct word) { op_words[i].text, i };
	if (!value_count(node))
		reader_error(reader, node, "expected at least one operation");
	for (size_t i = 0; i < value_count(node); i++) {
		if (known_word(value_at(node, i), words, n, &number))
			*operations |= op_words[number].operations;
		else
			unknown_word(reader, value_at(node, i), "operation", words, n);
	}
}

void read_op_settings(struct reader *reader, unsigned int place, const struct yaml_node *node,
		      void (*set)(struct reader *reader, const struct yaml_node *value,
				  size_t number))
{
	struct setting settings[N_OP_WORDS];
	size_t n = 0;

	for (size_t i = 0; i < N_OP_WORDS; i++)
		if (op_words[i].places & BIT(place))
			settings[n++] = (struct setting) { op_words[i].text, set, i };
	read_settings(reader, node, settings, n);
}
