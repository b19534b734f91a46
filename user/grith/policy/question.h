/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One operation that a person asks a policy about: from the words of the command line to the
 * policy's answer. Prints nothing.
 */
#pragma once

#include "lib/policy/policy.h"

struct question {
	bool is_net;
	enum grith_op_class class; /* of a path or a unix socket */
	const char *path; /* borrowed */
	enum grith_net_op op; /* of an address */
	uint8_t address[16];
	uint16_t port;
	char host[256]; /* "" where an address was given */
};

/* "read", "list", ... and a path or "@name". 0 or -EINVAL for an operation that has no path. */
int question_path(const char *op, const char *path, struct question *ret_question);

/*
 * "HOST:PORT" or "[ADDRESS]:PORT". Where HOST is a name it is not resolved: `address`, or none if
 * it is NULL, is what networks in the rules are compared with. 0 or -EINVAL.
 */
int question_net(enum grith_net_op op, const char *endpoint, const char *address,
		 struct question *ret_question);

struct grith_outcome question_ask(const struct question *question, const struct policy *policy);

/* What the score of the answer is made of. 0 or -ENOMEM. */
int question_ask_parts(const struct question *question, const struct policy *policy,
		       struct policy_parts *ret_parts);
