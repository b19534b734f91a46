/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Asking for an explanation, and what people see of it; what was learned, as tables.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "grith/cmd/view_learned.h"
#include "grith/review/review.h"
#include "lib/proto/proto.h"

static const struct term plain = { 0 };

static json_t *parse(const char *text)
{
	json_error_t error;
	json_t *json = json_loads(text, 0, &error);

	cr_assert(json, "%s: %s", error.text, text);
	return json;
}

static void expect_request(const char *event, const char *session, const char *expected)
{
	CLEANUP(proto_request_freep) struct proto_request *request = NULL;
	json_auto_t *json = NULL;
	OWNED_MEM char *text = NULL, *line = NULL;
	char why[256] = "";

	cr_assert_eq(why_request(event, session, &json), 0, "%s", event);
	text = json_dumps(json, JSON_COMPACT);
	cr_expect_str_eq(text, expected);
	json_object_set_new(json, "v", json_integer(PROTO_VERSION));
	line = json_dumps(json, 0);
	cr_expect_eq(proto_request_parse(line, strlen(line), why, sizeof(why), &request), 0, "%s",
		     why);
}

Test(cli_why, requests)
{
	expect_request("abcdefghij:17", NULL,
		       "{\"do\":\"why\",\"session\":\"abcdefghij\",\"event\":17}");
	expect_request("blue:0", NULL, "{\"do\":\"why\",\"session\":\"blue\",\"event\":0}");
	/* what the event says goes before where we are */
	expect_request("blue:1", "other", "{\"do\":\"why\",\"session\":\"blue\",\"event\":1}");
	expect_request("5", "here", "{\"do\":\"why\",\"session\":\"here\",\"event\":5}");
	expect_request("a:9223372036854775807", NULL,
		       "{\"do\":\"why\",\"session\":\"a\",\"event\":9223372036854775807}");
	expect_request(NULL, NULL, "{\"do\":\"why\",\"last\":true}");
	expect_request(NULL, "here", "{\"do\":\"why\",\"session\":\"here\",\"last\":true}");
}

Test(cli_why, what_is_no_event)
{
	static const char *const events[] = { "",    "17",     "a:",   ":17",
					      "a:x", "a:-1",   "a:1 ", "a b:1",
					      "::1", "a:b:1x", "/:1",  "a:9223372036854775808" };
	json_t *json = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		cr_expect_eq(why_request(events[i], NULL, &json), -EINVAL, "%s", events[i]);
	cr_expect_eq(why_request("x", "here", &json), -EINVAL);
	cr_expect_null(json);
}

Test(cli_why, explained)
{
	json_auto_t *why = parse(
		"{\"event\":{\"v\":1,\"time\":\"2026-01-02T03:04:05.000000000Z\",\"seq\":17,"
		"\"session\":\"abcdefghij\",\"kind\":\"file\",\"op\":\"read\",\"verdict\":\"deny\","
		"\"errno\":\"EACCES\",\"path\":\"/home/a/.ssh/id\\u001b\","
		"\"rule\":\"base.yaml:12\",\"reason\":\"private keys\",\"score\":5.5,\"pid\":7,"
		"\"program\":\"/bin/cat\"},\"rule\":\"base.yaml:12\","
		"\"rule_text\":\"{deny: read, path: ~/.ssh/id*}\",\"parts\":["
		"{\"filter\":\"path-match\",\"score\":5.0,\"why\":\"a private key\"},"
		"{\"filter\":\"taint\",\"score\":0.5,\"why\":\"\\u001b[2J\"}],\"chain\":["
		"{\"time\":\"2026-01-02T03:03:05Z\",\"text\":\"cat[5] read /home/a/.env\"},"
		"{\"time\":\"2026-01-02T03:03:06Z\",\"text\":\"x\\n\"}],"
		"\"allow\":[\"one way\",7,\"another\\t\"]}");
	OWNED_TEXT struct text out = { 0 };

	setenv("TZ", "UTC", 1);
	cr_expect_eq(view_why(why, &plain, &out), 0);
	cr_expect_str_eq(out.data,
			 "01-02 03:04:05.000 abcdefghij:17   cat[7]             deny  read     "
			 "/home/a/.ssh/id\\e  base.yaml:12 (private keys)  score 5.50  [EACCES]\n"
			 "rule       base.yaml:12 (private keys)\n"
			 "           {deny: read, path: ~/.ssh/id*}\n"
			 "score      5.50\n"
			 "           +5.00  path-match  a private key\n"
			 "           +0.50  taint  \\e[2J\n"
			 "before it  01-02 03:03:05.000  cat[5] read /home/a/.env\n"
			 "           01-02 03:03:06.000  x\\n\n"
			 "to allow   one way\n"
			 "           another\\t\n");
}

