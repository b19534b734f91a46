/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Holds and the questions they raise: scored, answered from memory, by a person or by time, and
 * what is learned from answers. Does not know the protocol's connections or its clients.
 *
 * Identical holds are one review: the same operation on the same object in the same session.
 */
#pragma once

#include "lib/flow/flow.h"
#include "lib/proto/proto.h"
#include "canaries.h"
#include "holds.h"
#include "numbers.h"
#include "recent.h"
#include "remembered.h"
#include "trust_store.h"

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

struct settings;

/* What makes two holds the same one. */
struct question {
	uint64_t object; /* the kernel's hash */
	uint64_t cgroup; /* of the session */
	uint8_t op; /* enum grith_op */
};

struct review {
	struct reviews *reviews; /* it is one of */
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
	bool revoked; /* its answer is no longer one for those who ask the same */
	uint32_t unheld; /* process whose next try gets the answer; 0: none */
	struct hold_list holds;
	uint64_t asked, expires, answered; /* nanoseconds since 1970; 0: not yet, never */
	uint64_t answered_mono;
	struct answer answer; /* its directory is owned */
	char *directory;

	struct settings_read *reading; /* it is decided after that; NULL: nothing is read */
	sd_event_source *timer;
	bool indexed; /* in the tree by question */
	TAILQ_ENTRY(review) link; /* among the waiting or the answered ones */
	struct score score; /* the last, as most of it is never used */
};
TAILQ_HEAD(review_list, review);

struct review_ops {
	/* It is new, was joined by another hold, or has its answer. */
	void (*changed)(void *arg, const struct review *review);
};

/* What was answered last for an operation. All zero: nothing. */
struct burst {
	uint64_t until; /* CLOCK_MONOTONIC, nanoseconds */
	uint32_t filters; /* GRITH_CONTEXT_*: those that spoke up when it was answered */
	enum grith_verdict verdict;
};

/* What is kept of one session. */
struct review_session {
	struct answers answers; /* given for as long as it runs */
	size_t waiting; /* reviews */
	unsigned int unanswered; /* reviews in a row that expired */
	struct burst bursts[GRITH_OPS]; /* what was answered for many of a kind */
	struct score_session *score; /* what the filters remember of it */
	struct flow *flow; /* where secrets went inside it */
	struct recent *recent; /* what was refused and held lately, and what tainted it */
};

/* What is read of a user's files. Where two users share a place, they share the limits. */
#define SETTINGS_USERS 64
struct settings_user {
	uint32_t uid; /* a file system of theirs did not answer, */
	uint64_t until; /* and is not asked again until then (CLOCK_MONOTONIC, nanoseconds) */
	unsigned int reads; /* going on */
};

/* Starts with `numbers` and the members up to `canaries` set and open, and then reviews_init(). */
struct reviews {
	const struct review_ops *ops;
	void *arg;
	sd_event *event;
	struct kernel *kernel;
	struct audit *audit;
	struct sessions *sessions;
	const struct root_cgroup *root;
	struct remembered remembered;
	struct trust_store trust;
	struct canaries canaries;
	struct score_weights *weights; /* NULL: there is no file of them, and nothing is scored */
	struct holds holds;
	void *by_id, *by_question; /* of tsearch(3) */
	struct review_list waiting, answered;
	size_t n_waiting, n_answered;
	struct review_numbers numbers;
	struct settings_user settings_users[SETTINGS_USERS]; /* by uid */
};

void reviews_init(struct reviews *reviews);
void reviews_free(struct reviews *reviews);

/* --- session.c: what session_ops does here */

/* An `adopted` session gets the answers that were given for it. 0 or -ENOMEM. */
int reviews_session_added(struct reviews *reviews, struct session *session, bool adopted);
void reviews_session_removed(struct session *session);
/* Its reviews are gone, and its answers removed. `session` NULL: it ended while no grithd ran. */
void reviews_session_ended(struct reviews *reviews, const struct session_info *info,
			   struct session *session);

/* --- reviews.c */

/*
 * Takes in a record of a hold, or of what could not be held: joins it to its review, or makes one,
 * and answers it where that needs no person. `argv`: all arguments of an inspected program, else
 * empty. The review that review_announce() is to be called for once the process has its answer, or
 * NULL: there is none, or not yet.
 */
struct review *reviews_ask(struct reviews *reviews, struct session *session,
			   const struct record *record, struct record_bytes argv,
			   const char *program);

/* Decides it once nothing has to be read for it any more: it is answered, or waits for a person. */
void review_ask(struct review *review, const struct settings *settings);

/* A process that waited for it has ended. */
void review_left(struct review *review);

/* --- answer.c */

