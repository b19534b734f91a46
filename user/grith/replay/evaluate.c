/* SPDX-License-Identifier: MPL-2.0 */
/*
 * In the order of the kernel (bpf/decide.bpf.c), then of grithd (grithd/intake/intake.c,
 * grithd/review/score.c).
 */
#include <sys/socket.h>

#include "grith_context.h"
#include "context.h"
#include "evaluate.h"
#include "outcome.h"

#define PIDS_MAX (1u << 22) /* the kernel's largest pid_max */

struct replay_evaluator {
	struct replay_rules rules;
	struct score_session *session;
	struct replay_context context;
	uint8_t *pids; /* a bit for each that the events had so far */
	struct score score;
	struct text host, program, parts, rule;
};

int replay_evaluator_new(const struct replay_rules *rules, struct replay_evaluator **ret_evaluator)
{
	CLEANUP(replay_evaluator_freep) struct replay_evaluator *e = calloc(1, sizeof(*e));

	if (!e)
		return -ENOMEM;
	e->rules = *rules;
	e->pids = calloc(1, PIDS_MAX / 8);
	e->session = score_session_new();
	if (!e->pids || !e->session)
		return -ENOMEM;
	e->context = replay_context_of(rules->image);
	*ret_evaluator = TAKE_PTR(e);
	return 0;
}

void replay_evaluator_free(struct replay_evaluator *e)
{
	if (!e)
		return;
	score_session_free(e->session);
	free(e->pids);
	text_free(&e->host);
	text_free(&e->program);
	text_free(&e->parts);
	text_free(&e->rule);
	free(e);
}

static void apply_score(struct replay_evaluator *e, bool rates, struct replay_decision *d)
{
	const struct policy *policy = e->rules.policy;

	if (d->outcome.verdict != GRITH_ALLOW)
		return;
	if (!(d->outcome.flags & GRITH_OUTCOME_ALWAYS))
		replay_context_add(&e->context, rates, d);
	if (d->filters & GRITH_CONTEXT_MASS)
		d->outcome.verdict = GRITH_HOLD;
	else
		d->outcome.verdict = policy_verdict(policy, &d->outcome);
}

/* --- the score */

static const char *text_of(struct text *text, struct record_bytes bytes)
{
	text->length = 0;
	if (!bytes.length || text_add(text, bytes.data, bytes.length) < 0)
		return NULL;
	return text->data;
}

static struct score_operation operation_of(struct replay_evaluator *e,
					   const struct replay_decision *d)
{
	const struct grith_image_header *header = policy_image_header(e->rules.image);
	const struct log_event *event = d->event;
	bool is_net = event->kind == LOG_NET;
	struct score_operation operation = {
		.op = event->op,
		.flags = event->flags,
		.time = event->mono,
		.path = event->path,
		.second = event->second,
		.argv = event->argv,
		.port = event->port,
		.shown_host = is_net ? text_of(&e->host, event->address) : NULL,
		.family = !is_net		      ? 0
			  : address_is_v4(d->address) ? AF_INET
						      : AF_INET6,
		.program = text_of(&e->program, event->program),
		.home = e->rules.home,
		.project = e->rules.project,
		.user = e->rules.user,
		.static_score = d->outcome.score - d->added,
		.classes = d->outcome.labels,
		.context = d->added,
		.context_filters = d->filters,
		.trusted = is_net && d->outcome.flags & GRITH_OUTCOME_ALWAYS,
	};

	memcpy(operation.address, d->address, sizeof(operation.address));
	memcpy(operation.source, header->source, sizeof(operation.source));
	return operation;
}

static bool is_by_rule(const struct policy *policy, const struct replay_decision *d)
{
	const struct policy_rule *rule = replay_rule(policy, &d->outcome);

	if (rule)
		return !rule->is_score && rule->verdict == GRITH_HOLD;
	return !(d->filters & GRITH_CONTEXT_MASS) && d->outcome.score <= policy->threshold_hold;
}

/* All filters score it, for what held or refused it knew only some of them. */
static void score_all(struct replay_evaluator *e, const struct replay_decision *d)
{
	const struct score_operation operation = operation_of(e, d);

	score_evaluate(e->rules.weights, e->session, &operation, &e->score);
}

