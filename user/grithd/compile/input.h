/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Everything that a session's policy is made of, as bytes: what the child is given, and what the
 * name of a kept result is the hash of.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/policy/policy.h"

/* All borrowed, but for `files` and `hosts` of what was unpacked. */
struct compile_input {
	const char *name, *text; /* that the requester sent; both NULL: one of the directory */
	size_t length;
	const char *profile; /* of the directory; NULL: the one for the command */
	const char *command;
	struct policy_context context; /* `files` points below; lists are owned if unpacked */
	struct policy_directory files;
	struct policy_host *hosts;
	size_t n_hosts;
	bool has_hosts; /* the names were looked up, whether or not they have addresses */
};

/* Without the hosts, which are not known yet when the hash is made. 0 or -ENOMEM. */
int compile_input_pack(const struct compile_input *input, struct text *out);
/* Behind that. */
int compile_hosts_pack(const struct policy_host *hosts, size_t n_hosts, struct text *out);

/* 0, -EBADMSG or -ENOMEM; to be cleared in any case. */
int compile_input_unpack(const char *bytes, size_t length, struct compile_input *ret_input);
void compile_input_clear(struct compile_input *input);
