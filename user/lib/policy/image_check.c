/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The layout of grith_abi.h as compile.c writes it: header, automaton, rows, outcomes, port ranges,
 * without gaps between the last four. A state is sound if its words for the fallback and for the
 * row are there and good; every word of the automaton that leads to a state must lead to a sound
 * one, so no path can leave them. The time is linear in the image.
 */
#include "image.h"

#define HEADER_WORDS (sizeof(struct grith_image_header) / sizeof(uint32_t))
#define OUTCOME_WORDS (sizeof(struct grith_outcome) / sizeof(uint32_t))
#define RANGE_WORDS (sizeof(struct grith_port_range) / sizeof(uint32_t))
#define CLASS_MAX 255
#define FLAGS (GRITH_OUTCOME_FINAL | GRITH_OUTCOME_ALWAYS | GRITH_OUTCOME_INSPECT_ARGV)

struct checker {
	const uint32_t *words;
	const struct grith_image_header *header;
	uint32_t ranges; /* where they start */
	uint32_t n_rows, n_outcomes;
	size_t n_rules;
};

static bool is_outcome(const struct checker *c, uint16_t number)
{
	return number < c->n_outcomes;
}

static uint32_t tag_of(uint32_t word)
{
	return word >> GRITH_IMAGE_TAG_SHIFT;
}

static uint32_t value_of(uint32_t word)
{
	return word & GRITH_IMAGE_NEXT;
}

/* A step looks at up to CLASS_MAX words behind the state: they must be of the automaton, too. */
static bool is_state(const struct checker *c, uint32_t at)
{
	return at >= HEADER_WORDS && at < c->header->rows && c->header->rows - at > CLASS_MAX &&
	       tag_of(c->words[at]) == 0 && c->words[at] && tag_of(c->words[at + 1]) == 1;
}

/* Class 1 would read the row of a state as the next state. */
static bool check_classes(const struct grith_image_header *h)
{
	uint32_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(h->byte_class); i++) {
		if (h->byte_class[i] == 1)
			return false;
		if (h->byte_class[i] >= n)
			n = h->byte_class[i] + 1u;
	}
	return h->byte_classes == n;
}

static bool check_automaton(const struct checker *c)
{
	if (!is_state(c, c->header->start) || !check_classes(c->header))
		return false;
	for (uint32_t i = HEADER_WORDS; i < c->header->rows; i++) {
		uint32_t word = c->words[i];

		if (tag_of(word) == 1 ? value_of(word) >= c->n_rows
				      : word && !is_state(c, value_of(word)))
			return false;
	}
	return true;
}

/* The parts follow each other, and each has whole elements. */
static bool find_parts(struct checker *c, const struct policy_image *image)
{
	const struct grith_image_header *h = c->header;

	if (h->magic != GRITH_IMAGE_MAGIC || h->version != GRITH_ABI_VERSION ||
	    h->words != image->n_words || h->rows < HEADER_WORDS || h->outcomes < h->rows ||
	    c->ranges < h->outcomes || h->words < c->ranges)
		return false;
	if ((h->outcomes - h->rows) % GRITH_ROW_WORDS || (c->ranges - h->outcomes) % OUTCOME_WORDS)
		return false;
	c->n_rows = (h->outcomes - h->rows) / GRITH_ROW_WORDS;
	c->n_outcomes = (c->ranges - h->outcomes) / OUTCOME_WORDS;
	return c->n_outcomes <= UINT16_MAX + 1u;
}

static bool check_outcomes(const struct checker *c)
{
	for (uint32_t i = 0; i < c->n_outcomes; i++) {
		struct grith_outcome outcome;

		memcpy(&outcome, &c->words[c->header->outcomes + i * OUTCOME_WORDS],
		       sizeof(outcome));
		if (outcome.rule > c->n_rules || outcome.verdict >= GRITH_VERDICTS ||
		    outcome.flags & ~FLAGS)
			return false;
	}
	return true;
}

static bool check_rows(const struct checker *c)
{
	const uint16_t *halves = (const uint16_t *)&c->words[c->header->rows];

	for (uint32_t i = 0; i < c->n_rows * GRITH_OP_CLASSES; i++)
		if (!is_outcome(c, halves[i]))
			return false;
	return true;
}

/* Each row and outcome that the header names. */
static bool check_header(const struct checker *c)
{
	const struct grith_image_header *h = c->header;
	const uint16_t fixed[] = {
		h->ptrace_access, h->signal,  h->ring,	 h->terminal,
		h->ipc,		  h->keyring, h->kernel, h->namespace,
	};
	const uint16_t *sockets = &h->socket[0][0];

	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
		if (!is_outcome(c, fixed[i]))
			return false;
	for (size_t i = 0; i < sizeof(h->socket) / sizeof(*sockets); i++)
		if (!is_outcome(c, sockets[i]))
			return false;
	return h->unknown_row < c->n_rows;
}

/* Ranges of ports without a gap, up to the last port. */
static bool check_ranges(const struct checker *c, const struct grith_net_value *value)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < value->count; i++) {
		struct grith_port_range range;

		memcpy(&range, &c->words[value->ranges + i * RANGE_WORDS], sizeof(range));
		if (range.low != next || range.high < range.low)
			return false;
		for (unsigned int op = 0; op < GRITH_NET_OPS; op++)
			if (!is_outcome(c, range.outcome[op]))
				return false;
		next = range.high + 1u;
	}
	return next == UINT16_MAX + 1u;
}

/* The ranges of the nets follow each other to the end of the image. */
static bool check_nets(const struct checker *c, const struct policy_image *image)
{
	uint32_t at = c->ranges;
	bool has_every = false;

	for (size_t i = 0; i < image->n_nets; i++) {
		const struct policy_net_entry *net = &image->nets[i];

		if (net->prefix.bits > 128 || net->value.ranges != at || !net->value.count ||
		    net->value.count > GRITH_PORT_RANGES ||
		    net->value.count > (c->header->words - at) / RANGE_WORDS ||
		    !check_ranges(c, &net->value))
			return false;
		at += net->value.count * RANGE_WORDS;
		has_every |= net->prefix.bits == 0;
	}
	return has_every && at == c->header->words;
}

int policy_image_check(const struct policy_image *image, size_t n_rules)
{
	struct checker c = {
		.words = image->words,
		.header = policy_image_header(image),
		.n_rules = n_rules,
	};

	if (image->n_words < HEADER_WORDS || image->n_words > GRITH_IMAGE_WORDS || !image->n_nets ||
	    image->n_nets > GRITH_MAX_NETS)
		return -EBADMSG;
	c.ranges = image->nets[0].value.ranges;
	return find_parts(&c, image) && check_outcomes(&c) && check_header(&c) && check_rows(&c) &&
			       check_nets(&c, image) && check_automaton(&c)
		       ? 0
		       : -EBADMSG;
}
