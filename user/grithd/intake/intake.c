/* SPDX-License-Identifier: MPL-2.0 */
/* One record after the other: counted, asked about, scored, logged. */
#include <signal.h>

#include "intake.h"

#define RECORDS_AT_ONCE 1024
#define CATCH_UP_ROUNDS 256 /* of so many: more than the ring has room for */
#define POLL_USEC UINT64_C(50000) /* records that did not wake grithd are at most this old */
#define SCAN_NS (60 * UINT64_C(1000000000))

enum end {
	END_EMPTY, /* there are no more */
	END_LATER, /* one came that is younger than was asked for */
	END_FULL, /* as many as are taken in at once */
};

/* One run over the ring buffer. */
struct run {
	struct intake *intake;
	uint64_t began; /* CLOCK_MONOTONIC, nanoseconds */
	uint64_t offset; /* of CLOCK_REALTIME from it */
	uint64_t until; /* CLOCK_MONOTONIC, nanoseconds */
	unsigned int left;
	enum end end;
};

/* One record on its way through. */
struct passing {
	const struct run *run;
	struct session *session;
	const char *program, *parent;
};

static struct run start_run(struct intake *intake)
{
	struct event_head now = event_now(NULL);

	return (struct run) {
		.intake = intake,
		.began = now.mono,
		.offset = now.time - now.mono,
		.left = RECORDS_AT_ONCE,
	};
}

static bool is_gone(uint32_t pid)
{
	return kill(pid, 0) < 0 && errno == ESRCH;
}

/* Exits may be among what was lost, and their numbers may have been given away again. */
static void sweep_after_loss(struct intake *intake)
{
	for (size_t i = 0; i < intake->sessions->count; i++) {
		struct session *session = intake->sessions->list[i];

		if (session->intake->unlogged[LOSS_RING])
			process_table_sweep(&session->processes, is_gone);
		losses_log(intake, session);
	}
}

static void count(struct run *run, struct session *session, const struct grith_record *head)
{
	struct intake_session *own = session->intake;

	losses_note(run->intake, session, head->sequence);
	if (head->kind == GRITH_KIND_ARGV)
		return;
	own->operations++;
	own->refused += head->kind != GRITH_KIND_EXIT && head->kind != GRITH_KIND_RESULT &&
			head->error < 0 && !(head->flags & GRITH_RECORD_HELD);
}

/* It is held, or would have been: a question, which is scored before it happens. */
static bool is_asked(const struct grith_record *head)
{
	return head->flags & (GRITH_RECORD_HELD | GRITH_RECORD_HOLD_REFUSED);
}

/* A fact that no rule could have refused, or what came of a decision. */
static bool is_fact(const struct grith_record *head)
{
	return head->kind == GRITH_KIND_EXIT || head->kind == GRITH_KIND_RESULT;
}

/* Where a doubtful operation may carry a secret away, the log has how its process came by that. */
static bool may_leak(const struct grith_record *head, bool scored)
{
	return (head->op == GRITH_OP_EXEC || op_is_egress(head->op)) &&
	       (head->verdict != GRITH_ALLOW || head->filters || scored);
}

static void write_operation(const struct passing *p, const struct record *record,
			    struct record_bytes argv)
{
	const struct grith_record *head = &record->head;
	struct session *session = p->session;
	struct intake *intake = p->run->intake;
	const struct session_rule *rule = session_info_rule(&session->info, head->rule);
	const struct record_bytes none = { 0 };
	struct event_operation event = {
		.head = { head->time + p->run->offset, head->time, session->info.id },
		.record = record,
		.argv = argv,
		.program = p->program,
		.parent = p->parent,
		.attach = intake->attach,
	};
	struct review *review = NULL;
	struct flow_chain chain;
	struct session *target;
	struct score score;

