/* SPDX-License-Identifier: MPL-2.0 */
/* The check of images that others made: real ones pass, each thing out of place does not. */
#include "lib/policy/policy.h"
#include "test_policy.h"

static struct policy_image *image;
static size_t n_rules;

static void set_up(void)
{
	CLEANUP(policy_freep)
	struct policy *policy = expect_ok("files:\n"
					  "  - {deny: [read, write], path: \"/srv/**/*.key\"}\n"
					  "  - {allow: read, path: \"/srv/*/[a-f]*\"}\n"
					  "network:\n"
					  "  - {allow: connect, cidr: 10.0.0.0/8, port: 443}\n"
					  "  - {deny: connect, cidr: 10.1.0.0/16}\n");
	OWNED_DIAG struct diag diag = { 0 };

	n_rules = policy->n_rules;
	cr_assert_eq(policy_compile(policy, NULL, 0, &diag, &image), 0);
	cr_assert_eq(policy_image_check(image, n_rules), 0);
}

static void tear_down(void)
{
	policy_image_free(image);
}

TestSuite(policy_image_check, .init = set_up, .fini = tear_down);

static struct grith_image_header *header(void)
{
	return (struct grith_image_header *)image->words;
}

static void expect_bad(const char *what)
{
	cr_expect_eq(policy_image_check(image, n_rules), -EBADMSG, "%s", what);
}

/* Changes one member, expects a refusal, and puts it back. */
#define BREAK(member, value)                           \
	do {                                           \
		__typeof__(member) before_ = (member); \
		(member) = (value);                    \
		expect_bad(#member);                   \
		(member) = before_;                    \
	} while (0)

Test(policy_image_check, headers)
{
	struct grith_image_header *h = header();

	BREAK(h->magic, 1);
	BREAK(h->version, GRITH_ABI_VERSION + 1);
	BREAK(h->words, h->words + 1);
	BREAK(h->start, 0);
	BREAK(h->start, h->rows);
	BREAK(h->start, UINT32_MAX);
	BREAK(h->rows, 0);
	BREAK(h->rows, h->outcomes + GRITH_ROW_WORDS);
	BREAK(h->outcomes, h->outcomes + 1);
	BREAK(h->outcomes, UINT32_MAX);
	BREAK(h->unknown_row, (h->outcomes - h->rows) / GRITH_ROW_WORDS);
	BREAK(h->ptrace_access, UINT16_MAX);
	BREAK(h->signal, UINT16_MAX);
	BREAK(h->ring, UINT16_MAX);
	BREAK(h->terminal, UINT16_MAX);
	BREAK(h->keyring, UINT16_MAX);
	BREAK(h->kernel, UINT16_MAX);
	BREAK(h->namespace, UINT16_MAX);
	BREAK(h->socket[1][GRITH_FAMILIES - 1], UINT16_MAX);
	BREAK(h->byte_class['x'], 1);
	BREAK(h->byte_classes, h->byte_classes + 1);
	BREAK(image->n_words, 10);
	BREAK(n_rules, 1);
}

Test(policy_image_check, nets)
{
	cr_assert_gt(image->n_nets, 1);
	BREAK(image->n_nets, 0);
	BREAK(image->n_nets, image->n_nets - 1);
	for (size_t i = 0; i < image->n_nets; i++) {
		struct policy_net_entry *net = &image->nets[i];

		BREAK(net->prefix.bits, 129);
		BREAK(net->value.count, 0);
		BREAK(net->value.count, GRITH_PORT_RANGES + 1);
		BREAK(net->value.ranges, net->value.ranges + 1);
		BREAK(net->value.ranges, UINT32_MAX - 2);
		/* A gap between two ranges of ports. */
		BREAK(image->words[net->value.ranges], image->words[net->value.ranges] + 1);
	}
}

/* No word of the automaton, the rows and the outcomes can lead beyond its table. */
Test(policy_image_check, every_word)
{
	const struct grith_image_header *h = header();

	for (uint32_t i = sizeof(*h) / sizeof(uint32_t); i < h->rows; i++)
		if (image->words[i]) {
			BREAK(image->words[i], image->words[i] | GRITH_IMAGE_NEXT);
			/* Not the beginning of a state. */
			if (image->words[i] >> GRITH_IMAGE_TAG_SHIFT != 1)
				BREAK(image->words[i], image->words[i] + 1);
		}
	for (uint32_t i = h->rows; i < h->outcomes; i++) {
		BREAK(image->words[i], image->words[i] | 0xffff);
		BREAK(image->words[i], image->words[i] | 0xffff0000);
	}
	for (uint32_t i = h->outcomes; i < image->nets[0].value.ranges; i += 2) {
		BREAK(image->words[i], image->words[i] | 0xffff); /* its rule */
		BREAK(image->words[i], image->words[i] | 0xff0000); /* its verdict */
		BREAK(image->words[i], image->words[i] | 0x80000000); /* its flags */
	}
}
