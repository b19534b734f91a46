/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The values of the policy language: words, names, numbers, ports, addresses. Each complains of
 * what it cannot read, with what it expected.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <stdarg.h>

#include "lib/base/base.h"
#include "reader.h"

#define SCORE_MAX 100 /* of one rule */

const struct word verdict_words[VERDICTS_OR_SCORE] = {
	{ "allow", GRITH_ALLOW }, { "deny", GRITH_DENY },      { "hide", GRITH_HIDE },
	{ "hold", GRITH_HOLD },	  { "score", GRITH_VERDICTS },
};

void reader_error(struct reader *reader, const struct yaml_node *node, const char *format, ...)
{
	OWNED_MEM char *message = NULL;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(&message, format, arguments);
	va_end(arguments);
	if (length < 0) {
		message = NULL;
		reader->no_memory = true;
		return;
	}
	diag_add(reader->diag, reader->file, node->line, node->column, "%s", message);
}

size_t value_count(const struct yaml_node *node)
{
	return node->kind == YAML_LIST ? node->count : 1;
}

const struct yaml_node *value_at(const struct yaml_node *node, size_t index)
{
	return node->kind == YAML_LIST ? node->items[index] : node;
}

bool value_text(struct reader *reader, const struct yaml_node *node, size_t max,
		const char **ret_text)
{
	if (node->kind != YAML_SCALAR || !*node->text) {
		reader_error(reader, node, "expected text");
		return false;
	}
	if (strlen(node->text) > max) {
		reader_error(reader, node, "longer than %zu bytes", max);
		return false;
	}
	*ret_text = node->text;
	return true;
}

bool value_name(struct reader *reader, const struct yaml_node *node, const char **ret_name)
{
	const char *name;

	if (!value_text(reader, node, POLICY_NAME_MAX, &name))
		return false;
	for (const char *p = name; *p; p++) {
		if (isalnum((unsigned char)*p) || (p > name && strchr("._+-", *p)))
			continue;
		reader_error(reader, node,
			     "\"%s\" is not a name (letters, digits and . _ + -, a letter or digit "
			     "first)",
			     name);
		return false;
	}
	*ret_name = name;
	return true;
}

void unknown_word(struct reader *reader, const struct yaml_node *node, const char *what,
		  const struct word *words, size_t n_words)
{
	OWNED_TEXT struct text list = { 0 };
	const char *known[WORDS_MAX], *near;
	int r = text_add(&list, "", 0);

	for (size_t i = 0; i < n_words && r == 0; i++) {
		known[i] = words[i].text;
		r = text_addf(&list, "%s%s", i ? ", " : "", known[i]);
	}
	if (r < 0) {
		reader->no_memory = true;
		return;
	}
	if (node->kind != YAML_SCALAR) {
		reader_error(reader, node, "expected a %s: %s", what, list.data);
		return;
	}
	near = suggest(node->text, known, n_words);
	if (near)
		reader_error(reader, node, "unknown %s \"%s\": did you mean \"%s\"? expected: %s",
			     what, node->text, near, list.data);
	else
		reader_error(reader, node, "unknown %s \"%s\": expected: %s", what, node->text,
			     list.data);
}

bool value_is(const struct yaml_node *node, const char *text)
{
	return node->kind == YAML_SCALAR && !node->quoted && strcmp(node->text, text) == 0;
}

bool known_word(const struct yaml_node *node, const struct word *words, size_t n_words,
		unsigned int *ret_value)
{
	for (size_t i = 0; i < n_words && node->kind == YAML_SCALAR; i++) {
		if (strcmp(node->text, words[i].text) != 0)
			continue;
		*ret_value = words[i].value;
		return true;
	}
	return false;
}

bool value_word(struct reader *reader, const struct yaml_node *node, const struct word *words,
		size_t n_words, unsigned int *ret_value)
{
	if (known_word(node, words, n_words, ret_value))
		return true;
	unknown_word(reader, node, "word", words, n_words);
	return false;
}

bool value_bool(struct reader *reader, const struct yaml_node *node, bool *ret_value)
{
	static const struct word words[] = { { "true", true }, { "false", false } };
	unsigned int value;

	if (node->quoted || !known_word(node, words, ARRAY_SIZE(words), &value)) {
		reader_error(reader, node, "expected true or false");
		return false;
	}
	*ret_value = value;
	return true;
}

