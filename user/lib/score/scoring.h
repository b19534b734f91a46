/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How doubtful an operation is: the sum of what the filters say of it, each with its reason. What
 * can be known from a path alone is summed into the policy's automaton when it is compiled
 * (lib/policy/weights.h); what depends on what the session did is kept in the kernel
 * (grith_context.h); the rest is here. A filter that fails does not count as zero: the operation is
 * at least held.
 *
 * Pure but for struct score_session, which the caller owns and which remembers.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/policy/policy.h"
#include "lib/record/record.h"
#include "grith_abi.h"

#define SCORE_HOLD_DEFAULT 300 /* hundredths: above it an operation is held, */
#define SCORE_DENY_DEFAULT 800 /* above this refused */
#define SCORE_WEIGHTS_MAX (1u << 20) /* bytes of the file of weights */
#define SCORE_PARTS_MAX 24
#define SCORE_WHY_MAX 120 /* bytes, with the NUL */

struct score_part {
	enum filter_id filter;
	int16_t score; /* hundredths; may be negative */
	bool failed; /* the filter could not judge; `why` says why not */
	char why[SCORE_WHY_MAX]; /* a few words for a person; not escaped, cut where too long */
};

/* A sum taken apart. Starts as {0}, or with score_clear(), which leaves the parts alone. */
struct score {
	size_t n_parts;
	int total; /* hundredths */
	bool hold; /* at least held, whatever the total: delegation, mass destruction, a failure */
	bool failed; /* some filter could not judge; its part says which and why */
	struct score_part parts[SCORE_PARTS_MAX]; /* at most one per kind; n_parts of them count */
};

static inline void score_clear(struct score *score)
{
	score->n_parts = 0;
	score->total = 0;
	score->hold = score->failed = false;
}

/* Bytes of a score up to the last part that counts: so much of it need be kept. */
static inline size_t score_size(const struct score *score)
{
	return offsetof(struct score, parts) + score->n_parts * sizeof(score->parts[0]);
}

struct flow_chain;

/* One operation, as far as it is known. All borrowed; what is not known is NULL or 0. */
struct score_operation {
	enum grith_op op;
	uint32_t flags; /* GRITH_RECORD_* */
	uint64_t time; /* CLOCK_MONOTONIC, nanoseconds */
	struct record_bytes path, second;
	struct record_bytes argv; /* each argument with its NUL */
	const char *host; /* name that the address was resolved from */
	const char *shown_host; /* the address as text where there is no name */
	uint8_t address[16];
	uint16_t port, family, type, protocol;
	const char *program; /* of the process: its executable */
	const char *home, *project, *user;
	int16_t static_score; /* what the policy's image says; context not included */
	uint16_t classes; /* bits of the policy */
	uint16_t source[GRITH_SOURCES]; /* which of these bits mark a source; see the image */
	const char *const *grants; /* capabilities of the profile; NULL: all */
	size_t n_grants;
	int16_t context; /* what the kernel added */
	uint32_t context_filters; /* GRITH_CONTEXT_* */
	const struct flow_chain *flow; /* how its process came by a secret; NULL: not known of */
	bool judged_later; /* an EXEC that is stopped once more, with its arguments */
	bool trusted; /* a rule of the policy allows the destination by the name of its host */
};

/* Why the filter `canary` speaks up, by the name that score_session_add_canary() was given. */
#define SCORE_CANARY_WHY "the canary %s leaves"

/* Weights and switches, from policy/weights.yaml. Immutable once read. */
struct score_weights;

/* What is remembered of one session. */
struct score_session;

/*
 * Reads the weights from text. `name` is what messages call it. 0, or -EINVAL with every error, its
 * line and column in `diag`, or -ENOMEM. The result does not change afterwards.
 */
int score_weights_read(const char *name, const char *text, size_t length, struct diag *diag,
		       struct score_weights **ret_weights);
void score_weights_free(struct score_weights *weights);
DEFINE_CLEANUP(struct score_weights, score_weights_free)

bool score_filter_enabled(const struct score_weights *weights, enum filter_id filter);

struct score_session *score_session_new(void); /* NULL: no memory */
void score_session_free(struct score_session *session);
DEFINE_CLEANUP(struct score_session, score_session_free)

/* How many operations of that kind were noted so far. */
uint64_t score_session_count(const struct score_session *session, enum grith_op op);

/* Registers a value that must never leave. -ENOMEM, -E2BIG (too long or too many). */
int score_session_add_canary(struct score_session *session, const char *name, const char *value);

/*
 * Judges an operation that waits. `ret_score` is filled whole. Never fails: what goes wrong inside
 * is a hold and says so in a part.
 */
void score_judge(const struct score_weights *weights, struct score_session *session,
		 const struct score_operation *operation, struct score *ret_score);

/*
 * Notes an operation that was recorded, so that later ones are judged by it. Cheap: it is called
 * for every record. True where it is suspicious enough by itself for the session to be held tighter
 * from now on; then `ret_score` says why.
 */
bool score_note(const struct score_weights *weights, struct score_session *session,
		const struct score_operation *operation, struct score *ret_score);

/* How long what was read counts; without weights, the usual. */
size_t score_taint_seconds(const struct score_weights *weights);

/* For filters: adds a part, or raises the one of that filter where this is higher. */
void score_add(struct score *score, enum filter_id filter, int points, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
