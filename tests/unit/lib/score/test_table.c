/* SPDX-License-Identifier: MPL-2.0 */
/* Reads the lines of the score's tables. */
#include <arpa/inet.h>
#include <sys/socket.h>

#include <criterion/criterion.h>

#include "lib/base/base.h"
#include "test_score_table.h"

#define HOME "/home/dev"
#define PROJECT "/home/dev/app"

char *table_file(const char *path, size_t *ret_length)
{
	OWNED_FILE FILE *file = fopen(path, "re");
	OWNED_TEXT struct text t = { 0 };
	char block[4096];
	size_t n;

	cr_assert(file, "%s", path);
	while ((n = fread(block, 1, sizeof(block), file)) > 0)
		cr_assert_eq(text_add(&t, block, n), 0);
	cr_assert(t.length, "%s", path);
	*ret_length = t.length;
	return TAKE_PTR(t.data);
}

struct score_weights *table_weights(void)
{
	OWNED_DIAG struct diag diag = { 0 };
	struct score_weights *weights = NULL;
	size_t length = 0;
	OWNED_MEM char *text = table_file("policy/weights.yaml", &length);
	OWNED_MEM char *said = NULL;
	int r = score_weights_read("policy/weights.yaml", text, length, &diag, &weights);

	said = diag_text(&diag);
	cr_assert_eq(r, 0, "%s", said ? said : "");
	return weights;
}

int table_points(const char *place, const char *text)
{
	char *end = NULL;
	double points = strtod(text, &end);

	cr_assert(end > text && (!*end || *end == ' '), "%s: no number: %s", place, text);
	return (int)(points * 100 + (points < 0 ? -0.5 : 0.5));
}

/* Replaces each pilcrow by a newline. */
static void unfold(char *text)
{
	char *to = text;

	for (const char *from = text; *from;) {
		if (!strncmp(from, "\xc2\xb6", 2)) {
			*to++ = '\n';
			from += 2;
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
}

static void set_argv(struct table_operation *o, size_t length)
{
	o->operation.op = GRITH_OP_EXEC;
	o->operation.argv = (struct record_bytes) { o->argv, length };
}

static void read_shell(struct table_operation *o, const char *text)
{
	int length = snprintf(o->argv, sizeof(o->argv), "sh%c-c%c%s", '\0', '\0', text);

	unfold(o->argv + 6);
	cr_assert(length > 6 && (size_t)length < sizeof(o->argv));
	set_argv(o, 6 + strlen(o->argv + 6) + 1);
	o->operation.path = (struct record_bytes) { "/usr/bin/dash", strlen("/usr/bin/dash") };
}

/* "/usr/bin/git commit -m 'a b'"; the first argument is the program's name. */
static void read_program(const char *place, struct table_operation *o, char *text)
{
	size_t to = 0, path = strcspn(text, " ");
	const char *from = text;

	cr_assert(*text == '/', "%s: no path of a program", place);
	o->operation.path = (struct record_bytes) { text, path };
	while (from > text && from[-1] != '/')
		from--;
	for (const char *p = text; p < text + path; p++)
		if (*p == '/')
			from = p + 1;
	while (*from) {
		char quote = *from == '\'' || *from == '"' ? *from++ : '\0';
		size_t n = quote ? strcspn(from, quote == '"' ? "\"" : "'") : strcspn(from, " ");

		memcpy(o->argv + to, from, n);
		to += n;
		from += n;
		if (quote) {
			cr_assert(*from == quote, "%s: no closing quote", place);
			from++;
		}
		if (!*from || *from == ' ')
			o->argv[to++] = '\0';
		from += strspn(from, " ");
	}
	set_argv(o, to);
}

static void set_filters(const char *place, struct score_operation *o, const char *words)
{
	static const char *const names[] = { "taint", "containment", "rate", "egress-rate",
					     "mass" };

	while (*words) {
		size_t n = strcspn(words, "+"), i;

		for (i = 0; i < ARRAY_SIZE(names); i++)
			if (strlen(names[i]) == n && !memcmp(names[i], words, n))
				break;
		cr_assert(i < ARRAY_SIZE(names), "%s: no filter: %s", place, words);
		o->context_filters |= 1u << i;
		words += n + (words[n] == '+');
	}
}

static void set_grants(struct table_operation *o, char *words)
{
	o->operation.grants = o->grants;
	for (char *p = words; p && *p; p = strchr(p, '+') ? strchr(p, '+') + 1 : NULL) {
		cr_assert(o->operation.n_grants < TABLE_GRANTS_MAX);
		o->grants[o->operation.n_grants++] = p;
	}
	for (char *p = words; *p; p++)
		if (*p == '+')
			*p = '\0';
}

/* "high": the classes of the tests are the bits of enum grith_source. */
static void set_class(const char *place, struct score_operation *o, const char *word)
{
	static const char *const names[] = { "high", "medium", "low" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], word))
			o->classes |= 1u << i;
	cr_assert(o->classes, "%s: no class: %s", place, word);
}