bool value_score(struct reader *reader, const struct yaml_node *node, int16_t *ret_hundredths)
{
	int hundredths;

	if (node->kind == YAML_SCALAR && !node->quoted &&
	    text_parse_hundredths(node->text, SCORE_MAX, &hundredths) == 0) {
		*ret_hundredths = (int16_t)hundredths;
		return true;
	}
	reader_error(reader, node, "expected a number from -%d to %d with at most two decimals",
		     SCORE_MAX, SCORE_MAX);
	return false;
}

static bool parse_port(const char *text, struct policy_port *ret_port)
{
	const char *dash = strchrnul(text, '-');
	char low[6];
	uint64_t first, last;

	if ((size_t)(dash - text) >= sizeof(low))
		return false;
	memcpy(low, text, dash - text);
	low[dash - text] = '\0';
	if (text_parse_u64(low, UINT16_MAX, &first) < 0)
		return false;
	last = first;
	if (*dash && (text_parse_u64(dash + 1, UINT16_MAX, &last) < 0 || first > last))
		return false;
	*ret_port = (struct policy_port) { first, last };
	return true;
}

bool value_port(struct reader *reader, const struct yaml_node *node, struct policy_port *ret_port)
{
	if (node->kind == YAML_SCALAR && parse_port(node->text, ret_port))
		return true;
	reader_error(reader, node, "expected a port from 0 to 65535, or a range such as 8000-8100");
	return false;
}

/* Whether no bit is set behind the prefix. */
static bool is_network(const struct policy_prefix *p)
{
	for (unsigned int bit = p->bits; bit < 128; bit++)
		if (p->address[bit / 8] & (0x80 >> bit % 8))
			return false;
	return true;
}

/* NULL, or what is wrong with it. */
static const char *parse_prefix(const char *text, struct policy_prefix *p)
{
	const char *slash = strchrnul(text, '/');
	char address[INET6_ADDRSTRLEN];
	uint64_t bits, width;

	if ((size_t)(slash - text) >= sizeof(address))
		return "is not an address";
	memcpy(address, text, slash - text);
	address[slash - text] = '\0';
	*p = (struct policy_prefix) { .address = { [10] = 0xff, [11] = 0xff } };
	width = 32;
	if (inet_pton(AF_INET, address, p->address + 12) != 1) {
		width = 128;
		if (inet_pton(AF_INET6, address, p->address) != 1)
			return "is not an address";
	}
	bits = width;
	if (*slash && text_parse_u64(slash + 1, width, &bits) < 0)
		return "has a wrong number of bits behind the /";
	p->bits = 128 - width + bits;
	return is_network(p) ? NULL : "has bits set behind its prefix";
}

bool value_prefix(struct reader *reader, const struct yaml_node *node,
		  struct policy_prefix *ret_prefix)
{
	struct policy_prefix prefix;
	const char *text, *why;

	if (!value_text(reader, node, 64, &text))
		return false;
	why = parse_prefix(text, &prefix);
	if (why) {
		reader_error(reader, node,
			     "\"%s\" %s: expected something like 10.0.0.0/8, 127.0.0.1 or fd00::/8",
			     text, why);
		return false;
	}
	*ret_prefix = prefix;
	return true;
}

/* A name of DNS, perhaps behind "*.". Whoever writes an address here means `cidr`. */
static bool is_host(const char *name)
{
	bool letter = false;

	if (strncmp(name, "*.", 2) == 0)
		name += 2;
	if (!isalnum((unsigned char)*name))
		return false;
	for (const char *p = name; *p; p++) {
		if (!isalnum((unsigned char)*p) && *p != '-' && *p != '_' && *p != '.')
			return false;
		if (*p == '.' && (p[1] == '.' || !p[1]))
			return false;
		letter = letter || isalpha((unsigned char)*p);
	}
	return letter;
}

bool value_host(struct reader *reader, const struct yaml_node *node, char **ret_host)
{
	const char *name;
	char *copy;

	if (!value_text(reader, node, 255, &name))
		return false;
	if (!is_host(name)) {
		reader_error(reader, node,
			     "\"%s\" is not a host name: expected example.org or *.example.org "
			     "(addresses go to cidr:)",
			     name);
		return false;
	}
	copy = strdup(name);
	if (!copy) {
		reader->no_memory = true;
		return false;
	}
	for (char *p = copy; *p; p++)
		*p = tolower((unsigned char)*p);
	*ret_host = copy;
	return true;
}
