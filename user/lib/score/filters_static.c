/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filters whose work is done elsewhere, by the compiled policy and in the kernel: here they
 * have the names of their numbers, which are checked to be there, and what of them only the
 * operation as a whole tells.
 */
#include "internal.h"

enum { MKDIR = 0, APPEND, DNS_QUERY, SET_ID, CHOWN, MOUNT, TOUCH, NAMESPACE, DBUS_CALL };

static const char *const risk_numbers[] = {
	[MKDIR] = "mkdir",   [APPEND] = "append",	[DNS_QUERY] = "dns-query",
	[SET_ID] = "set-id", [CHOWN] = "chown",		[MOUNT] = "mount",
	[TOUCH] = "touch",   [NAMESPACE] = "namespace", [DBUS_CALL] = "dbus-call",
};

/* The static score of an operation on another process is not in an automaton of paths. */
static void judge_risk(const struct judged *judged, struct score *score)
{
	if (judged->operation->op == GRITH_OP_PTRACE_ACCESS)
		score_add(score, FILTER_OPERATION_RISK,
			  score_number(judged->weights, FILTER_OPERATION_RISK, TOUCH),
			  "another process");
}

const struct filter filter_operation_risk = {
	.numbers = risk_numbers,
	.n_numbers = ARRAY_SIZE(risk_numbers),
	.judge = judge_risk,
};

const struct filter filter_path_match = { 0 };
const struct filter filter_sensitive_path = { 0 };
const struct filter filter_allowlist = { 0 };

/* Mass destruction is counted in the kernel; see grith_context.h. */
static const char *const mass_numbers[] = { "objects" };

static void judge_mass(const struct judged *judged, struct score *score)
{
	if (!(judged->operation->context_filters & GRITH_CONTEXT_MASS))
		return;
	score->hold = true;
	score_add(score, FILTER_MASS, 0, "many objects outside of the project in a short time");
}

const struct filter filter_mass = {
	.numbers = mass_numbers,
	.n_numbers = ARRAY_SIZE(mass_numbers),
	.judge = judge_mass,
};

/* Learned trust is added by trust_apply(), to a score that is there. */
static const char *const trust_numbers[] = {
	[TRUST_STEP_APPROVE] = "approve",   [TRUST_STEP_APPROVE_ALWAYS] = "approve-always",
	[TRUST_STEP_DENY] = "deny",	    [TRUST_STEP_DENY_STOP] = "deny-and-stop",
	[TRUST_DECAY] = "decay-per-hour",   [TRUST_EVIDENCE] = "answers-least",
	[TRUST_LEAST] = "trust-least",	    [TRUST_SCORE_MAX] = "score-most",
	[TRUST_PART_BELOW] = "filter-most", [TRUST_MOVE_MAX] = "shift-most",
};

const struct filter filter_trust = {
	.numbers = trust_numbers,
	.n_numbers = ARRAY_SIZE(trust_numbers),
};