	flow_note(session->review->flow, record, argv, p->program);
	if (is_asked(head)) /* before anything is written: a process waits */
		review = reviews_ask(intake->reviews, session, record,
				     head->flags & GRITH_RECORD_INSPECT_ARGV ? argv : none,
				     p->program);
	else if (!is_fact(head) && reviews_note(intake->reviews, session, record, argv, p->program,
						event.head.time, &score))
		event.score = &score;
	if (may_leak(head, event.score) && reviews_chain(intake->reviews, session, head, &chain))
		event.chain = &chain;
	if (rule) {
		event.rule_file = session->info.files[rule->file];
		event.rule_line = rule->line;
		event.reason = rule->reason;
	}
	if (record->target_session) {
		target = sessions_find_cgroup(intake->sessions, record->target_session);
		event.target_session = target ? target->info.id : "unknown";
	}
	session->intake->lost += audit_log_operation(intake->audit->log, &event) < 0;
	if (head->flags & GRITH_RECORD_ANSWERED)
		holds_replayed(&intake->reviews->holds, head);
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

	p.session = sessions_find_cgroup(run->intake->sessions, head->session);
	if (!p.session) {
		run->intake->stray_records++;
		return;
	}
	count(run, p.session, head);
	programs_of(p.session, record, &p.program, &p.parent);
	switch (head->kind) {
	case GRITH_KIND_EXEC:
	case GRITH_KIND_ARGV:
		exec_join_add(&p.session->intake->joins, record, write_exec, &p);
		break;
	case GRITH_KIND_EXIT:
		exec_join_flush(&p.session->intake->joins, head->tid, write_exec, &p);
		write_operation(&p, record, (struct record_bytes) { 0 });
		process_table_remove(&p.session->processes, head->pid);
		break;
	default:
		write_operation(&p, record, (struct record_bytes) { 0 });
	}
}

/*
 * What was taken in has to be written before more is. Where it cannot be written it is lost, so
 * that what is held goes on being asked about; but if nothing may be lost, everything is frozen,
 * and stays in the ring.
 */
static bool is_log_full(const struct intake *intake)
{
	return audit_log_is_full(intake->audit->log) && (!intake->audit->failing || intake->strict);
}

static int on_record(void *arg, const void *data, size_t size)
{
	struct run *run = arg;
	struct record record;
	int r = record_decode(data, size, &record);

	run->intake->records++;
	if (r < 0)
		run->intake->bad_records++;
	else
		take_record(run, &record);
	if (!--run->left || is_log_full(run->intake))
		run->end = END_FULL;
	else if (r == 0 && record.head.time > run->until)
		run->end = END_LATER;
	return run->end == END_EMPTY ? 0 : -EAGAIN;
}

/* A limited number of records, so that a flood of them does not keep everything else waiting. */
static int take_some(struct intake *intake, uint64_t until, enum end *ret_end)
{
	struct run run = start_run(intake);
	int r;

	run.until = until;
	r = kernel_ring_consume(intake->kernel, on_record, &run);
	if (r < 0 && run.end == END_EMPTY) {
		log_line(LOG_ERR, "cannot read records: %s", strerror(-r));
		return r;
	}
	if (run.end == END_EMPTY)
		intake->emptied = run.began;
	sweep_after_loss(intake);
	*ret_end = run.end;
	return 0;
}

void intake_catch_up(struct intake *intake)
{
	uint64_t until = clock_mono();
	enum end end = END_FULL;

	for (int i = 0; i < CATCH_UP_ROUNDS && end == END_FULL && !is_log_full(intake); i++) {
		if (take_some(intake, until, &end) < 0)
			break;
		audit_write(intake->audit);
	}
}

void intake_refresh(struct intake *intake)
{
	enum end end;

	if (is_log_full(intake))
		return;
	take_some(intake, clock_mono(), &end);
	audit_write(intake->audit);
}

/* --- sessions */

int intake_session_added(struct intake *intake, struct session *session, bool adopted)
{
	session->intake = calloc(1, sizeof(*session->intake));
	if (!session->intake)
		return -ENOMEM;
	session->intake->counting = !adopted; /* from 0 */
	session->intake->heard = adopted ? UINT64_MAX : 0;
	if (!intake->poll)
		return 0;
	sd_event_source_set_time_relative(intake->poll, POLL_USEC);
	return sd_event_source_set_enabled(intake->poll, SD_EVENT_ONESHOT);
}

