/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the files of the report share: all that is collected, one event as it is handed to the
 * sections, and the making of tables. Each section is a file with a function that takes in an
 * event and one that makes its table.
 */
#pragma once

#include <string.h>

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
	uint8_t sensitive; /* 1-based place in the list of sensitive names; 0: not there */
	uint8_t root; /* report_project_number() */
};

/* A process, or for what is pending a thread: both have numbers from one space. */
struct report_process {
	uint32_t node; /* in the tree of programs */
	uint32_t startup; /* start-up file that is being read, by it or by who started it */
	bool alive;
	bool counted; /* as one of its node's processes */
	bool reads_startup; /* it is the shell itself */

	/* What its next event tells the outcome of; tallies' numbers plus one, 0: nothing. */
	uint32_t target; /* process whose /proc file it opens */
	uint32_t target_path;
	uint32_t connect, destination, unix_connect;
};

/* One decision that a person or a score took. */
struct report_review {
	uint32_t state, scope, by, op, object, program, rule, reason, parts;
	int score;
	uint64_t asked, answered; /* nanoseconds since 1970; 0: not */
};

#define TIMELINE_BUCKETS 256

struct report_bucket {
	uint64_t files, programs, network, others, refused;
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

	struct tally process_numbers;
	struct report_process *processes; /* by number in process_numbers */
	size_t n_processes;
	struct report_process stranger; /* stands for processes beyond the limit */
	uint32_t last_rule, last_reason; /* likely to be the next one's as well */

	struct tally tree; /* parent's node plus one, program */
	uint8_t *depths; /* by node */
	size_t n_depths;

	struct tally programs; /* program */
	struct tally sensitive; /* path, program */
	struct tally others; /* what, program, comm of the target */
	struct tally targets; /* pid, what, program */
	struct tally writes; /* path, program */
	struct tally git; /* path, program */
	struct tally startup; /* file, shell, what was started */
	struct tally network; /* address, program, host, port, op */
	struct tally destinations; /* address, port */
	struct tally sockets; /* path, program, op */
	struct tally refused; /* object, program, rule, op, verdict */
	struct tally rules; /* rule */
	bool rules_known; /* those that were not used, too */
	struct tally parts; /* score's parts as JSON */
	struct tally review_numbers; /* review */
	struct report_review *reviews;
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
	uint32_t path; /* name; of a file, program or socket */
	uint32_t program; /* name; of who did it */
	uint32_t rule, reason; /* names */
	uint32_t process, thread; /* for report_process() */
};

/* Each takes in an event of the kinds that it is for, and passes over all others. 0 or -ENOMEM. */
int report_add_files(struct report *report, struct report_event *event);
int report_add_sensitive(struct report *report, const struct report_event *event);
int report_add_writes(struct report *report, const struct report_event *event);
int report_add_git(struct report *report, const struct report_event *event);
void report_add_tree(struct report *report, const struct report_event *event);
int report_add_startup(struct report *report, const struct report_event *event);
int report_add_programs(struct report *report, const struct report_event *event);
int report_add_others(struct report *report, struct report_event *event);
int report_add_network(struct report *report, const struct report_event *event);
int report_add_unix(struct report *report, const struct report_event *event);
int report_add_refused(struct report *report, const struct report_event *event);
int report_add_rules(struct report *report, const struct report_event *event);
int report_add_scores(struct report *report, const struct report_event *event);
int report_add_reviews(struct report *report, const struct report_event *event);
void report_add_timeline(struct report *report, const struct report_event *event);

/*
 * The process and thread of an event, put in where they are new, and the program. Must come before
 * all sections. 0 or -ENOMEM.
 */
int report_find_process(struct report *report, struct report_event *event);

/* Finds a process or thread by its number; one that is not there is put in, not alive. */
int report_look_up(struct report *report, uint32_t number, uint32_t *ret_process);

