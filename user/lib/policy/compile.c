/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The compiler: puts the automaton, the rows, the outcomes and the port ranges together to one
 * image. What rules mean together is eval.c; the automaton is automaton/.
 */
#include "lib/base/base.h"
#include "lib/policy/automaton/automaton.h"
#include "compile.h"

#define HEADER_WORDS (sizeof(struct grith_image_header) / sizeof(uint32_t))
#define OUTCOME_WORDS (sizeof(struct grith_outcome) / sizeof(uint32_t))
#define RANGE_WORDS (sizeof(struct grith_port_range) / sizeof(uint32_t))
#define ROWS_MAX 100000

int compile_outcome(struct compiler *c, const struct grith_outcome *outcome, uint16_t *ret_number)
{
	uint32_t number;
	int r = intern(&c->outcomes, outcome, &number);

	if (r == -E2BIG)
		c->why = "too many different outcomes (65535): put several globs into one rule";
	if (r < 0)
		return r;
	*ret_number = number;
	return 0;
}

static int compile_row(void *arg, const uint32_t *rules, size_t n_rules, uint32_t *ret_row)
{
	struct compiler *c = arg;
	uint16_t row[GRITH_OP_CLASSES] = { 0 };
	int r = 0;

	for (unsigned int class = 0; class < GRITH_OP_CLASSES && r == 0; class ++) {
		struct grith_outcome outcome =
			policy_resolve(c->policy, POLICY_FILES, class, rules, n_rules);

		r = compile_outcome(c, &outcome, &row[class]);
	}
	if (r == 0)
		r = intern(&c->rows, row, ret_row);
	if (r == -E2BIG && !c->why)
		c->why = "too many different combinations of rules (ROWS_MAX, 100000)";
	return r;
}

static size_t drop_shadowed(void *arg, uint32_t *rules, size_t n_rules)
{
	const struct compiler *c = arg;

	return policy_drop_shadowed(c->policy, rules, n_rules);
}

static uint64_t influence(void *arg, uint32_t rule)
{
	const struct compiler *c = arg;

	return policy_influence(c->policy, rule);
}

static bool can_change(void *arg, const uint32_t *rules, size_t n_rules, uint32_t top,
		       uint64_t bits)
{
	const struct compiler *c = arg;

	return policy_can_change(c->policy, rules, n_rules, top, bits);
}

static size_t add_globs(struct automaton_pattern *patterns, char **globs, size_t n_globs,
			uint32_t rule, bool except)
{
	for (size_t i = 0; i < n_globs; i++)
		patterns[i] = (struct automaton_pattern) { globs[i], rule, except };
	return n_globs;
}

/* The globs of all rules; the caller frees. NULL: no memory. */
static struct automaton_pattern *collect(const struct policy *policy, size_t *ret_n)
{
	struct automaton_pattern *patterns;
	size_t n = 0;

	for (size_t i = 0; i < policy->n_rules; i++)
		n += policy->rules[i].n_globs + policy->rules[i].n_except;
	patterns = calloc(n + 1, sizeof(*patterns));
	n = 0;
	for (uint32_t i = 0; patterns && i < policy->n_rules; i++) {
		const struct policy_rule *rule = &policy->rules[i];

		n += add_globs(patterns + n, rule->globs, rule->n_globs, i, false);
		n += add_globs(patterns + n, rule->except, rule->n_except, i, true);
	}
	*ret_n = n;
	return patterns;
}

static int compile_globs(struct compiler *c, struct automaton **ret_automaton)
{
	const struct automaton_rules rules = {
		.arg = c,
		.row = compile_row,
		.drop_shadowed = drop_shadowed,
		.influence = influence,
		.can_change = can_change,
	};
	CLEANUP(automaton_freep) struct automaton *automaton = NULL;
	size_t n;
	OWNED_MEM struct automaton_pattern *patterns = collect(c->policy, &n);
	int r = !patterns ? -ENOMEM
			  : automaton_build(patterns, n, &rules, &automaton, &c->globs)
				    ?: automaton_minimize(automaton);

	if (r == 0)
		*ret_automaton = TAKE_PTR(automaton);
	return r;
}

