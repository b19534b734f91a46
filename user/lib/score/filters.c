/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The table of filters by their number; and those whose work the policy or the kernel does.
 *
 * The kernel keeps taint of connections, containment, rate and egress rate. It sends which of them
 * added something and their sum. Each adds one of few numbers, so the sum is taken apart by trying
 * them; where no choice fits, the first filter gets it all.
 */
#include "evaluation.h"

#define FILTER_ROW(id, symbol, ...) [FILTER_##id] = &filter_##symbol,
static const struct filter *const filters[N_FILTERS] = { FILTER_LIST(FILTER_ROW) };

const struct filter *filter_of(unsigned int filter)
{
	return filter < N_FILTERS ? filters[filter] : NULL;
}

/* Their rules are in the compiled policy. */
FILTER(path_match, NO_KEYS, NO_KEYS);
FILTER(sensitive_path, NO_KEYS, NO_KEYS);
FILTER(allowlist, NO_KEYS, NO_KEYS);

#define RISK_NUMBERS(NUMBER)           \
	NUMBER(MKDIR, "mkdir")         \
	NUMBER(APPEND, "append")       \
	NUMBER(DNS_QUERY, "dns-query") \
	NUMBER(SET_ID, "set-id")       \
	NUMBER(CHOWN, "chown")         \
	NUMBER(MOUNT, "mount")         \
	NUMBER(PTRACE_ACCESS, "touch") \
	NUMBER(NAMESPACE, "namespace") \
	NUMBER(DBUS_CALL, "dbus-call")
FILTER_INDICES(RISK_NUMBERS);

/* The static score of an operation on another process is not in an automaton of paths. */
static void evaluate_risk(const struct evaluation *e)
{
	if (e->operation->op == GRITH_OP_PTRACE_ACCESS)
		eval_add(e, PTRACE_ACCESS, "another process");
}

FILTER(operation_risk, RISK_NUMBERS, NO_KEYS, .evaluate = evaluate_risk);

/* Mass destruction is counted in the kernel; see grith_context.h. */
#define MASS_NUMBERS(NUMBER) NUMBER(OBJECTS, "objects")

static void evaluate_mass(const struct evaluation *e)
{
	if (!(e->operation->context_filters & GRITH_CONTEXT_MASS))
		return;
	e->score->hold = true;
	score_add(e->score, FILTER_MASS, 0, "many objects outside of the project in a short time");
}

FILTER(mass, MASS_NUMBERS, NO_KEYS, .evaluate = evaluate_mass);

#define RATE_NUMBERS(NUMBER)                        \
	NUMBER(RATE_NEAR, "near")                   \
	NUMBER(RATE_ABOVE, "above")                 \
	NUMBER(RATE_BURST, "burst")                 \
	NUMBER(RATE_READ_MINUTE, "read-minute")     \
	NUMBER(RATE_READ_BURST, "read-burst")       \
	NUMBER(RATE_WRITE_MINUTE, "write-minute")   \
	NUMBER(RATE_WRITE_BURST, "write-burst")     \
	NUMBER(RATE_DELETE_MINUTE, "delete-minute") \
	NUMBER(RATE_DELETE_BURST, "delete-burst")   \
	NUMBER(RATE_LIST_MINUTE, "list-minute")     \
	NUMBER(RATE_LIST_BURST, "list-burst")       \
	NUMBER(RATE_SPAWN_MINUTE, "spawn-minute")   \
	NUMBER(RATE_SPAWN_BURST, "spawn-burst")
FILTER_INDICES(RATE_NUMBERS);
FILTER(rate_limit, RATE_NUMBERS, NO_KEYS);

