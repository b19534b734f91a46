/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Reads the table of policy cases and compares outcomes with it. It asks nobody.
 */
#include <arpa/inet.h>
#include <sys/socket.h>

#include "lib/base/base.h"
#include "cases.h"

#define LINE_MAX_BYTES 4096
#define SCORE_MAX 300 /* as far as an outcome's score goes, either way */

struct reader {
	const char *directory;
	struct policy_cases cases;
	unsigned int line;
};

static char *next_word(char **rest)
{
	char *word;

	do
		word = strsep(rest, " ");
	while (word && !*word);
	return word;
}

/* "\n", "\\" and "\xNN" become bytes, in place. The length, or -EINVAL. */
static ssize_t unescape(char *text)
{
	char *out = text;

	for (char *p = text; *p; p++) {
		unsigned int byte;

		if (*p != '\\') {
			*out++ = *p;
			continue;
		}
		p++;
		if (*p == 'n') {
			*out++ = '\n';
		} else if (*p == '\\') {
			*out++ = '\\';
		} else if (*p == 'x' && sscanf(p + 1, "%2x", &byte) == 1) {
			*out++ = byte;
			p += 2;
		} else {
			return -EINVAL;
		}
	}
	*out = '\0';
	return out - text;
}

static int parse_address(const char *text, uint8_t address[16])
{
	if (inet_pton(AF_INET6, text, address) == 1)
		return 0;
	memset(address, 0, 10);
	memset(address + 10, 0xff, 2);
	return inet_pton(AF_INET, text, address + 12) == 1 ? 0 : -EINVAL;
}

static int read_expected(struct policy_case *c, const char *file, char *verdict, const char *rule)
{
	char *extra = verdict;
	int score = 0;
	int r = verdict_parse(strsep(&extra, "+"), &c->expected.verdict);

	for (char *word = strsep(&extra, "+"); word && r == 0; word = strsep(&extra, "+")) {
		if (strcmp(word, "judge") == 0)
			c->expected.flags |= GRITH_OUTCOME_INSPECT_ARGV;
		else if (strcmp(word, "always") == 0)
			c->expected.flags |= GRITH_OUTCOME_ALWAYS;
		else if (strcmp(word, "final") == 0)
			c->expected.flags |= GRITH_OUTCOME_FINAL;
		else
			r = text_parse_hundredths(word, SCORE_MAX, &score);
	}
	if (r < 0)
		return r;
	c->expected.score = (int16_t)score;
	if (strcmp(rule, "-") == 0)
		r = asprintf(&c->expected.rule, "default");
	else if (strchr(rule, ':'))
		r = asprintf(&c->expected.rule, "%s", rule);
	else
		r = asprintf(&c->expected.rule, "%s:%s", strrchr(file, '/') + 1, rule);
	return r < 0 ? -ENOMEM : 0;
}

static int read_class(struct policy_case *c, const char *operation)
{
	enum grith_op op;

	if (strcmp(operation, "unix-connect") == 0)
		op = GRITH_OP_CONNECT;
	else if (strcmp(operation, "unix-bind") == 0)
		op = GRITH_OP_BIND;
	else if (op_parse(operation, &op) < 0)
		return -EINVAL;
	c->class = op_class(op);
	return c->class < GRITH_OP_CLASSES ? 0 : -EINVAL;
}

static int read_path(struct policy_case *c, const char *operation, const char *rest)
{
	ssize_t length;

	c->kind = CASE_PATH;
	c->object = strdup(rest);
	if (!c->object)
		return -ENOMEM;
	length = unescape(c->object);
	if (length < 0)
		return -EINVAL;
	c->length = length;
	return read_class(c, operation);
}

static int read_net(struct policy_case *c, enum grith_net_op op, char *rest)
{
	const char *address = next_word(&rest), *port = next_word(&rest);
	const char *name = next_word(&rest);
	uint64_t number;

	c->kind = CASE_NET;
	c->op = op;
	if (!address || !port || parse_address(address, c->address) < 0 ||
	    text_parse_u64(port, UINT16_MAX, &number) < 0)
		return -EINVAL;
	c->port = number;
	c->name = name ? strdup(name) : NULL;
	return name && !c->name ? -ENOMEM : 0;
}

