/* SPDX-License-Identifier: MPL-2.0 */
/* From a hold to its answer, and all that can come between the two. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "harness_hold.h"

#define NOBODY 65534
#define SOMEBODY 65533
#define MANY 250

TestSuite(holds, .init = harness_set_up, .fini = harness_tear_down, .timeout = 120);

static struct test_hold read_of(pid_t pid, const char *path, uint64_t object)
{
	return (struct test_hold) {
		.pid = pid, .op = GRITH_OP_READ, .path = path, .object = object, .rule = 0
	};
}

/* The entries of the log that have both parts. */
static unsigned int logged(const char *part, const char *other)
{
	char *log = read_file(at("log/audit.jsonl")), *next = log;
	unsigned int found = 0;

	for (char *line; (line = strsep(&next, "\n"));)
		found += strstr(line, part) && strstr(line, other);
	free(log);
	return found;
}

Test(holds, allow_once)
{
	struct test_session session;
	struct test_hold hold;
	json_t *review;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = read_of(waiter_start(), "/home/u/.npmrc", 77);
	hold_send(&session, &hold);
	review = only_review(&session);
	cr_assert_str_eq(string_of(review, "state"), "waiting");
	cr_assert_str_eq(string_of(review, "op"), "read");
	cr_assert_str_eq(string_of(review, "object"), "/home/u/.npmrc");
	cr_assert(has_true(review, "held"));
	cr_assert_eq(json_integer_value(json_object_get(review, "processes")), 1);
	cr_assert_str_eq(string_of(json_object_get(review, "covers"), "directory"), "/home/u");
	waiter_expect_stopped(hold.pid);

	cr_assert(is_ok(answer(review, "allow", "")));
	cr_assert(answer_is(&session, 77, hold.pid, GRITH_ALLOW, true));
	waiter_expect_continued(hold.pid);
	cr_assert_null(answer_text(&session, 77, 0));
	cr_assert_eq(json_array_size(reviews_of(&session, false)), 0);
	review = json_array_get(reviews_of(&session, true), 0);
	cr_assert_str_eq(string_of(review, "state"), "allowed");
	cr_assert_str_eq(string_of(json_object_get(review, "answer"), "by"), "uid 0");
	cr_assert_str_eq(error_of(answer(review, "deny", "")), "bad_request");
	cr_assert_eq(logged("\"kind\":\"review\"", "\"state\":\"asked\""), 1);
	cr_assert_eq(logged("\"kind\":\"review\"", "\"state\":\"allowed\""), 1);
}

Test(holds, deny)
{
	struct test_session session;
	struct test_hold hold;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = read_of(waiter_start(), "/home/u/.npmrc", 77);
	hold_send(&session, &hold);
	cr_assert(is_ok(answer(only_review(&session), "deny", "")));
	cr_assert(answer_is(&session, 77, hold.pid, GRITH_DENY, true));
	waiter_expect_continued(hold.pid);
}

Test(holds, identical_ones_are_one_review)
{
	struct test_session session;
	struct test_hold one, two, other;
	json_t *reviews;

	daemon_start();
	session_start(NOBODY, "", &session);
	one = read_of(waiter_start(), "/a/b", 1);
	two = read_of(waiter_start(), "/a/b", 1);
	other = read_of(waiter_start(), "/a/c", 2);
	hold_send(&session, &one);
	hold_send(&session, &two);
	hold_send(&session, &one); /* its record was sent again */
	hold_send(&session, &other);
	reviews = reviews_of(&session, false);
	cr_assert_eq(json_array_size(reviews), 2);
	cr_assert_eq(json_integer_value(json_object_get(json_array_get(reviews, 0), "processes")),
		     2);
	cr_assert(is_ok(answer(json_array_get(reviews, 0), "allow", "")));
	waiter_expect_continued(one.pid);
	waiter_expect_continued(two.pid);
	waiter_expect_stopped(other.pid);
}

