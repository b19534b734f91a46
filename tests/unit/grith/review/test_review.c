/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The full screen of `grith review` without a terminal: what keys do to the model, and the picture
 * that it gives. tests/golden/review-COLUMNSxROWS are whole pictures.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "grith/review/review.h"

#define NOW 1767323045000 /* 2026-01-02T03:04:05Z */
#define LATER 10000 /* of the model's clock: long after anything changed by itself */

static json_t *parse(const char *text)
{
	json_error_t error;
	json_t *json = json_loads(text, 0, &error);

	cr_assert(json, "%s: %s", error.text, text);
	return json;
}

/* A review that waits, with as much as one can have. */
static json_t *full(int id)
{
	json_t *review = parse(
		"{\"session\":\"abcdefghij\",\"session_name\":\"blue\",\"state\":\"waiting\","
		"\"held\":true,\"op\":\"write\","
		"\"object\":\"/home/anna/project/.git/hooks/pre-commit\","
		"\"flags\":[\"held\",\"created\"],\"pid\":4321,\"program\":\"/usr/bin/node\","
		"\"parents\":[{\"pid\":4320,\"program\":\"/bin/sh\"},"
		"{\"pid\":4300,\"program\":\"/usr/bin/claude\"}],"
		"\"command\":[\"node\",\"install.js\",\"a b\"],\"judged\":false,"
		"\"rule\":\"claude-code.yaml:12\",\"reason\":\"hooks run later\",\"score\":5.0,"
		"\"thresholds\":{\"hold\":3.0,\"deny\":8.0},\"parts\":["
		"{\"filter\":\"taint\",\"score\":3.0,\"why\":\".env was read 12 s before\"},"
		"{\"filter\":\"sensitive-path\",\"score\":2.0,\"why\":\"runs by itself later\"}],"
		"\"processes\":2,\"asked\":\"2026-01-02T03:04:00Z\","
		"\"expires\":\"2026-01-02T03:09:00Z\",\"covers\":{\"once\":\"this write\","
		"\"session\":\"writing that file in session blue\","
		"\"always\":\"writing that file, by anna under claude-code\","
		"\"directory\":\"/home/anna/project/.git/hooks\"}}");

	json_object_set_new(review, "id", json_integer(id));
	return review;
}

static json_t *with(json_t *review, const char *key, json_t *value)
{
	json_object_set_new(review, key, value);
	return review;
}

static void put(struct review_model *model, json_t *review)
{
	cr_assert_eq(review_model_put(model, review, 0), 0);
	json_decref(review);
}

static void expect_nothing(struct review_model *model, int key)
{
	struct review_answer answer = { .review = -1 };

	cr_expect_eq(review_model_key(model, key, LATER, &answer), REVIEW_NOTHING, "%c", key);
	cr_expect_eq(answer.review, -1);
}

static void expect_answer(struct review_model *model, int key, int64_t review, bool allow,
			  enum proto_scope scope, const char *directory)
{
	struct review_answer answer = { 0 };

	cr_assert_eq(review_model_key(model, key, LATER, &answer), REVIEW_ANSWER, "%c", key);
	cr_expect_eq(answer.review, review);
	cr_expect_eq(answer.allow, allow);
	cr_expect_eq(answer.scope, scope);
	if (directory)
		cr_expect_str_eq(answer.directory, directory);
	else
		cr_expect_null(answer.directory);
}

Test(cli_review, keys_that_answer)
{
	OWNED_REVIEW_MODEL struct review_model model = { 0 };

	put(&model, full(12));
	expect_answer(&model, 'a', 12, true, PROTO_ONCE, NULL);
	expect_answer(&model, 's', 12, true, PROTO_SESSION, NULL);
	expect_answer(&model, 'd', 12, false, PROTO_ONCE, NULL);
	expect_answer(&model, 'x', 12, false, PROTO_SESSION, NULL);
	expect_nothing(&model, 'A');
	expect_answer(&model, 'y', 12, true, PROTO_ALWAYS, NULL);
	expect_nothing(&model, 'D');
	expect_answer(&model, 's', 12, true, PROTO_SESSION, "/home/anna/project/.git/hooks");
	expect_nothing(&model, 'D');
	expect_answer(&model, 'A', 12, true, PROTO_ALWAYS, "/home/anna/project/.git/hooks");
}

