/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The pictures of `grith top`: whole ones, in tests/golden/top, and that nothing in them can be
 * moved by what an agent chose.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "top_fixture.h"

static struct top_model model;

static void set_up(void)
{
	cr_assert_eq(top_model_init(&model, true), 0);
}

static void tear_down(void)
{
	top_model_free(&model);
}

TestSuite(top_picture, .init = set_up, .fini = tear_down);

static void expect_golden(const char *name, unsigned int columns, unsigned int rows)
{
	OWNED_MEM char *seen = top_test_picture(&model, rows, columns);
	static char expected[1 << 18];
	char path[96];
	size_t length;
	FILE *f;

	snprintf(path, sizeof(path), "tests/golden/top/%s-%ux%u", name, columns, rows);
	f = fopen(path, "r");
	cr_assert(f, "%s is missing; it would be:\n%s", path, seen);
	length = fread(expected, 1, sizeof(expected) - 1, f);
	fclose(f);
	expected[length] = '\0';
	cr_expect_str_eq(seen, expected, "%s is not:\n%s", path, seen);
}

/* Where events are late, that is said, and the rate is that of the second that they are of. */
Test(top_picture, behind)
{
	OWNED_MEM char *seen = NULL, *now = NULL;

	top_test_fill(&model);
	now = top_test_picture(&model, 24, 80);
	model.behind = 300000;
	seen = top_test_picture(&model, 24, 80);
	cr_expect(strstr(now, " 7.3 ops/s"), "%s", now);
	cr_expect(strstr(seen, "300 s BEHIND"), "%s", seen);
	cr_expect(strstr(seen, " 0.0 ops/s"), "%s", seen);
}

Test(top_picture, golden_sizes)
{
	top_test_fill(&model);
	expect_golden("events", 60, 16);
	expect_golden("events", 80, 24);
	expect_golden("events", 120, 40);
	expect_golden("events", 200, 50);
	expect_golden("events", 300, 60);
}

Test(top_picture, golden_states)
{
	struct review_answer answer;

	expect_golden("empty", 80, 24);
	top_test_fill(&model);
	top_test_type(&model, "hA");
	expect_golden("question", 80, 24);
	top_test_type(&model, "n");
	top_test_key(&model, SCREEN_KEY_ENTER, &answer);
	expect_golden("hold", 80, 24);
	top_test_key(&model, SCREEN_KEY_ESCAPE, &answer);
	top_test_type(&model, "?");
	expect_golden("help", 80, 24);
	top_test_type(&model, "q\t\t/2001");
	expect_golden("search", 80, 24);
	top_test_key(&model, SCREEN_KEY_ENTER, &answer);
	top_test_key(&model, SCREEN_KEY_ENTER, &answer);
	expect_golden("event", 80, 24);
	top_test_key(&model, SCREEN_KEY_ESCAPE, &answer);
	top_test_type(&model, "fverdict=deny\r z");
	expect_golden("filter", 80, 24);
}

Test(top_picture, without_utf8)
{
	OWNED_MEM char *seen = NULL;

	model.utf8 = false;
	top_test_fill(&model);
	seen = top_test_picture(&model, 40, 120);
	cr_expect(strstr(seen, "|- 4321 node install.js"));
	/* only what an agent chose is left of what is not ASCII */
	cr_expect_null(strstr(seen, "\xe2\x96"));
	cr_expect_null(strstr(seen, "\xe2\x94"));
}

Test(top_picture, too_small)
{
	for (unsigned int rows = 1; rows < 20; rows++)
		for (unsigned int columns = 1; columns < 70; columns++)
			free(top_test_picture(&model, rows, columns));
	OWNED_MEM char *seen = top_test_picture(&model, 3, 59);

	cr_expect_str_eq(seen, "grith top needs 60 columns and 16 rows; q quits            \n\n\n");
}

