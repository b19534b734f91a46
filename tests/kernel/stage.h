/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A session without grithd: what a process in it tries is found stopped, continued by strangers,
 * and answered.
 */
#pragma once

#include <sys/types.h>

#include "grithd/kernel/kernel.h"
#include "lib/record/record.h"
#include "tests.h"

#define HELD "/tmp/grith-held" /* everything below it is held */
#define JUDGED "/tmp/grith-judged" /* a program that is judged by its arguments */
#define SECRET "/tmp/grith-secret" /* allowed; who has read it may not send at once */
#define ELSEWHERE "198.51.100.1" /* an address for documentation: connecting is allowed */
#define TIMES_OUT 99
#define STAGE_BPFFS "/sys/fs/bpf/grith-hold"

struct stage {
	struct tally *tally;
	struct kernel *kernel;
	int root, session; /* directories of the cgroups */
	uint64_t id; /* of the session's */
	struct grith_session fresh; /* a session that has done nothing */
	struct record record; /* the last one with verdict hold; its texts are gone */
	unsigned int holds; /* records with flag HELD */
	unsigned int refused; /* records with flag HOLD_REFUSED */
	unsigned int stray; /* records that name an object although nothing is or was held */
	unsigned int undone; /* records of how a call ended that was undone */
};

/* What a process in the session does; its exit status is 0 or the errno. */
typedef int attempt_fn(void);

/* Loads the programs, or finds them, and makes the session. stage_close() also after an error. */
int stage_open(struct stage *stage, struct tally *tally);
void stage_close(struct stage *stage);
/* Removes what the stages have left for each other. */
void stage_unload(void);

/* The session has done nothing yet, and nothing was answered. */
void stage_reset(struct stage *stage);

/* Makes HELD anew: file, true (a program), script, directory/. */
void make_objects(void);
void make_file(const char *path, mode_t mode, const char *text);
void copy_program(const char *from, const char *to);

/* 0, or the errno of a call that returned -1. */
int status_of(int result);

pid_t start(struct stage *stage, attempt_fn *attempt);
/* Takes what is in the ring into record, holds, refused and stray. */
void read_records(struct stage *stage);
/* Until the process is stopped or over, and the ring was read. */
bool wait_stopped(struct stage *stage, pid_t pid);
/* Its exit status, 128 and the signal, or TIMES_OUT. */
int wait_ended(struct stage *stage, pid_t pid);
/* The letter in /proc/PID/stat; 0: there is none. */
char state_of(pid_t pid);

/* Answers the last hold, once and for its process, or for the session. */
void answer(struct stage *stage, enum grith_verdict verdict, bool once);

/* What has ended leaves nothing behind. */
void check_no_holds(struct stage *stage);

/* Answers alike whatever is held, and goes on until the end. The exit status and stage->holds. */
int run_answered(struct stage *stage, attempt_fn *attempt, enum grith_verdict verdict, bool once);