void intake_session_removed(struct intake *intake, struct session *session)
{
	if (!intake->sessions->count && intake->poll)
		sd_event_source_set_enabled(intake->poll, SD_EVENT_OFF);
	if (session->intake)
		exec_join_free(&session->intake->joins);
	free(TAKE_PTR(session->intake));
}

/* Incomplete argument lists are logged as they are, and missing records count as lost. */
static void give_up_missing(struct intake *intake, struct session *session, uint64_t below)
{
	struct run run = start_run(intake);
	struct passing p = { .run = &run, .session = session };

	exec_join_flush(&session->intake->joins, 0, write_exec, &p);
	losses_give_up(intake, session, below);
	losses_log(intake, session);
}

/* Its records are taken in even if they can only be counted: nobody could later. */
void intake_session_ending(struct intake *intake, struct session *session)
{
	bool strict = intake->strict;

	intake->strict = false;
	intake_catch_up(intake);
	intake->strict = strict;
	give_up_missing(intake, session, losses_made(intake, session));
}

/* --- the event loop */

void intake_scan(struct intake *intake)
{
	intake->scanned = clock_mono();
	intake->lost_records = false;
	reviews_scan(intake->reviews);
}

static void give_up_overdue(struct intake *intake)
{
	for (size_t i = 0; i < intake->sessions->count; i++) {
		struct session *session = intake->sessions->list[i];

		if (session->intake->sequence.next < session->intake->overdue)
			give_up_missing(intake, session, session->intake->overdue);
	}
}

static void look_after(struct intake *intake)
{
	uint64_t now = clock_mono();

	holds_look_after(&intake->reviews->holds, now);
	if (losses_look(intake, now))
		give_up_overdue(intake);
	if (intake->lost_records || now - intake->scanned > SCAN_NS)
		intake_scan(intake);
}

static int set_turn(struct intake *intake, enum priority priority)
{
	int r = sd_event_source_set_priority(intake->ring, priority);

	return r < 0 ? r : sd_event_source_set_priority(intake->poll, priority);
}

/*
 * Where records come faster than they are taken in, the ring buffer waits its turn behind clients:
 * else no client could end the session that makes them.
 */
static int take_turn(struct intake *intake)
{
	enum end end = END_FULL;
	int r = is_log_full(intake) ? 0 : take_some(intake, UINT64_MAX, &end);

	audit_write(intake->audit);
	/* The poll tries again: a ring that is not emptied would wake us for ever. */
	r = r
		    ?: sd_event_source_set_enabled(intake->ring, is_log_full(intake) ? SD_EVENT_OFF
										     : SD_EVENT_ON);
	return r < 0 ? r : set_turn(intake, end == END_FULL ? PRIORITY_LOG : PRIORITY_RECORDS);
}

static int on_ring(sd_event_source *source, int fd, uint32_t events, void *arg)
{
	(void)source;
	(void)fd;
	(void)events;
	return take_turn(arg); /* an error ends the event loop */
}

static int on_poll(sd_event_source *source, uint64_t time, void *arg)
{
	struct intake *intake = arg;
	int r = take_turn(intake);

	(void)time;
	if (r < 0)
		return r;
	look_after(intake);
	r = sd_event_source_set_time_relative(source, POLL_USEC);
	return r < 0 ? r : sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

int intake_start(struct intake *intake, sd_event *event)
{
	int r = sd_event_add_io(event, &intake->ring, kernel_ring_fd(intake->kernel), EPOLLIN,
				on_ring, intake);

	if (r >= 0)
		r = sd_event_add_time_relative(event, &intake->poll, CLOCK_MONOTONIC, POLL_USEC, 0,
					       on_poll, intake);
	if (r >= 0 && !intake->sessions->count)
		r = sd_event_source_set_enabled(intake->poll, SD_EVENT_OFF);
	return r < 0 ? r : set_turn(intake, PRIORITY_RECORDS);
}

void intake_stop(struct intake *intake)
{
	intake->ring = sd_event_source_disable_unref(intake->ring);
	intake->poll = sd_event_source_disable_unref(intake->poll);
}