Test(cli_review, keys_that_do_not)
{
	OWNED_REVIEW_MODEL struct review_model model = { 0 }, empty = { 0 };
	struct review_answer answer;

	for (int key = 1; key <= SCREEN_KEY_RESIZE; key++)
		if (key != 'q')
			expect_nothing(&empty, key);
	put(&model, full(12));
	for (int key = 1; key <= SCREEN_KEY_RESIZE; key++)
		if (!strchr("asdxADq?", key) || key > 127)
			expect_nothing(&model, key);
	/* what was asked back, answered by anything else, is no answer */
	for (int key = 1; key <= SCREEN_KEY_RESIZE; key++) {
		if (key == 'y' || key == SCREEN_KEY_RESIZE)
			continue;
		expect_nothing(&model, 'A');
		expect_nothing(&model, key);
		cr_assert_eq(model.mode, REVIEW_CHOOSE);
	}
	expect_nothing(&model, 'A');
	expect_nothing(&model, SCREEN_KEY_RESIZE);
	cr_expect_eq(model.mode, REVIEW_CONFIRM_ALWAYS);
	expect_nothing(&model, 'n');
	/* the help takes one key, whatever it is */
	expect_nothing(&model, '?');
	expect_nothing(&model, 'a');
	expect_answer(&model, 'a', 12, true, PROTO_ONCE, NULL);
	cr_expect_eq(review_model_key(&model, 'q', LATER, &answer), REVIEW_QUIT);
}

Test(cli_review, no_directory)
{
	OWNED_REVIEW_MODEL struct review_model model = { 0 };
	json_t *review = full(12);

	json_object_set_new(json_object_get(review, "covers"), "directory", json_null());
	put(&model, review);
	expect_nothing(&model, 'D');
	cr_expect_eq(model.mode, REVIEW_CHOOSE);
}

/* Nothing is answered that changed under the fingers. */
Test(cli_review, the_choice_settles)
{
	OWNED_REVIEW_MODEL struct review_model model = { 0 };
	struct review_answer answer;
	json_t *review = full(1);

	cr_assert_eq(review_model_put(&model, review, 1000), 0);
	json_decref(review);
	cr_expect_eq(review_model_key(&model, 'a', 1000 + REVIEW_SETTLE_MS - 1, &answer),
		     REVIEW_NOTHING);
	cr_expect_eq(review_model_key(&model, 'a', 1000 + REVIEW_SETTLE_MS, &answer),
		     REVIEW_ANSWER);
	put(&model, full(2));
	review_model_next(&model, 5000);
	cr_expect_eq(model.chosen, 2);
	cr_expect_eq(review_model_key(&model, 'a', 5000 + REVIEW_SETTLE_MS - 1, &answer),
		     REVIEW_NOTHING);
	cr_expect_eq(review_model_key(&model, 'a', 5000 + REVIEW_SETTLE_MS, &answer),
		     REVIEW_ANSWER);
	cr_expect_eq(answer.review, 2);
	/* one that was chosen by hand is meant */
	expect_nothing(&model, SCREEN_KEY_UP);
	expect_answer(&model, 'a', 1, true, PROTO_ONCE, NULL);
}

Test(cli_review, the_choice_follows_the_review)
{
	OWNED_REVIEW_MODEL struct review_model model = { 0 };

	for (int id = 1; id <= 4; id++)
		put(&model, full(id));
	cr_expect_eq(model.chosen, 1);
	expect_nothing(&model, SCREEN_KEY_DOWN);
	expect_nothing(&model, SCREEN_KEY_DOWN);
	cr_expect_eq(model.chosen, 3);
	put(&model, with(full(1), "state", json_string("allowed")));
	put(&model, with(full(2), "state", json_string("gone")));
	cr_expect_eq(model.count, 2);
	cr_expect_eq(model.chosen, 3);
	expect_answer(&model, 'a', 3, true, PROTO_ONCE, NULL);
	expect_nothing(&model, SCREEN_KEY_UP);
	cr_expect_eq(model.chosen, 3, "it is the first now");
	expect_nothing(&model, SCREEN_KEY_END);
	cr_expect_eq(model.chosen, 4);
	expect_nothing(&model, SCREEN_KEY_HOME);
	cr_expect_eq(model.chosen, 3);
}

