/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Follows what the kernel does (decide.bpf.c) and then grithd (grithd/intake/intake.c,
 * grithd/review/score.c).
 */
#include <arpa/inet.h>

#include "grith_context.h"
#include "lib/base/base.h"
#include "context.h"
#include "judge.h"
#include "outcome.h"

#define PIDS_MAX (1u << 22) /* the kernel's largest pid_max */

struct replay_judge {
	struct replay_rules rules;
	struct score_session *session;
	struct replay_context context;
	uint8_t *pids; /* a bit for each that the events had so far */
	struct score score;
	struct text host, program, parts, rule;
};

int replay_judge_new(const struct replay_rules *rules, struct replay_judge **ret_judge)
{
	CLEANUP(replay_judge_freep) struct replay_judge *judge = calloc(1, sizeof(*judge));

	if (!judge)
		return -ENOMEM;
	judge->rules = *rules;
	judge->pids = calloc(1, PIDS_MAX / 8);
	judge->session = score_session_new();
	if (!judge->pids || !judge->session)
		return -ENOMEM;
	judge->context = replay_context_of(rules->image);
	*ret_judge = TAKE_PTR(judge);
	return 0;
}

void replay_judge_free(struct replay_judge *judge)
{
	if (!judge)
		return;
	score_session_free(judge->session);
	free(judge->pids);
	text_free(&judge->host);
	text_free(&judge->program);
	text_free(&judge->parts);
	text_free(&judge->rule);
	free(judge);
}

static void apply_score(struct replay_judge *judge, bool rates, struct replay_asking *a)
{
	const struct policy *policy = judge->rules.policy;

	if (a->outcome.verdict != GRITH_ALLOW)
		return;
	if (!(a->outcome.flags & GRITH_OUTCOME_ALWAYS))
		replay_context_add(&judge->context, rates, a);
	if (a->filters & GRITH_CONTEXT_MASS)
		a->outcome.verdict = GRITH_HOLD;
	else
		a->outcome.verdict = policy_verdict(policy, &a->outcome);
}

/* --- the score */

static const char *text_of(struct text *text, struct record_bytes bytes)
{
	text->length = 0;
	if (!bytes.length || text_add(text, bytes.data, bytes.length) < 0)
		return NULL;
	return text->data;
}

static struct score_operation operation_of(struct replay_judge *judge,
					   const struct replay_asking *a)
{
	const struct grith_image_header *header = policy_image_header(judge->rules.image);
	const struct log_event *event = a->event;
	bool is_net = event->kind == LOG_NET;
	struct score_operation operation = {
		.op = event->op,
		.flags = event->flags,
		.time = event->mono,
		.path = event->path,
		.second = event->second,
		.argv = event->argv,
		.port = event->port,
		.shown_host = is_net ? text_of(&judge->host, event->address) : NULL,
		.family = !is_net						    ? 0
			  : memchr(event->address.data, ':', event->address.length) ? AF_INET6
										    : AF_INET,
		.program = text_of(&judge->program, event->program),
		.home = judge->rules.home,
		.project = judge->rules.project,
		.user = judge->rules.user,
		.static_score = a->outcome.score - a->added,
		.classes = a->outcome.labels,
		.context = a->added,
		.context_filters = a->filters,
		.trusted = is_net && a->outcome.flags & GRITH_OUTCOME_ALWAYS,
	};

	memcpy(operation.address, a->address, sizeof(operation.address));
	memcpy(operation.source, header->source, sizeof(operation.source));
	return operation;
}

static bool is_by_rule(const struct policy *policy, const struct replay_asking *a)
{
	const struct policy_rule *rule = replay_rule(policy, &a->outcome);

	if (rule)
		return !rule->is_score && rule->verdict == GRITH_HOLD;
	return !(a->filters & GRITH_CONTEXT_MASS) && a->outcome.score <= policy->threshold_hold;
}

/* What waits is scored by all filters: few things are left for a person. */
static void answer(struct replay_judge *judge, bool judged, struct replay_asking *a)
{
	const struct policy *policy = judge->rules.policy;
	const struct score_operation operation = operation_of(judge, a);
	struct score *score = &judge->score;
	bool by_rule = !judged && is_by_rule(policy, a);

	score_evaluate(judge->rules.weights, judge->session, &operation, score);
	if (!policy->threshold_hold && !policy->threshold_deny)
		a->outcome.verdict = GRITH_HOLD;
	else if (score->total > policy->threshold_deny)
		a->outcome.verdict = GRITH_DENY;
	else if (by_rule || score->hold || score->total > policy->threshold_hold)
		a->outcome.verdict = GRITH_HOLD;
	else
		a->outcome.verdict = GRITH_ALLOW;
}

