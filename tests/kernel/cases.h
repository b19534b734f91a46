/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The table of policy cases, tests/golden/policy-cases, for whoever puts the same questions to
 * something that decides: the evaluator, a compiled image, the kernel.
 *
 *   policy FILE          the cases that follow ask FILE of tests/golden/policies
 *   project PATH         what ${PROJECT} stands for there; else /home/ann/project
 *   home PATH            what ~ stands for there; else /home/ann
 *   host NAME ADDRESS    what a name stands for there
 *   VERDICT[+EXTRA]... RULE OPERATION OBJECT
 *
 * OPERATION and OBJECT are: an operation on a path, or unix-connect or unix-bind, and the path or
 * "@name" to the end of the line, with \n, \\ and \xNN; connect, bind, listen and ADDRESS PORT
 * [NAME]; socket and FAMILY raw|other; touch, signal, ring and "-"; unknown and the operation on a
 * path that cannot be built.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/policy/policy.h"

enum case_kind {
	CASE_PATH,
	CASE_NET,
	CASE_SOCKET,
	CASE_TOUCH,
	CASE_SIGNAL,
	CASE_RING,
	CASE_UNKNOWN,
};

struct policy_case {
	unsigned int line; /* in the table */
	enum case_kind kind;
	enum grith_op_class class; /* PATH, UNKNOWN */
	char *object; /* PATH: the bytes, which may have NUL among them */
	size_t length;
	enum grith_net_op op; /* NET */
	uint8_t address[16];
	uint16_t port;
	char *name; /* NET: NULL: none */
	int family; /* SOCKET */
	bool raw;
	struct { /* what must come out */
		enum grith_verdict verdict;
		int16_t score;
		uint8_t flags; /* GRITH_OUTCOME_*; FINAL need not be named */
		char *rule; /* "file:line" or "default" */
	} expected;
};

struct policy_group {
	char *file; /* path of the policy */
	char *project, *home; /* NULL: as above */
	struct policy_host *hosts; /* names are owned too */
	size_t n_hosts;
	struct policy_case *cases;
	size_t n_cases;
};

struct policy_cases {
	struct policy_group *groups;
	size_t n_groups;
};

/*
 * Reads the table of tests/golden below `directory`, the top of the sources. 0, or a negative errno
 * and in `error` a sentence with the line.
 */
int cases_read(const char *directory, struct policy_cases *ret_cases, struct text *error);
void cases_free(struct policy_cases *cases);

/* Reads the policy of a group and compiles it. 0, or a negative errno with entries in `diag`. */
int cases_load(const struct policy_group *group, struct diag *diag, struct policy **ret_policy,
	       struct policy_image **ret_image);

/*
 * Compares an outcome with what a case expects. True, or false and a line for people in `error`.
 * `who` names what decided.
 */
bool cases_check(const struct policy_case *c, const struct policy *policy,
		 const struct grith_outcome *outcome, const char *who, struct text *error);
