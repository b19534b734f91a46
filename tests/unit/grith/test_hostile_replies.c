/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Each hostile name in every string of what grithd replies, through everything that shows replies.
 * What is JSON on stdout is dumped as ASCII by all of them.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "grith/client/client.h"
#include "grith/cmd/view_learned.h"
#include "grith/cmd/view_sessions.h"
#include "grith/cmd/view_status.h"
#include "grith/exec/exec.h"
#include "grith/review/notice.h"
#include "grith/review/review.h"
#include "hostile.h"
#include "top_fixture.h"

static const struct term terminal = { .width = 100 }, file = { 0 };

/* The reply with the name in every string. The caller's. */
static json_t *filled(const char *text, struct record_bytes name)
{
	json_error_t error;
	json_t *json = json_loads(text, 0, &error);

	cr_assert(json, "%s: %s", error.text, text);
	hostile_fill(json, name);
	return json;
}

static const char review[] =
	"{\"id\":7,\"session\":\"s\",\"session_name\":\"s\",\"state\":\"waiting\",\"held\":true,"
	"\"op\":\"s\",\"object\":\"s\",\"second\":\"s\",\"flags\":[\"s\",\"s\"],\"pid\":4321,"
	"\"program\":\"s\",\"parents\":[{\"pid\":4320,\"program\":\"s\"}],"
	"\"command\":[\"s\",\"s\"],\"judged\":false,\"rule\":\"s\",\"reason\":\"s\",\"score\":5.0,"
	"\"thresholds\":{\"hold\":3.0,\"deny\":8.0},\"parts\":["
	"{\"filter\":\"s\",\"score\":3.0,\"why\":\"s\"}],\"chain\":["
	"{\"time\":\"s\",\"what\":\"s\",\"pid\":5,\"program\":\"s\",\"object\":\"s\"}],"
	"\"processes\":2,\"asked\":\"s\",\"expires\":\"s\",\"answer\":\"s\",\"by\":\"s\","
	"\"for\":\"s\",\"covers\":{\"once\":\"s\",\"session\":\"s\",\"always\":\"s\","
	"\"directory\":\"s\"}}";

static json_t *waiting(struct record_bytes name)
{
	json_t *json = filled(review, name);

	json_object_del(json, "state_hex");
	json_object_set_new(json, "state", json_string("waiting"));
	return json;
}

Test(hostile_replies, review_screen)
{
	for (size_t i = 0; i < n_hostile_names; i++)
		for (unsigned int mode = 0; mode < 8; mode++) {
			OWNED_REVIEW_MODEL struct review_model model = { 0 };
			OWNED_PICTURE struct picture picture = { 0 };
			json_auto_t *json = waiting(hostile_names[i]);

			cr_assert_eq(review_model_put(&model, json, 0), 0);
			model.mode = mode % 4;
			model.whole = mode & 4;
			cr_assert_eq(view_review_screen(&model, 60, 120, TOP_TEST_NOW, &picture),
				     0);
			hostile_check_picture("review", &picture);
		}
}

Test(hostile_replies, review_lists_and_notices)
{
	for (size_t i = 0; i < n_hostile_names; i++) {
		OWNED_TEXT struct text out = { 0 }, line = { 0 }, heading = { 0 }, body = { 0 };
		json_auto_t *json = waiting(hostile_names[i]);
		json_auto_t *list = json_pack("[O, O]", json, json);

		cr_assert_eq(view_reviews(list, TOP_TEST_NOW, &terminal, &out), 0);
		cr_assert_eq(view_reviews(list, TOP_TEST_NOW, &file, &out), 0);
		hostile_check("list", &out, "\n");
		cr_assert_eq(view_review_line(json, TOP_TEST_NOW, &line), 0);
		line.length -= line.data[line.length - 1] == '\n';
		hostile_check("line", &line, "");
		cr_assert_eq(notice_texts(json, &heading, &body), 0);
		hostile_check("heading", &heading, "");
		hostile_check("body", &body, "");
		cr_assert_null(strpbrk(body.data, "<>"));
	}
}

