/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * The slow path of a decision: the session's state and thresholds, an answer that was given, a
 * hold, observe mode, and the errno. A global function is given no pointers, so that session, image
 * and scratch are looked up once more. None of the look-ups can miss in a sound state; where one
 * does (the session ended meanwhile), the operation fails closed.
 */
#include "decide.bpf.h"
#include "grith_context.h"
#include "hash.bpf.h"
#include "hold.bpf.h"
#include "inspect.bpf.h"

/*
 * Late taint, found out by grithd after the read, counts as if the kernel had seen it. No entry:
 * none was found. grithd writes to a map of its own and not to the session's entry, where its copy
 * could race with what the kernel counts there and overwrite it.
 */
static __always_inline void add_late_taint(const struct decision *d, struct grith_context *c)
{
	const struct grith_late_taint *late;
	__u64 session = d->session_id;
	int i;

	late = bpf_map_lookup_elem(&late_taint, &session);
	if (!late)
		return;
	for (i = 0; i < GRITH_SOURCES; i++) {
		if (late->tainted[i] > c->tainted[i])
			c->tainted[i] = late->tainted[i];
		if (late->tainted[i] > c->tainted_any)
			c->tainted_any = late->tainted[i];
	}
}

/*
 * Adds to the score of an operation that the policy allows what comes from the session's state.
 * Results lie in the scratch, where the verifier does not follow them.
 */
static __noinline int context_add(struct decision *d, struct grith_session *session)
{
	const struct grith_image_header *header = (const void *)image_of_slot(session->image);
	__u16 labels = d->outcome.labels;
	__u32 key = d->scratch_key;
	struct scratch *scratch = bpf_map_lookup_elem(&scratches, &key);
	struct grith_use *use;

	if (!header || !scratch) /* without an image it is denied already; the scratch is ours */
		return 0;
	use = &scratch->use;
	*use = (struct grith_use) {
		.now = d->now,
		.entity = d->entity,
		.port = d->request.net.port,
		.local = d->local,
	};
	grith_use_fill(use, header, d->op, d->flags, labels, d->overwrites);
	if (use->egress || use->network_tool)
		add_late_taint(d, &session->context);
	scratch->points = (struct grith_points) { 0 };
	grith_context_note(&session->context, &header->weights, use, &scratch->points);
	d->context = grith_points_sum(&scratch->points, &scratch->filters);
	d->filters = scratch->filters;
	d->outcome.score += d->context;
	return 0;
}

/*
 * What an operation that is now allowed brings into the session. Race: another thread sends what
 * this one reads. The taint is set here, before the hook returns and the descriptor exists, so that
 * every send that begins once the content can be read is decided after it; see grith_context.h.
 */
static __noinline int context_taint(const struct decision *d, struct grith_session *session)
{
	const struct grith_image_header *header = (const void *)image_of_slot(session->image);

	if (header && d->outcome.labels && grith_is_reading(d->op, d->flags))
		grith_source_read(&session->context, grith_source_of(header, d->outcome.labels),
				  d->now);
	return 0;
}

/* Only an allowed operation can get a stricter verdict by its score. */
static __always_inline void score_apply(struct decision *d, struct grith_session *session)
{
	if (d->outcome.verdict != GRITH_ALLOW)
		return;
	if (!(d->outcome.flags & GRITH_OUTCOME_ALWAYS))
		context_add(d, session);
	if (d->filters & GRITH_CONTEXT_MASS)
		d->outcome.verdict = GRITH_HOLD;
	if (!session->threshold_hold && !session->threshold_deny)
		return;
	if (d->outcome.score > session->threshold_deny)
		d->outcome.verdict = GRITH_DENY;
	else if (d->outcome.score > session->threshold_hold)
		d->outcome.verdict = GRITH_HOLD;
}

/* The flags that make it another object. */
#define OBJECT_FLAGS                                                          \
	(GRITH_RECORD_READ_TOO | GRITH_RECORD_DIRECTORY | GRITH_RECORD_UNIX | \
	 GRITH_RECORD_ABSTRACT | GRITH_RECORD_UNKNOWN)

/*
 * What a held operation is compared by: name, operation, request. TOCTOU: another thread changes
 * the call's arguments, in memory, between the answer and the call that is made again, which reads
 * them anew. The hash is of what the kernel has resolved for this very try, never of user memory:
 * another object or request is another hash, and is held anew. false: no scratch, which the
 * verifier cannot rule out.
 */
static __always_inline bool object_hash(struct decision *d)
{
	__u64 unnamed = d->flags & GRITH_RECORD_UNKNOWN ? d->entity : 0;
	const __u64 words[HASH_WORDS] = {
		unnamed << 32 | d->request.raw.place,
		d->request.raw.value,
		(__u64)(d->flags & OBJECT_FLAGS) << 16 | d->request.raw.variant << 8 | d->op,
	};
	struct scratch *scratch;
	__u32 key = d->scratch_key;

	scratch = bpf_map_lookup_elem(&scratches, &key);
	if (!scratch)
		return false;
	d->object = hash_scratch(scratch, d->at, SCRATCH_SPACE, words);
	return true;
}

static __always_inline int decide_hold(struct decision *d)
{
	if (d->answered_in_call) {
		d->outcome.verdict = GRITH_ALLOW;
		d->flags |= GRITH_RECORD_ANSWERED;
		return 0;
	}
	return d->object || object_hash(d) ? hold_operation(d) : -EACCES;
}

/*
 * Whether the same thread tries what it was held for before; then d->object is known. It stays on
 * hold until hold_operation() finds the answer, although it may score less by now, and counts only
 * once for the session's state. No hold: a first try.
 */
static __always_inline bool is_replay(struct decision *d)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct grith_hold_key key = { .pid = id >> 32, .tid = id };
	const struct grith_hold *hold = bpf_map_lookup_elem(&holds, &key);

	if (!hold || hold->op != d->op || !object_hash(d))
		return false;
	if (hold->object == d->object)
		return true;
	d->object = 0; /* another object, of which it is open whether it will be held */
	return false;
}

static __always_inline int decide(struct decision *d, struct grith_session *session)
{
	if (session->mode != GRITH_OBSERVE && d->outcome.verdict <= GRITH_HOLD && is_replay(d))
		d->outcome.verdict = GRITH_HOLD;
	score_apply(d, session);
	if (d->record_only || session->mode == GRITH_OBSERVE) {
		if (d->outcome.verdict != GRITH_ALLOW)
			d->flags |= GRITH_RECORD_OBSERVED;
		return 0;
	}
	if (session->has_inspected && awaits_inspection())
		return stop_again(d);
	switch (d->outcome.verdict) {
	case GRITH_ALLOW:
		return 0;
	case GRITH_HOLD:
		return decide_hold(d);
	case GRITH_HIDE:
		return -ENOENT;
	default:
		return d->piecemeal ? -EXDEV : -EACCES;
	}
}

__noinline int decide_slow(struct decision *d)
{
	struct grith_session *session;
	__u64 id;

	if (!d) /* a global function's argument may be NULL, for the verifier */
		return 0;
	id = d->session_id;
	session = bpf_map_lookup_elem(&sessions, &id);
	d->error = session ? decide(d, session) : -EACCES;
	if (session && !d->error && !(d->outcome.flags & GRITH_OUTCOME_ALWAYS))
		context_taint(d, session);
	/* EACCES sends the kernel on to whether the key is possessed: key.bpf.c. */
	if (d->error == -EACCES && (d->op == GRITH_OP_RING || d->op == GRITH_OP_KEY))
		d->error = -EPERM;
	return 0;
}
