/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The list of filters: the one place that names them. What a filter does is
 * user/lib/score/filter_SYMBOL.c, what it adds is in policy/weights.yaml under its word.
 */
#pragma once

/* What a filter has in the file of weights besides `enabled`. */
#define FILTER_HAS_RULES 0x1
#define FILTER_HAS_OPERATIONS 0x2
#define FILTER_HAS_NUMBERS 0x4
#define FILTER_HAS_LISTS 0x8
#define FILTER_HAS_BOTH (FILTER_HAS_NUMBERS | FILTER_HAS_LISTS)

/*
 * FILTER(ID, symbol, word, has), in the order of evaluation: a filter sees the parts of those
 * before it.
 */
#define FILTER_LIST(FILTER)                                                                       \
	/* Phase 1: the object alone. */                                                          \
	FILTER(OPERATION_RISK, operation_risk, "operation-risk",                                  \
	       FILTER_HAS_OPERATIONS | FILTER_HAS_NUMBERS)                                        \
	FILTER(PATH_MATCH, path_match, "path-match", FILTER_HAS_RULES)                            \
	FILTER(SENSITIVE_PATH, sensitive_path, "sensitive-path", FILTER_HAS_RULES)                \
	FILTER(ALLOWLIST, allowlist, "allowlist", FILTER_HAS_RULES)                               \
	FILTER(ARGUMENT, argument, "argument", FILTER_HAS_BOTH)                                   \
	FILTER(CAPABILITY, capability, "capability", FILTER_HAS_BOTH)                             \
	/* Phase 2: patterns in arguments, names and addresses. */                                \
	FILTER(SECRET_SCAN, secret_scan, "secret-scan", FILTER_HAS_BOTH)                          \
	FILTER(COMMAND, command, "command", FILTER_HAS_BOTH)                                      \
	FILTER(DESTRUCTIVE_ACTION, destructive_action, "destructive-action", FILTER_HAS_BOTH)     \
	FILTER(EGRESS_POLICY, egress_policy, "egress-policy", FILTER_HAS_RULES | FILTER_HAS_BOTH) \
	FILTER(DLP_GATE, dlp_gate, "dlp-gate", FILTER_HAS_BOTH)                                   \
	FILTER(CANARY, canary, "canary", FILTER_HAS_BOTH)                                         \
	/* Phase 3: what the session and its user did before. */                                  \
	FILTER(REPUTATION, reputation, "reputation", FILTER_HAS_BOTH)                             \
	FILTER(BEHAVIOURAL, behavioural, "behavioural", FILTER_HAS_BOTH)                          \
	FILTER(TAINT, taint, "taint", FILTER_HAS_BOTH)                                            \
	FILTER(CONTAINMENT, containment, "session-containment", FILTER_HAS_BOTH)                  \
	FILTER(RATE_LIMIT, rate_limit, "rate-limit", FILTER_HAS_BOTH)                             \
	FILTER(EGRESS_RATE, egress_rate, "egress-rate", FILTER_HAS_BOTH)                          \
	/* Over the filters: what several of them mean together. */                               \
	FILTER(COMBINATION, combination, "combination", FILTER_HAS_RULES | FILTER_HAS_BOTH)       \
	FILTER(DELEGATION, delegation, "delegation", FILTER_HAS_BOTH)                             \
	FILTER(GIT_SETTINGS, git_settings, "git-settings", FILTER_HAS_BOTH)                       \
	FILTER(MASS, mass, "mass", FILTER_HAS_BOTH)                                               \
	FILTER(TRUST, trust, "trust", FILTER_HAS_BOTH)

#define FILTER_ENUMERATOR(id, ...) FILTER_##id,
enum filter_id {
	FILTER_RULE = 0, /* no filter: a `score` rule of the policy itself */
	FILTER_LIST(FILTER_ENUMERATOR) N_FILTERS,
};
#undef FILTER_ENUMERATOR

/* As in the file of weights; "rule" for FILTER_RULE. NULL for a number it does not know. */
const char *filter_name(unsigned int filter);

/* Its FILTER_HAS_*; 0 for FILTER_RULE. */
unsigned int filter_has(enum filter_id filter);