/* What is refused differs from what is not by more than a colour, and by a colour, too. */
Test(top_picture, verdicts_have_words_and_styles)
{
	static const struct {
		const char *verdict;
		unsigned int style;
	} cases[] = {
		{ "allow", PICTURE_DIM },
		{ "deny ", PICTURE_ALERT },
		{ "hide ", PICTURE_ALERT },
		{ "hold ", PICTURE_HELD },
	};
	struct picture_place place = { .rows = 5, .columns = 80 };
	OWNED_PICTURE struct picture pane = { 0 };

	top_test_read(&model, 0, 1, "/a", "allow");
	top_test_read(&model, 0, 2, "/a", "deny");
	top_test_read(&model, 0, 3, "/a", "hide");
	top_test_read(&model, 0, 4, "/a", "hold");
	model.pane = TOP_TREE;
	view_top_log(&model, &place, &pane);
	cr_assert_eq(pane.count, 5);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct picture_line *line = &pane.lines[i + 1];
		size_t span = 0;

		while (span < line->n_spans &&
		       strncmp(line->text.data + line->spans[span].start, cases[i].verdict, 5) != 0)
			span++;
		cr_assert_lt(span, line->n_spans, "%s", line->text.data);
		cr_expect_eq(line->spans[span].style, cases[i].style, "%s", cases[i].verdict);
	}
}

/* A span stands in its column whatever wide characters stand before it. */
Test(top_picture, columns_stand)
{
	struct picture_place place = { .rows = 3, .columns = 100 };
	OWNED_PICTURE struct picture pane = { 0 };
	const struct picture_line *a, *b;
	const struct picture_span *last;

	top_test_read(&model, 0, 1, "/plain", "deny");
	top_test_read(&model, 0, 2, "/\xe7\x95\x8c\xe7\x95\x8c\xf0\x9f\x98\x80\xe2\x80\xae",
		      "deny");
	model.pane = TOP_TREE;
	view_top_log(&model, &place, &pane);
	a = &pane.lines[1];
	b = &pane.lines[2];
	cr_expect_eq(a->columns, 100);
	cr_expect_eq(b->columns, 100);
	cr_expect_neq(a->text.length, b->text.length);
	last = &b->spans[b->n_spans - 1];
	cr_expect_eq(last->column + strlen(b->text.data + last->start), 100,
		     "what follows the name is at its column");
	cr_expect(strstr(b->text.data, "\\xe2\\x80\\xae"));
}

static char *hostile_text(unsigned int *seed, size_t length)
{
	static const char *const pieces[] = {
		"\\u001b[2J", "\\n",  "\\t", "\xe2\x80\xa8", "\xe7\x95\x8c", "a",
		"/",	      "\\\\", " ",   "\xc2\x9b",     "\xcc\x81",     "\xf0\x9f\x98\x80",
	};
	struct text text = { 0 };

	cr_assert_eq(text_add(&text, "", 0), 0);
	while (text.length < length) {
		const char *piece;

		*seed = *seed * 1103515245 + 12345;
		piece = pieces[(*seed >> 16) % ARRAY_SIZE(pieces)];
		cr_assert_eq(text_add(&text, piece, strlen(piece)), 0);
	}
	return text.data;
}

/* Any bytes, any size, any pane: top_test_picture() checks each line. */
Test(top_picture, hostile)
{
	static const char *const kinds[] = { "file",	"unix", "exec", "net",	  "process", "ring",
					     "session", "exit", "gap",	"review", "what" };
	unsigned int seed = 7;

	for (unsigned int round = 0; round < 200; round++) {
		OWNED_MEM char *t = hostile_text(&seed, (seed >> 16) % 300);
		OWNED_TEXT struct text rest = { 0 };
		struct review_answer answer;

		cr_assert_eq(
			text_addf(&rest,
				  "\"seq\":%u,\"session\":\"%.9s\",\"kind\":\"%s\","
				  "\"op\":\"read\",\"verdict\":\"deny\",\"path\":\"%s\","
				  "\"path2\":\"%s\",\"argv\":[\"%s\",\"%s\"],\"reason\":\"%s\","
				  "\"rule\":\"%s\",\"address\":\"%s\",\"port\":70,"
				  "\"score\":-3.00,\"parts\":[{\"why\":\"%s\"}],\"pid\":%u,"
				  "\"ppid\":%u,\"comm\":\"%s\",\"program\":\"%s\",\"name\":\"%s\"",
				  round, round % 3 ? "abcdefghi" : "zyx",
				  kinds[round % ARRAY_SIZE(kinds)], t, t, t, t, t, t, t, t,
				  round % 50, (seed >> 16) % 50, t, t, t),
			0);
		top_test_event(&model, (seed >> 8) % 4000, rest.data);
		model.pane = 1 + round % (TOP_PANES - 1);
		model.mode = round % 5 ? TOP_LOOK : TOP_DETAIL;
		model.zoomed = round % 7 == 0;
		free(top_test_picture(&model, 1 + (seed >> 16) % 60, 1 + (seed >> 20) % 320));
		top_test_key(&model, SCREEN_KEY_DOWN, &answer);
	}
}