static int read_socket(struct policy_case *c, char *rest)
{
	const char *family = next_word(&rest), *type = next_word(&rest);

	c->kind = CASE_SOCKET;
	if (!family || !type)
		return -EINVAL;
	for (c->family = 0; c->family < GRITH_FAMILIES; c->family++)
		if (family_name(c->family) && strcmp(family_name(c->family), family) == 0)
			break;
	c->raw = strcmp(type, "raw") == 0;
	return c->family < GRITH_FAMILIES ? 0 : -EINVAL;
}

static int read_question(struct policy_case *c, const char *operation, char *rest)
{
	static const struct {
		const char *word;
		enum case_kind kind;
		unsigned int op;
	} words[] = {
		{ "connect", CASE_NET, GRITH_NET_CONNECT },
		{ "bind", CASE_NET, GRITH_NET_BIND },
		{ "listen", CASE_NET, GRITH_NET_LISTEN },
		{ "socket", CASE_SOCKET, 0 },
		{ "touch", CASE_TOUCH, 0 },
		{ "signal", CASE_SIGNAL, 0 },
		{ "ring", CASE_RING, 0 },
		{ "unknown", CASE_UNKNOWN, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(words[i].word, operation) != 0)
			continue;
		c->kind = words[i].kind;
		if (c->kind == CASE_NET)
			return read_net(c, words[i].op, rest);
		if (c->kind == CASE_SOCKET)
			return read_socket(c, rest);
		return c->kind == CASE_UNKNOWN ? read_class(c, rest) : 0;
	}
	return read_path(c, operation, rest);
}

static int read_case(struct reader *reader, char *verdict, char *rest)
{
	struct policy_group *group = &reader->cases.groups[reader->cases.n_groups - 1];
	const char *rule = next_word(&rest), *operation = next_word(&rest);
	struct policy_case *c;
	int r;

	if (!operation || !rest || !*rest)
		return -EINVAL;
	if (ARRAY_GROW(group->cases, group->n_cases) < 0)
		return -ENOMEM;
	c = &group->cases[group->n_cases++];
	*c = (struct policy_case) { .line = reader->line };
	r = read_expected(c, group->file, verdict, rule);
	return r < 0 ? r : read_question(c, operation, rest);
}

static int read_policy(struct reader *reader, const char *file)
{
	struct policy_cases *cases = &reader->cases;

	if (ARRAY_GROW(cases->groups, cases->n_groups) < 0)
		return -ENOMEM;
	cases->groups[cases->n_groups] = (struct policy_group) { 0 };
	if (asprintf(&cases->groups[cases->n_groups].file, "%s/tests/golden/policies/%s",
		     reader->directory, file) < 0)
		return -ENOMEM;
	cases->n_groups++;
	return 0;
}

static int read_host(struct policy_group *group, char *rest)
{
	const char *name = next_word(&rest), *address = next_word(&rest);
	struct policy_host *host;

	if (!address)
		return -EINVAL;
	if (ARRAY_GROW(group->hosts, group->n_hosts) < 0)
		return -ENOMEM;
	host = &group->hosts[group->n_hosts];
	host->name = strdup(name);
	if (!host->name)
		return -ENOMEM;
	group->n_hosts++;
	return parse_address(address, host->address);
}

static int set_text(char **text, char *value)
{
	free(*text);
	*text = value ? strdup(value) : NULL;
	return *text && unescape(*text) >= 0 ? 0 : -EINVAL;
}

static int read_line(struct reader *reader, char *line)
{
	struct policy_group *group;
	char *rest = line;
	char *word;

	line[strcspn(line, "\n")] = '\0';
	if (!*line || *line == '#')
		return 0;
	word = next_word(&rest);
	if (!word || !rest)
		return -EINVAL;
	if (strcmp(word, "policy") == 0)
		return read_policy(reader, rest);
	if (!reader->cases.n_groups)
		return -EINVAL;
	group = &reader->cases.groups[reader->cases.n_groups - 1];
	if (strcmp(word, "project") == 0)
		return set_text(&group->project, rest);
	if (strcmp(word, "home") == 0)
		return set_text(&group->home, rest);
	if (strcmp(word, "host") == 0)
		return read_host(group, rest);
	return read_case(reader, word, rest);
}

