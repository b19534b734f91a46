/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What comes of a policy, as a value and as bytes. The child that made the bytes has read a text of
 * a user's, so they are hostile to grithd: every number is checked before it is used.
 */
#pragma once

#include "lib/session/session.h"

/* Owns everything in it. Starts as {0}. */
struct compile_result {
	struct diag diag; /* has entries: the policy cannot be used, and there is nothing else */
	struct session_info
		info; /* profile, mode, thresholds, files, rules; sources of the image */
	char **names; /* of hosts, each once: to be looked up */
	size_t n_names;
	uint32_t names_left_out; /* beyond RESOLVER_NAMES_MAX */
	struct policy_image *image; /* NULL: the names have to be looked up first */
};

/* 0 or -ENOMEM. */
int compile_result_pack(const struct compile_result *result, struct text *out);
/* 0, -EBADMSG or -ENOMEM; then *ret_result is untouched. */
int compile_result_unpack(struct unpack *from, struct compile_result *ret_result);
void compile_result_clear(struct compile_result *result);

#define OWNED_COMPILE_RESULT CLEANUP(compile_result_clear)
