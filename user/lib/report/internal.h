/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the sections of the report share: all that is collected, one event as it is handed to them,
 * and the description of a section. Each section is a file that takes in events and says of which
 * rows and columns its table is; a new one is also a line in report.h, below, and in result.c.
 */
#pragma once

#include "lib/session/session.h"
#include "names.h"
#include "report.h"
#include "tally.h"

/* --- what is known of a path, found out once */
#define PATH_KNOWN 0x01
#define PATH_PROJECT 0x02 /* of the project, its linked work trees too */
#define PATH_EXCLUDED 0x04 /* the agent's own installation */
#define PATH_GIT 0x08 /* in a .git that is not the project's own */
#define PATH_GIT_ABOVE 0x10 /* of a repository that the project lies in */
#define PATH_STARTUP 0x20 /* read by shells when they start */
#define PATH_OBJECT 0x40 /* a device, a file of /proc, a nameless object: nothing that stays */

struct path_facts {
	uint32_t reads, writes; /* successful opens, and creations */
	uint8_t flags; /* PATH_* */
	uint8_t sensitive; /* 1-based index in the list of sensitive names; 0: not there */
	uint8_t root; /* report_project_number() */
};

/* What is counted, and by what. */
enum tally_number {
	TALLY_NONE, /* stays empty */
	TALLY_TREE, /* parent's node plus one, program, depth */
	TALLY_PROGRAMS, /* program */
	TALLY_SENSITIVE, /* path, program */
	TALLY_OTHERS, /* what, program, comm of the target */
	TALLY_TARGETS, /* pid, what, program */
	TALLY_WRITES, /* path, program */
	TALLY_GIT, /* path, program */
	TALLY_STARTUP, /* file, shell, what was started */
	TALLY_NETWORK, /* address, program, host, port, op */
	TALLY_DESTINATIONS, /* address, port */
	TALLY_SOCKETS, /* path, program, op */
	TALLY_REFUSED, /* object, program, rule, verdict, op */
	TALLY_RULES, /* rule */
	TALLY_PARTS, /* score's parts as JSON */
	TALLY_REVIEWS, /* review */
	TALLIES,
};

/* Those whose rows a connect may be taken back from. */
#define TALLY_FIRST_CONNECT TALLY_NETWORK
#define CONNECT_TALLIES (TALLY_SOCKETS - TALLY_NETWORK + 1)

/* A process, or for what is pending a thread: both have numbers from one space. */
struct report_process {
	uint32_t node; /* in the tree of programs */
	uint32_t startup; /* start-up file that is being read, by it or by who started it */
	bool alive;
	bool counted; /* as one of its node's processes */
	bool reads_startup; /* it is the shell itself */

	/* What its next event decides the outcome of. */
	uint32_t target; /* process whose /proc file it opens */
	uint32_t target_path;
	uint32_t connects[CONNECT_TALLIES]; /* row in each of the tallies, plus one; 0: none */
};

/* One decision that a person or a score took. */
struct report_review {
	uint32_t state, scope, by, op, object, program, rule, reason, parts;
	int score;
	uint64_t asked, answered; /* nanoseconds since 1970; 0: not */
};

#define TIMELINE_BUCKETS 256

enum bucket_count {
	BUCKET_FILES,
	BUCKET_PROGRAMS,
	BUCKET_NETWORK,
	BUCKET_OTHERS,
	BUCKET_REFUSED,
	BUCKET_COUNTS,
};

struct report_bucket {
	uint64_t n[BUCKET_COUNTS];
};

struct report {
	enum report_source source;
	char *project, *home, *exclude; /* NULL: not known */
	char *worktrees[REPOSITORY_WORKTREES_MAX]; /* linked to the project's repository */
	size_t n_worktrees;
	struct report_names names;
	struct path_facts *facts; /* by name */
	size_t n_facts;

	/* of the session: names */
	uint32_t id, name, user, profile, mode, command, project_name;
	uint64_t first, last; /* nanoseconds since 1970, of events */
	uint64_t first_mono, last_mono;
	uint64_t counts[REPORT_COUNTS]; /* those that events add up to */

	struct intern process_numbers;
	struct report_process *processes; /* by number in process_numbers */
	size_t n_processes;
	struct report_process stranger; /* stands for processes beyond the limit */
	uint64_t processes_beyond;
	uint32_t last_rule, last_reason; /* likely to be the next one's as well */

	struct tally tallies[TALLIES];
	bool rules_known; /* those that were not used, too */
	struct report_review *reviews; /* by row in TALLY_REVIEWS */
	size_t n_reviews;

	struct report_bucket timeline[TIMELINE_BUCKETS];
	uint64_t timeline_begin; /* of the first one; 0: nothing in it yet */
	uint64_t bucket_width; /* nanoseconds */

	char **notes;
	size_t n_notes;
};

/* One event on its way through the sections. */
struct report_event {
	const struct log_event *log;
	bool happened; /* as far as it is known now */
	bool refused; /* decided, and not allowed: `observed` ones too */
	uint32_t path; /* name; of a file, program or socket; of a LOG_FILE it has facts */
	uint32_t program; /* name; of who did it */
	uint32_t rule, reason; /* names */
	uint32_t process, thread; /* for report_process() */
};

/* --- tables: the first failure sticks in `r`, and everything after it does nothing */
struct table_writer {
	const struct report *report;
	const struct report_section *section;
	struct report_table *table;
	size_t cells;
	int r;
};

void table_text(struct table_writer *w, struct record_bytes text);
void table_string(struct table_writer *w, const char *string); /* lives as long as the program */
void table_name(struct table_writer *w, uint32_t name);
void table_number(struct table_writer *w, uint64_t number);

