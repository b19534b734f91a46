/* SPDX-License-Identifier: MPL-2.0 */
/* How far an answer reaches, who may give it, and what is known afterwards. */
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
#define ARGV "rm\0-rf\0a b"

TestSuite(answers, .init = harness_set_up, .fini = harness_tear_down, .timeout = 120);

static struct test_hold write_of(pid_t pid, const char *path, uint64_t object)
{
	return (struct test_hold) {
		.pid = pid, .op = GRITH_OP_WRITE, .path = path, .object = object
	};
}

static struct test_hold program_of(pid_t pid, uint64_t object)
{
	return (struct test_hold) {
		.pid = pid,
		.op = GRITH_OP_EXEC,
		.path = "/usr/bin/rm",
		.object = object,
		.flags = GRITH_RECORD_HELD | GRITH_RECORD_INSPECT_ARGV,
		.argv = ARGV,
		.argv_length = sizeof(ARGV),
	};
}

/* Holds it and waits until grithd has let it go on by itself. */
static void expect_let_go(struct test_session *session, struct test_hold hold,
			  enum grith_verdict verdict)
{
	hold.pid = waiter_start();
	hold_send(session, &hold);
	waiter_expect_continued(hold.pid);
	cr_assert(answer_is(session, hold.object, hold.pid, verdict, true));
}

static void expect_asked(struct test_session *session, struct test_hold hold)
{
	hold.pid = waiter_start();
	hold_send(session, &hold);
	only_review(session);
	waiter_expect_stopped(hold.pid);
	cr_assert(is_ok(answer(only_review(session), "deny", "")));
	waiter_expect_continued(hold.pid);
}

Test(answers, for_the_session)
{
	struct test_session session;
	struct test_hold hold;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = write_of(waiter_start(), "/a/b", 1);
	hold_send(&session, &hold);
	cr_assert(is_ok(answer(only_review(&session), "allow", ",\"for\":\"session\"")));
	waiter_expect_continued(hold.pid);
	cr_assert(answer_is(&session, 1, 0, GRITH_ALLOW, false)); /* the kernel needs nobody */
	cr_assert_null(answer_text(&session, 1, hold.pid));
}

Test(answers, for_a_directory)
{
	struct test_session session, other;
	struct test_hold hold, below;
	json_t *reviews;

	daemon_start();
	session_start(NOBODY, "", &session);
	session_start(NOBODY, "", &other);
	hold = write_of(waiter_start(), "/a/b/c", 1);
	below = write_of(waiter_start(), "/a/b/d/e", 2);
	hold_send(&session, &hold);
	hold_send(&session, &below);
	reviews = reviews_of(&session, false);
	cr_assert_str_eq(error_of(answer(json_array_get(reviews, 0), "allow",
					 ",\"for\":\"session\",\"directory\":\"/a/bc\"")),
			 "bad_request");
	cr_assert(is_ok(answer(json_array_get(reviews, 0), "allow",
			       ",\"for\":\"session\",\"directory\":\"/a/b\"")));
	waiter_expect_continued(hold.pid);
	waiter_expect_continued(below.pid); /* waited already, and is below it */
	expect_let_go(&session, write_of(0, "/a/b/f", 3), GRITH_ALLOW);
	expect_asked(&session, write_of(0, "/a/bc", 4));
	expect_asked(&session,
		     (struct test_hold) { .op = GRITH_OP_DELETE, .path = "/a/b/f", .object = 5 });
	expect_asked(&other, write_of(0, "/a/b/f", 3));
}