/* An outcome of the policy's own, that no rule is behind. */
static int compile_verdict(struct compiler *c, enum grith_verdict verdict, uint16_t *ret_number)
{
	const struct grith_outcome outcome = { .verdict = verdict };

	return compile_outcome(c, &outcome, ret_number);
}

static int compile_unknown(struct compiler *c, uint32_t *ret_row)
{
	uint16_t row[GRITH_OP_CLASSES] = { 0 };
	int r = 0;

	for (unsigned int class = 0; class < GRITH_OP_CLASSES && r == 0; class ++)
		r = compile_verdict(c, c->policy->unknown, &row[class]);
	return r < 0 ? r : intern(&c->rows, row, ret_row);
}

static int compile_sockets(struct compiler *c, struct grith_image_header *header)
{
	int r = 0;

	for (int family = 0; family < GRITH_FAMILIES; family++) {
		for (int raw = 0; raw < 2 && r == 0; raw++) {
			struct grith_outcome outcome = policy_eval_socket(c->policy, family, raw);

			r = compile_outcome(c, &outcome, &header->socket[raw][family]);
		}
	}
	return r;
}

/* The bit of a label; 0 where no rule has it. */
static uint16_t label_bit(const struct policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->n_labels; i++)
		if (strcmp(policy->labels[i], name) == 0)
			return 1u << i;
	return 0;
}

/* The labels that the kernel knows by meaning. */
static void compile_labels(const struct policy *policy, struct grith_image_header *header)
{
	header->project = label_bit(policy, "project");
	header->source[GRITH_SOURCE_HIGH] = label_bit(policy, "secret-high");
	header->source[GRITH_SOURCE_MEDIUM] =
		label_bit(policy, "credential") | label_bit(policy, "secret-medium");
	header->source[GRITH_SOURCE_LOW] = label_bit(policy, "secret-low");
	header->network_tool = label_bit(policy, "network-tool");
}

/* Everything of the header that does not depend on where the parts lie. */
static int compile_header(struct compiler *c, struct grith_image_header *header)
{
	header->magic = GRITH_IMAGE_MAGIC;
	header->version = GRITH_ABI_VERSION;
	header->weights = c->policy->weights;
	compile_labels(c->policy, header);
	return compile_unknown(c, &header->unknown_row)
		?: compile_verdict(c, c->policy->outside, &header->ptrace_access)
		?: compile_verdict(c, c->policy->signal, &header->signal)
		?: compile_verdict(c, c->policy->ring, &header->ring)
		?: compile_verdict(c, c->policy->terminal, &header->terminal)
		?: compile_verdict(c, c->policy->ipc, &header->ipc)
		?: compile_verdict(c, c->policy->keyring, &header->keyring)
		?: compile_verdict(c, c->policy->kernel, &header->kernel)
		?: compile_verdict(c, c->policy->namespace, &header->namespace)
		?: compile_sockets(c, header);
}

/* Copies a table behind the words in use. */
static uint32_t append(struct policy_image *image, const void *table, size_t n_words)
{
	uint32_t at = image->n_words;

	if (n_words)
		memcpy(image->words + at, table, n_words * sizeof(*image->words));
	image->n_words += n_words;
	return at;
}

static int put_together(struct compiler *c, const struct automaton *automaton,
			struct grith_image_header *header, struct policy_image *image)
{
	size_t tables = (size_t)c->rows.count * GRITH_ROW_WORDS +
			(size_t)c->outcomes.count * OUTCOME_WORDS + c->n_ranges * RANGE_WORDS;
	uint32_t end = 0, ranges;
	int r = -E2BIG;