Test(hostile_replies, why)
{
	static const char text[] =
		"{\"event\":{\"v\":1,\"time\":\"s\",\"seq\":17,\"session\":\"s\",\"kind\":\"s\","
		"\"op\":\"s\",\"verdict\":\"s\",\"errno\":\"s\",\"path\":\"s\",\"path2\":\"s\","
		"\"rule\":\"s\",\"reason\":\"s\",\"score\":5.5,\"pid\":7,\"program\":\"s\","
		"\"comm\":\"s\",\"chain\":[{\"time\":\"s\",\"what\":\"s\",\"pid\":5,"
		"\"program\":\"s\",\"object\":\"s\"}]},\"rule\":\"s\",\"rule_text\":\"s\","
		"\"reason\":\"s\",\"parts\":[{\"filter\":\"s\",\"score\":5.0,\"why\":\"s\"}],"
		"\"chain\":[{\"time\":\"s\",\"text\":\"s\"}],"
		"\"review\":{\"state\":\"s\",\"for\":\"s\",\"by\":\"s\",\"score\":5.25},"
		"\"allow\":[\"s\",\"s\"]}";
	/* The event as grithd has it, but for what an agent chose. */
	static const char *const own[][2] = {
		{ "time", "2026-01-02T03:04:05.000000000Z" },
		{ "session", "abcdefghij" },
		{ "kind", "file" },
		{ "op", "read" },
		{ "verdict", "deny" },
		{ "errno", "EACCES" },
	};

	for (size_t i = 0; i < 2 * n_hostile_names; i++) {
		json_auto_t *why = filled(text, hostile_names[i / 2]);
		json_t *event = json_object_get(why, "event"), *step;
		OWNED_TEXT struct text out = { 0 }, line = { 0 };
		char key[32];

		step = json_array_get(json_object_get(event, "chain"), 0);
		view_chain_step(&(struct line) { .out = &line }, step);
		hostile_check("step", &line, "");
		for (size_t k = 0; k < ARRAY_SIZE(own) && i % 2; k++) {
			snprintf(key, sizeof(key), "%s_hex", own[k][0]);
			json_object_del(event, key);
			json_object_set_new(event, own[k][0], json_string(own[k][1]));
		}
		cr_assert_eq(view_why(why, &terminal, &out), 0);
		cr_assert_eq(view_why(why, &file, &out), 0);
		hostile_check("why", &out, "\n");
	}
}

typedef int view_fn(const json_t *json, const struct term *term, struct text *out);

static int sessions(const json_t *json, const struct term *term, struct text *out)
{
	return view_sessions(json, TOP_TEST_NOW, term, out);
}

Test(hostile_replies, tables)
{
	static const struct {
		const char *what;
		view_fn *view;
		const char *text;
	} views[] = {
		{ "ps", sessions,
		  "[{\"id\":\"s\",\"name\":\"s\",\"user\":\"s\",\"profile\":\"s\",\"mode\":\"s\","
		  "\"state\":\"s\",\"started\":\"s\",\"project\":\"s\",\"counts\":"
		  "{\"operations\":1200,\"refused\":3,\"lost\":2},\"processes\":["
		  "{\"pid\":7,\"ppid\":1,\"program\":\"s\"},"
		  "{\"pid\":8,\"ppid\":7,\"program\":\"s\",\"command\":\"s\"},"
		  "{\"pid\":9,\"ppid\":7,\"command\":[\"s\",\"s\"]}]}]" },
		{ "trust", view_trust,
		  "[{\"key\":\"s\",\"profile\":\"s\",\"op\":\"s\",\"program\":\"s\","
		  "\"object\":\"s\",\"trust\":0.934,\"answers\":9.25,\"effect\":-1.2}]" },
		{ "canaries", view_canaries,
		  "[{\"name\":\"s\",\"path\":\"s\",\"kind\":\"s\",\"since\":\"s\",\"seen\":\"s\"}]" },
		{ "status", view_status,
		  "{\"version\":\"s\",\"attach\":\"s\",\"kernel\":\"s\",\"adopted\":true,\"pid\":5,"
		  "\"sessions\":2,\"socket\":\"s\",\"policy_dir\":\"s\",\"log_dir\":\"s\",\"hooks\":["
		  "{\"name\":\"s\",\"state\":\"s\",\"why\":\"s\",\"mandatory\":true}],"
		  "\"counters\":{\"s\":1}}" },
		{ "check", view_check,
		  "{\"ok\":false,\"attach\":\"s\",\"problems\":[\"s\"],"
		  "\"policy_problems\":[\"s\"]}" },
	};

	for (size_t v = 0; v < ARRAY_SIZE(views); v++)
		for (size_t i = 0; i < n_hostile_names; i++) {
			json_auto_t *json = filled(views[v].text, hostile_names[i]);
			OWNED_TEXT struct text out = { 0 };

			cr_assert_eq(views[v].view(json, &terminal, &out), 0);
			cr_assert_eq(views[v].view(json, &file, &out), 0);
			hostile_check(views[v].what, &out, "\n");
		}
}