static void read_word(const char *place, struct table_operation *o, char *word)
{
	struct score_operation *operation = &o->operation;
	char *value = strchr(word, '=');

	if (!strcmp(word, "trusted"))
		operation->trusted = true;
	else if (!strcmp(word, "judged-later"))
		operation->argv_follows = true;
	else if (!strcmp(word, "raw"))
		operation->type = SOCK_RAW;
	else if (!strcmp(word, "read-too"))
		operation->flags |= GRITH_RECORD_READ_TOO;
	else if (!strcmp(word, "answered"))
		operation->flags |= GRITH_RECORD_ANSWERED;
	else if (value && !strncmp(word, "static=", 7))
		operation->static_score = (int16_t)table_points(place, value + 1);
	else if (value && !strncmp(word, "context=", 8))
		operation->context = (int16_t)table_points(place, value + 1);
	else if (value && !strncmp(word, "filters=", 8))
		set_filters(place, operation, value + 1);
	else if (value && !strncmp(word, "class=", 6))
		set_class(place, operation, value + 1);
	else if (value && !strncmp(word, "grants=", 7))
		set_grants(o, value + 1);
	else if (value && !strncmp(word, "by=", 3))
		operation->program = value + 1;
	else
		cr_assert_fail("%s: unknown word %s", place, word);
}

/* An address of the documentation's ranges (RFC 5737) where there is only a name. */
static void set_address(struct score_operation *o, const char *object)
{
	static const uint8_t mapped[16] = { [10] = 0xff, [11] = 0xff, 203, 0, 113, 7 };
	struct in_addr four;

	memcpy(o->address, mapped, sizeof(mapped));
	o->family = AF_INET;
	if (inet_pton(AF_INET, object, &four) == 1)
		memcpy(o->address + 12, &four, sizeof(four));
	else if (inet_pton(AF_INET6, object, o->address) != 1)
		o->host = object;
	o->shown_host = object;
}

static void read_other(const char *place, struct table_operation *o, char *text)
{
	struct score_operation *operation = &o->operation;
	char *save = NULL, *word = strtok_r(text, " ", &save);
	bool socket;
	uint64_t port;

	cr_assert(word && op_parse(word, &operation->op) == 0, "%s: no operation", place);
	word = strtok_r(NULL, " ", &save);
	cr_assert(word, "%s: no object", place);
	socket = operation->op == GRITH_OP_SOCKET;
	if (socket)
		operation->family = !strcmp(word, "packet")    ? AF_PACKET
				    : !strcmp(word, "netlink") ? AF_NETLINK
							       : AF_INET;
	else if (*word == '/')
		operation->path = (struct record_bytes) { word, strlen(word) };
	else
		set_address(operation, word);
	word = strtok_r(NULL, " ", &save);
	if (word && text_parse_u64(word, UINT16_MAX, &port) == 0) {
		operation->port = (uint16_t)port;
		word = strtok_r(NULL, " ", &save);
	}
	for (; word; word = strtok_r(NULL, " ", &save))
		read_word(place, o, word);
}

void table_read(const char *place, const char *text, struct table_operation *o)
{
	memset(o, 0, sizeof(*o));
	cr_assert(strlen(text) < sizeof(o->line), "%s: too long", place);
	memcpy(o->line, text, strlen(text) + 1);
	o->operation.home = HOME;
	o->operation.project = PROJECT;
	o->operation.user = "dev";
	for (size_t i = 0; i < GRITH_SOURCES; i++)
		o->operation.source[i] = (uint16_t)(1u << i);
	if (!strncmp(text, "$ ", 2))
		read_shell(o, o->line + 2);
	else if (!strncmp(text, "! ", 2))
		read_program(place, o, o->line + 2);
	else
		read_other(place, o, o->line);
}

char *table_parts(const struct score *score)
{
	OWNED_TEXT struct text t = { 0 };

	for (size_t i = 0; i < score->n_parts; i++) {
		const struct score_part *part = &score->parts[i];

		if (part->filter != FILTER_RULE)
			cr_assert_eq(text_addf(&t, "%s=%.2f (%s) ", filter_name(part->filter),
					       part->score / 100.0, part->why),
				     0);
	}
	cr_assert_eq(
		text_addf(&t, "%s%s", score->hold ? "hold " : "", score->failed ? "failed " : ""),
		0);
	return TAKE_PTR(t.data);
}

static bool has_part(const char *place, const struct score *score, char *word)
{
	char *value = strchr(word, '=');

	cr_assert(value, "%s: no part: %s", place, word);
	*value = '\0';
	for (size_t i = 0; i < score->n_parts; i++)
		if (!strcmp(filter_name(score->parts[i].filter), word))
			return score->parts[i].score == table_points(place, value + 1);
	return false;
}

void table_expect(const char *place, const struct score *score, const char *parts)
{
	OWNED_MEM char *copy = strdup(parts), *got = table_parts(score);
	bool hold = false, failed = false, same = true;
	size_t n = 0, own = 0;
	char *save = NULL;

	cr_assert(copy);
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		if (!strcmp(word, "-"))
			continue;
		hold = hold || !strcmp(word, "hold");
		failed = failed || !strcmp(word, "failed");
		if (!strcmp(word, "hold") || !strcmp(word, "failed"))
			continue;
		n++;
		same = has_part(place, score, word) && same;
	}
	for (size_t i = 0; i < score->n_parts; i++)
		own += score->parts[i].filter == FILTER_RULE;
	same = same && n + own == score->n_parts && hold == score->hold && failed == score->failed;
	cr_expect(same, "%s: expected %s, got %s", place, parts, got);
}