Test(holds, an_identical_retry_has_the_same_answer)
{
	struct test_session session;
	struct test_hold hold;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = read_of(waiter_start(), "/a/b", 1);
	hold_send(&session, &hold);
	cr_assert(is_ok(answer(only_review(&session), "allow", "")));
	waiter_expect_continued(hold.pid);
	hold_replay(&session, &hold, GRITH_ALLOW);

	hold.pid = waiter_start();
	hold_send(&session, &hold);
	waiter_expect_continued(hold.pid);
	cr_assert(answer_is(&session, 1, hold.pid, GRITH_ALLOW, true));
	cr_assert_eq(json_array_size(reviews_of(&session, true)), 1);
}

Test(holds, nobody_answers)
{
	struct test_session session;
	struct test_hold hold;
	json_t *review;

	daemon_start();
	session_start(NOBODY, ",\"timeout\":1", &session);
	hold = read_of(waiter_start(), "/a/b", 1);
	hold_send(&session, &hold);
	only_review(&session);
	waiter_expect_continued(hold.pid);
	cr_assert(answer_is(&session, 1, hold.pid, GRITH_DENY, true));
	review = json_array_get(reviews_of(&session, true), 0);
	cr_assert_str_eq(string_of(review, "state"), "expired");
	cr_assert_str_eq(string_of(json_object_get(review, "answer"), "by"), "timeout");
	cr_assert_eq(logged("\"state\":\"expired\"", "\"by\":\"timeout\""), 1);
	cr_assert_str_eq(error_of(answer(review, "allow", "")), "bad_request");
}

Test(holds, nobody_is_asked)
{
	struct test_session denying, allowing;
	struct test_hold hold;
	json_t *review;

	daemon_start();
	session_start(NOBODY, ",\"on_hold\":\"deny\"", &denying);
	session_start(NOBODY, ",\"on_hold\":\"allow\"", &allowing);
	hold = read_of(waiter_start(), "/a/b", 1);
	hold_send(&denying, &hold);
	waiter_expect_continued(hold.pid);
	cr_assert(answer_is(&denying, 1, hold.pid, GRITH_DENY, true));
	hold = read_of(waiter_start(), "/a/b", 1);
	hold_send(&allowing, &hold);
	waiter_expect_continued(hold.pid);
	cr_assert(answer_is(&allowing, 1, hold.pid, GRITH_ALLOW, true));
	review = json_array_get(reviews_of(&allowing, true), 0);
	cr_assert_str_eq(string_of(json_object_get(review, "answer"), "by"), "--on-hold");
}

Test(holds, killed_while_held)
{
	struct test_session session;
	struct test_hold hold;
	json_t *reviews;
	int fd;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = read_of(waiter_start(), "/a/b", 1);
	hold_send(&session, &hold);
	fd = connect_daemon();
	send_text(fd, "{\"v\":1,\"do\":\"reviews\",\"follow\":true}\n");
	cr_assert(is_ok(read_reply(fd)));
	kill(hold.pid, SIGKILL);
	cr_assert_eq(waitpid(hold.pid, NULL, 0), hold.pid);
	cr_assert_str_eq(string_of(json_object_get(read_reply(fd), "review"), "state"), "gone");
	close(fd);
	cr_assert_not(hold_is_there(&hold));
	reviews = reviews_of(&session, true);
	cr_assert_str_eq(string_of(json_array_get(reviews, 0), "state"), "gone");
	cr_assert_str_eq(error_of(answer(json_array_get(reviews, 0), "allow", "")), "bad_request");
}

Test(holds, stopped_by_its_user)
{
	struct test_session session;
	struct test_hold hold;
	char name[64];

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = read_of(waiter_start(), "/a/b", 1);
	hold_send(&session, &hold);
	only_review(&session); /* makes the directory */
	snprintf(name, sizeof(name), "bpf/stopped/%d", hold.pid);
	mkdir(at("bpf/stopped"), 0700);
	write_file(at(name), "");
	cr_assert(is_ok(answer(only_review(&session), "allow", "")));
	cr_assert(answer_is(&session, 1, hold.pid, GRITH_ALLOW, true));
	waiter_expect_stopped(hold.pid);
	kill(hold.pid, SIGCONT);
	waiter_expect_continued(hold.pid);
}

