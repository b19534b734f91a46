/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The probe: one verb per operation that an agent may try. It does the operation for real and says
 * how it went. It knows nothing of grith; what should happen is the tests' business.
 */
#pragma once

#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * What a verb returns: 0 when the operation was allowed, the negative errno it failed with, or one
 * of these.
 */
enum {
	PROBE_UNTRIED = 1, /* it could not be tried; untried() has said why */
	PROBE_REFUSED, /* refused where the kernel has no errno to give */
};

struct verb {
	const char *name; /* NULL ends a table */
	const char *arguments; /* as printed by `probe list` */
	int min, max; /* number of arguments; max -1: any number */
	int (*run)(int argc, char **argv); /* argv[0] is the verb */
};

/* One table per file of verbs. */
extern const struct verb file_verbs[];
extern const struct verb metadata_verbs[];
extern const struct verb exec_verbs[];
extern const struct verb net_verbs[];
extern const struct verb unix_verbs[];
extern const struct verb uring_verbs[];
extern const struct verb late_verbs[];
extern const struct verb process_verbs[];
extern const struct verb ipc_verbs[];
extern const struct verb terminal_verbs[];
extern const struct verb adjust_verbs[];
extern const struct verb kernel_verbs[];
extern const struct verb option_verbs[];
extern const struct verb way_verbs[];
extern const struct verb mount_verbs[];
extern const struct verb tool_verbs[];

/* Says on stderr why the operation could not be tried. Returns PROBE_UNTRIED. */
int untried(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Runs the verb argv[0]; for verbs that wrap another. */
int run_verb(int argc, char **argv);

/*
 * The same with an optional `--errno NAME` in front. Returns the probe's exit status: 0 allowed,
 * 1 refused with that errno (EACCES by default), 2 could not be tried, 3 refused by something else.
 */
int attempt(int argc, char **argv);

/* What a system call that returns -1 and errno, or else success, comes to. */
static inline int outcome(long r)
{
	return r < 0 ? -errno : 0;
}

/* The same for one that returns a descriptor, which is closed: the call was the point. */
int outcome_fd(int fd);

/* Strict decimal number up to `max`, or of a process; or PROBE_UNTRIED. */
int parse_number(const char *text, unsigned long max, unsigned long *ret_value);
int parse_pid(const char *text, pid_t *ret_pid);
