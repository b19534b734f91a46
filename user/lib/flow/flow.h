/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Where a secret may have gone inside one session, as far as records show: which process read the
 * source, which file or pipe it could write to, which one read from there, what it started. Every
 * answer comes with the chain of steps that leads to it.
 *
 * It knows more than the kernel's account of a session (grith_context.h) and never less: that one
 * decides, this one has which process is meant and how it came by the secret. Records show what a
 * process opened and not what it did with it, so each step means "may have"; a process of which no
 * flow is known is not therefore clean. What does not fit the limits below is forgotten, and from
 * then on the answer for an unknown process is that something was forgotten.
 *
 * Pure: knows nothing but the records it is given.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/record/record.h"
#include "grith_abi.h"

#define FLOW_PROCESSES_MAX 2048 /* that live at one time */
#define FLOW_OBJECTS_MAX 4096 /* files, pipes and sockets that matter */
#define FLOW_STEPS_MAX 4096 /* that chains are made of */
#define FLOW_CHAIN_MAX 8 /* steps of a chain that are shown */
#define FLOW_NAME_MAX 256 /* bytes of a path that are kept, its end, with the NUL */
#define FLOW_ARGUMENTS_MAX 64 /* words of a command line that are compared with names of files */
#define FLOW_SECONDS_DEFAULT 3600 /* lifetime of taint where there are no weights */

enum flow_how {
	FLOW_READ = 0, /* opened for reading, or started with it as standard input */
	FLOW_WROTE, /* opened for writing, or started with it as standard output or error */
	FLOW_STARTED, /* forked or executed by a process that had it: arguments and environment */
	FLOW_NAMED, /* has it among its arguments */
	FLOW_MOVED, /* renamed or linked it */
	FLOW_LEFT, /* its parent is not known any more, and a process that had it may be the one */
	FLOW_RETURNED, /* a child that only forked had it, and may have printed it for its parent */
	FLOW_HOWS,
};

/* The names are valid until the flow is given another record. */
struct flow_step {
	uint64_t time; /* CLOCK_MONOTONIC, nanoseconds */
	enum flow_how how;
	uint32_t pid; /* of the process that did it */
	const char *program; /* its program; NULL: not known */
	const char
		*object; /* a path, "pipe:[77]", ...; of STARTED, LEFT and RETURNED its program */
};

/* The source's own step first, the process in question last. */
struct flow_chain {
	enum grith_source source;
	uint64_t since; /* when it was read, CLOCK_MONOTONIC; up to a minute early */
	bool direct; /* each step is about data: none of STARTED, LEFT or RETURNED */
	bool forgotten; /* what was before the first step is not known any more */
	bool omitted; /* there are more steps between the first and the second */
	size_t n_steps;
	struct flow_step steps[FLOW_CHAIN_MAX];
};

enum flow_answer {
	FLOW_NONE = 0, /* none is known of */
	FLOW_FORGOTTEN, /* none is known of, but not everything that happened is remembered */
	FLOW_KNOWN,
};

struct flow;

/* `sources`: which bits of a record's classes mark a source. NULL: no memory. */
struct flow *flow_new(const uint16_t sources[GRITH_SOURCES]);
void flow_free(struct flow *flow);
DEFINE_CLEANUP(struct flow, flow_free)

/*
 * Takes in a record: of an exec once its arguments are complete, all of them in `argv`. `program`
 * is what its process runs, of an exec from then on; NULL where that is not known. Where there is
 * no memory it forgets, and knows that.
 */
void flow_note(struct flow *flow, const struct record *record, struct record_bytes argv,
	       const char *program);

/* Records were lost, or it begins in the middle: what is not known may have happened. */
void flow_lost(struct flow *flow, uint64_t time);

/*
 * Whether a process has, or may have, what was read within `seconds` before `now` (nanoseconds of
 * CLOCK_MONOTONIC), the heaviest source first. *ret_chain is filled for FLOW_KNOWN only.
 */
enum flow_answer flow_ask(struct flow *flow, uint32_t pid, uint64_t now, size_t seconds,
			  struct flow_chain *ret_chain);

/* "read", "wrote", ...; NULL for a number it does not know. */
const char *flow_how_name(unsigned int how);

/*
 * A chain in few words: ".env -> cat[12] -> pipe -> curl[13]"; what does not fit `size` is left out
 * of the middle. Names are not escaped.
 */
void flow_chain_short(const struct flow_chain *chain, char *ret_text, size_t size);

/*
 * Whether an argument of a command is `path`, or the end of it where it is not absolute; "@FILE"
 * and "NAME=FILE" name a file too. `home` replaces "~"; NULL: nothing.
 */
bool flow_argument_names(const char *argument, const char *path, const char *home);