/* What the kernel would have refused by its score alone: why? */
static void take_apart(struct replay_judge *judge, const struct replay_asking *a)
{
	const struct score_operation operation = operation_of(judge, a);

	score_evaluate(judge->rules.weights, judge->session, &operation, &judge->score);
}

static void note(struct replay_judge *judge, const struct replay_asking *a)
{
	const struct score_operation operation = operation_of(judge, a);
	struct score *score = &judge->score;
	bool high;

	if (!score_track(judge->rules.weights, judge->session, &operation, score)) {
		score_clear(score);
		return;
	}
	high = score->total > judge->rules.policy->threshold_deny;
	grith_source_read(&judge->context.state, high ? GRITH_SOURCE_HIGH : GRITH_SOURCE_MEDIUM,
			  a->event->mono);
}

/* --- other processes */

static void note_process(struct replay_judge *judge, uint32_t pid)
{
	if (pid < PIDS_MAX)
		judge->pids[pid / 8] |= 1u << pid % 8;
}

/* A process that the log has not met is taken to be outside the session. */
static void take_touch(const struct replay_judge *judge, struct replay_asking *a)
{
	const struct policy_image *image = judge->rules.image;
	uint32_t pid;

	if (replay_touches(a->event, &pid) && pid < PIDS_MAX &&
	    !(judge->pids[pid / 8] & 1u << pid % 8))
		a->outcome = replay_stricter(
			a->outcome,
			policy_image_outcome(image, policy_image_header(image)->ptrace_access));
}

/* --- what is told of it */

/* The same array as in the audit log. */
static int write_parts(struct replay_judge *judge, struct log_event *event)
{
	const struct score *score = &judge->score;
	struct json_writer w = { .text = &judge->parts };

	judge->parts.length = 0;
	if (!score->n_parts)
		return 0;
	json_open_array(&w, NULL);
	for (size_t i = 0; i < score->n_parts; i++) {
		const struct score_part *part = &score->parts[i];

		json_open(&w, NULL);
		json_text(&w, "filter", filter_name(part->filter));
		json_hundredths(&w, "score", part->score);
		json_text(&w, "why", part->why);
		json_close(&w);
	}
	json_close_array(&w);
	event->parts = (struct record_bytes) { judge->parts.data, judge->parts.length };
	return w.r;
}

static int tell(struct replay_judge *judge, const struct replay_asking *a, struct log_event *event)
{
	const struct policy_rule *rule = replay_rule(judge->rules.policy, &a->outcome);
	const struct score *score = &judge->score;

	int r;

	judge->rule.length = 0;
	r = rule ? policy_rule_name(rule, &judge->rule) : text_add(&judge->rule, "default", 7);
	if (r < 0)
		return r;
	event->decided = true;
	event->verdict = a->outcome.verdict;
	event->rule = bytes_of(judge->rule.data);
	event->reason = bytes_of(rule ? rule->reason : NULL);
	event->score = score->n_parts ? score->total : a->outcome.score;
	event->context = a->added;
	if (event->verdict != GRITH_ALLOW)
		event->flags |= GRITH_RECORD_OBSERVED;
	return write_parts(judge, event);
}

int replay_judge(struct replay_judge *judge, bool rates, struct log_event *event)
{
	struct replay_asking a = { .event = event };
	bool judged, allowed;

	note_process(judge, event->pid);
	note_process(judge, event->tid);
	if (!replay_outcome(judge->rules.image, event, a.address, &a.outcome))
		return 0;
	take_touch(judge, &a);
	score_clear(&judge->score);
	allowed = a.outcome.verdict == GRITH_ALLOW;
	apply_score(judge, rates, &a);
	judged = a.outcome.verdict == GRITH_ALLOW && event->op == GRITH_OP_EXEC &&
		 a.outcome.flags & GRITH_OUTCOME_INSPECT_ARGV;
	if (judge->rules.weights && (judged || a.outcome.verdict == GRITH_HOLD))
		answer(judge, judged, &a);
	else if (judge->rules.weights && allowed && a.outcome.verdict == GRITH_DENY)
		take_apart(judge, &a);
	/* A secret that would have been refused would not have been read. */
	if (a.outcome.verdict <= GRITH_HOLD)
		replay_context_read(&judge->context, &a);
	if (judge->rules.weights && !judge->score.n_parts && a.outcome.verdict == GRITH_ALLOW)
		note(judge, &a);
	return tell(judge, &a, event);
}
