/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What is asked in a review: one operation and who wants it, copied from its record, since the
 * record is gone by the time of the answer.
 */
#pragma once

#include <netinet/in.h>

#include "grithd/session/session.h"
#include "lib/score/score.h"

#define SUBJECT_PARENTS 8

/* What its object is called by. */
enum subject_kind {
	SUBJECT_PATH,
	SUBJECT_ADDRESS,
	SUBJECT_COMMAND, /* a program with its arguments, all of them */
	SUBJECT_OTHER, /* has no name that means the same tomorrow */
};

struct subject_parent {
	uint32_t pid;
	char *program; /* NULL: not known */
};

/* Owns everything in it. Starts as {0}. */
struct subject {
	struct record record; /* its spans point into `bytes` */
	struct record_bytes argv; /* of an inspected program: each argument with its NUL */
	char *bytes;
	char address[INET6_ADDRSTRLEN]; /* of a destination; empty: there is none */
	char *host; /* what the session's policy calls it; NULL: it does not */
	char *program; /* of the process; NULL: not known */
	struct subject_parent parents[SUBJECT_PARENTS]; /* the nearest first */
	size_t n_parents;
	char *rule; /* "file:line"; NULL: the policy's default */
	char *reason;
	bool by_rule; /* a rule or a default says `hold`; false: the score does */
};

/* 0 or -ENOMEM; subject_free() in any case. `argv` is empty but for an inspected program. */
int subject_make(struct session *session, const struct record *record, struct record_bytes argv,
		 const char *program, struct subject *subject);
void subject_free(struct subject *subject);

/* A program that was stopped before its first instruction. */
bool subject_is_inspected(const struct subject *subject);

enum subject_kind subject_kind(const struct subject *subject);

/*
 * The object as it is compared and kept: a path ('@' before an abstract name), "host:port" or
 * "address:port", or the program and its arguments, quoted as for a shell where they need it. Any
 * bytes. 0 or -ENOMEM.
 */
int subject_add_object(const struct subject *subject, struct text *text);

/* The same for people to see: of a host with its address, "host (address):port". */
int subject_add_shown(const struct subject *subject, struct text *text);

/* "address:port", whatever the host is called. Only of SUBJECT_ADDRESS. */
int subject_add_address(const struct subject *subject, struct text *text);

/* As the filters want it; borrows from the subject and the session. */
struct score_operation subject_operation(const struct subject *subject,
					 const struct session *session);
struct score_operation record_operation(const struct record *record, struct record_bytes argv,
					const char *program, const struct session *session);
