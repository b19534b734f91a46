/* SPDX-License-Identifier: MPL-2.0 */
/* Much of a kind is one question for the session, and not one for each object. */
#include <string.h>

#include <criterion/criterion.h>

#include "grith_context.h"
#include "harness_hold.h"

#define NOBODY 65534

TestSuite(bursts, .init = harness_set_up, .fini = harness_tear_down, .timeout = 120);

static struct test_hold delete_of(const char *path, uint64_t object)
{
	return (struct test_hold) {
		.pid = waiter_start(),
		.op = GRITH_OP_DELETE,
		.path = path,
		.object = object,
		.filters = GRITH_CONTEXT_MASS,
	};
}

static void expect_asked(struct test_session *session, const struct test_hold *hold)
{
	hold_send(session, hold);
	only_review(session);
	waiter_expect_stopped(hold->pid);
	cr_assert(is_ok(answer(only_review(session), "deny", "")));
	waiter_expect_continued(hold->pid);
}

Test(bursts, one_answer)
{
	struct test_session session, other;
	struct test_hold hold, second;
	json_t *reviews;

	daemon_start();
	session_start(NOBODY, "", &session);
	session_start(NOBODY, "", &other);
	hold = delete_of("/a/b", 1);
	second = delete_of("/c/d", 2);
	hold_send(&session, &hold);
	hold_send(&session, &second);
	reviews = reviews_of(&session, false);
	cr_assert_eq(json_array_size(reviews), 2);
	cr_assert_str_eq(string_of(json_array_get(reviews, 0), "asks"),
			 "this session deletes many files: go on?");
	cr_assert(is_ok(answer(json_array_get(reviews, 0), "allow", "")));
	waiter_expect_continued(hold.pid);
	waiter_expect_continued(second.pid);
	for (uint64_t object = 3; object < 20; object++) {
		hold = delete_of("/e/f", object);
		hold_expect_let_go(&session, &hold, GRITH_ALLOW);
	}
	cr_assert_eq(json_array_size(reviews_of(&session, false)), 0);
	/* Another session was not asked about, */
	hold = delete_of("/e/f", 3);
	expect_asked(&other, &hold);
	/* nor was another operation, */
	hold = delete_of("/e/f", 30);
	hold.op = GRITH_OP_RENAME;
	expect_asked(&session, &hold);
	/* another reason besides it, */
	hold = delete_of("/e/f", 31);
	hold.filters = GRITH_CONTEXT_MASS | GRITH_CONTEXT_RATE;
	expect_asked(&session, &hold);
	/* or what the object itself is held for. */
	hold = delete_of("/e/f", 32);
	hold.score = 450;
	expect_asked(&session, &hold);
}

Test(bursts, a_refusal_covers_it_too)
{
	struct test_session session;
	struct test_hold hold;

	daemon_start();
	session_start(NOBODY, "", &session);
	hold = delete_of("/a/b", 1);
	expect_asked(&session, &hold);
	hold = delete_of("/a/c", 2);
	hold_expect_let_go(&session, &hold, GRITH_DENY);
}