Test(cli_review, answered_elsewhere)
{
	OWNED_REVIEW_MODEL struct review_model model = { 0 };

	put(&model, full(1));
	put(&model, full(2));
	expect_nothing(&model, 'A');
	put(&model, with(full(1), "state", json_string("expired")));
	cr_expect_eq(model.count, 2, "it stays to be seen");
	cr_expect_eq(model.chosen, 1);
	expect_nothing(&model, 'y');
	expect_nothing(&model, 'a');
	expect_nothing(&model, 'D');
	cr_expect_eq(model.mode, REVIEW_CHOOSE);
	expect_nothing(&model, SCREEN_KEY_DOWN);
	cr_expect_eq(model.count, 1);
	cr_expect_eq(model.chosen, 2);
	/* with nothing else there it stays until something comes */
	put(&model, with(full(2), "state", json_string("allowed")));
	cr_expect_eq(model.chosen, 2);
	put(&model, full(3));
	cr_expect_eq(model.chosen, 3);
	cr_expect_eq(model.count, 1);
	/* what was over before it was seen is never listed */
	put(&model, with(full(4), "state", json_string("denied")));
	cr_expect_eq(model.count, 1);
	review_model_clear(&model);
	cr_expect_null(review_model_chosen(&model));
	expect_nothing(&model, 'a');
}

Test(cli_review, what_is_no_review)
{
	OWNED_REVIEW_MODEL struct review_model model = { 0 };

	put(&model, parse("{}"));
	put(&model, parse("{\"id\":-1,\"state\":\"waiting\"}"));
	put(&model, parse("{\"id\":\"7\",\"state\":\"waiting\"}"));
	put(&model, parse("{\"id\":7,\"state\":1}"));
	cr_expect_eq(model.count, 0);
	cr_expect_null(review_model_chosen(&model));
}

