/* SPDX-License-Identifier: MPL-2.0 */
/* What keys do to the model of `grith top`, without a terminal. */
#include <criterion/criterion.h>
#include <string.h>

#include "top_fixture.h"

static struct top_model model;
static struct review_answer answer;

static void set_up(void)
{
	cr_assert_eq(top_model_init(&model, true), 0);
	top_test_fill(&model);
}

static void tear_down(void)
{
	top_model_free(&model);
}

TestSuite(top_model, .init = set_up, .fini = tear_down);

static void key(int code)
{
	cr_assert_eq(top_test_key(&model, code, &answer), TOP_NOTHING);
}

static const struct log_event *chosen(void)
{
	return top_model_log(&model, top_model_row(&model, TOP_LOG));
}

/* The newest event is followed until another one is chosen, which then stays chosen. */
Test(top_model, the_choice_stays)
{
	uint64_t sequence = chosen()->sequence;

	cr_expect(model.following);
	cr_expect_eq(sequence, 1011);
	top_test_read(&model, 0, 2000, "/new", "allow");
	cr_expect_eq(chosen()->sequence, 2000);
	key(SCREEN_KEY_UP);
	key(SCREEN_KEY_UP);
	cr_expect_not(model.following);
	sequence = chosen()->sequence;
	for (unsigned int i = 0; i < 100; i++)
		top_test_read(&model, 0, 2001 + i, "/new", "allow");
	cr_expect_eq(chosen()->sequence, sequence);
	key(SCREEN_KEY_END);
	cr_expect(model.following);
	cr_expect_eq(chosen()->sequence, 2100);
	key(SCREEN_KEY_HOME);
	cr_expect_eq(top_model_row(&model, TOP_LOG), 0);
	/* when it has fallen out, the oldest one is */
	for (unsigned int i = 0; i < TOP_EVENTS; i++)
		top_test_read(&model, 0, 3000 + i, "/new", "allow");
	cr_expect_eq(top_model_row(&model, TOP_LOG), 0);
	cr_expect_eq(chosen()->sequence, 3000);
}

/* Paused, nothing moves, and nothing that fits is lost. */
Test(top_model, pause)
{
	size_t count = top_model_count(&model, TOP_LOG);
	OWNED_MEM char *seen = NULL;

	model.zoomed = true;
	key(' ');
	for (unsigned int i = 0; i < 50; i++)
		top_test_read(&model, 0, 2000 + i, "/new", "allow");
	cr_expect_eq(top_model_count(&model, TOP_LOG), count);
	cr_expect_eq(chosen()->sequence, 1011);
	seen = top_test_picture(&model, 24, 80);
	cr_expect(strstr(seen, "PAUSED, 50 more (keeps 65536)"), "%s", seen);
	cr_expect_null(strstr(seen, "/new"));
	key(' ');
	cr_expect_eq(top_model_count(&model, TOP_LOG), count + 50);
	cr_expect_eq(chosen()->sequence, 2049);
}

