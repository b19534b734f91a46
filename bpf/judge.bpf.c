/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * The operations that are not plainly allowed: the session's state and thresholds, an answer that
 * was given, a hold, observe mode, and the errno. A global function: it is given no pointers, so
 * what it needs is looked up anew.
 */
#include "judge.bpf.h"
#include "context.bpf.h"
#include "hash.bpf.h"
#include "hold.bpf.h"

char LICENSE[] SEC("license") = "Dual MPL/GPL";

/* The score's word: only an allowed operation can get a stricter verdict by it. */
static __always_inline void score_apply(struct judgement *j, struct grith_session *session)
{
	if (j->outcome.verdict != GRITH_ALLOW)
		return;
	if (!(j->outcome.flags & GRITH_OUTCOME_ALWAYS))
		context_add(j, session);
	if (j->filters & GRITH_CONTEXT_MASS)
		j->outcome.verdict = GRITH_HOLD;
	if (!session->threshold_hold && !session->threshold_deny)
		return;
	if (j->outcome.score > session->threshold_deny)
		j->outcome.verdict = GRITH_DENY;
	else if (j->outcome.score > session->threshold_hold)
		j->outcome.verdict = GRITH_HOLD;
}

/* What of the flags makes it another object. */
#define OBJECT_FLAGS                                                          \
	(GRITH_RECORD_READ_TOO | GRITH_RECORD_DIRECTORY | GRITH_RECORD_UNIX | \
	 GRITH_RECORD_ABSTRACT | GRITH_RECORD_UNKNOWN)

/* What a held operation is compared by. false: never, but the verifier cannot know. */
static __always_inline bool object_name(struct judgement *j)
{
	__u64 unnamed = j->flags & GRITH_RECORD_UNKNOWN ? j->entity : 0;
	const __u64 words[HASH_WORDS] = {
		unnamed << 32 | j->more,
		j->detail,
		(__u64)(j->flags & OBJECT_FLAGS) << 16 | j->way << 8 | j->op,
	};
	struct scratch *scratch;
	__u32 key = j->scratch_key;

	scratch = bpf_map_lookup_elem(&scratches, &key);
	if (!scratch)
		return false;
	j->object = hash_scratch(scratch, j->at, SCRATCH_SPACE, words);
	return true;
}

static __always_inline int judge_hold(struct judgement *j)
{
	if (j->asked) {
		j->outcome.verdict = GRITH_ALLOW;
		j->flags |= GRITH_RECORD_ANSWERED;
		return 0;
	}
	return j->object || object_name(j) ? hold_operation(j) : -EACCES;
}

/* The same thread tries what it was held for before: then j->object is known. */
static __always_inline bool is_replay(struct judgement *j)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct grith_hold_key key = { .pid = id >> 32, .tid = id };
	const struct grith_hold *hold = bpf_map_lookup_elem(&holds, &key);

	if (!hold || hold->op != j->op || !object_name(j))
		return false;
	if (hold->object == j->object)
		return true;
	j->object = 0; /* something else, of which nothing says yet that it is held */
	return false;
}

static __always_inline int judge(struct judgement *j, struct grith_session *session)
{
	if (session->mode != GRITH_OBSERVE && j->outcome.verdict <= GRITH_HOLD && is_replay(j))
		j->outcome.verdict = GRITH_HOLD; /* was counted at the first try */
	score_apply(j, session);
	if (j->recorded_only || session->mode == GRITH_OBSERVE) {
		if (j->outcome.verdict != GRITH_ALLOW)
			j->flags |= GRITH_RECORD_OBSERVED;
		return 0;
	}
	if (session->has_inspected && is_unjudged())
		return stop_unjudged(j);
	switch (j->outcome.verdict) {
	case GRITH_ALLOW:
		return 0;
	case GRITH_HOLD:
		return judge_hold(j);
	case GRITH_HIDE:
		return -ENOENT;
	default:
		return -EACCES;
	}
}

__noinline int judge_closely(struct judgement *j)
{
	struct grith_session *session;
	__u64 id;

	if (!j)
		return 0;
	id = j->session_id;
	session = bpf_map_lookup_elem(&sessions, &id);
	j->error = session ? judge(j, session) : -EACCES;
	if (session && !j->error && !(j->outcome.flags & GRITH_OUTCOME_ALWAYS))
		context_taint(j, session);
	if (j->error == -EACCES && j->op == GRITH_OP_RING)
		j->error = -EPERM;
	return 0;
}
