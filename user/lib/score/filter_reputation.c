/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "reputation": what is known of the host that is connected to, or of those in the
 * arguments of a program that sends.
 */
#include "egress.h"
#include "evaluation.h"

#define NUMBERS(NUMBER)                          \
	NUMBER(BAD_HOST, "bad-host")             \
	NUMBER(BARE_ADDRESS, "bare-address")     \
	NUMBER(SUSPICIOUS_TLD, "suspicious-tld") \
	NUMBER(GOOD_HOST, "good-host")
#define LISTS(LIST)                                          \
	LIST(BAD_HOSTS, "bad-hosts", SCORE_HOSTS)            \
	LIST(SUSPICIOUS_TLDS, "suspicious-tlds", SCORE_TLDS) \
	LIST(GOOD_HOSTS, "good-hosts", SCORE_HOSTS)
FILTER_INDICES(NUMBERS);
FILTER_INDICES(LISTS);

/* Hits of a list in names of hosts. An end of a name counts only where it is one for sure. */
static void evaluate_list(const struct evaluation *e, unsigned int list, size_t number,
			  const char *why)
{
	const struct score_hit *hit;
	size_t at = 0;

	while ((hit = eval_next(e, list, &at))) {
		const struct score_section *section = eval_section(e, hit);

		if (section && (section->kind == SECTION_HOST ||
				(section->kind == SECTION_NAME && list == BAD_HOSTS)))
			eval_add(e, number, "%s: %s", why, e->text + section->from);
	}
}

static void evaluate_addresses(const struct evaluation *e)
{
	for (size_t i = 0; i < e->n_sections; i++) {
		const struct score_section *section = &e->sections[i];
		const char *host = e->text + section->from;
		size_t length = section->to - section->from - 1;

		if (section->kind == SECTION_HOST && egress_is_address(host, length) &&
		    !egress_is_local_name(e->weights, host, length))
			eval_add(e, BARE_ADDRESS, "an address without a name: %s", host);
	}
}

static void evaluate(const struct evaluation *e)
{
	bool net = eval_is_net(e);

	/* The policy allows it by name, or it is this machine. */
	if (net && (e->operation->trusted || egress_is_local(e->weights, e->operation)))
		return;
	evaluate_list(e, BAD_HOSTS, BAD_HOST, "a host of doubtful use");
	evaluate_list(e, SUSPICIOUS_TLDS, SUSPICIOUS_TLD, "a domain of doubtful use");
	evaluate_addresses(e);
	/* Something good takes nothing off a command: it may do something else too. */
	if (net)
		evaluate_list(e, GOOD_HOSTS, GOOD_HOST, "a well-known host");
}

FILTER(reputation, NUMBERS, LISTS, .evaluate = evaluate, .on_records = true);