/* Valid until the next is looked up. */
static inline struct report_process *report_process(struct report *report, uint32_t process)
{
	return process < report->n_processes ? &report->processes[process] : &report->stranger;
}

/* A file was opened for reading, and it is sure now. */
void report_count_read(struct report *report, uint32_t path);

/* What is known of a path. NULL: no memory. Valid until the next call. */
struct path_facts *report_path(struct report *report, uint32_t path);

/* A directory as it is compared with paths; nothing of the root directory, and of NULL. */
int report_directory_copy(const char *text, char **ret_copy);

/* Where the project is not known: as the session's start says. 0 or -ENOMEM. */
int report_project_see(struct report *report, const struct log_event *event);
void report_project_free(struct report *report);

/* Which of the project's directories has the path: 1 the project, then work trees; 0: none. */
size_t report_project_number(const struct report *report, struct record_bytes path);
const char *report_project_root(const struct report *report, size_t number); /* from 1 on */

/* Whether the path is the directory or in it; false where that is NULL. */
bool report_is_below(struct record_bytes path, const char *directory);

/* The path below the home directory, without it and the slash; length 0: it is elsewhere. */
struct record_bytes report_below_home(const struct report *report, struct record_bytes path);

/* 1-based place in the list of sensitive names, 0 where the path is not like any. */
uint8_t report_classify_sensitive(const struct report *report, struct record_bytes path);

/* Interns into the report's names. 0 or -ENOMEM. */
static inline int report_name_add(struct report *report, struct record_bytes bytes,
				  uint32_t *ret_name)
{
	return report_names_add(&report->names, bytes, ret_name);
}

static inline struct record_bytes report_bytes(const char *text)
{
	return (struct record_bytes) { text, strlen(text) };
}

/*
 * Whether a decision is one of its own: in the kernel's records an exec that happened repeats that
 * of its open.
 */
static inline bool report_is_decision(const struct report *report, const struct log_event *event)
{
	return event->decided && (event->kind != LOG_EXEC || report->source == REPORT_CALLS ||
				  event->flags & GRITH_RECORD_JUDGED);
}

/* --- tables: the first failure sticks in `r`, and everything after it does nothing */
struct table_writer {
	const struct report *report;
	struct report_table *table;
	size_t cells;
	int r;
};

void table_text(struct table_writer *w, struct record_bytes text);
void table_string(struct table_writer *w, const char *string); /* lives as long as the program */
void table_name(struct table_writer *w, uint32_t name);
void table_number(struct table_writer *w, uint64_t number);
void table_score(struct table_writer *w, int64_t hundredths);

/* "taint +3.00 (why), ..." of parts as JSON, the caller's. NULL: no memory. */
char *report_parts_text(struct record_bytes parts);

/* Takes the string, also where it fails. NULL: there was no memory for it. */
void table_owned(struct table_writer *w, char *string);

/*
 * Sorts by that column, the largest first, and then by all columns of text; and cuts to
 * REPORT_ROWS_MAX.
 */
void table_finish(struct table_writer *w, size_t column);

#define TABLE_COLUMNS_SET(table, array) \
	((table)->columns = (array), (table)->n_columns = ARRAY_SIZE(array))

/* Each fills one table, whose key and title are set. */
void report_table_files(struct table_writer *w);
void report_table_places(struct table_writer *w);
void report_table_sensitive(struct table_writer *w);
void report_table_writes(struct table_writer *w);
void report_table_git(struct table_writer *w);
void report_table_startup(struct table_writer *w);
void report_table_tree(struct table_writer *w);
void report_table_programs(struct table_writer *w);
void report_table_others(struct table_writer *w);
void report_table_network(struct table_writer *w);
void report_table_unix(struct table_writer *w);
void report_table_refused(struct table_writer *w);
void report_table_rules(struct table_writer *w);
void report_table_reviews(struct table_writer *w);
void report_table_scores(struct table_writer *w);
void report_table_timeline(struct table_writer *w);