Test(hostile_replies, what_exec_says)
{
	static const char started[] = "{\"notes\":[\"s\",\"s\"],\"hint\":\"s\"}",
			  refused[] = "{\"ok\":false,\"error\":"
				      "{\"message\":\"s\",\"details\":[\"s\",\"s\"]}}";

	for (size_t i = 0; i < n_hostile_names; i++) {
		json_auto_t *reply = filled(started, hostile_names[i]);
		json_auto_t *refusal = filled(refused, hostile_names[i]);
		char *argv[] = { (char *)hostile_names[i].data, NULL };
		const struct launch launch = { .program = argv[0], .argv = argv };
		OWNED_TEXT struct text notes = { 0 }, error = { 0 };

		launch_notes(reply, &notes);
		launch_hint(reply, &notes);
		hostile_check("notes", &notes, "\n");
		cr_assert_lt(channel_check(refusal, &error), 0);
		hostile_check("refusal", &error, "\n");
		error.length = 0;
		channel_explain(-ENOENT, hostile_names[i].data, &error);
		hostile_check("no socket", &error, "");
		json_object_set_new(reply, "session", json_string("abcdefghij"));
		error.length = 0;
		cr_assert_neq(launch_execute(&launch, reply, &error), 0);
		hostile_check("no program", &error, "");
	}
}

Test(hostile_replies, top)
{
	static const char list[] =
		"[{\"id\":\"s\",\"name\":\"s\",\"user\":\"s\",\"uid\":1000,\"profile\":\"s\","
		"\"mode\":\"s\",\"state\":\"s\",\"started\":\"s\",\"project\":\"s\",\"counts\":"
		"{\"operations\":27791,\"refused\":12,\"lost\":0},\"processes\":["
		"{\"pid\":4300,\"ppid\":4299,\"program\":\"s\",\"command\":\"s\"},"
		"{\"pid\":4321,\"ppid\":4300,\"command\":\"s\"}]}]";

	for (size_t i = 0; i < n_hostile_names; i++) {
		json_auto_t *sessions_list = filled(list, hostile_names[i]);
		json_auto_t *hold = waiting(hostile_names[i]);
		OWNED_MEM char *picture = NULL;
		struct top_model model = { 0 };

		/* A session without its id is none. */
		json_object_del(json_array_get(sessions_list, 0), "id_hex");
		json_object_set_new(json_array_get(sessions_list, 0), "id",
				    json_string("abcdefghij"));
		cr_assert_eq(top_model_init(&model, true), 0);
		cr_assert_eq(top_sessions_list(&model.sessions, sessions_list, TOP_TEST_NOW / 1000),
			     0);
		cr_assert_eq(review_model_put(&model.reviews, hold, 0), 0);
		picture = top_test_picture(&model, 40, 150);
		hostile_check("top", &(struct text) { picture, strlen(picture), 0 }, "\n");
		top_model_free(&model);
	}
}