/*
 * Answers a review that waits, tells all that wait, and keeps what is to be kept. Of an answer that
 * reaches further, other waiting reviews are answered too; of a person's, grithd learns. 0, or
 * -errno and it waits on.
 */
int review_answer(struct review *review, const struct answer *answer);

/* Tells all who wait. After a failure those who were told are no longer among them. */
int review_tell_all(struct review *review, const struct answer *answer);
/* Tells them and closes the review; nothing is kept for later, and nothing announced. */
int review_finish(struct review *review, const struct answer *answer);
/* Until there is an answer, or the time is over. -errno. */
int review_wait(struct review *review);

/* --- sweep.c */

/* Takes in what the kernel holds and grithd does not know of: at start, later, and after losses. */
void reviews_scan(struct reviews *reviews);

/* --- settings.c */

/* What is in the files that a rename is about. */
struct settings {
	struct record_bytes fresh, old;
};

/* true: they are being read now, and review_ask() and review_announce() come when they are. */
bool review_read_settings(struct review *review);
void review_stop_reading(struct review *review);

/* --- score.c */

/*
 * Scores it; `settings` NULL: they are not known, or it is about none. true: *ret_answer is the
 * answer; false: a person has to decide.
 */
bool review_decide(struct review *review, const struct settings *settings,
		   struct answer *ret_answer);
/* The answer that is remembered. false: none. */
bool review_recall(const struct review *review, struct answer *ret_answer);
/* Keeps an answer for the session or for always. -errno. */
int review_keep(struct review *review, const struct answer *answer);
/*
 * Something happened or was refused, at `time` (nanoseconds since 1970), that is no review: it
 * counts for what comes after it. true: it is suspicious by itself, *ret_score says why, and from
 * now on the session is held where it wants to send something.
 */
bool reviews_note(struct reviews *reviews, struct session *session, const struct record *record,
		  struct record_bytes argv, const char *program, uint64_t time,
		  struct score *ret_score);
/* How a process came by a secret, as of the record. false: not known of. */
bool reviews_chain(const struct reviews *reviews, const struct session *session,
		   const struct grith_record *head, struct flow_chain *ret_chain);

/* --- json.c: as the protocol and the log have it. NULL: no memory. */

json_t *review_to_json(const struct review *review);
json_t *score_parts_to_json(const struct score *score);
void answer_by_text(const struct answer *answer, char *ret_text, size_t size);
void review_log(const struct review *review);

/* --- table.c */

/* NULL: there is none, or it is no longer kept. */
struct review *reviews_find(const struct reviews *reviews, uint32_t id);
/* The last review of a question. NULL: there is none. */
struct review *reviews_find_question(const struct reviews *reviews, const struct session *session,
				     const struct grith_record *head);
/* A new review in the waiting list. NULL: no memory. */
struct review *review_new(struct reviews *reviews, struct session *session,
			  const struct record *record, struct record_bytes argv,
			  const char *program);
/* Moves it from the waiting list to the answered one. */
void review_close(struct review *review, enum proto_state state);
/* Logs a new or closed review and calls review_ops.changed. May free it. */
void review_announce(struct review *review);
/* review_close(), then review_announce(). */
void review_settle(struct review *review, enum proto_state state);
/* Frees those that were answered long ago, or are too many. */
void reviews_prune(struct reviews *reviews, uint64_t now);

/* --- burst.c */

/* Bit set of GRITH_CONTEXT_*: the filters that alone are why it is asked. 0: it is another kind. */
uint32_t review_burst(const struct review *review);

/* The answer that was given for its burst. false: none. */
bool burst_recall(const struct review *review, struct answer *ret_answer);

/* Keeps the review's answer for its burst, where it is one of a burst. */
void burst_note(const struct review *review);

/* Its question, which is not about the object of the review. NULL: no memory. */
json_t *burst_to_json(const struct review *review);

/* --- weights.c */

/*
 * Reads POLICY_WEIGHTS_FILE of the directory, which must belong to root and be writable by nobody
 * else. -ENOENT, or another negative errno with entries in `diag`.
 */
int weights_load(const char *directory, struct diag *diag, struct score_weights **ret_weights);

/* --- standing.c: answers that are kept, seen and taken back by whom they are of, and by root */

/* Whose, and of which session: NULL: of all, and those for always. */
struct standing_scope {
	uint32_t uid; /* 0: of everybody */
	const struct session *session;
};

/* As the protocol has them, and as many as fit into a reply. NULL: no memory. */
json_t *standing_to_json(struct reviews *reviews, const struct standing_scope *scope);

/*
 * Takes back the answer to a review, or all (0). When it returns, nothing is decided by them any
 * more, in the kernel neither. The number of them, or -errno: then some are still on the disk.
 */
int standing_revoke(struct reviews *reviews, const struct standing_scope *scope, uint32_t review);
