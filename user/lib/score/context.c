/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filters that the kernel keeps: taint of connections, containment, rate and egress rate. It
 * sends which of them added something and their sum. Each adds one of few numbers, so the sum is
 * taken apart by trying them; where no choice fits, the first one has it all and says so.
 */
#include "internal.h"

enum { RATE_NEAR = 0, RATE_ABOVE, RATE_BURST };

static const char *const rate_numbers[] = {
	[RATE_NEAR] = "near", [RATE_ABOVE] = "above", [RATE_BURST] = "burst", "read-minute",
	"read-burst",	      "write-minute",	      "write-burst",	      "delete-minute",
	"delete-burst",	      "list-minute",	      "list-burst",	      "spawn-minute",
	"spawn-burst",
};

const struct filter filter_rate_limit = {
	.numbers = rate_numbers,
	.n_numbers = ARRAY_SIZE(rate_numbers),
};

enum {
	EGRESS_MINUTE = 0,
	EGRESS_MINUTE_CONNECTS,
	EGRESS_HOSTS,
	EGRESS_HOSTS_LIMIT,
	EGRESS_PORTS,
	EGRESS_PORTS_LIMIT,
	EGRESS_BURST,
	EGRESS_BURST_CONNECTS,
	EGRESS_READ_SEND,
};

static const char *const egress_numbers[] = {
	[EGRESS_MINUTE] = "minute",
	[EGRESS_MINUTE_CONNECTS] = "minute-connects",
	[EGRESS_HOSTS] = "hosts",
	[EGRESS_HOSTS_LIMIT] = "hosts-limit",
	[EGRESS_PORTS] = "ports",
	[EGRESS_PORTS_LIMIT] = "ports-limit",
	[EGRESS_BURST] = "burst",
	[EGRESS_BURST_CONNECTS] = "burst-connects",
	[EGRESS_READ_SEND] = "read-then-send",
	"read-then-send-reads",
	"read-then-send-connects",
};

const struct filter filter_egress_rate = {
	.numbers = egress_numbers,
	.n_numbers = ARRAY_SIZE(egress_numbers),
};

#define CHOICES_MAX 5

/* One filter of the kernel: what it may have added. */
struct share {
	uint32_t bit; /* GRITH_CONTEXT_* */
	enum filter_id filter;
	const char *why;
	int choices[CHOICES_MAX];
	size_t n_choices;
	size_t chosen;
};

static void may_be(const struct judged *judged, struct share *share, size_t number)
{
	share->choices[share->n_choices++] = score_number(judged->weights, share->filter, number);
}

static void fill_choices(const struct judged *judged, struct share *share)
{
	bool spawn = judged->operation->op == GRITH_OP_EXEC;

	switch (share->filter) {
	case FILTER_TAINT:
		may_be(judged, share, TAINT_CONNECT_HIGH);
		may_be(judged, share, TAINT_CONNECT_OTHER);
		break;
	case FILTER_CONTAINMENT:
		may_be(judged, share, spawn ? CONTAIN_SPAWN : CONTAIN_CONNECT);
		break;
	case FILTER_RATE_LIMIT:
		may_be(judged, share, RATE_NEAR);
		may_be(judged, share, RATE_ABOVE);
		may_be(judged, share, RATE_BURST);
		break;
	default:
		may_be(judged, share, EGRESS_MINUTE);
		may_be(judged, share, EGRESS_PORTS);
		may_be(judged, share, EGRESS_HOSTS);
		may_be(judged, share, EGRESS_BURST);
		may_be(judged, share, EGRESS_READ_SEND);
	}
}

/* Chooses for each share so that they come to `sum`, the first way that does. */
static bool choose(struct share *shares, size_t n_shares, int sum)
{
	if (!n_shares)
		return !sum;
	for (size_t i = 0; i < shares->n_choices; i++) {
		shares->chosen = i;
		if (choose(shares + 1, n_shares - 1, sum - shares->choices[i]))
			return true;
	}
	return false;
}

void score_add_context(const struct judged *judged, struct score *score)
{
	static const struct share all[] = {
		{ GRITH_CONTEXT_TAINT, FILTER_TAINT, "after a secret was read", { 0 }, 0, 0 },
		{ GRITH_CONTEXT_CONTAINMENT,
		  FILTER_CONTAINMENT,
		  "soon after a secret was read",
		  { 0 },
		  0,
		  0 },
		{ GRITH_CONTEXT_RATE, FILTER_RATE_LIMIT, "many of these at once", { 0 }, 0, 0 },
		{ GRITH_CONTEXT_EGRESS_RATE,
		  FILTER_EGRESS_RATE,
		  "many connections at once",
		  { 0 },
		  0,
		  0 },
	};
	const struct score_operation *o = judged->operation;
	struct share shares[ARRAY_SIZE(all)];
	size_t n_shares = 0;
	bool apart, later;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		if (!(o->context_filters & all[i].bit))
			continue;
		shares[n_shares] = all[i];
		fill_choices(judged, &shares[n_shares++]);
	}
	if (!n_shares) {
		/* A kernel that knows more filters than this: what it said still counts. */
		if (o->context)
			score_add(score, FILTER_TAINT, o->context, "what the session did before");
		return;
	}
	apart = choose(shares, n_shares, o->context);
	for (size_t i = 0; i < n_shares; i++) {
		later = apart && o->op == GRITH_OP_EXEC && o->judged_later &&
			shares[i].filter == FILTER_CONTAINMENT;
		if (later)
			continue;
		score_add(score, shares[i].filter,
			  apart ? shares[i].choices[shares[i].chosen]
			  : i	? 0
				: o->context,
			  "%s%s", shares[i].why,
			  apart || i || n_shares == 1 ? "" : ", all together");
	}
}
