/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The processes that wait: one hold for each thread that asked for something, from its record until
 * it has made its system call again, or has ended. Knows how an answer reaches a process, and not
 * what the answer is.
 */
#pragma once

#include <sys/queue.h>

#include "grithd/session/session.h"

struct review;

struct hold {
	struct holds *holds; /* it is one of */
	struct session *session;
	struct review *review; /* NULL: was answered */
	struct grith_hold_key key;
	uint64_t object;
	int pidfd; /* -1: not watched */
	sd_event_source *gone;
	uint64_t answered; /* CLOCK_MONOTONIC, nanoseconds; 0: not yet */
	uint64_t look; /* when to see whether it goes on */
	struct hold_list *list; /* it is in: of its review, or of those that were answered */
	TAILQ_ENTRY(hold) link;
};
TAILQ_HEAD(hold_list, hold);

/* Starts with the members up to `arg` set, and then holds_init(). */
struct holds {
	sd_event *event;
	struct kernel *kernel;
	const char *root; /* path of the cgroup that all held processes are below */
	/* A process has ended that waited for `review` (NULL: that was answered). */
	void (*gone)(void *arg, struct review *review);
	void *arg;
	void *tree; /* of tsearch(3), by key */
	size_t count;
	struct hold_list answered; /* the first answered first */
};

void holds_init(struct holds *holds);
/* Frees all; the processes stay as they are. */
void holds_free(struct holds *holds);

/* NULL: not known. */
struct hold *holds_find(const struct holds *holds, const struct grith_hold_key *key);

/* A hold of `session`, in `list`. -EEXIST, -ENOMEM. */
int hold_add(struct holds *holds, struct session *session, const struct grith_hold_key *key,
	     uint64_t object, struct review *review, struct hold_list *list);

/*
 * Its process is watched: what has to be done at its end is done. An answer that comes at once does
 * without. -ESRCH: it has ended; -EMFILE and others.
 */
int hold_watch(struct hold *hold);

/* Takes it out of everything and frees it; nothing happens to the process. */
void hold_free(struct hold *hold);

struct holding_answer {
	enum grith_verdict verdict;
	uint32_t review;
	bool covered; /* the kernel has an answer for the whole session already */
	bool shared; /* several wait for it: another thread of the process may use it up */
};

/*
 * Gives the process its answer and lets it go on, unless its user has stopped it. 0, and the hold
 * is among those that were answered; or -errno, and it waits as before.
 */
int hold_answer(struct hold *hold, const struct holding_answer *given);

/* Gives the kernel an answer; those that have expired make room where there is none. */
int holds_set_answer(struct holds *holds, const struct grith_answer_key *key,
		     const struct grith_answer *answer);

/* Lets the process ask again: its record comes once more. */
void hold_retry(struct holds *holds, const struct grith_hold_key *key);

/* The thread made its call again, and found its answer. */
void holds_replayed(struct holds *holds, const struct grith_record *head);

/*
 * An answer can be quicker than the stop it is for. Continues processes that were answered and
 * still do not run, and drops those that were answered long ago.
 */
void holds_look_after(struct holds *holds, uint64_t now);

/* Those of a session that has ended. */
void holds_forget_session(struct holds *holds, const struct session *session);
