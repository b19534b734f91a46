/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What a session touched, what it was stopped from doing, and who said it could: collected from
 * events one by one, in memory that grows with the number of different things and not with that of
 * events. The definitions of the counts are those of grith(1), REPORT. Pure, but for the random key
 * of its hash tables.
 *
 * The result is data: named counts, and tables of rows and columns. Text, JSON, HTML and the
 * comparison of two reports take the same names from here.
 */
#pragma once

#include "lib/event/event.h"

struct report;

/*
 * Beyond these and TALLY_MAX, things are counted and not told apart; the report says how many that
 * were.
 */
#define REPORT_NAMES_MAX (1u << 20) /* different paths, programs, rules, ... */
#define REPORT_NAMES_BYTES (160u << 20) /* of all of them together */
#define REPORT_PROCESSES_MAX (1u << 18) /* different process and thread numbers */
#define REPORT_TREE_DEPTH 24 /* programs started by programs; deeper ones count as siblings */
#define REPORT_ROWS_MAX 10000 /* of a table of the result, those that count most */
#define REPORT_NOTES_MAX 64

enum report_source {
	/*
	 * Of the kernel: an operation is recorded before it happens, so what is allowed may still
	 * fail, as `result` and `touch` events tell.
	 */
	REPORT_RECORDS = 0,
	/*
	 * Of system calls that have returned: `error` is how each ended, and `verdict` what a
	 * policy would say. An exec is one event, of kind LOG_EXEC.
	 */
	REPORT_CALLS,
};

struct report_options {
	const char *project; /* the project's directory; NULL: that of the session's start */
	const char *home; /* of the user, for ~ and for the sensitive files; NULL: not known */
	const char *exclude; /* the agent's own installation, left out of counts of files; NULL */
	enum report_source source;
};

/* 0 or -ENOMEM. The options' texts are copied. */
int report_new(const struct report_options *options, struct report **ret_report);
void report_free(struct report *report);
DEFINE_CLEANUP(struct report, report_free)

/*
 * Takes in one event of the session. 0 or -ENOMEM. Of a connect or its like `name` is that of the
 * host, where it is known.
 */
int report_add(struct report *report, const struct log_event *event);

/* A rule that the session's policy has ("file:line"), so that those not used can be told. */
int report_add_rule(struct report *report, const char *rule, const char *reason);

/* Something that a reader of the counts must know. Copied; beyond REPORT_NOTES_MAX left out. */
int report_add_note(struct report *report, const char *note);

/*
 * The process of /proc/PID/FILE, where the kernel guards that file like tracing the process: its
 * environment, its memory and the like. 0: it is no such path.
 */
uint32_t report_guarded_process(struct record_bytes path, struct record_bytes *ret_file);

/* The counts, in the order in which they are shown. */
enum report_count {
	REPORT_DURATION, /* milliseconds */
	REPORT_FILES_READ, /* unique, as the next three */
	REPORT_FILES_WRITTEN,
	REPORT_FILES_PROJECT, /* read or written, in the project */
	REPORT_FILES_OUTSIDE,
	REPORT_SCANS,
	REPORT_PROGRAMS, /* unique */
	REPORT_EXECS,
	REPORT_ENVIRON_TRIED,
	REPORT_ENVIRON_READ,
	REPORT_GITCONFIG, /* times, as the next five */
	REPORT_PASSWD,
	REPORT_NPMRC,
	REPORT_SSH_CONFIG,
	REPORT_SSH_HOSTS,
	REPORT_CONNECTIONS, /* addresses and ports */
	REPORT_URING, /* operations through io_uring, which strace cannot see */
	REPORT_DENIED, /* operations */
	REPORT_HIDDEN,
	REPORT_HELD,
	REPORT_OPERATIONS,
	REPORT_LOST,
	REPORT_COUNTS,
};

/* "files_read", and "files read (unique)". */
const char *report_count_key(enum report_count count);
const char *report_count_label(enum report_count count);

/* What a cell is, from which text, HTML and JSON take how to show it. */
enum report_cell_kind {
	REPORT_TEXT, /* bytes that anybody may have chosen, as the next two */
	REPORT_PROGRAM, /* a path, of which the end matters most */
	REPORT_WORD, /* short */
	REPORT_NUMBER,
	REPORT_PORT,
	REPORT_DEPTH, /* in the tree, of the program in the same row */
	REPORT_TIME, /* nanoseconds since 1970 */
	REPORT_SCORE, /* hundredths, signed */
};

static inline bool report_is_text(enum report_cell_kind kind)
{
	return kind <= REPORT_WORD;
}

struct report_column {
	const char *key, *title;
	enum report_cell_kind kind;
	unsigned int from; /* for lib/report alone: ROW_* */
};

struct report_cell {
	struct record_bytes text;
	uint64_t number;
};

/* Rows are sorted, what counts most comes first, but for the timeline and the trees. */
struct report_table {
	const char *key, *title;
	const char *about; /* what a row is, one line */
	const struct report_column *columns;
	size_t n_columns;
	struct report_cell *cells; /* row by row */
	size_t n_rows;
	uint64_t total; /* rows that there would be without REPORT_ROWS_MAX */
	uint64_t beyond; /* events whose row is not there because of another limit */
	char **owned; /* texts of this table alone */
	size_t n_owned;
};

enum report_table_number {
	REPORT_TABLE_REFUSED,
	REPORT_TABLE_REVIEWS,
	REPORT_TABLE_SCORES,
	REPORT_TABLE_SENSITIVE,
	REPORT_TABLE_PROCESSES, /* other processes' environments, memory, ... */
	REPORT_TABLE_WRITES, /* outside the project */
	REPORT_TABLE_NETWORK,
	REPORT_TABLE_UNIX,
	REPORT_TABLE_GIT, /* metadata of repositories, not of the project's own */
	REPORT_TABLE_STARTUP, /* start-up files of shells, and what they started */
	REPORT_TABLE_TREE, /* programs, parents before children */
	REPORT_TABLE_PROGRAMS,
	REPORT_TABLE_FILES,
	REPORT_TABLE_PLACES, /* directories, each file in exactly one of them */
	REPORT_TABLE_RULES,
	REPORT_TABLE_TIMELINE,
	REPORT_TABLES,
};

/* What was said at the session's start; length 0: was not. Borrowed from the report. */
struct report_session {
	struct record_bytes id, name, user, profile, mode, project;
	struct record_bytes command; /* JSON array */
	uint64_t started, ended; /* nanoseconds since 1970; of the first and last event at least */
};

struct report_result {
	struct report_session session;
	uint64_t counts[REPORT_COUNTS];
	struct report_table tables[REPORT_TABLES];
	const char *const *notes;
	size_t n_notes;
	uint64_t names_beyond;
};

/*
 * The result so far, a view of the report: valid until that is changed or freed. 0 or -ENOMEM. The
 * result starts as {0}.
 */
int report_result_make(const struct report *report, struct report_result *ret_result);
void report_result_free(struct report_result *result);

#define OWNED_REPORT_RESULT CLEANUP(report_result_free)

static inline const struct report_cell *report_cell(const struct report_table *table, size_t row,
						    size_t column)
{
	return &table->cells[row * table->n_columns + column];
}

/* The column with this key; the program's own, so it is there. */
size_t report_column(const struct report_table *table, const char *key);
