/* SPDX-License-Identifier: MPL-2.0 */
/* The intake room by itself: records in, lines and counts out; what asks for an answer is faked. */
#include <criterion/criterion.h>

#include "grithd/intake/intake.h"
#include "../fake_audit.h"
#include "../fake_kernel.h"

#define CGROUP 77
#define PATH "/etc/hosts"

static struct kernel kernel;
static struct audit audit;
static struct root_cgroup root = { .path = "/grith", .fd = -1 };
static struct session session;
static struct session *list[] = { &session };
static struct sessions sessions = { .root = &root, .list = list, .count = 1 };
static struct reviews reviews;
static struct review_session review_session;
static struct intake intake = {
	.kernel = &kernel,
	.audit = &audit,
	.sessions = &sessions,
	.reviews = &reviews,
	.attach = "lsm",
};

/* --- the review room, which only counts what it is asked */

static unsigned int asked, noted, replayed;

struct review *reviews_ask(struct reviews *of, struct session *by, const struct record *record,
			   struct record_bytes argv, const char *program)
{
	(void)of;
	(void)by;
	(void)record;
	(void)argv;
	(void)program;
	cr_assert_str_eq(fake_audit_text(), "", "a process waits: before its line is written");
	asked++;
	return NULL;
}

bool reviews_note(struct reviews *of, struct session *by, const struct record *record,
		  struct record_bytes argv, const char *program, uint64_t time, struct score *score)
{
	(void)of;
	(void)by;
	(void)record;
	(void)argv;
	(void)program;
	(void)time;
	(void)score;
	noted++;
	return false;
}

bool reviews_chain(const struct reviews *of, const struct session *by,
		   const struct grith_record *head, struct flow_chain *ret_chain)
{
	(void)of;
	(void)by;
	(void)head;
	(void)ret_chain;
	return false;
}

void review_announce(struct review *review)
{
	(void)review;
}

void reviews_scan(struct reviews *of)
{
	(void)of;
}

void holds_replayed(struct holds *holds, const struct grith_record *head)
{
	(void)holds;
	(void)head;
	replayed++;
}

void holds_look_after(struct holds *holds, uint64_t now)
{
	(void)holds;
	(void)now;
}

/* --- */

static void set_up(void)
{
	session = (struct session) {
		.sessions = &sessions,
		.info = { .id = "s123456789", .cgroup = CGROUP },
		.review = &review_session,
	};
	review_session.flow = flow_new(session.info.sources);
	cr_assert_eq(intake_session_added(&intake, &session, false), 0);
}

static void tear_down(void)
{
	intake_session_removed(&intake, &session);
	process_table_free(&session.processes);
	flow_free(review_session.flow);
	fake_audit_clear();
}

TestSuite(intake, .init = set_up, .fini = tear_down);

/* Takes in a record that the kernel would send. */
static void take_in(uint64_t cgroup, uint64_t sequence, uint16_t flags)
{
	struct {
		struct grith_path_record path;
		char bytes[sizeof(PATH) - 1];
	} record = {
		.path = {
			.head = {
				.version = GRITH_ABI_VERSION, .kind = GRITH_KIND_PATH,
				.length = sizeof(record.path) + sizeof(record.bytes), .time = 1,
				.session = cgroup, .sequence = sequence, .pid = 4711, .tid = 4711,
				.op = GRITH_OP_READ, .flags = flags,
				.verdict = flags ? GRITH_HOLD : GRITH_ALLOW,
			},
			.path_at = sizeof(record.path), .path_length = sizeof(record.bytes),
		},
	};

	memcpy(record.bytes, PATH, sizeof(record.bytes));
	kernel.records[0] = &record;
	kernel.sizes[0] = record.path.head.length;
	kernel.n_records = 1;
	intake_catch_up(&intake);
}

Test(intake, a_record_is_a_line)
{
	take_in(CGROUP, 0, 0);
	cr_assert_not_null(strstr(fake_audit_text(), PATH));
	cr_assert_eq(session.intake->operations, 1);
	cr_assert_eq(noted, 1);
	cr_assert_eq(asked, 0);
}

Test(intake, a_hold_is_asked_about_before_it_is_logged)
{
	take_in(CGROUP, 0, GRITH_RECORD_HELD);
	cr_assert_eq(asked, 1);
	cr_assert_eq(noted, 0);
	cr_assert_not_null(strstr(fake_audit_text(), PATH));
}

Test(intake, a_hole_in_the_sequence_is_lost_once_it_is_a_window_behind)
{
	take_in(CGROUP, 0, 0);
	take_in(CGROUP, 2, 0);
	cr_assert_eq(session.intake->lost, 0, "1 may still come");
	take_in(CGROUP, 2 + SEQUENCE_WINDOW, 0);
	cr_assert_gt(session.intake->lost, 0);
	cr_assert(intake.lost_records, "a hold may be among them");
	cr_assert_not_null(strstr(fake_audit_text(), "the ring buffer was full"));
}

Test(intake, what_is_missing_at_the_end_of_a_session_is_lost)
{
	take_in(CGROUP, 0, 0);
	take_in(CGROUP, 6, 0);
	intake_session_ending(&intake, &session);
	cr_assert_eq(session.intake->lost, 5);
	cr_assert_not_null(strstr(fake_audit_text(), "\"lost\":5"));
	cr_assert_eq(session.intake->unlogged[LOSS_RING], 0);
}

Test(intake, an_adopted_session_goes_on_with_the_first_number_that_comes)
{
	intake_session_removed(&intake, &session);
	cr_assert_eq(intake_session_added(&intake, &session, true), 0);
	take_in(CGROUP, 5000, 0);
	intake_session_ending(&intake, &session);
	cr_assert_eq(session.intake->lost, 0);
}

Test(intake, records_of_no_session_and_of_no_form_are_counted)
{
	take_in(4711, 0, 0);
	cr_assert_eq(intake.stray_records, 1);
	kernel.records[0] = "not a record";
	kernel.sizes[0] = sizeof("not a record");
	kernel.n_records = 1;
	intake_catch_up(&intake);
	cr_assert_eq(intake.bad_records, 1);
	cr_assert_eq(intake.records, 2);
	cr_assert_str_eq(fake_audit_text(), "");
}
