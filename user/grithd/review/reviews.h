/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The questions that holds raise. Identical holds are one review: the same operation on the same
 * object in the same session. It is answered by what is remembered, by the score, by a person, or
 * by time.
 */
#pragma once

#include <systemd/sd-event.h>

#include "lib/base/base.h"
#include "lib/proto/proto.h"
#include "grith_abi.h"
#include "holds.h"
#include "subject.h"

struct kernel_hold;

/* Waiting at one time; beyond it the answer is no. */
#define REVIEWS_MAX 8192
#define REVIEWS_PER_SESSION 2048
#define REVIEWS_ANSWERED_MAX 1024 /* that are kept to be looked at, at most PROTO_REVIEWS_KEPT */

#define REVIEW_REUSE_NS (60 * UINT64_C(1000000000)) /* an answer is one for an identical retry */
#define REVIEW_NEXT_TRY_NS (600 * UINT64_C(1000000000)) /* for what could not be held */
#define REVIEW_UNATTENDED 2 /* unanswered in a row, after which a session waits shortly: */
#define REVIEW_UNATTENDED_SECONDS 5

enum answer_by {
	BY_NOBODY = 0,
	BY_USER, /* answer.uid */
	BY_TIMEOUT,
	BY_SCORE,
	BY_ON_HOLD, /* the session was started with --on-hold */
	BY_REMEMBERED, /* an earlier answer for the session, or for always */
	BY_LIMIT, /* too many were waiting */
	BYS,
};

struct answer {
	enum grith_verdict verdict; /* GRITH_ALLOW or GRITH_DENY */
	enum proto_scope scope;
	const char *directory; /* NULL: the object itself */
	enum answer_by by;
	uint32_t uid; /* of BY_USER */
};

/* What makes two holds the same one. */
struct question {
	uint64_t object; /* the kernel's hash */
	uint64_t cgroup; /* of the session */
	uint8_t op; /* enum grith_op */
};

struct review {
	struct daemon *daemon;
	struct session *session; /* NULL: has ended */
	char session_id[SESSION_ID_LENGTH + 1];
	char *session_name;
	uint32_t uid; /* the session's owner */
	int16_t threshold_hold, threshold_deny;

	uint32_t id;
	struct question question;
	struct subject subject;
	enum proto_state state;
	bool held;
	uint32_t unheld; /* process whose next try gets the answer; 0: none */
	struct hold_list holds;
	uint64_t asked, expires, answered; /* nanoseconds since 1970; 0: not yet, never */
	uint64_t answered_mono;
	struct answer answer; /* its directory is owned */
	char *directory;

	sd_event_source *timer;
	bool indexed; /* in the tree by question */
	TAILQ_ENTRY(review) link; /* among the waiting or the answered ones */
	struct score score; /* the last, as most of it is never used */
};
TAILQ_HEAD(review_list, review);

struct reviews {
	void *by_id, *by_question; /* of tsearch(3) */
	struct review_list waiting, answered;
	size_t n_waiting, n_answered;
	uint32_t last_id;
};

void reviews_init(struct reviews *reviews);
void reviews_free(struct reviews *reviews);

/*
 * Takes in a record of a hold, or of what could not be held: joins it to its review, makes one,
 * answers it where that needs nobody. `argv` is all of a judged program's arguments, else empty.
 * The review that review_announce() is to be called for, or NULL: whoever waits for an answer does
 * not wait for that.
 */
struct review *reviews_ask(struct session *session, const struct record *record,
			   struct record_bytes argv, const char *program);

/* NULL: there is none, or it is no longer kept. */
struct review *reviews_find(const struct reviews *reviews, uint32_t id);

/*
 * Answers a review that waits, tells those who wait, and keeps what is to be kept. 0, or -errno and
 * it waits on. Of an answer that reaches further, other waiting reviews are answered too.
 */
int review_answer(struct review *review, const struct answer *answer);

/* One of those who waited has ended. */
void review_left(struct review *review);

/* --- answer.c */

/* Tells all who wait. After a failure those who were told are no longer among them. */
int review_tell_all(struct review *review, const struct answer *answer);
/* Tells them and closes the review; nothing is kept for later, and nothing announced. */
int review_finish(struct review *review, const struct answer *answer);
/* Until there is an answer, or the time is over. -errno. */
int review_wait(struct review *review);

/* Gives the kernel an answer; what has expired makes room where there is none. */
int review_set_answer(struct daemon *daemon, const struct grith_answer_key *key,
		      const struct grith_answer *answer);

/* At the end of a session: its reviews are gone, and its answers forgotten. */
void reviews_end_session(struct session *session);

/* Takes in what the kernel holds and nobody here knows of: at start, later, and after losses. */
void reviews_scan(struct daemon *daemon);

/* --- in parts of their own */

/* score.c: scores it. true: *ret_answer is the answer; false: a person has to say. */
bool review_judge(struct review *review, struct answer *ret_answer);
/* The answer that is remembered. false: none. */
bool review_recall(const struct review *review, struct answer *ret_answer);
/* Keeps an answer for the session or for always. -errno. */
int review_keep(struct review *review, const struct answer *answer);

/* json.c: as the protocol and the log have it. NULL: no memory. */
json_t *review_to_json(const struct review *review);
json_t *score_parts_to_json(const struct score *score);
/* flow.c: how its process came by a secret. NULL: not known of, or no memory. */
json_t *review_chain_to_json(const struct review *review);
void answer_by_text(const struct answer *answer, char *ret_text, size_t size);
void review_log(const struct review *review);

/* table.c */
/* The last review of a question. NULL: there is none. */
struct review *review_find_question(const struct session *session, const struct grith_record *head);
/* A new one, among those that wait. NULL: no memory. */
struct review *review_new(struct session *session, const struct record *record,
			  struct record_bytes argv, const char *program);
/* From the waiting ones to those that are kept for a while. */
void review_close(struct review *review, enum proto_state state);
/* Writes down and tells that it is new, or was closed. It may be forgotten by this. */
void review_announce(struct review *review);
/* Both. */
void review_settle(struct review *review, enum proto_state state);
/* Forgets those that were answered long ago, or are too many. */
void review_prune(struct daemon *daemon, uint64_t now);
