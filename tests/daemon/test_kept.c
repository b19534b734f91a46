/* SPDX-License-Identifier: MPL-2.0 */
/* What grithd still knows when it starts again: answers for a session, and names of hosts. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "harness_hold.h"

#define NOBODY 65534

TestSuite(kept, .init = harness_set_up, .fini = harness_tear_down, .timeout = 120);

static struct test_hold write_of(const char *path, uint64_t object)
{
	return (struct test_hold) {
		.pid = waiter_start(), .op = GRITH_OP_WRITE, .path = path, .object = object
	};
}

static struct test_hold connect_to(const char *address, uint16_t port, uint64_t object)
{
	return (struct test_hold) {
		.pid = waiter_start(),
		.op = GRITH_OP_CONNECT,
		.address = address,
		.port = port,
		.object = object,
	};
}

static void start_again(void)
{
	daemon_signal(SIGKILL);
	daemon_wait();
	daemon_start();
}

Test(kept, answers_for_the_session)
{
	struct test_session session;
	struct test_hold hold;
	char path[64], request[128];

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = write_of("/a/b/c", 1);
	hold_send(&session, &hold);
	cr_assert(is_ok(answer(only_review(&session), "allow",
			       ",\"for\":\"session\",\"directory\":\"/a/b\"")));
	waiter_expect_continued(hold.pid);
	start_again();
	hold = write_of("/a/b/d", 2);
	hold_expect_let_go(&session, &hold, GRITH_ALLOW);
	hold = write_of("/a/c", 3);
	hold_send(&session, &hold);
	only_review(&session);

	/* They end with the session. */
	snprintf(path, sizeof(path), "state/answers/%s.json", session.id);
	cr_assert_eq(access(at(path), F_OK), 0);
	snprintf(request, sizeof(request), "{\"v\":1,\"do\":\"kill\",\"session\":\"%s\"}",
		 session.id);
	cr_assert(is_ok(ask(request)));
	wait_for_end(session.id);
	cr_assert_neq(access(at(path), F_OK), 0);
}

/* The addresses of a name of the policy are asked about, and answered, by that name. */
Test(kept, hosts_by_name)
{
	struct test_session session;
	struct test_hold hold;
	json_t *review;
	char *text;

	write_file(at("policy/generic.yaml"), "grith: 1\n"
					      "name: generic\n"
					      "network: [{hold: connect, host: localhost}]\n");
	daemon_start();
	session_start(NOBODY, "", &session);
	hold = connect_to("127.0.0.1", 8443, 1);
	hold_send(&session, &hold);
	review = only_review(&session);
	cr_assert_str_eq(string_of(review, "object"), "localhost (127.0.0.1):8443");
	cr_assert_str_eq(string_of(review, "host"), "localhost");
	cr_assert_str_eq(string_of(review, "address"), "127.0.0.1");
	cr_assert(is_ok(answer(review, "deny", ",\"for\":\"always\"")));
	waiter_expect_continued(hold.pid);
	text = read_file(at("state/remembered/65534.json"));
	cr_assert_not_null(strstr(text, "\"localhost:8443\""), "%s", text);
	free(text);

	start_again();
	hold = connect_to("127.0.0.1", 8443, 2);
	hold_expect_let_go(&session, &hold, GRITH_DENY);
	hold = connect_to("127.0.0.2", 8443, 3); /* has no name */
	hold_send(&session, &hold);
	cr_assert_str_eq(string_of(only_review(&session), "object"), "127.0.0.2:8443");
}

/* Before its name was known the address itself was answered for. */
Test(kept, an_address_that_got_a_name)
{
	struct test_session session;
	struct test_hold hold;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = connect_to("127.0.0.1", 8443, 1);
	hold_send(&session, &hold);
	cr_assert(is_ok(answer(only_review(&session), "deny", ",\"for\":\"always\"")));
	waiter_expect_continued(hold.pid);
	write_file(at("policy/generic.yaml"), "grith: 1\n"
					      "name: generic\n"
					      "network: [{hold: connect, host: localhost}]\n");
	session_start(NOBODY, "", &session);
	hold = connect_to("127.0.0.1", 8443, 2);
	hold_expect_let_go(&session, &hold, GRITH_DENY);
}

/* An answer to an old notification is never one to another question. */
Test(kept, numbers_are_never_used_twice)
{
	struct test_session session;
	struct test_hold hold;
	json_int_t last = 0, number;

	daemon_start();
	session_start(NOBODY, "", &session);
	for (int i = 0; i < 4; i++) {
		hold = write_of("/a/b/c", (uint64_t)i + 1);
		hold_send(&session, &hold);
		number = json_integer_value(json_object_get(only_review(&session), "id"));
		if (!last)
			cr_assert_eq(number, 1);
		cr_assert_gt(number, last);
		last = number;
		cr_assert(is_ok(answer(only_review(&session), "deny", "")));
		if (i == 2) /* what is known of it is gone: a new log could not tell */
			cr_assert_eq(unlink(at("state/reviews.json")), 0);
		start_again();
	}
	cr_assert_gt(last, 1000);
}

/* Nobody answered for longer than the time-out, of which grithd was away for most. */
Test(kept, the_time_out_does_not_begin_anew)
{
	struct test_session session;
	struct test_hold hold;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = write_of("/a/b/c", 1);
	hold.age = 250;
	hold_send(&session, &hold);
	cr_assert_str_eq(string_of(only_review(&session), "state"), "waiting");
	start_again();
	hold.pid = waiter_start();
	hold.age = 301;
	hold_expect_let_go(&session, &hold, GRITH_DENY);
}