Test(answers, always)
{
	struct test_session session;
	struct test_hold hold;
	struct stat st;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = write_of(waiter_start(), "/a/b", 1);
	hold_send(&session, &hold);
	cr_assert(is_ok(answer(only_review(&session), "allow", ",\"for\":\"always\"")));
	waiter_expect_continued(hold.pid);
	hold = write_of(waiter_start(), "/a/c", 2);
	hold_send(&session, &hold);
	cr_assert(is_ok(answer(only_review(&session), "deny", ",\"for\":\"always\"")));
	waiter_expect_continued(hold.pid);
	cr_assert_eq(stat(at("state/remembered/65534.json"), &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0600);
	cr_assert_eq(st.st_uid, 0);

	daemon_signal(SIGTERM);
	cr_assert_eq(daemon_wait(), 0);
	daemon_start();
	session_start(NOBODY, "", &session);
	expect_let_go(&session, write_of(0, "/a/b", 11), GRITH_ALLOW); /* another kernel's hash */
	expect_let_go(&session, write_of(0, "/a/c", 12), GRITH_DENY);
	session_start(SOMEBODY, "", &session);
	expect_asked(&session, write_of(0, "/a/b", 11));
}

Test(answers, a_damaged_file_allows_nothing)
{
	struct test_session session;

	daemon_start();
	mkdir(at("state/remembered"), 0700);
	write_file(at("state/remembered/65534.json"), "{\"v\":1,\"answers\":[{}]}");
	session_start(NOBODY, "", &session);
	expect_asked(&session, write_of(0, "/a/b", 1));
}

Test(answers, a_program_with_its_arguments)
{
	struct test_session session;
	struct test_hold hold;
	json_t *review;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = program_of(waiter_start(), 1);
	hold_send(&session, &hold);
	review = only_review(&session);
	cr_assert(has_true(review, "judged"));
	cr_assert_str_eq(string_of(review, "object"), "/usr/bin/rm");
	cr_assert_eq(json_array_size(json_object_get(review, "command")), 3);
	cr_assert(is_ok(answer(review, "allow", ",\"for\":\"session\"")));
	waiter_expect_continued(hold.pid);
	cr_assert_not(hold_is_there(&hold));
	cr_assert_null(answer_text(&session, 1, 0)); /* it has made no call that has an answer */

	hold = program_of(waiter_start(), 1);
	hold_send(&session, &hold);
	waiter_expect_continued(hold.pid);
	hold = program_of(waiter_start(), 2);
	hold.argv = "rm\0-rf\0a\0b"; /* not the same words */
	hold_send(&session, &hold);
	only_review(&session);
	waiter_expect_stopped(hold.pid);
}

Test(answers, a_program_that_may_not_run_is_killed)
{
	struct test_session session;
	struct test_hold hold;
	int fd;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = program_of(agent_child(session.agent), 1);
	kill(hold.pid, SIGSTOP);
	hold_send(&session, &hold);
	fd = process_watch(hold.pid);
	cr_assert(is_ok(answer(only_review(&session), "deny", "")));
	process_expect_end(fd);
	cr_assert_not(hold_is_there(&hold));
	cr_assert_str_eq(string_of(json_array_get(reviews_of(&session, true), 0), "state"),
			 "denied");
}

Test(answers, a_program_whose_record_was_lost)
{
	struct test_session session;
	struct test_hold hold;
	json_t *review;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = program_of(agent_child(session.agent), 1);
	daemon_signal(SIGKILL);
	daemon_wait();
	hold_enter(&session, &hold);
	daemon_start();
	review = only_review(&session);
	cr_assert(has_true(review, "judged"));
	cr_assert_gt(json_array_size(json_object_get(review, "command")), 0);
	cr_assert(is_ok(answer(review, "allow", "")));
	cr_assert_not(hold_is_there(&hold));
}

Test(answers, who_may_not)
{
	struct test_session session;
	struct test_hold hold;
	char request[128];
	json_t *reply, *review;
	pid_t other;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = write_of(waiter_start(), "/a/b", 1);
	hold_send(&session, &hold);
	review = only_review(&session);
	snprintf(request, sizeof(request),
		 "{\"v\":1,\"do\":\"answer\",\"review\":%lld,\"verdict\":\"allow\"}",
		 (long long)json_integer_value(json_object_get(review, "id")));
	cr_assert_str_eq(error_of(agent_ask(session.agent, true, request)), "denied");
	cr_assert_str_eq(error_of(agent_ask(session.agent, true, "{\"v\":1,\"do\":\"reviews\"}")),
			 "denied");
	/* asks for a broken policy, so it is not supervised and may ask on */
	other = agent_start(SOMEBODY,
			    "{\"v\":1,\"do\":\"start\",\"command\":[\"x\"],\"profile\":\"none\"}",
			    &reply);
	cr_assert_str_eq(error_of(agent_ask(other, true, request)), "not_found");
	reply = agent_ask(other, true, "{\"v\":1,\"do\":\"reviews\"}");
	cr_assert_eq(json_array_size(json_object_get(reply, "reviews")), 0);
	waiter_expect_stopped(hold.pid);
	cr_assert_null(answer_text(&session, 1, hold.pid));
	/* and who may: the user, from outside */
	other = agent_start(NOBODY,
			    "{\"v\":1,\"do\":\"start\",\"command\":[\"x\"],\"profile\":\"none\"}",
			    &reply);
	cr_assert(is_ok(agent_ask(other, true, request)));
	waiter_expect_continued(hold.pid);
}

Test(answers, why)
{
	struct test_session session, other;
	struct test_hold hold;
	char request[128];
	json_t *reply, *why;

	daemon_start();
	session_start(NOBODY, "", &session);
	session_start(NOBODY, "", &other);
	send_record(session.cgroup, session.sequence++, session.agent, "/etc/shadow", GRITH_DENY);
	hold = write_of(waiter_start(), "/a/b", 1);
	hold.score = 350;
	hold_send(&session, &hold);
	reply = agent_ask(session.agent, true, "{\"v\":1,\"do\":\"why\",\"last\":true}");
	cr_assert(is_ok(reply), "%s", json_dumps(reply, 0));
	why = json_object_get(reply, "why");
	cr_assert_str_eq(string_of(json_object_get(why, "event"), "path"), "/a/b");
	cr_assert_eq(json_array_size(json_object_get(why, "parts")), 1);
	cr_assert_gt(json_array_size(json_object_get(why, "allow")), 1);

	snprintf(request, sizeof(request),
		 "{\"v\":1,\"do\":\"why\",\"session\":\"%s\",\"event\":0}", session.id);
	why = json_object_get(ask(request), "why");
	cr_assert_str_eq(string_of(json_object_get(why, "event"), "path"), "/etc/shadow");
	cr_assert_not_null(strstr(string_of(why, "rule"), "generic.yaml:"));
	cr_assert_not_null(strstr(string_of(why, "rule_text"), "/etc/shadow"));
	cr_assert(is_ok(agent_ask(session.agent, true, request)));
	cr_assert_str_eq(error_of(agent_ask(other.agent, true, request)), "denied");
	cr_assert_str_eq(error_of(ask("{\"v\":1,\"do\":\"why\",\"session\":\"none\",\"event\":0}")),
			 "not_found");
}

Test(answers, canaries)
{
	char request[256];
	char *before, *after;
	json_t *list;

	daemon_start();
	snprintf(request, sizeof(request),
		 "{\"v\":1,\"do\":\"canary\",\"action\":\"add\",\"name\":\"aws\",\"path\":\"%s\"}",
		 at("project/keys"));
	list = json_object_get(ask(request), "canaries");
	cr_assert_eq(json_array_size(list), 1);
	cr_assert_str_eq(string_of(json_array_get(list, 0), "kind"), "file");
	cr_assert_null(json_object_get(json_array_get(list, 0), "value"));
	before = read_file(at("project/keys"));
	cr_assert_gt(strlen(before), 20);
	cr_assert_str_eq(error_of(ask(request)), "bad_request");
	cr_assert(is_ok(ask("{\"v\":1,\"do\":\"canary\",\"action\":\"rotate\",\"name\":\"aws\"}")));
	after = read_file(at("project/keys"));
	cr_assert_str_neq(before, after);
	daemon_signal(SIGTERM);
	cr_assert_eq(daemon_wait(), 0);
	daemon_start();
	list = json_object_get(ask("{\"v\":1,\"do\":\"canary\",\"action\":\"list\"}"), "canaries");
	cr_assert_eq(json_array_size(list), 1);
	cr_assert(is_ok(ask("{\"v\":1,\"do\":\"canary\",\"action\":\"remove\",\"name\":\"aws\"}")));
	cr_assert_neq(access(at("project/keys"), F_OK), 0);
	cr_assert_str_eq(error_of(ask("{\"v\":1,\"do\":\"canary\",\"action\":\"remove\",\"name\":"
				      "\"aws\"}")),
			 "not_found");
}

/* A directory that the user may not write to stays closed to them through grithd too. */
Test(answers, a_canary_is_planted_as_its_user)
{
	char request[256];
	json_t *reply;
	pid_t user;

	daemon_start();
	user = agent_start(NOBODY,
			   "{\"v\":1,\"do\":\"start\",\"command\":[\"x\"],\"profile\":\"none\"}",
			   &reply);
	snprintf(request, sizeof(request),
		 "{\"v\":1,\"do\":\"canary\",\"action\":\"add\",\"name\":\"aws\",\"path\":\"%s\"}",
		 at("policy/aws"));
	cr_assert_not(is_ok(agent_ask(user, true, request)));
	cr_assert_neq(access(at("policy/aws"), F_OK), 0);
	reply = agent_ask(user, true, "{\"v\":1,\"do\":\"canary\",\"action\":\"list\"}");
	cr_assert_eq(json_array_size(json_object_get(reply, "canaries")), 0);
}

/* Another file that took its place is the user's own. */
Test(answers, a_canary_that_was_replaced_is_left_alone)
{
	char request[256];

	daemon_start();
	snprintf(request, sizeof(request),
		 "{\"v\":1,\"do\":\"canary\",\"action\":\"add\",\"name\":\"aws\",\"path\":\"%s\"}",
		 at("project/keys"));
	cr_assert(is_ok(ask(request)));
	cr_assert_eq(unlink(at("project/keys")), 0);
	write_file(at("project/keys"), "mine\n");
	cr_assert(is_ok(ask("{\"v\":1,\"do\":\"canary\",\"action\":\"remove\",\"name\":\"aws\"}")));
	cr_assert_eq(access(at("project/keys"), F_OK), 0);
}