/* The request is one that grithd understands, as it was meant. */
Test(cli_review, requests)
{
	const struct review_answer answers[] = {
		{ 12, true, PROTO_ONCE, NULL },
		{ 13, false, PROTO_SESSION, NULL },
		{ PROTO_REVIEW_MAX, true, PROTO_ALWAYS, "/home/anna/a b" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		CLEANUP(proto_request_freep) struct proto_request *request = NULL;
		json_auto_t *json = review_answer_request(&answers[i]);
		OWNED_MEM char *line = NULL;
		char why[256] = "";

		json_object_set_new(json, "v", json_integer(PROTO_VERSION));
		line = json_dumps(json, 0);
		cr_assert_eq(proto_request_parse(line, strlen(line), why, sizeof(why), &request), 0,
			     "%s: %s", line, why);
		cr_expect_eq(request->review, answers[i].review);
		cr_expect_eq(request->allow, answers[i].allow);
		cr_expect_eq(request->scope, answers[i].scope);
		if (answers[i].directory)
			cr_expect_str_eq(request->directory, answers[i].directory);
	}
}

/* The model that the golden pictures are of. */
static void set_up_golden(struct review_model *model)
{
	json_t *net = full(2);

	put(model, full(1));
	with(net, "op", json_string("connect"));
	with(net, "object", json_string("registry.example.org:443"));
	with(net, "held", json_false());
	put(model, net);
	put(model, with(with(with(full(3), "object", json_string("/tmp/\x1b[2J\n\xe7\x95\x8c/x")),
			     "session_name", json_string("a-very-long-name-of-a-session")),
			"expires", json_null()));
	for (int id = 4; id < 40; id++)
		put(model, full(id));
}

static void dump(const struct picture *picture, struct text *out)
{
	for (size_t i = 0; i < picture->count; i++)
		cr_assert_eq(text_addf(out, "%s\n", picture->lines[i].text.data), 0);
}

static void expect_golden(unsigned int columns, unsigned int rows)
{
	OWNED_REVIEW_MODEL struct review_model model = { 0 };
	OWNED_PICTURE struct picture picture = { 0 };
	OWNED_TEXT struct text seen = { 0 };
	static char expected[65536];
	char path[64];
	size_t length;
	FILE *f;

	set_up_golden(&model);
	cr_assert_eq(view_review_screen(&model, rows, columns, NOW, &picture), 0);
	cr_expect_eq(picture.count, rows);
	dump(&picture, &seen);
	snprintf(path, sizeof(path), "tests/golden/review-%ux%u", columns, rows);
	f = fopen(path, "r");
	cr_assert(f, "%s", path);
	length = fread(expected, 1, sizeof(expected) - 1, f);
	fclose(f);
	expected[length] = '\0';
	cr_expect_str_eq(seen.data, expected, "%s is not:\n%s", path, seen.data);
}

Test(cli_review, golden_small)
{
	expect_golden(80, 24);
}

Test(cli_review, golden_large)
{
	expect_golden(200, 50);
}

static void expect_in_picture(const struct review_model *model, const char *text)
{
	OWNED_PICTURE struct picture picture = { 0 };
	OWNED_TEXT struct text seen = { 0 };

	cr_assert_eq(view_review_screen(model, 24, 80, NOW, &picture), 0);
	dump(&picture, &seen);
	cr_expect(strstr(seen.data, text), "'%s' is not in:\n%s", text, seen.data);
}

Test(cli_review, modes)
{
	OWNED_REVIEW_MODEL struct review_model model = { 0 };

	expect_in_picture(&model, "nothing waits for an answer");
	put(&model, full(12));
	expect_in_picture(&model, "1 waits for an answer");
	expect_in_picture(&model, "2 processes stopped, for 5s, denied in 4m");
	expect_nothing(&model, 'A');
	expect_in_picture(&model, "y: always allow writing that file, by anna under claude-code");
	expect_nothing(&model, 'n');
	expect_nothing(&model, 'D');
	expect_in_picture(&model, "all below /home/anna/project/.git/hooks");
	expect_nothing(&model, 'n');
	expect_nothing(&model, '?');
	expect_in_picture(&model, "a   allow, this time");
	expect_nothing(&model, '?');
	text_addf(&model.message, " review 12 was answered by uid 1000");
	expect_in_picture(&model, "review 12 was answered by uid 1000");
	put(&model, with(with(full(12), "state", json_string("denied")), "answer",
			 parse("{\"by\":\"uid 1000\",\"for\":\"session\"}")));
	expect_in_picture(&model, "denied by uid 1000, for session");
	put(&model, with(full(13), "held", json_false()));
	expect_in_picture(&model, "could not be held: the answer is for the next try");
}

/* What the agent chose, however long, leaves the rule, the score and the answers in sight. */
Test(cli_review, long_values)
{
	OWNED_REVIEW_MODEL struct review_model model = { 0 };
	OWNED_PICTURE struct picture whole = { 0 };
	OWNED_TEXT struct text object = { 0 }, seen = { 0 };
	size_t marks = 0;

	cr_assert_eq(text_addf(&object, "/start"), 0);
	for (int i = 0; i < 300; i++)
		cr_assert_eq(text_addf(&object, "/%08dM", i), 0);
	cr_assert_eq(text_addf(&object, "/end"), 0);
	put(&model, with(with(full(1), "object", json_string(object.data)), "command",
			 json_pack("[s, s]", "sh", object.data)));
	expect_in_picture(&model, "write      /start/");
	expect_in_picture(&model, "/00000299M/end\n");
	expect_in_picture(&model, "rule       claude-code.yaml:12 (hooks run later)");
	expect_in_picture(&model, "directory  /home/anna/project/.git/hooks");
	expect_in_picture(&model, "v: nothing cut");
	/* all of it can be seen */
	expect_nothing(&model, 'v');
	cr_assert_eq(view_review_details(review_model_chosen(&model), 80, true, NOW, &whole), 0);
	cr_expect_not(whole.cut);
	dump(&whole, &seen);
	for (const char *at = seen.data; *at; at++)
		marks += *at == 'M';
	cr_expect_eq(marks, 600);
	for (int i = 0; i < 100; i++)
		expect_nothing(&model, SCREEN_KEY_PAGE_DOWN);
	expect_in_picture(&model, "flags      held, created");
}

/* Any bytes, any size: so many lines, none too wide, and nothing that a terminal would obey. */
static void check_picture(const struct review_model *model, unsigned int rows, unsigned int columns)
{
	OWNED_PICTURE struct picture picture = { 0 };

	cr_assert_eq(view_review_screen(model, rows, columns, NOW, &picture), 0);
	cr_assert_eq(picture.count, rows);
	for (size_t i = 0; i < picture.count; i++) {
		const char *line = picture.lines[i].text.data;

		cr_assert_leq(term_columns(line), columns, "%ux%u: %s", columns, rows, line);
		cr_assert(text_is_utf8(line, strlen(line)));
		for (; *line; line++)
			cr_assert((unsigned char)*line >= 0x20 && *line != 0x7f);
	}
}

static char *random_text(unsigned int *seed, size_t length)
{
	static const char *const pieces[] = {
		"\x1b[2J", "\n", "\t",	     "\xe2\x80\xa8",	 "\xe7\x95\x8c", "a",
		"/",	   "\\", "\xc2\x9b", "\xf0\x9f\x98\x80", "\xcc\x81",	 " "
	};
	struct text text = { 0 };

	cr_assert_eq(text_add(&text, "", 0), 0);
	while (text.length < length) {
		const char *piece = pieces[(*seed = *seed * 1103515245 + 12345) >> 16 & 7];

		if (*seed >> 24 & 1)
			piece = pieces[8 + (*seed >> 28) % 4];
		cr_assert_eq(text_add(&text, piece, strlen(piece)), 0);
	}
	return text.data;
}

Test(cli_review, hostile)
{
	static const char *const keys[] = { "object",  "second", "session_name", "op",
					    "program", "reason", "rule",	 "state2" };
	unsigned int seed = 7;

	for (int round = 0; round < 300; round++) {
		OWNED_REVIEW_MODEL struct review_model model = { 0 };
		unsigned int rows = 1 + (seed >> 16) % 60, columns = 1 + (seed >> 20) % 220;

		for (int id = 1; id <= 1 + round % 5; id++) {
			OWNED_MEM char *text = random_text(&seed, (seed >> 16) % 400);
			json_t *review = full(id);

			for (size_t k = 0; k < ARRAY_SIZE(keys); k++)
				with(review, keys[k], json_string(text));
			with(review, "command", json_pack("[s, s]", text, text));
			with(review, "flags", json_pack("[s, i]", text, 5));
			with(review, "parts",
			     json_pack("[{s:s, s:f, s:s}, i]", "filter", text, "score", 3.0, "why",
				       text, 7));
			json_object_set_new(json_object_get(review, "covers"), "always",
					    json_string(text));
			put(&model, review);
		}
		model.mode = round % 4;
		model.whole = round & 8;
		check_picture(&model, rows, columns);
	}
}

/* Values of other types than they should have. */
Test(cli_review, wrong_types)
{
	OWNED_REVIEW_MODEL struct review_model model = { 0 };

	put(&model, parse("{\"id\":1,\"state\":\"waiting\",\"op\":[],\"object\":7,\"parents\":{},"
			  "\"command\":7,\"score\":\"x\",\"thresholds\":[],\"parts\":\"x\","
			  "\"covers\":[],\"flags\":{},\"asked\":7,\"expires\":\"never\","
			  "\"pid\":\"x\",\"object_hex\":\"zz\"}"));
	check_picture(&model, 24, 80);
	put(&model, parse("{\"id\":2,\"state\":\"waiting\",\"parents\":[1,[]],\"parts\":[[],7]}"));
	model.chosen = 2;
	check_picture(&model, 24, 80);
}

Test(cli_review, table)
{
	static const struct term plain = { 0 };
	json_auto_t *reviews = json_array(), *none = json_array();
	OWNED_TEXT struct text out = { 0 }, empty = { 0 }, line = { 0 };

	json_array_append_new(reviews, full(1));
	json_array_append_new(reviews, with(with(full(20), "second", json_string("/x\ty")), "state",
					    json_string("expired")));
	cr_expect_eq(view_reviews(reviews, NOW, &plain, &out), 0);
	cr_expect_str_eq(out.data, "ID  SESSION  LEFT     SCORE  PROGRAM     OP     OBJECT\n"
				   " 1  blue     4m        5.00  node[4321]  write  "
				   "/home/anna/project/.git/hooks/pre-commit\n"
				   "20  blue     expired   5.00  node[4321]  write  "
				   "/home/anna/project/.git/hooks/pre-commit -> /x\\ty\n");
	cr_expect_eq(view_reviews(none, NOW, &plain, &empty), 0);
	cr_expect_str_eq(empty.data, "Nothing waits for an answer.\n");
	cr_expect_eq(view_review_line(json_array_get(reviews, 0), NOW, &line), 0);
	cr_expect_str_eq(line.data, "1  blue  node[4321]  write "
				    "/home/anna/project/.git/hooks/pre-commit  score 5.00  "
				    "waits 4m");
}