Test(top_model, filters)
{
	static const struct {
		const char *text;
		size_t count; /* of the fixture's events */
	} cases[] = {
		{ "", 220 },
		{ "verdict=deny", 2 },
		{ "verdict=hide", 1 },
		{ "refused", 4 },
		{ "score=5", 1 },
		{ "score=0.01", 1 },
		{ "session=red", 1 },
		{ "session=abc*", 219 },
		{ "session=blue program=git", 1 },
		{ "program=node op=read path=/etc/*", 12 },
		{ "path=*/.ssh/id_*", 1 },
		{ "rule=claude-code.yaml:*", 1 },
		{ "PASSWD etc", 12 },
		{ "passwd module", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		cr_assert_eq(top_model_filter(&model, cases[i].text), 0, "%s", cases[i].text);
		cr_expect_eq(top_model_count(&model, TOP_LOG), cases[i].count, "%s: %zu",
			     cases[i].text, top_model_count(&model, TOP_LOG));
	}
	/* it goes on for what comes */
	cr_assert_eq(top_model_filter(&model, "verdict=deny"), 0);
	top_test_read(&model, 0, 2000, "/new", "deny");
	top_test_read(&model, 0, 2001, "/new", "allow");
	cr_expect_eq(top_model_count(&model, TOP_LOG), 3);
	/* a wrong one changes nothing and says why */
	cr_expect_eq(top_model_filter(&model, "op=reed"), -EINVAL);
	cr_expect_str_eq(model.message.data, " op cannot be 'reed'");
	cr_expect_eq(top_model_filter(&model, "colour=red"), -EINVAL);
	cr_expect(strstr(model.message.data, "filters are session="));
	cr_expect_eq(top_model_filter(&model, "a b c d e f g h i"), -EINVAL);
	cr_expect_eq(top_model_count(&model, TOP_LOG), 3);
}

Test(top_model, typing_a_filter)
{
	top_test_type(&model, "fop=reed");
	key(SCREEN_KEY_ENTER);
	cr_expect_eq(model.mode, TOP_FILTERING);
	for (int i = 0; i < 2; i++)
		key(SCREEN_KEY_BACKSPACE);
	top_test_type(&model, "ad q");
	key(SCREEN_KEY_BACKSPACE);
	key(SCREEN_KEY_ENTER);
	cr_expect_eq(model.mode, TOP_LOOK);
	cr_expect_str_eq(model.filter_text.data, "op=read ");
	/* what is typed and left is not applied; a whole character is taken back */
	top_test_type(&model, "f\xe7\x95\x8c");
	key(SCREEN_KEY_BACKSPACE);
	cr_expect_str_eq(model.input.data, "op=read ");
	key(SCREEN_KEY_ESCAPE);
	cr_expect_str_eq(model.filter_text.data, "op=read ");
	for (int i = 0; i < 2 * TOP_INPUT; i++)
		top_test_type(&model, i ? "x" : "f");
	cr_expect_leq(model.input.length, TOP_INPUT);
}

Test(top_model, search)
{
	top_test_type(&model, "/ID_ED");
	key(SCREEN_KEY_ENTER);
	cr_expect_eq(chosen()->sequence, 901);
	top_test_type(&model, "/passwd");
	key(SCREEN_KEY_ENTER);
	cr_expect_eq(chosen()->sequence, 1000);
	top_test_type(&model, "nn");
	cr_expect_eq(chosen()->sequence, 1002);
	top_test_type(&model, "NNN");
	cr_expect_eq(chosen()->sequence, 1011, "around the end");
	top_test_type(&model, "/nowhere");
	key(SCREEN_KEY_ENTER);
	cr_expect_str_eq(model.message.data, " not here: nowhere");
	cr_expect_eq(chosen()->sequence, 1011);
	/* the same text in another pane */
	model.pane = TOP_PATHS;
	top_test_type(&model, "/passwd");
	key(SCREEN_KEY_ENTER);
	cr_expect_str_eq(model.counts[0][top_model_row(&model, TOP_PATHS)]->key, "/etc/passwd");
}

Test(top_model, panes_and_sorting)
{
	static const enum top_pane order[] = { TOP_PATHS, TOP_DESTINATIONS, TOP_HOLDS, TOP_TREE,
					       TOP_LOG };

	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		key(SCREEN_KEY_TAB);
		cr_expect_eq(model.pane, order[i]);
	}
	review_model_clear(&model.reviews);
	key(SCREEN_KEY_BACK_TAB);
	key(SCREEN_KEY_BACK_TAB);
	cr_expect_eq(model.pane, TOP_DESTINATIONS, "nothing is held: no such pane");
	/* what is chosen in the tree stays so wherever it goes */
	model.pane = TOP_TREE;
	key(SCREEN_KEY_HOME);
	for (int i = 0; i < 2; i++)
		key(SCREEN_KEY_DOWN);
	cr_expect_eq(model.chosen_pid, 4321);
	for (int i = 0; i < TOP_SESSION_ORDERS; i++) {
		key(SCREEN_KEY_SORT);
		cr_assert_eq(top_model_refresh(&model, TOP_TEST_NOW), 0);
		cr_expect_eq(model.rows[top_model_row(&model, TOP_TREE)].process->pid, 4321);
	}
	model.session_order = TOP_BY_AGE;
	cr_assert_eq(top_model_refresh(&model, TOP_TEST_NOW), 0);
	cr_expect_str_eq(model.rows[0].session->name, "red");
	model.session_order = TOP_BY_REFUSALS;
	cr_assert_eq(top_model_refresh(&model, TOP_TEST_NOW), 0);
	cr_expect_str_eq(model.rows[0].session->name, "blue");
}