	image->words = calloc(GRITH_IMAGE_WORDS, sizeof(*image->words));
	if (!image->words)
		return -ENOMEM;
	if (tables < GRITH_IMAGE_WORDS)
		r = automaton_pack(automaton, image->words, HEADER_WORDS,
				   GRITH_IMAGE_WORDS - tables, &header->start, &end);
	if (r == -E2BIG)
		c->why = "the policy does not fit its image (GRITH_IMAGE_WORDS, 1048576 words): "
			 "use fewer or shorter globs, or put names under common directories";
	if (r < 0)
		return r;
	image->n_words = end;
	image->n_states = automaton->n_states;
	header->rows = append(image, c->rows.values, c->rows.count * GRITH_ROW_WORDS);
	header->outcomes = append(image, c->outcomes.values, c->outcomes.count * OUTCOME_WORDS);
	ranges = append(image, c->ranges, c->n_ranges * RANGE_WORDS);
	header->words = image->n_words;
	memcpy(header->byte_class, automaton->byte_class, sizeof(header->byte_class));
	for (size_t i = 0; i < ARRAY_SIZE(header->byte_class); i++)
		if (header->byte_class[i] >= header->byte_classes)
			header->byte_classes = header->byte_class[i] + 1;
	memcpy(image->words, header, sizeof(*header));
	for (size_t i = 0; i < c->n_nets; i++)
		c->nets[i].value.ranges = ranges + c->nets[i].value.ranges * RANGE_WORDS;
	image->nets = TAKE_PTR(c->nets);
	image->n_nets = c->n_nets;
	return 0;
}

static int compile(struct compiler *c, struct policy_image *image)
{
	static const struct grith_outcome nothing = { .verdict = GRITH_DENY };
	CLEANUP(automaton_freep) struct automaton *automaton = NULL;
	struct grith_image_header header = { 0 };
	uint16_t zero;
	uint32_t row;

	/* Outcome 0 fails closed, should anything ever lead to it; row 0 is that of no rule. */
	return compile_outcome(c, &nothing, &zero)
		?: compile_row(c, NULL, 0, &row)
		?: compile_header(c, &header)
		?: compile_nets(c)
		?: compile_globs(c, &automaton)
		?: put_together(c, automaton, &header, image);
}

/* Where the automaton is too large, of the rule that has most part in it. */
static void complain(const struct compiler *c, struct diag *diag)
{
	const struct policy *policy = c->policy;
	const struct policy_rule *rule;

	if (c->why || !c->globs.has_rule) {
		diag_add(diag, policy->files[0], 0, 0, "%s", c->why ? c->why : c->globs.why);
		return;
	}
	rule = &policy->rules[c->globs.rule];
	diag_add(diag, rule->file, rule->line, rule->column,
		 "%s, most of them for this rule: begin its globs with a directory and not with "
		 "** or *, and write * in place of several ? or [...]",
		 c->globs.why);
}

static void compiler_clear(struct compiler *c)
{
	intern_clear(&c->outcomes);
	intern_clear(&c->rows);
	free(c->ranges);
	free(c->nets);
}

int policy_compile(const struct policy *policy, const struct policy_host *hosts, size_t n_hosts,
		   struct diag *diag, struct policy_image **ret_image)
{
	CLEANUP(compiler_clear)
	struct compiler c = {
		.policy = policy,
		.hosts = hosts,
		.n_hosts = n_hosts,
		.outcomes = { .size = sizeof(struct grith_outcome), .max = UINT16_MAX },
		.rows = { .size = GRITH_OP_CLASSES * sizeof(uint16_t), .max = ROWS_MAX },
	};
	CLEANUP(policy_image_freep) struct policy_image *image = calloc(1, sizeof(*image));
	int r;

	if (!image)
		return -ENOMEM;
	r = compile(&c, image);
	if (r == -E2BIG)
		complain(&c, diag);
	if (r < 0)
		return r;
	*ret_image = TAKE_PTR(image);
	return 0;
}

void policy_image_free(struct policy_image *image)
{
	if (!image)
		return;
	free(image->words);
	free(image->nets);
	free(image);
}
