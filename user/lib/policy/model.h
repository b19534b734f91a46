/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The policy model: what a person wrote, after `extends` was followed and ${PROJECT} and ~ were
 * replaced, as one ordered list of rules. Reading it from YAML begins in top_keys.c; what it
 * means is eval.c and precedence.c; compile.c turns it into the kernel's image.
 */
#pragma once

#include "lib/base/base.h"
#include "grith_abi.h"
#include "filters.h"

/* Limits; the error message of each names it and the remedy. */
#define POLICY_TEXT_MAX (4u << 20) /* bytes of one policy file */
#define POLICY_RULES_MAX 60000
#define POLICY_GLOBS_MAX 200000 /* after expansion of braces */
#define POLICY_EXTENDS_MAX 8 /* depth */
#define POLICY_LABELS_MAX 16 /* distinct labels of objects */
#define POLICY_REASON_MAX 256 /* bytes of a reason */
#define POLICY_NAME_MAX 64 /* bytes of the name of a policy, a label, a command */

enum policy_section {
	POLICY_FILES,
	POLICY_EXEC,
	POLICY_NETWORK,
	POLICY_UNIX,
	POLICY_SOCKETS, /* which address families may be created */
};

struct policy_port {
	uint16_t low, high; /* inclusive */
};

struct policy_prefix {
	uint8_t address[16]; /* network byte order, IPv4 as ::ffff:a.b.c.d */
	uint8_t bits; /* 0 to 128 */
};

struct policy_rule {
	enum policy_section section;
	const char *file; /* name as in rule ids; owned by the policy */
	unsigned int line, column;
	uint32_t operations; /* bit set of grith_op_class, or of grith_net_op for NETWORK */
	enum grith_verdict verdict; /* of ALLOW, HOLD, DENY, HIDE rules */
	bool is_score; /* a `score` rule: adds `score`, gives no verdict */
	bool inspect_argv; /* `judge: argv` */
	uint8_t flags; /* GRITH_OUTCOME_* of outcomes that the rule gives */
	enum filter_id filter; /* `score` rules only; those of a filter come before all others */
	bool otherwise; /* of a filter: counts only where no other rule of that filter does */
	int16_t score; /* hundredths */
	uint16_t labels; /* bit set into policy.labels: `class` in the text */
	char **globs; /* paths; abstract names as "@name"; expanded, no braces left */
	size_t n_globs;
	char **except;
	size_t n_except;
	struct policy_prefix *prefixes; /* cidr: and address: */
	size_t n_prefixes; /* with n_hosts 0 too: every address */
	char **hosts; /* names, "*.name" */
	size_t n_hosts;
	struct policy_port *ports;
	size_t n_ports; /* 0: every port */
	uint64_t families; /* SOCKETS: bit set of AF_* */
	bool raw, cooked; /* SOCKETS: applies to raw/packet types, to all others */
	char *reason; /* NULL: none given */
};

/* One that only scores, or has argv inspected, has no verdict of its own. */
static inline bool rule_has_verdict(const struct policy_rule *rule)
{
	return !rule->is_score && !rule->inspect_argv;
}

static inline bool rule_is_final(const struct policy_rule *rule)
{
	return rule->flags & GRITH_OUTCOME_FINAL;
}

/* Points that an operation has whatever its object. */
struct policy_risk {
	int16_t score; /* hundredths */
	const char *file; /* NULL: the weights have none */
	unsigned int line, column;
};

struct policy {
	char *name;
	char **match; /* command names that pick this profile */
	size_t n_match;
	char **files; /* names that the rules refer to */
	size_t n_files;
	enum grith_mode mode;
	int16_t threshold_hold, threshold_deny; /* hundredths */
	struct policy_rule *rules; /* base first; the last match wins */
	size_t n_rules;
	/* The first final path rule for an operation with a verdict; UINT32_MAX: none. */
	uint32_t first_final[GRITH_OP_CLASSES][GRITH_VERDICTS];
	/* One more than the number of the last path rule for it with a verdict; 0: none. */
	uint32_t behind_last[GRITH_OP_CLASSES][GRITH_VERDICTS];
	uint32_t final_scores; /* bit set of grith_op_class: some final score rule is for it */
	char *labels[POLICY_LABELS_MAX];
	size_t n_labels;
	enum grith_verdict defaults[GRITH_OP_CLASSES]; /* where no rule matches */
	enum grith_verdict net_defaults[GRITH_NET_OPS];
	uint32_t scored; /* bit set of grith_op_class: the default is `score`, and ALLOW above */
	uint32_t net_scored; /* the same of enum grith_net_op */
	struct policy_risk risk[GRITH_OP_CLASSES]; /* of scored operations */
	struct policy_risk net_risk[GRITH_NET_OPS];
	struct grith_context_weights weights; /* of the filters that the kernel computes */
	enum grith_verdict socket_default;
	enum grith_verdict unknown; /* paths that cannot be built */
	enum grith_verdict outside; /* ptrace access to processes that are not of the session */
	enum grith_verdict signal;
	enum grith_verdict ring; /* io_uring: enforce is GRITH_ALLOW, deny GRITH_DENY */
	/* Terminals, IPC objects and keys that are not the session's. */
	enum grith_verdict terminal, ipc, keyring;
	enum grith_verdict kernel; /* what changes or reads the kernel itself, and its devices */
	enum grith_verdict namespace; /* user namespaces, and changes of mounts in one */
};

struct policy_directory;

/* What the placeholders of a policy stand for, in one session. All borrowed. */
struct policy_context {
	const char *project; /* ${PROJECT}: absolute, resolved */
	const char *worktree; /* ${WORKTREE}: the git work tree around it; NULL: the project */
	/* ${WORKTREES}: the project, and these other work trees of its repository. */
	char *const *worktrees;
	size_t n_worktrees;
	const char *git_directory; /* ${GIT_DIR}: its repository; NULL: the project's .git */
	const char *home; /* ~ */
	const char *user; /* ${USER} */
	uint32_t uid; /* ${UID} */
	const struct policy_prefix *resolvers; /* ${RESOLVERS}: single addresses */
	size_t n_resolvers;
	const char *directory; /* where `extends` finds NAME.yaml */
	/* The weights; NULL: weights.yaml of the directory, or none where there is none. */
	const char *weights;
	/* What the directory has; NULL: it is read where a file is needed. */
	const struct policy_directory *files;
	bool trusted; /* files must be owned by root and writable by root alone */
};

/*
 * Reads a policy from text or from a file, and all that it extends. `name` is what rule ids and
 * messages call it. 0 and a policy, or -EINVAL with at least one entry in `diag`, or -ENOMEM.
 * policy_free() accepts NULL.
 */
int policy_read_text(const char *name, const char *text, size_t length,
		     const struct policy_context *context, struct diag *diag,
		     struct policy **ret_policy);
int policy_read_file(const char *path, const struct policy_context *context, struct diag *diag,
		     struct policy **ret_policy);
void policy_free(struct policy *policy);
DEFINE_CLEANUP(struct policy, policy_free)

/* Frees what a rule owns, not the rule. */
void policy_rule_clear(struct policy_rule *rule);

/* "base.yaml:12": its id in the audit log, wherever the file was read from. 0 or -ENOMEM. */
int policy_rule_name(const struct policy_rule *rule, struct text *out);

/*
 * The profile of context->directory whose `match` has the command's base name, or "generic".
 * 0 and the profile's name (the caller frees), or -ENOENT, -EINVAL with entries in `diag`.
 */
int policy_pick(const char *command, const struct policy_context *context, struct diag *diag,
		char **ret_name);