Test(holds, an_answer_before_the_stop)
{
	struct test_session session;
	struct test_hold hold;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = read_of(waiter_start(), "/a/b", 1);
	hold_send(&session, &hold);
	cr_assert(is_ok(answer(only_review(&session), "allow", "")));
	waiter_expect_continued(hold.pid);
	kill(hold.pid, SIGSTOP); /* takes effect only now */
	waiter_expect_continued(hold.pid);
}

Test(holds, restart)
{
	struct test_session session;
	struct test_hold hold, lost;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = read_of(waiter_start(), "/a/b", 1);
	lost = read_of(waiter_start(), "/a/c", 2);
	hold_send(&session, &hold);
	only_review(&session);
	daemon_signal(SIGKILL);
	daemon_wait();
	hold_enter(&session, &lost);
	daemon_start();
	waiter_expect_continued(hold.pid); /* to try again */
	waiter_expect_continued(lost.pid);
	cr_assert(hold_was_told(&hold));
	cr_assert(hold_was_told(&lost));
	cr_assert_null(answer_text(&session, 1, hold.pid));

	kill(hold.pid, SIGSTOP);
	hold_send(&session, &hold);
	cr_assert(is_ok(answer(only_review(&session), "allow", "")));
	waiter_expect_continued(hold.pid);
	cr_assert(answer_is(&session, 1, hold.pid, GRITH_ALLOW, true));
}

Test(holds, what_could_not_be_held)
{
	struct test_session session;
	struct test_hold hold;
	json_t *review;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = read_of(getpid(), "/a/b", 1);
	hold.flags = GRITH_RECORD_HOLD_REFUSED;
	hold_send(&session, &hold);
	review = only_review(&session);
	cr_assert_not(has_true(review, "held"));
	cr_assert(is_ok(answer(review, "allow", "")));
	cr_assert(answer_is(&session, 1, getpid(), GRITH_ALLOW, true));
}

Test(holds, the_end_of_a_session)
{
	struct test_session session;
	struct test_hold hold;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = read_of(waiter_start(), "/a/b", 1);
	hold_send(&session, &hold);
	cr_assert(is_ok(answer(only_review(&session), "allow", ",\"for\":\"session\"")));
	cr_assert(answer_is(&session, 1, 0, GRITH_ALLOW, false));
	hold = read_of(waiter_start(), "/a/c", 2);
	hold_send(&session, &hold);
	only_review(&session);
	kill(agent_child(session.agent), SIGKILL);
	kill(session.agent, SIGKILL);
	wait_for_end(session.id);
	cr_assert(is_ok(ask("{\"v\":1,\"do\":\"list\"}"))); /* the end is over */
	cr_assert_null(answer_text(&session, 1, 0));
	cr_assert_eq(
		json_array_size(json_object_get(ask("{\"v\":1,\"do\":\"reviews\"}"), "reviews")),
		0);
}

Test(holds, very_many_at_once)
{
	static struct test_hold holds[MANY];
	static char paths[MANY][32];
	struct test_session session;
	json_t *reviews, *review;
	size_t i;

	daemon_start();
	session_start(NOBODY, "", &session);
	for (i = 0; i < MANY; i++) {
		snprintf(paths[i], sizeof(paths[i]), "/many/%zu", i);
		holds[i] = read_of(waiter_start(), paths[i], 1000 + i);
		hold_send(&session, &holds[i]);
	}
	reviews = reviews_of(&session, false);
	cr_assert_eq(json_array_size(reviews), MANY);
	json_array_foreach (reviews, i, review)
		cr_assert(is_ok(answer(review, i % 2 ? "allow" : "deny", "")));
	for (i = 0; i < MANY; i++) {
		waiter_expect_continued(holds[i].pid);
		cr_assert(answer_is(&session, 1000 + i, holds[i].pid,
				    i % 2 ? GRITH_ALLOW : GRITH_DENY, true));
	}
	cr_assert_eq(json_array_size(reviews_of(&session, false)), 0);
}
