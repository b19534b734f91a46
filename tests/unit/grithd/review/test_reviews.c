/* SPDX-License-Identifier: MPL-2.0 */
/* The review room by itself: questions and answers, with processes that only wait to be resumed. */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include <criterion/criterion.h>

#include "grithd/review/review.h"
#include "../fake_audit.h"
#include "../fake_kernel.h"

#define CGROUP 77
#define OBJECT 0x1234

static char directory[] = "/tmp/grith-reviews-XXXXXX";
static struct kernel kernel;
static struct root_cgroup root = { .path = "/grith", .fd = -1 };
static struct audit audit;
static struct sessions sessions;
static struct reviews reviews;
static struct session session;
static struct session *list[] = { &session };
static pid_t waiters[4];

/* What the callback was told of last, and how often. */
static struct {
	unsigned int count;
	uint32_t id;
	enum proto_state state;
} changed;

static void on_changed(void *arg, const struct review *review)
{
	cr_assert_eq(arg, &changed);
	changed.count++;
	changed.id = review->id;
	changed.state = review->state;
}

static const struct review_ops ops = { .changed = on_changed };

static void set_up(void)
{
	cr_assert_not_null(mkdtemp(directory));
	sessions.list = list;
	sessions.count = 1;
	session.sessions = &sessions;
	session.info = (struct session_info) {
		.id = "s123456789",
		.name = "agent",
		.profile = "generic",
		.uid = 1000,
		.cgroup = CGROUP,
		.threshold_hold = 300,
		.threshold_deny = 800,
	};
	reviews = (struct reviews) {
		.ops = &ops,
		.arg = &changed,
		.kernel = &kernel,
		.audit = &audit,
		.sessions = &sessions,
		.root = &root,
		.remembered = REMEMBERED_CLOSED,
		.trust = TRUST_STORE_CLOSED,
		.canaries = CANARIES_CLOSED,
	};
	cr_assert_geq(sd_event_new(&reviews.event), 0);
	cr_assert_eq(remembered_open(&reviews.remembered, directory), 0);
	cr_assert_eq(trust_store_open(&reviews.trust, directory), 0);
	cr_assert_eq(canaries_open(&reviews.canaries, directory), 0);
	reviews_init(&reviews);
	cr_assert_eq(reviews_session_added(&reviews, &session, false), 0);
}

static void tear_down(void)
{
	OWNED_TEXT struct text command = { 0 };
	sd_event *event = reviews.event;

	reviews_free(&reviews);
	reviews_session_removed(&session);
	sd_event_unref(event);
	for (size_t i = 0; i < ARRAY_SIZE(waiters); i++)
		if (waiters[i]) {
			kill(waiters[i], SIGKILL);
			waitpid(waiters[i], NULL, 0);
		}
	text_addf(&command, "rm -rf '%s'", directory);
	cr_assert_eq(system(command.data), 0);
	fake_audit_clear();
}

TestSuite(reviews, .init = set_up, .fini = tear_down, .timeout = 20);

/* A process that waits; its pid. */
static uint32_t waiter(size_t i)
{
	waiters[i] = fork();
	if (waiters[i] == 0)
		for (;;)
			pause();
	return (uint32_t)waiters[i];
}

static struct review *ask(uint32_t pid, const char *path)
{
	const struct record record = {
		.head = {
			.version = GRITH_ABI_VERSION, .kind = GRITH_KIND_PATH, .session = CGROUP,
			.pid = pid, .tid = pid, .op = GRITH_OP_WRITE, .verdict = GRITH_HOLD,
			.flags = GRITH_RECORD_HELD, .score = 400,
			.object = OBJECT + strlen(path),
		},
		.path = { path, strlen(path) },
	};
	struct review *review =
		reviews_ask(&reviews, &session, &record, (struct record_bytes) { 0 }, "/bin/agent");

	if (review)
		review_announce(review);
	return review;
}

static void answer(struct review *review, enum grith_verdict verdict, enum proto_scope scope)
{
	const struct answer given = {
		.verdict = verdict, .scope = scope, .by = BY_USER, .uid = 1000
	};

	cr_assert_eq(review_answer(review, &given), 0);
}

