/* SPDX-License-Identifier: MPL-2.0 */
/* What the kernel tells of, one record after the other: counted, asked about, scored, logged. */
#include <signal.h>

#include "grithd/audit/audit.h"
#include "grithd/daemon.h"
#include "grithd/session/session.h"
#include "lib/base/base.h"
#include "intake.h"

#define RECORDS_AT_ONCE 4096
#define SCAN_NS (60 * UINT64_C(1000000000))
#define OVERDUE_NS UINT64_C(1000000000) /* after this a missing record is lost */

/* One run over the ring buffer. */
struct run {
	struct daemon *daemon;
	uint64_t offset; /* of CLOCK_REALTIME from CLOCK_MONOTONIC */
	uint64_t until; /* CLOCK_MONOTONIC, nanoseconds */
	unsigned int left;
	enum intake_end end;
	bool lost; /* records of some session */
};

/* One record on its way through. */
struct passing {
	const struct run *run;
	struct session *session;
	const char *program, *parent;
};

static struct run start_run(struct daemon *daemon)
{
	struct event_head now = event_now(NULL);

	return (struct run) {
		.daemon = daemon,
		.offset = now.time - now.mono,
		.left = RECORDS_AT_ONCE,
	};
}

static void lose(struct session *session, uint64_t lost)
{
	session->lost += lost;
	session->unsaid += lost;
	session->daemon->lost_records = true;
	flow_lost(session->flow, clock_mono());
}

/* Once for all that a run found missing: a line for each would be more than what is left. */
static void admit_loss(struct session *session)
{
	struct event_gap gap = {
		.head = event_now(session->info.id),
		.lost = session->unsaid,
		.reason = "records did not arrive from the kernel",
	};

	if (session->unsaid)
		audit_log_gap(session->daemon->audit.log, &gap);
	session->unsaid = 0;
}

static bool is_gone(uint32_t pid)
{
	return kill(pid, 0) < 0 && errno == ESRCH;
}

/* Exits may be among what was lost, and their numbers may have been given away again. */
static void after_loss(const struct sessions *sessions)
{
	for (size_t i = 0; i < sessions->count; i++) {
		struct session *session = sessions->list[i];

		if (session->unsaid)
			process_table_sweep(&session->processes, is_gone);
		admit_loss(session);
	}
}

static void count(struct run *run, struct session *session, const struct grith_record *head)
{
	struct sequence *sequence = &session->sequence;
	uint64_t lost;

	if (!session->counting) {
		sequence->next = sequence->end = head->sequence;
		session->counting = true;
	}
	lost = sequence_note(sequence, head->sequence);
	if (lost) {
		lose(session, lost);
		run->lost = true;
	}
	if (!sequence_has_hole(sequence))
		session->hole_since = 0;
	else if (!session->hole_since)
		session->hole_since = clock_mono();
}

/* What tainted the session, for those who ask why. */
static void note_source(const struct passing *p, const struct record *record)
{
	const struct session_info *info = &p->session->info;

	for (unsigned int i = 0; i < GRITH_SOURCES; i++)
		if (record->head.classes & info->sources[i]) {
			recent_add_source(p->session->recent, i, record->head.time + p->run->offset,
					  record, p->program);
			return;
		}
}

static bool is_read(enum grith_op op)
{
	return op == GRITH_OP_READ || op == GRITH_OP_RECEIVE || op == GRITH_OP_MAP;
}

/*
 * What happened counts for what comes after it. Something that is suspicious by itself makes the
 * session one that has read a secret: it is held from then on where it wants to send something.
 * true: *ret_score says why.
 */
static bool note_for_score(const struct passing *p, const struct record *record,
			   struct record_bytes argv, struct score *ret_score)
{
	struct daemon *daemon = p->session->daemon;
	char address[INET6_ADDRSTRLEN];
	struct score_operation operation;

	if (is_read(record->head.op) && record->head.classes)
		note_source(p, record);
	if (!daemon->weights)
		return false;
	operation = record_operation(record, argv, p->program, p->session);
	if (record->head.kind == GRITH_KIND_NET) {
		record_address(record, address);
		operation.shown_host = address;
	}
	if (!score_note(daemon->weights, p->session->score, &operation, ret_score))
		return false;
	kernel_session_taint(daemon->kernel, p->session->info.cgroup,
			     ret_score->total > p->session->info.threshold_deny
				     ? GRITH_SOURCE_HIGH
				     : GRITH_SOURCE_MEDIUM,
			     record->head.time);
	return true;
}

/* It is held, or would have been: a question. */
static bool is_asked(const struct grith_record *head)
{
	return head->flags & (GRITH_RECORD_HELD | GRITH_RECORD_HOLD_REFUSED);
}

/* A fact that no rule could have refused, or what came of a decision. */
static void weigh(const struct passing *p, const struct record *record, struct record_bytes argv,
		  struct event_operation *event, struct score *score)
{
	const struct grith_record *head = &record->head;
	bool refused = head->verdict != GRITH_ALLOW;

	if (is_asked(head)) /* grithd/review/reviews.c scores it before it happens */
		return;

	if (head->kind == GRITH_KIND_EXIT || head->kind == GRITH_KIND_RESULT)
		return;
	if (!refused && note_for_score(p, record, argv, score))
		event->score = score;
	if (refused || event->score)
		recent_add(p->session->recent, head->sequence, event->score);
}

static struct record_bytes judged_arguments(const struct record *record, struct record_bytes argv)
{
	return record->head.flags & GRITH_RECORD_JUDGED ? argv : (struct record_bytes) { 0 };
}