/* Holds are answered in their pane, and nowhere else. */
Test(top_model, answers)
{
	for (const char *p = "asdxADy"; *p; p++)
		key(*p);
	key('h');
	cr_expect_eq(model.pane, TOP_HOLDS);
	cr_assert_eq(top_test_key(&model, 's', &answer), TOP_ANSWER);
	cr_expect_eq(answer.review, 12);
	cr_expect(answer.allow);
	cr_expect_eq(answer.scope, PROTO_SESSION);
	key(SCREEN_KEY_DOWN);
	cr_assert_eq(top_test_key(&model, 'd', &answer), TOP_ANSWER);
	cr_expect_eq(answer.review, 13);
	cr_expect_not(answer.allow);
	/* a question that was asked back takes the next key, whatever it is */
	key('A');
	key('q');
	cr_expect_eq(model.reviews.mode, REVIEW_CHOOSE);
	key('A');
	cr_assert_eq(top_test_key(&model, 'y', &answer), TOP_ANSWER);
	cr_expect_eq(answer.scope, PROTO_ALWAYS);
	/* with the details in sight, which keys that move scroll */
	key(SCREEN_KEY_ENTER);
	key(SCREEN_KEY_UP);
	key(SCREEN_KEY_DOWN);
	cr_expect_eq(model.scroll, 1);
	cr_assert_eq(top_test_key(&model, 'a', &answer), TOP_ANSWER);
	cr_expect_eq(answer.scope, PROTO_ONCE);
	key('q');
	cr_expect_eq(model.mode, TOP_LOOK);
	cr_expect_eq(top_test_key(&model, 'q', &answer), TOP_QUIT);
}

/* A loss is told of in its place, and counted apart from what never existed. */
Test(top_model, losses)
{
	OWNED_MEM char *seen = NULL;

	cr_expect_eq(model.lost, 3);
	cr_assert_eq(top_model_missed(&model, 1234, TOP_TEST_NOW, "why"), 0);
	cr_expect_eq(model.lost, 3);
	cr_expect_eq(model.missed, 1234);
	cr_expect_eq(chosen()->kind, LOG_GAP);
	seen = top_test_picture(&model, 24, 80);
	cr_expect(strstr(seen, "lost 1237"));
	cr_expect(strstr(seen, "1234 records lost"));
}

/* Any key in any state. */
Test(top_model, any_keys)
{
	unsigned int seed = 5;

	for (int i = 0; i < 20000; i++) {
		int code;

		seed = seed * 1103515245 + 12345;
		code = seed >> 16 & 1 ? (int)(seed >> 17 & 255)
				      : SCREEN_KEY_UP + (int)(seed >> 17) % 16;
		top_test_key(&model, code, &answer);
		if (i % 50 == 0) {
			top_test_read(&model, 0, 5000 + i, "/x", i % 3 ? "allow" : "deny");
			free(top_test_picture(&model, 20 + (seed >> 20) % 30,
					      60 + (seed >> 18) % 200));
		}
	}
}