Test(cli_why, how_a_secret_came_to_the_process)
{
	json_auto_t *why =
		parse("{\"event\":{\"op\":\"connect\",\"chain\":[{\"what\":\"forgotten\"},"
		      "{\"time\":\"2026-01-02T03:03:05Z\",\"what\":\"read\",\"pid\":5,"
		      "\"program\":\"/bin/cat\",\"object\":\"/home/a/.env\\u001b\"},"
		      "{\"what\":\"omitted\"},7,"
		      "{\"time\":\"2026-01-02T03:03:06Z\",\"what\":\"wrote\",\"pid\":5}]},"
		      "\"rule\":\"default\",\"parts\":[],\"chain\":[],\"allow\":[]}");
	OWNED_TEXT struct text out = { 0 };

	setenv("TZ", "UTC", 1);
	cr_expect_eq(view_why(why, &plain, &out), 0);
	cr_expect(strstr(out.data,
			 "secret     (what was before is not known any more)\n"
			 "           01-02 03:03:05.000  /bin/cat[5] read /home/a/.env\\e\n"
			 "           (more steps)\n"
			 "           (more steps)\n"
			 "           01-02 03:03:06.000  a process[5] could write to something "
			 "unknown\n"),
		  "%s", out.data);
}

Test(cli_why, little_is_known)
{
	json_auto_t *least = parse("{\"event\":{},\"rule\":\"default\",\"parts\":[],\"chain\":[],"
				   "\"allow\":[]}");
	json_auto_t *wrong = parse("{\"event\":7,\"rule\":[],\"parts\":{},\"chain\":[1],"
				   "\"allow\":\"x\"}");
	OWNED_TEXT struct text out = { 0 }, strange = { 0 }, none = { 0 };

	cr_expect_eq(view_why(least, &plain, &out), 0);
	cr_expect(strstr(out.data, "\nrule       default\n"), "%s", out.data);
	cr_expect_null(strstr(out.data, "score"));
	cr_expect_eq(view_why(wrong, &plain, &strange), 0);
	cr_expect_eq(view_why(NULL, &plain, &none), 0);
}

Test(cli_why, answered)
{
	json_auto_t *why =
		parse("{\"event\":{\"time\":\"2026-01-02T03:04:05.000000000Z\",\"seq\":1,"
		      "\"session\":\"abcdefghij\",\"kind\":\"file\",\"op\":\"read\","
		      "\"verdict\":\"deny\",\"path\":\"/a\",\"score\":0.00,\"review\":2},"
		      "\"rule\":\"default\",\"review\":{\"state\":\"denied\",\"for\":\"once\","
		      "\"by\":\"uid \\u001b\",\"score\":5.25},\"parts\":[{\"filter\":\"taint\","
		      "\"score\":5.25,\"why\":\"w\"}]}");
	OWNED_TEXT struct text out = { 0 };

	cr_assert_eq(view_why(why, &plain, &out), 0);
	cr_expect(strstr(out.data, "\nanswer     denied for once by uid \\e\n"), "%s", out.data);
	cr_expect(strstr(out.data, "\nscore      5.25\n           +5.25  taint  w\n"), "%s",
		  out.data);
}

Test(cli_learned, trust)
{
	json_auto_t *trust =
		parse("[{\"key\":\"k\\u001b\",\"profile\":\"generic\",\"op\":\"connect\","
		      "\"program\":\"/bin/npm\",\"object\":\"example.org\",\"trust\":0.934,"
		      "\"answers\":9.25,\"effect\":-1.2},{\"key\":7}]");
	json_auto_t *none = parse("[]");
	OWNED_TEXT struct text out = { 0 }, empty = { 0 };

	cr_expect_eq(view_trust(trust, &plain, &out), 0);
	cr_expect_str_eq(out.data,
			 "TRUST  ANSWERS  EFFECT  PROFILE  OP       PROGRAM   OBJECT       KEY\n"
			 " 0.93      9.2   -1.20  generic  connect  /bin/npm  example.org  k\\e\n"
			 " 0.00      0.0   +0.00  -        -        -         -            -\n");
	cr_expect_eq(view_trust(none, &plain, &empty), 0);
	cr_expect_str_eq(empty.data, "Nothing was learned from answers yet.\n");
}

Test(cli_learned, canaries)
{
	json_auto_t *canaries = parse(
		"[{\"name\":\"aws\",\"path\":\"/home/a/\\u001b\",\"kind\":\"file\","
		"\"since\":\"2026-01-02T03:04:05Z\",\"seen\":\"2026-01-02T03:04:06Z\"},"
		"{\"name\":\"token\",\"kind\":\"value\",\"since\":\"2026-01-02T03:04:05Z\"}]");
	json_auto_t *none = parse("[]");
	OWNED_TEXT struct text out = { 0 }, empty = { 0 };

	setenv("TZ", "UTC", 1);
	cr_expect_eq(view_canaries(canaries, &plain, &out), 0);
	cr_expect_str_eq(out.data,
			 "NAME   KIND   SINCE               SEEN                PATH\n"
			 "aws    file   01-02 03:04:05.000  01-02 03:04:06.000  /home/a/\\e\n"
			 "token  value  01-02 03:04:05.000  -                   -\n");
	cr_expect_eq(view_canaries(none, &plain, &empty), 0);
	cr_expect_str_eq(empty.data, "There are no canaries.\n");
}