Test(reviews, identical_holds_are_one_review_whose_answer_reaches_each)
{
	uint32_t first = waiter(0), second = waiter(1);
	struct review *review = ask(first, "/etc/hosts");

	cr_assert_not_null(review);
	cr_assert_null(ask(second, "/etc/hosts"), "it joins the first");
	cr_assert_eq(reviews.n_waiting, 1);
	cr_assert_eq(reviews.holds.count, 2);
	cr_assert_eq(kernel.n_resumed, 0);
	answer(review, GRITH_ALLOW, PROTO_ONCE);
	cr_assert_eq(kernel.n_answers, 2);
	cr_assert_eq(fake_answer_of(&kernel, first)->answer.verdict, GRITH_ALLOW);
	cr_assert_eq(fake_answer_of(&kernel, second)->answer.verdict, GRITH_ALLOW);
	cr_assert_eq(fake_answer_of(&kernel, second)->answer.once, 1);
	cr_assert_eq(kernel.n_resumed, 2);
	cr_assert_eq(changed.state, PROTO_ALLOWED);
	cr_assert_eq(session.review->waiting, 0);
}

Test(reviews, another_object_is_another_review)
{
	ask(waiter(0), "/etc/hosts");
	cr_assert_not_null(ask(waiter(1), "/etc/passwd"));
	cr_assert_eq(reviews.n_waiting, 2);
}

Test(reviews, the_time_out_denies)
{
	uint32_t pid = waiter(0);

	session.info.timeout = 1;
	cr_assert_not_null(ask(pid, "/etc/hosts"));
	while (reviews.n_waiting)
		cr_assert_geq(sd_event_run(reviews.event, UINT64_MAX), 0);
	cr_assert_eq(changed.state, PROTO_EXPIRED);
	cr_assert_eq(fake_answer_of(&kernel, pid)->answer.verdict, GRITH_DENY);
	cr_assert_eq(kernel.resumed[0], pid);
	cr_assert_not_null(strstr(fake_audit_text(), "\"expired\""));
}

Test(reviews, an_answer_that_the_kernel_refuses_leaves_the_review_waiting)
{
	const struct answer given = { .verdict = GRITH_ALLOW, .by = BY_USER };
	struct review *review = ask(waiter(0), "/etc/hosts");

	kernel.answer_r = -EIO;
	cr_assert_eq(review_answer(review, &given), -EIO);
	cr_assert_eq(review->state, PROTO_WAITING);
	cr_assert_eq(reviews.holds.count, 1);
	cr_assert_eq(kernel.n_resumed, 0);
}

Test(reviews, an_answer_for_the_session_needs_no_second_question)
{
	uint32_t second;

	answer(ask(waiter(0), "/etc/hosts"), GRITH_DENY, PROTO_SESSION);
	second = waiter(1);
	ask(second, "/etc/hosts");
	cr_assert_eq(reviews.n_waiting, 0);
	cr_assert_eq(kernel.resumed[1], second);
}

Test(reviews, who_has_ended_waits_no_more)
{
	uint32_t pid = waiter(0);

	ask(pid, "/etc/hosts");
	kill((pid_t)pid, SIGKILL);
	while (reviews.n_waiting)
		cr_assert_geq(sd_event_run(reviews.event, UINT64_MAX), 0);
	cr_assert_eq(changed.state, PROTO_GONE);
	cr_assert_eq(kernel.n_resumed, 0);
}

Test(reviews, those_of_a_session_are_gone_at_its_end)
{
	struct review *review = ask(waiter(0), "/etc/hosts");
	uint32_t id = review->id;

	reviews_session_ended(&reviews, &session.info, &session);
	cr_assert_eq(changed.state, PROTO_GONE);
	cr_assert_eq(changed.id, id);
	cr_assert_null(reviews_find(&reviews, id)->session);
	cr_assert_eq(reviews.holds.count, 0);
}

Test(reviews, a_hold_of_which_no_record_came_is_asked_for_again)
{
	uint32_t pid = waiter(0);

	kernel.holds[0] = (struct kernel_hold) {
		.key = { pid, pid },
		.hold = { .session = CGROUP, .object = OBJECT },
	};
	kernel.holds[1] = (struct kernel_hold) { .key = { pid, 1 }, .hold = { .session = 4711 } };
	kernel.n_holds = 2;
	reviews_scan(&reviews);
	cr_assert_eq(kernel.n_holds, 1, "that of no session is removed");
	cr_assert_eq(kernel.holds[0].hold.resend, 1);
	cr_assert_eq(kernel.resumed[0], pid);
}
