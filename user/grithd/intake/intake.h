/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From the kernel's records to lines of the audit log: which session, which process, which program,
 * which rule, and what is missing. What is held goes to review before it is logged. Does not know
 * how records come out of the kernel, nor who reads the log.
 */
#pragma once

#include "grithd/review/review.h"

/* What is kept of one session. */
struct intake_session {
	uint64_t operations, refused, lost;
	uint64_t unlogged; /* of `lost`: not in a gap entry yet */
	struct sequence sequence;
	bool counting; /* the next number is known */
	uint64_t hole_since; /* CLOCK_MONOTONIC; 0: no record is missing */
	struct exec_join joins;
};

/* Starts with the members up to `attach` set. */
struct intake {
	struct kernel *kernel;
	struct audit *audit;
	struct sessions *sessions;
	struct reviews *reviews;
	const char *attach; /* how the kernel's programs are attached, for the log */
	sd_event_source *ring, *poll; /* the ring buffer, by descriptor and by time */
	uint64_t records; /* taken in */
	uint64_t bad_records; /* that could not be decoded */
	uint64_t stray_records; /* of no session */
	uint64_t scanned; /* CLOCK_MONOTONIC: when the kernel's holds were looked through last */
	bool lost_records; /* since then */
};

/* Takes records in from now on, whenever there are some. 0 or -errno. */
int intake_start(struct intake *intake, sd_event *event);
void intake_stop(struct intake *intake);

/* Takes in all records that are there, and writes the log. */
void intake_catch_up(struct intake *intake);

/* Looks for holds in the kernel whose records did not arrive. */
void intake_scan(struct intake *intake);

/* --- what session_ops does here */

int intake_session_added(struct intake *intake, struct session *session, bool adopted);
void intake_session_removed(struct intake *intake, struct session *session);
/* Takes in its last records, and logs what is still in pieces or missing. */
void intake_session_ending(struct intake *intake, struct session *session);

/* --- log_tail.c */

/*
 * Sets the next number of each adopted session from the end of the log, so that records which a
 * grithd before this one did not write down are counted as lost. A session that is not found there,
 * within a limit, starts with the first record that comes. -errno where the log cannot be read.
 */
int intake_find_sequences(struct sessions *sessions, const char *log_directory);

/* --- programs.c */

/*
 * Enters the process of a record, and gives its program and its parent's. They are the session's
 * and valid until the next record. NULL: not known.
 */
void programs_of(struct session *session, const struct record *record, const char **ret_program,
		 const char **ret_parent);
