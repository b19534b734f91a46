/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From the kernel's records to lines of the audit log: which session, which process, which program,
 * which rule, and what is missing. What is held goes to review before it is logged. Does not know
 * how records come out of the kernel, nor who reads the log.
 */
#pragma once

#include "grithd/review/review.h"

/* Why records are missing. What the log has no room for is counted in the audit room. */
enum loss_cause { LOSS_RING, LOSS_EARLIER, LOSS_CAUSES };

/* What is kept of one session. */
struct intake_session {
	uint64_t operations, refused;
	uint64_t lost; /* records that did not arrive, and entries that could not be written */
	uint64_t unlogged[LOSS_CAUSES]; /* of `lost`: not in a gap entry yet */
	struct sequence sequence;
	bool counting; /* the next number is known */
	uint64_t heard; /* the lowest number that came, of those that this grithd did not begin */
	uint64_t made; /* records, in the kernel, when it was looked at last */
	uint64_t overdue; /* records below it that did not come are lost */
	struct exec_join joins;
};

/* Starts with the members up to `strict` set. */
struct intake {
	struct kernel *kernel;
	struct audit *audit;
	struct sessions *sessions;
	struct reviews *reviews;
	const char *attach; /* how the kernel's programs are attached, for the log */
	bool strict; /* nothing may be lost: records stay in the ring while the log has no room */
	sd_event_source *ring, *poll; /* the ring buffer, by descriptor and by time */
	uint64_t records; /* taken in */
	uint64_t bad_records; /* that could not be decoded */
	uint64_t stray_records; /* of no session */
	uint64_t scanned; /* CLOCK_MONOTONIC: when the kernel's holds were looked through last */
	bool lost_records; /* since then */
	uint64_t emptied; /* CLOCK_MONOTONIC: all records from before were taken in */
	uint64_t looked; /* CLOCK_MONOTONIC: when struct intake_session.made was set */
};

/* Takes records in from now on, whenever there are some. 0 or -errno. */
int intake_start(struct intake *intake, sd_event *event);
void intake_stop(struct intake *intake);

/* Takes in all records that are there, and writes the log. */
void intake_catch_up(struct intake *intake);
/* The same for a request, which others wait for: no more than a few milliseconds. */
void intake_refresh(struct intake *intake);

/* Looks for holds in the kernel whose records did not arrive. */
void intake_scan(struct intake *intake);

/* --- what session_ops does here */

int intake_session_added(struct intake *intake, struct session *session, bool adopted);
void intake_session_removed(struct intake *intake, struct session *session);
/* Takes in its last records, and logs what is still in pieces or missing. */
void intake_session_ending(struct intake *intake, struct session *session);

/* --- losses.c */

/* The number came. */
void losses_note(struct intake *intake, struct session *session, uint64_t number);
/* What did not come of the numbers below `below` is lost. */
void losses_give_up(struct intake *intake, struct session *session, uint64_t below);
/* Logs what was counted as lost since the last time. */
void losses_log(struct intake *intake, struct session *session);
/* One above the highest number there is in the kernel, as far as that can be known. */
uint64_t losses_made(const struct intake *intake, const struct session *session);
/* From time to time: sets what is overdue. true: it was done now. */
bool losses_look(struct intake *intake, uint64_t now);

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
