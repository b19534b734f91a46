/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What is known of a session from its start to its end, and outlives the grithd that made it: who,
 * what, where, and what the rules are called that verdicts name. As a value and as JSON; where it
 * is kept is grithd's session_store.
 */
#pragma once

#include <jansson.h>

#include "lib/base/base.h"
#include "lib/policy/policy.h"
#include "lib/proto/proto.h"
#include "grith_abi.h"
#include "hosts.h"

struct session_rule {
	uint32_t file; /* index into files */
	unsigned int line;
	char *reason; /* NULL: none */
	bool holds; /* its verdict is `hold` */
	bool trusts; /* allows destinations by the names of their hosts */
	bool judges; /* what it is about is stopped once more, with its arguments */
};

/* Owns everything in it. Starts as {0}. */
struct session_info {
	char id[SESSION_ID_LENGTH + 1];
	char *name;
	uint32_t uid;
	char *user;
	char *profile;
	char *project;
	char **worktrees; /* linked to the project's repository */
	size_t n_worktrees;
	char **command;
	size_t n_command;
	uint64_t started; /* nanoseconds since 1970 */
	uint64_t started_mono; /* nanoseconds of CLOCK_MONOTONIC */
	uint64_t ended; /* nanoseconds since 1970; 0: not yet */
	enum grith_mode mode;
	uint32_t image; /* slot */
	uint64_t cgroup; /* id */

	/* How it is held and judged. */
	enum proto_on_hold on_hold;
	uint32_t timeout; /* seconds that a review waits; 0 in what an earlier version wrote */
	int16_t threshold_hold, threshold_deny; /* hundredths */
	uint16_t sources[GRITH_SOURCES]; /* bit sets of the policy's classes: what taints */
	char *home; /* NULL: not known */
	uint64_t mounts; /* inode number of the mount namespace that it started in; 0: not known */

	char **files;
	size_t n_files;
	struct session_rule *rules; /* rule n of a verdict is rules[n - 1] */
	size_t n_rules;
	struct session_hosts hosts; /* of the policy */
};

/* Fills `files` and `rules`. 0 or -ENOMEM. */
int session_info_set_rules(struct session_info *info, const struct policy *policy);

/* The rule that a verdict names; NULL for 0, the policy's default, and what there is not. */
const struct session_rule *session_info_rule(const struct session_info *info, unsigned int number);

/* NULL: no memory, or a string that is not UTF-8. The caller owns what is returned. */
json_t *session_info_to_json(const struct session_info *info);

/* 0, or -EBADMSG where it is not a session; then *ret_info is untouched. */
int session_info_from_json(json_t *json, struct session_info *ret_info);

void session_info_free(struct session_info *info);

#define OWNED_SESSION_INFO CLEANUP(session_info_free)