#define EGRESS_NUMBERS(NUMBER)                                 \
	NUMBER(EGRESS_MINUTE, "minute")                        \
	NUMBER(EGRESS_MINUTE_CONNECTS, "minute-connects")      \
	NUMBER(EGRESS_HOSTS, "hosts")                          \
	NUMBER(EGRESS_HOSTS_LIMIT, "hosts-limit")              \
	NUMBER(EGRESS_PORTS, "ports")                          \
	NUMBER(EGRESS_PORTS_LIMIT, "ports-limit")              \
	NUMBER(EGRESS_BURST, "burst")                          \
	NUMBER(EGRESS_BURST_CONNECTS, "burst-connects")        \
	NUMBER(EGRESS_READ_SEND, "read-then-send")             \
	NUMBER(EGRESS_READ_SEND_READS, "read-then-send-reads") \
	NUMBER(EGRESS_READ_SEND_CONNECTS, "read-then-send-connects")
FILTER_INDICES(EGRESS_NUMBERS);
FILTER(egress_rate, EGRESS_NUMBERS, NO_KEYS);

#define CHOICES_MAX 5

/* One filter of the kernel, and what it may have added. */
struct share {
	uint32_t bit; /* GRITH_CONTEXT_* */
	enum filter_id filter;
	const char *why;
	size_t n_choices;
	unsigned int choices[CHOICES_MAX]; /* numbers of the filter, in the order they are tried */
	size_t chosen;
};

static const struct share all[] = {
	{ GRITH_CONTEXT_TAINT,
	  FILTER_TAINT,
	  "after a secret was read",
	  2,
	  { TAINT_CONNECT_HIGH, TAINT_CONNECT_OTHER },
	  0 },
	{ GRITH_CONTEXT_CONTAINMENT,
	  FILTER_CONTAINMENT,
	  "soon after a secret was read",
	  1,
	  { CONTAIN_CONNECT },
	  0 },
	{ GRITH_CONTEXT_RATE,
	  FILTER_RATE_LIMIT,
	  "many of these at once",
	  3,
	  { RATE_NEAR, RATE_ABOVE, RATE_BURST },
	  0 },
	{ GRITH_CONTEXT_EGRESS_RATE,
	  FILTER_EGRESS_RATE,
	  "many connections at once",
	  5,
	  { EGRESS_MINUTE, EGRESS_PORTS, EGRESS_HOSTS, EGRESS_BURST, EGRESS_READ_SEND },
	  0 },
};

static int points_of(const struct evaluation *e, const struct share *share)
{
	return score_number(e->weights, share->filter, share->choices[share->chosen]);
}

/* Chooses for each share so that they come to `sum`, the first way that does. */
static bool choose(const struct evaluation *e, struct share *shares, size_t n_shares, int sum)
{
	if (!n_shares)
		return !sum;
	for (shares->chosen = 0; shares->chosen < shares->n_choices; shares->chosen++)
		if (choose(e, shares + 1, n_shares - 1, sum - points_of(e, shares)))
			return true;
	return false;
}

void eval_context(const struct evaluation *e)
{
	const struct score_operation *o = e->operation;
	struct share shares[ARRAY_SIZE(all)];
	size_t n_shares = 0;
	bool apart;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		if (!(o->context_filters & all[i].bit))
			continue;
		shares[n_shares] = all[i];
		if (all[i].filter == FILTER_CONTAINMENT && o->op == GRITH_OP_EXEC)
			shares[n_shares].choices[0] = CONTAIN_SPAWN;
		n_shares++;
	}
	if (!n_shares) {
		/* A kernel that has more filters than this: its points still count. */
		if (o->context)
			score_add(e->score, FILTER_TAINT, o->context,
				  "what the session did before");
		return;
	}
	apart = choose(e, shares, n_shares, o->context);
	for (size_t i = 0; i < n_shares; i++) {
		bool together = !apart && i == 0;

		/* filter_containment.c adds it when the arguments are known. */
		if (apart && o->op == GRITH_OP_EXEC && o->argv_follows &&
		    shares[i].filter == FILTER_CONTAINMENT)
			continue;
		score_add(e->score, shares[i].filter,
			  apart	     ? points_of(e, &shares[i])
			  : together ? o->context
				     : 0,
			  "%s%s", shares[i].why, together && n_shares > 1 ? ", all together" : "");
	}
}