/* Takes the string, also where it fails. NULL: there was no memory for it. */
void table_owned(struct table_writer *w, char *string);

/* The row of one key of the tally, as the columns' `from` and `text` say, or of all keys. */
void table_row(struct table_writer *w, const struct tally *tally, uint32_t number);
void table_tally(struct table_writer *w, const struct tally *tally);

/* `from` of a column: which value of the tally's row, a name where the column's kind is text */
enum row_value {
	ROW_MADE, /* by the section's `make` */
	ROW_A,
	ROW_B,
	ROW_C,
	ROW_D,
	ROW_OP, /* the word for `e` */
	ROW_VERDICT, /* the word for `d` */
	ROW_FIRST,
	ROW_WORDS,
	ROW_COUNTS = ROW_WORDS + 2,
};
#define ROW_WORD(n) (ROW_WORDS + (n)) /* from the section's `words` */
#define ROW_COUNT(n) (ROW_COUNTS + (n))

struct report_section {
	const char *key, *title, *about; /* as in struct report_table */
	struct report_column columns[13]; /* the one after the last is {0} */
	const char *(*words[2])(const struct report *report, const struct tally_key *key);
	size_t sort; /* column of numbers, largest first, then by all texts; 0: as they are made */
	enum tally_number tally; /* of its rows, and of what is beyond its limit */

	/* Takes in an operation; those it is not for, it passes over. 0 or -ENOMEM. NULL: none. */
	int (*add)(struct report *report, const struct report_event *event);
	void (*make)(struct table_writer *w); /* the rows; NULL: those of the tally */
};

extern const struct report_section report_refused, report_reviews, report_scores, report_sensitive,
	report_others, report_writes, report_network, report_unix, report_git, report_startup,
	report_tree, report_programs, report_files, report_places, report_rules, report_timeline;
extern const struct report_section *const report_sections[REPORT_TABLES];

/* --- events */

/*
 * The process and thread of an event, put in where they are new, and the program. Must come before
 * all sections. 0 or -ENOMEM.
 */
int report_find_process(struct report *report, struct report_event *event);

/*
 * What was done to other processes. Comes before the sections, for it decides whether the file that
 * this was done with was read: only the event after its open tells. 0 or -ENOMEM.
 */
int report_add_others(struct report *report, struct report_event *event);

/* What a review was asked, or was answered. 0 or -ENOMEM. */
int report_add_review(struct report *report, const struct log_event *event);

/* The score's parts of an operation or a review. 0 or -ENOMEM. */
int report_add_scores(struct report *report, const struct report_event *event);

/* Finds a process or thread by its number; one that is not there is put in, not alive. */
int report_look_up(struct report *report, uint32_t number, uint32_t *ret_process);

/* Valid until the next is looked up. */
static inline struct report_process *report_process(struct report *report, uint32_t process)
{
	return process < report->n_processes ? &report->processes[process] : &report->stranger;
}

/* The row of a key for the event; valid until the next call. 0 or -ENOMEM. */
static inline int report_row(struct report *report, const struct report_event *event,
			     enum tally_number tally, struct tally_key key,
			     struct tally_entry **ret_row)
{
	return tally_at(&report->tallies[tally], &key, event->log->time, ret_row, NULL);
}

/* Counts of TALLY_WRITES and TALLY_GIT; those of what happened come from USE_FIRST on. */
enum { USE_REFUSED, USE_TOTAL, USE_FIRST };

/* One use of a path by the event's program, by whether it happened or was refused. 0 or -ENOMEM. */
int report_add_use(struct report *report, const struct report_event *event, enum tally_number tally,
		   uint32_t path, unsigned int count);

/* What is known of a path. NULL: no memory. Valid until the next call. */
struct path_facts *report_path(struct report *report, uint32_t path);

/* --- names and paths */

/* A directory as it is compared with paths; nothing of the root directory, and of NULL. */
int report_directory_copy(const char *text, char **ret_copy);

/* Where the project is not known: as the session's start says. 0 or -ENOMEM. */
int report_project_see(struct report *report, const struct log_event *event);
void report_project_free(struct report *report);

/* Which of the project's directories has the path: 1 the project, then work trees; 0: none. */
size_t report_project_number(const struct report *report, struct record_bytes path);
const char *report_project_root(const struct report *report, size_t number); /* from 1 on */

/* The path below the home directory, without it and the slash; length 0: it is elsewhere. */
struct record_bytes report_below_home(const struct report *report, struct record_bytes path);

/* 1-based index in the list of sensitive names, 0 where the path is not like any. */
uint8_t report_classify_sensitive(const struct report *report, struct record_bytes path);

/* Interns into the report's names. 0 or -ENOMEM. */
static inline int report_name_add(struct report *report, struct record_bytes bytes,
				  uint32_t *ret_name)
{
	return report_names_add(&report->names, bytes, ret_name);
}

struct name_field {
	struct record_bytes from;
	uint32_t *to;
};

/* Interns each that is there. `keep`: names that are set stay as they are. 0 or -ENOMEM. */
int report_name_fields(struct report *report, const struct name_field *fields, size_t count,
		       bool keep);

/*
 * Whether a decision is one of its own: in the kernel's records an exec that happened repeats that
 * of its open.
 */
static inline bool report_is_decision(const struct report *report, const struct log_event *event)
{
	return event->decided && (event->kind != LOG_EXEC || report->source == REPORT_CALLS ||
				  event->flags & GRITH_RECORD_INSPECT_ARGV);
}

/* "taint +3.00 (why), ..." of parts as JSON, the caller's. NULL: no memory. */
char *report_parts_text(struct record_bytes parts);