/* Where something that was doubted may carry a secret away: how its process came by that. */
static void add_chain(const struct passing *p, struct flow_chain *chain,
		      struct event_operation *event)
{
	const struct grith_record *head = &event->record->head;
	size_t seconds = score_taint_seconds(p->session->daemon->weights);

	if (head->op != GRITH_OP_EXEC && head->op != GRITH_OP_CONNECT && head->op != GRITH_OP_SEND)
		return;
	if (head->verdict == GRITH_ALLOW && !head->filters && !event->score)
		return;
	if (flow_ask(p->session->flow, head->pid, head->time, seconds, chain) == FLOW_KNOWN)
		event->chain = chain;
}

static void write_operation(const struct passing *p, const struct record *record,
			    struct record_bytes argv)
{
	struct session *session = p->session;
	const struct session_rule *rule = session_info_rule(&session->info, record->head.rule);
	struct event_operation event = {
		.head = { record->head.time + p->run->offset, record->head.time, session->info.id },
		.record = record,
		.argv = argv,
		.program = p->program,
		.parent = p->parent,
		.attach = attach_name(kernel_attachment(session->daemon->kernel)),
	};
	struct review *review = NULL;
	struct flow_chain chain;
	struct session *target;
	struct score score;

	flow_note(session->flow, record, argv, p->program);
	if (is_asked(&record->head)) /* before anything is written: somebody waits */
		review = reviews_ask(session, record, judged_arguments(record, argv), p->program);
	weigh(p, record, argv, &event, &score);
	add_chain(p, &chain, &event);
	if (rule) {
		event.rule_file = session->info.files[rule->file];
		event.rule_line = rule->line;
		event.reason = rule->reason;
	}
	if (record->target_session) {
		target = sessions_find_cgroup(&session->daemon->sessions, record->target_session);
		event.target_session = target ? target->info.id : "unknown";
	}
	audit_log_operation(session->daemon->audit.log, &event);
	if (record->head.flags & GRITH_RECORD_ANSWERED)
		holds_replayed(session->daemon, &record->head);
	if (review)
		review_announce(review);
}

static void write_exec(void *arg, const struct record *record, struct record_bytes argv)
{
	OWNED_MEM char *program =
		strndup(record->path.data ? record->path.data : "", record->path.length);
	struct passing p = *(const struct passing *)arg;

	if (record->path.length)
		p.program = program;
	write_operation(&p, record, argv);
}

static void take_record(struct run *run, const struct record *record)
{
	const struct grith_record *head = &record->head;
	struct passing p = { .run = run };

	p.session = sessions_find_cgroup(&run->daemon->sessions, head->session);
	if (!p.session) {
		run->daemon->stray_records++;
		return;
	}
	count(run, p.session, head);
	programs_of(p.session, record, &p.program, &p.parent);
	if (head->kind != GRITH_KIND_ARGV) {
		p.session->operations++;
		p.session->refused += head->kind != GRITH_KIND_EXIT &&
				      head->kind != GRITH_KIND_RESULT && head->error < 0 &&
				      !(head->flags & GRITH_RECORD_HELD);
	}
	switch (head->kind) {
	case GRITH_KIND_EXEC:
	case GRITH_KIND_ARGV:
		exec_join_add(&p.session->joins, record, write_exec, &p);
		break;
	case GRITH_KIND_EXIT:
		exec_join_flush(&p.session->joins, head->tid, write_exec, &p);
		write_operation(&p, record, (struct record_bytes) { 0 });
		process_table_remove(&p.session->processes, head->pid);
		break;
	default:
		write_operation(&p, record, (struct record_bytes) { 0 });
	}
}

static int on_record(void *arg, const void *data, size_t size)
{
	struct run *run = arg;
	struct record record;
	int r = record_decode(data, size, &record);

	run->daemon->records++;
	if (r < 0)
		run->daemon->bad_records++;
	else
		take_record(run, &record);
	if (!--run->left)
		run->end = INTAKE_FULL;
	else if (r == 0 && record.head.time > run->until)
		run->end = INTAKE_LATER;
	return run->end == INTAKE_EMPTY ? 0 : -EAGAIN;
}

int intake_run(struct daemon *daemon, uint64_t until, enum intake_end *ret_end)
{
	struct run run = start_run(daemon);
	int r;

	run.until = until;
	r = kernel_ring_consume(daemon->kernel, on_record, &run);
	if (r < 0 && run.end == INTAKE_EMPTY)
		return r;
	if (run.lost)
		after_loss(&daemon->sessions);
	*ret_end = run.end;
	return 0;
}

void intake_finish(struct session *session)
{
	struct run run = start_run(session->daemon);
	struct passing p = { .run = &run, .session = session };
	uint64_t lost;

	exec_join_flush(&session->joins, 0, write_exec, &p);
	lost = sequence_give_up(&session->sequence);
	if (lost)
		lose(session, lost);
	admit_loss(session);
}

void intake_expire(struct daemon *daemon)
{
	uint64_t now = clock_mono();

	holds_look_after(daemon, now);
	for (size_t i = 0; i < daemon->sessions.count; i++) {
		struct session *session = daemon->sessions.list[i];

		if (!session->hole_since || now - session->hole_since < OVERDUE_NS)
			continue;
		session->hole_since = 0;
		intake_finish(session);
	}
	if (daemon->lost_records || now - daemon->scanned > SCAN_NS)
		reviews_scan(daemon);
}
