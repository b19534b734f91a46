/* SPDX-License-Identifier: MPL-2.0 */
/* Answers that stand are listed, and taken back by whom they are of. */
#include <signal.h>
#include <string.h>

#include <criterion/criterion.h>

#include "harness_hold.h"

#define NOBODY 65534
#define SOMEBODY 65533
#define LIST "{\"v\":1,\"do\":\"answers\"}"
#define REVOKE_ALL "{\"v\":1,\"do\":\"answers\",\"revoke\":\"all\"}"

TestSuite(standing, .init = harness_set_up, .fini = harness_tear_down, .timeout = 120);

static struct test_hold write_of(const char *path, uint64_t object)
{
	return (struct test_hold) {
		.pid = waiter_start(), .op = GRITH_OP_WRITE, .path = path, .object = object
	};
}

/* Held, and answered so; the number of the review. */
static json_int_t give(struct test_session *session, const char *path, uint64_t object,
		       const char *verdict, const char *more)
{
	struct test_hold hold = write_of(path, object);
	json_t *review;
	json_int_t id;

	hold_send(session, &hold);
	review = only_review(session);
	id = json_integer_value(json_object_get(review, "id"));
	cr_assert(is_ok(answer(review, verdict, more)));
	waiter_expect_continued(hold.pid);
	return id;
}

static void expect_asked(struct test_session *session, const char *path, uint64_t object)
{
	struct test_hold hold = write_of(path, object);

	hold_send(session, &hold);
	waiter_expect_stopped(hold.pid);
	cr_assert(is_ok(answer(only_review(session), "deny", "")));
	waiter_expect_continued(hold.pid);
}

static json_t *answers_in(json_t *reply)
{
	cr_assert(is_ok(reply));
	return json_object_get(reply, "answers");
}

static json_t *take_back(json_int_t review)
{
	char request[128];

	snprintf(request, sizeof(request), "{\"v\":1,\"do\":\"answers\",\"revoke\":%d}",
		 (int)review);
	return ask(request);
}

/* One who may ask: who asks for a broken policy is not supervised. */
static pid_t outside(uid_t uid)
{
	json_t *reply;

	return agent_start(
		uid, "{\"v\":1,\"do\":\"start\",\"command\":[\"x\"],\"profile\":\"none\"}", &reply);
}

static void start_again(void)
{
	daemon_signal(SIGKILL);
	daemon_wait();
	daemon_start();
}

Test(standing, listed_and_taken_back)
{
	struct test_session session;
	json_int_t first, second;
	json_t *list;

	daemon_start();
	session_start(NOBODY, "", &session);
	first = give(&session, "/a/b", 1, "allow", ",\"for\":\"session\"");
	second = give(&session, "/a/c/d", 2, "deny", ",\"for\":\"always\",\"directory\":\"/a/c\"");
	list = answers_in(ask(LIST));
	cr_assert_eq(json_array_size(list), 2);
	cr_assert_str_eq(string_of(json_array_get(list, 0), "for"), "session");
	cr_assert_str_eq(string_of(json_array_get(list, 0), "session"), session.id);
	cr_assert_str_eq(string_of(json_array_get(list, 0), "object"), "/a/b");
	cr_assert_str_eq(string_of(json_array_get(list, 0), "verdict"), "allow");
	cr_assert_eq(json_integer_value(json_object_get(json_array_get(list, 0), "review")), first);
	cr_assert_str_eq(string_of(json_array_get(list, 1), "for"), "always");
	cr_assert_str_eq(string_of(json_array_get(list, 1), "kind"), "directory");
	cr_assert_not_null(answer_text(&session, 1, 0));

	/* In the kernel at once, and not reused for the same question either. */
	cr_assert_eq(json_array_size(answers_in(take_back(first))), 1);
	cr_assert_null(answer_text(&session, 1, 0));
	expect_asked(&session, "/a/b", 1);
	cr_assert_str_eq(error_of(take_back(first)), "not_found");
	cr_assert_eq(json_array_size(answers_in(take_back(second))), 0);
	expect_asked(&session, "/a/c/d", 2);
	start_again();
	cr_assert_eq(json_array_size(answers_in(ask(LIST))), 0);
}

Test(standing, all_of_one_user)
{
	struct test_session one, two;
	json_t *list;
	pid_t user;

	daemon_start();
	session_start(NOBODY, "", &one);
	session_start(SOMEBODY, "", &two);
	give(&one, "/a/b", 1, "allow", ",\"for\":\"session\"");
	give(&one, "/a/c", 2, "allow", ",\"for\":\"always\"");
	give(&two, "/a/b", 3, "allow", ",\"for\":\"session\"");
	give(&two, "/a/c", 4, "allow", ",\"for\":\"always\"");
	start_again(); /* no answers for always were asked for by this one */
	cr_assert_eq(json_array_size(answers_in(ask(LIST))), 4);
	user = outside(NOBODY);
	list = answers_in(agent_ask(user, true, LIST));
	cr_assert_eq(json_array_size(list), 2);
	cr_assert_eq(json_integer_value(json_object_get(json_array_get(list, 0), "uid")), NOBODY);
	cr_assert_eq(json_array_size(answers_in(agent_ask(user, true, REVOKE_ALL))), 0);
	cr_assert_null(answer_text(&one, 1, 0));
	cr_assert_null(answer_text(&one, 2, 0));
	cr_assert_not_null(answer_text(&two, 3, 0));
	cr_assert_eq(json_array_size(answers_in(ask(LIST))), 2);
}

Test(standing, not_by_others_nor_from_a_session)
{
	struct test_session session;
	char request[128];
	json_int_t review;

	daemon_start();
	session_start(NOBODY, "", &session);
	review = give(&session, "/a/b", 1, "deny", ",\"for\":\"session\"");
	snprintf(request, sizeof(request), "{\"v\":1,\"do\":\"answers\",\"revoke\":%d}",
		 (int)review);
	cr_assert_str_eq(error_of(agent_ask(outside(SOMEBODY), true, request)), "not_found");
	cr_assert_str_eq(error_of(agent_ask(session.agent, true, request)), "denied");
	cr_assert_str_eq(error_of(agent_ask(session.agent, true, LIST)), "denied");
	cr_assert_eq(json_array_size(answers_in(ask(LIST))), 1);
	cr_assert_not_null(answer_text(&session, 1, 0));
}

/* Of what has no name only the kernel knows what it is; it is listed all the same. */
Test(standing, without_a_name)
{
	struct test_session session;
	struct test_hold hold = write_of("/a/b", 1);
	json_int_t id;
	json_t *list;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold.flags = GRITH_RECORD_HELD | GRITH_RECORD_UNKNOWN;
	hold_send(&session, &hold);
	id = json_integer_value(json_object_get(only_review(&session), "id"));
	cr_assert_str_eq(error_of(answer(only_review(&session), "allow", ",\"for\":\"always\"")),
			 "bad_request");
	cr_assert(is_ok(answer(only_review(&session), "allow", ",\"for\":\"session\"")));
	waiter_expect_continued(hold.pid);
	list = answers_in(ask(LIST));
	cr_assert_eq(json_array_size(list), 1);
	cr_assert_str_eq(string_of(json_array_get(list, 0), "kind"), "other");
	cr_assert_eq(json_array_size(answers_in(take_back(id))), 0);
	cr_assert_null(answer_text(&session, 1, 0));
}
