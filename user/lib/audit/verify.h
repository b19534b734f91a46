/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Verifying the audit log: takes its lines one after the other and finds the first one that is not
 * as grithd wrote it. Where two neighbours disagree, the line after them tells which one is wrong.
 * Pure.
 */
#pragma once

#include "chain.h"
#include "entry.h"
#include "key.h"
#include "segment.h"

enum audit_fault {
	AUDIT_WHOLE = 0, /* nothing is wrong */
	AUDIT_CHANGED, /* the line */
	AUDIT_REMOVED, /* lines before the line */
	AUDIT_INSERTED, /* the line */
	AUDIT_SWAPPED, /* the line came before its place */
	AUDIT_CUT_OFF, /* lines after the line, which is the last one */
	AUDIT_MISSING, /* a whole segment, before the line */
	AUDIT_SIGNATURE, /* of the line is wrong, or by another key */
	AUDIT_UNSIGNED, /* checkpoints are missing before the line */
	AUDIT_DAMAGED, /* a file, or a frame of it, cannot be read */
	AUDIT_BAD_INDEX, /* it does not say what is in the segment */
	AUDIT_FAULTS,
};

/* The position of a line. */
struct audit_spot {
	char file[AUDIT_NAME_SIZE]; /* empty: not one of the log's */
	uint64_t line; /* in the file, from 1; 0: the file as a whole */
	uint64_t n; /* in the log; 0: not known */
};

/* Two lines do not fit together; the next line decides which of them is wrong. */
struct audit_suspect {
	bool is; /* there is one */
	bool has_link;
	bool fits; /* its `prev` is the hash of the line before */
	struct audit_chain chain; /* its number and its hash */
	struct audit_spot spot;
};

/* Starts as {0}; then the caller sets the first members. */
struct audit_verify {
	const struct audit_key *key; /* NULL: signatures are not looked at */
	struct audit_chain head; /* the log had this last line at least; n is 0: not known */
	bool from_anywhere; /* the first line need not be line 1 */

	uint64_t first; /* number of the first line; 0: there was none */
	struct audit_hash first_prev;
	bool explained; /* that lines before it were removed, and a checkpoint came after that */
	bool said; /* the same, not yet signed by a checkpoint */
	bool last_signs; /* the last line is a checkpoint */
	struct audit_chain last;
	struct audit_spot first_spot, last_spot;
	struct audit_suspect suspect;
	uint64_t checkpoints, unsigned_lines;

	enum audit_fault fault;
	struct audit_spot at;
	char detail[160];
};

/* The next line, without its newline. false: something is wrong, `fault` and `at` say what. */
bool audit_verify_line(struct audit_verify *verify, const struct audit_spot *spot, const char *line,
		       size_t length);

/* A file that will not be written to any more has ended. false as above. */
bool audit_verify_sealed(struct audit_verify *verify);

/* All lines have been seen. false as above. */
bool audit_verify_end(struct audit_verify *verify);

/* Something that is not about a line. Keeps the first fault. Returns false. */
bool audit_verify_fail(struct audit_verify *verify, enum audit_fault fault,
		       const struct audit_spot *at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Whether the entry is signed with the key; true where there is none. false as above. */
bool audit_verify_signature(struct audit_verify *verify, const struct audit_entry *entry,
			    const struct audit_spot *at);

/* "changed", "removed", ... */
const char *audit_fault_name(enum audit_fault fault);