/* What waits is answered by its score: few things are left for a person. */
static void answer(struct replay_evaluator *e, bool inspected, struct replay_decision *d)
{
	const struct policy *policy = e->rules.policy;
	const struct score *score = &e->score;
	bool by_rule = !inspected && is_by_rule(policy, d);

	score_all(e, d);
	if (!policy->threshold_hold && !policy->threshold_deny)
		d->outcome.verdict = GRITH_HOLD;
	else if (score->total > policy->threshold_deny)
		d->outcome.verdict = GRITH_DENY;
	else if (by_rule || score->hold || score->total > policy->threshold_hold)
		d->outcome.verdict = GRITH_HOLD;
	else
		d->outcome.verdict = GRITH_ALLOW;
}

/* What is allowed may still tighten the session for what comes next. */
static void track(struct replay_evaluator *e, const struct replay_decision *d)
{
	const struct score_operation operation = operation_of(e, d);
	bool high;

	if (!score_track(e->rules.weights, e->session, &operation, &e->score)) {
		score_clear(&e->score);
		return;
	}
	high = e->score.total > e->rules.policy->threshold_deny;
	grith_source_read(&e->context.state, high ? GRITH_SOURCE_HIGH : GRITH_SOURCE_MEDIUM,
			  d->event->mono);
}

/* --- other processes */

static void see_process(struct replay_evaluator *e, uint32_t pid)
{
	if (pid < PIDS_MAX)
		e->pids[pid / 8] |= 1u << pid % 8;
}

/* A process that the log has not met is taken to be outside the session. */
static void check_ptrace_access(const struct replay_evaluator *e, struct replay_decision *d)
{
	const struct policy_image *image = e->rules.image;
	struct record_bytes file;
	uint32_t pid;

	if (d->event->kind != LOG_FILE)
		return;
	pid = report_guarded_process(d->event->path, &file);
	if (pid && pid < PIDS_MAX && !(e->pids[pid / 8] & 1u << pid % 8))
		d->outcome = replay_stricter(
			d->outcome,
			policy_image_outcome(image, policy_image_header(image)->ptrace_access));
}

static int fill_in(struct replay_evaluator *e, const struct replay_decision *d,
		   struct log_event *event)
{
	const struct policy_rule *rule = replay_rule(e->rules.policy, &d->outcome);
	struct json_writer parts = { .text = &e->parts };
	int r;

	e->rule.length = e->parts.length = 0;
	r = rule ? policy_rule_name(rule, &e->rule) : text_add(&e->rule, "default", 7);
	if (r < 0)
		return r;
	event->decided = true;
	event->verdict = d->outcome.verdict;
	event->rule = bytes_of(e->rule.data);
	event->reason = bytes_of(rule ? rule->reason : NULL);
	event->score = e->score.n_parts ? e->score.total : d->outcome.score;
	event->context = d->added;
	if (event->verdict != GRITH_ALLOW)
		event->flags |= GRITH_RECORD_OBSERVED;
	if (!e->score.n_parts)
		return 0;
	event_add_parts(&parts, NULL, &e->score);
	event->parts = (struct record_bytes) { e->parts.data, e->parts.length };
	return parts.r;
}

int replay_evaluate(struct replay_evaluator *e, bool rates, struct log_event *event)
{
	struct replay_decision d = { .event = event };
	const bool scores = e->rules.weights;
	bool inspected, allowed;

	see_process(e, event->pid);
	see_process(e, event->tid);
	if (!replay_outcome(e->rules.image, event, d.address, &d.outcome))
		return 0;
	check_ptrace_access(e, &d);
	score_clear(&e->score);
	allowed = d.outcome.verdict == GRITH_ALLOW;
	apply_score(e, rates, &d);
	inspected = d.outcome.verdict == GRITH_ALLOW && event->op == GRITH_OP_EXEC &&
		    d.outcome.flags & GRITH_OUTCOME_INSPECT_ARGV;
	if (scores && (inspected || d.outcome.verdict == GRITH_HOLD))
		answer(e, inspected, &d);
	else if (scores && allowed && d.outcome.verdict == GRITH_DENY)
		score_all(e, &d);
	/* A secret that would have been refused would not have been read. */
	if (d.outcome.verdict <= GRITH_HOLD)
		replay_context_read(&e->context, &d);
	if (scores && !e->score.n_parts && d.outcome.verdict == GRITH_ALLOW)
		track(e, &d);
	return fill_in(e, &d, event);
}