int cases_read(const char *directory, struct policy_cases *ret_cases, struct text *error)
{
	OWNED_MEM char *path = NULL;
	OWNED_FILE FILE *file = NULL;
	struct reader reader = { .directory = directory };
	char line[LINE_MAX_BYTES];
	int r = 0;

	if (asprintf(&path, "%s/tests/golden/policy-cases", directory) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	file = fopen(path, "re");
	if (!file) {
		r = -errno;
		text_addf(error, "%s: %s", path, strerror(-r));
		return r;
	}
	while (r == 0 && fgets(line, sizeof(line), file)) {
		reader.line++;
		r = read_line(&reader, line);
	}
	if (r < 0) {
		text_addf(error, "%s:%u: %s", path, reader.line, strerror(-r));
		cases_free(&reader.cases);
		return r;
	}
	*ret_cases = reader.cases;
	return 0;
}

static void group_free(struct policy_group *group)
{
	for (size_t i = 0; i < group->n_cases; i++) {
		free(group->cases[i].object);
		free(group->cases[i].name);
		free(group->cases[i].expected.rule);
	}
	for (size_t i = 0; i < group->n_hosts; i++)
		free((char *)group->hosts[i].name);
	free(group->cases);
	free(group->hosts);
	free(group->file);
	free(group->project);
	free(group->home);
}

void cases_free(struct policy_cases *cases)
{
	for (size_t i = 0; i < cases->n_groups; i++)
		group_free(&cases->groups[i]);
	free(cases->groups);
	*cases = (struct policy_cases) { 0 };
}

int cases_load(const struct policy_group *group, struct diag *diag, struct policy **ret_policy,
	       struct policy_image **ret_image)
{
	OWNED_MEM char *directory = strndup(group->file, strrchr(group->file, '/') - group->file);
	CLEANUP(policy_freep) struct policy *policy = NULL;
	const struct policy_context context = {
		.project = group->project ? group->project : "/home/ann/project",
		.home = group->home ? group->home : "/home/ann",
		.user = "ann",
		.uid = 1000,
		.directory = directory,
	};
	int r;

	if (!directory)
		return -ENOMEM;
	r = policy_read_file(group->file, &context, diag, &policy);
	if (r == 0)
		r = policy_compile(policy, group->hosts, group->n_hosts, diag, ret_image);
	if (r < 0)
		return r;
	*ret_policy = TAKE_PTR(policy);
	return 0;
}

static void add_outcome(struct text *out, enum grith_verdict verdict, int score, unsigned int flags,
			const char *rule)
{
	text_addf(out, "%s by %s, score %.2f%s%s%s", verdict_name(verdict), rule, score / 100.0,
		  flags & GRITH_OUTCOME_INSPECT_ARGV ? ", judge" : "",
		  flags & GRITH_OUTCOME_ALWAYS ? ", always" : "",
		  flags & GRITH_OUTCOME_FINAL ? ", final" : "");
}

bool cases_check(const struct policy_case *c, const struct policy *policy,
		 const struct grith_outcome *outcome, const char *who, struct text *error)
{
	unsigned int flags = outcome->flags;
	char rule[256] = "default";

	if (outcome->rule > policy->n_rules)
		snprintf(rule, sizeof(rule), "no rule of the policy (%u)", outcome->rule);
	else if (outcome->rule)
		snprintf(rule, sizeof(rule), "%s:%u", policy->rules[outcome->rule - 1].file,
			 policy->rules[outcome->rule - 1].line);
	if (!(c->expected.flags & GRITH_OUTCOME_FINAL))
		flags &= ~GRITH_OUTCOME_FINAL;
	if (outcome->verdict == c->expected.verdict && outcome->score == c->expected.score &&
	    flags == c->expected.flags && strcmp(rule, c->expected.rule) == 0)
		return true;
	text_addf(error, "policy-cases:%u: %s says ", c->line, who);
	add_outcome(error, outcome->verdict, outcome->score, outcome->flags, rule);
	text_addf(error, ", expected ");
	add_outcome(error, c->expected.verdict, c->expected.score, c->expected.flags,
		    c->expected.rule);
	return false;
}
