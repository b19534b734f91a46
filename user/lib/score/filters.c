/* SPDX-License-Identifier: MPL-2.0 */
/* The table of filters by their number; and those whose work the policy or the kernel does. */
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
