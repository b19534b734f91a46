/* SPDX-License-Identifier: MPL-2.0 */
/* Requests are read as documented, and every other line is refused with a reason. */

#include <criterion/criterion.h>

#include "lib/base/base.h"
#include "lib/proto/proto.h"

static int parse(const char *line, struct proto_request **ret_request, char *why)
{
	return proto_request_parse(line, strlen(line), why, 256, ret_request);
}

static void refused(const char *line, int wanted, const char *part)
{
	struct proto_request *request;
	char why[256] = "";

	cr_assert_eq(parse(line, &request, why), wanted, "%s", line);
	cr_assert_not_null(strstr(why, part), "%s: %s", line, why);
}

Test(proto, status)
{
	CLEANUP(proto_request_freep) struct proto_request *request = NULL;
	char why[256];

	cr_assert_eq(parse("{\"v\":1,\"do\":\"status\"}", &request, why), 0);
	cr_assert_eq(request->verb, PROTO_STATUS);
}

Test(proto, start)
{
	CLEANUP(proto_request_freep) struct proto_request *request = NULL;
	char why[256];

	cr_assert_eq(
		parse("{\"v\":1,\"do\":\"start\",\"command\":[\"a\",\"b\"],\"observe\":true,"
		      "\"policy\":{\"name\":\"x.yaml\",\"text\":\"grith: 1\\n\"},\"name\":\"blue-1\"}",
		      &request, why),
		0);
	cr_assert_eq(request->n_command, 2);
	cr_assert_str_eq(request->command[1], "b");
	cr_assert(request->observe);
	cr_assert_str_eq(request->policy_text, "grith: 1\n");
	cr_assert_eq(request->policy_length, 9);
	cr_assert_str_eq(request->name, "blue-1");
	cr_assert_null(request->profile);
}

Test(proto, log)
{
	CLEANUP(proto_request_freep) struct proto_request *request = NULL;
	char why[256];

	cr_assert_eq(parse("{\"v\":1,\"do\":\"log\",\"session\":\"x\",\"op\":\"read\","
			   "\"verdict\":\"deny\",\"last\":5,\"follow\":true}",
			   &request, why),
		     0);
	cr_assert_eq(request->last, 5);
	cr_assert_eq(request->since, -1);
	cr_assert(request->follow);
	cr_assert_not(request->refused);
}

Test(proto, log_by_time_rule_and_score)
{
	CLEANUP(proto_request_freep) struct proto_request *request = NULL;
	char why[256];

	cr_assert_eq(parse("{\"v\":1,\"do\":\"log\",\"rule\":\"base.yaml:*\",\"score\":-2.35,"
			   "\"since\":\"2026-01-02T03:04:05.123456789Z\",\"until\":60,"
			   "\"reverse\":true}",
			   &request, why),
		     0);
	cr_assert_str_eq(request->rule, "base.yaml:*");
	cr_assert(request->by_score);
	cr_assert_eq(request->score, -235);
	cr_assert_eq(request->since, -1);
	cr_assert_str_eq(request->since_time, "2026-01-02T03:04:05.123456789Z");
	cr_assert_eq(request->until, 60);
	cr_assert(request->reverse);
	refused("{\"v\":1,\"do\":\"log\",\"since\":\"yesterday\"}", -EINVAL, "seconds");
	refused("{\"v\":1,\"do\":\"log\",\"until\":-1}", -EINVAL, "whole number");
	refused("{\"v\":1,\"do\":\"log\",\"score\":\"3\"}", -EINVAL, "number");
	refused("{\"v\":1,\"do\":\"log\",\"score\":1e9}", -EINVAL, "1000");
	refused("{\"v\":1,\"do\":\"log\",\"reverse\":true,\"follow\":true}", -EINVAL, "exclude");
}

Test(proto, what_is_not_a_request)
{
	refused("", -EINVAL, "not JSON");
	refused("hello", -EINVAL, "not JSON");
	refused("{", -EINVAL, "not JSON");
	refused("[]", -EINVAL, "object");
	refused("{\"v\":1,\"v\":1,\"do\":\"status\"}", -EINVAL, "not JSON");
	refused("{\"v\":1,\"do\":\"status\"} x", -EINVAL, "not JSON");
	refused("{\"v\":1,\"do\":\"sta\\u0000tus\"}", -EINVAL, "not JSON");
	refused("{\"v\":1,\"do\":\"\xff\"}", -EINVAL, "not JSON");
	refused("{\"v\":2,\"do\":\"status\"}", -EPROTONOSUPPORT, "version 1");
	refused("{\"do\":\"status\"}", -EPROTONOSUPPORT, "version 1");
	refused("{\"v\":\"1\",\"do\":\"status\"}", -EPROTONOSUPPORT, "version 1");
	refused("{\"v\":1}", -EINVAL, "\"do\"");
	refused("{\"v\":1,\"do\":5}", -EINVAL, "\"do\"");
	refused("{\"v\":1,\"do\":\"reboot\"}", -EINVAL, "reboot");
	refused("{\"v\":1,\"do\":\"status\",\"x\":1}", -EINVAL, "\"x\"");
	refused("{\"v\":1,\"do\":\"list\",\"session\":\"a\"}", -EINVAL, "session");
}

Test(proto, values_of_the_wrong_kind)
{
	refused("{\"v\":1,\"do\":\"kill\"}", -EINVAL, "missing");
	refused("{\"v\":1,\"do\":\"kill\",\"session\":1}", -EINVAL, "string");
	refused("{\"v\":1,\"do\":\"start\"}", -EINVAL, "command");
	refused("{\"v\":1,\"do\":\"start\",\"command\":[]}", -EINVAL, "not empty");
	refused("{\"v\":1,\"do\":\"start\",\"command\":\"ls\"}", -EINVAL, "array");
	refused("{\"v\":1,\"do\":\"start\",\"command\":[1]}", -EINVAL, "strings");
	refused("{\"v\":1,\"do\":\"start\",\"command\":[\"a\"],\"observe\":1}", -EINVAL,
		"true or false");
	refused("{\"v\":1,\"do\":\"start\",\"command\":[\"a\"],\"policy\":\"x\"}", -EINVAL, "text");
	refused("{\"v\":1,\"do\":\"start\",\"command\":[\"a\"],\"policy\":{\"name\":\"\",\"text\":\"\"}}",
		-EINVAL, "name");
	refused("{\"v\":1,\"do\":\"start\",\"command\":[\"a\"],\"profile\":\"p\","
		"\"policy\":{\"name\":\"x\",\"text\":\"\"}}",
		-EINVAL, "exclude");
	refused("{\"v\":1,\"do\":\"start\",\"command\":[\"a\"],\"name\":\"a/b\"}", -EINVAL,
		"letters");
	refused("{\"v\":1,\"do\":\"log\",\"op\":\"reed\"}", -EINVAL, "reed");
	refused("{\"v\":1,\"do\":\"log\",\"op\":\"none\"}", -EINVAL, "none");
	refused("{\"v\":1,\"do\":\"log\",\"verdict\":\"no\"}", -EINVAL, "no");
	refused("{\"v\":1,\"do\":\"log\",\"last\":-1}", -EINVAL, "whole number");
	refused("{\"v\":1,\"do\":\"log\",\"last\":1e3}", -EINVAL, "whole number");
	refused("{\"v\":1,\"do\":\"log\",\"last\":100001}", -EINVAL, "100000");
	refused("{\"v\":1,\"do\":\"log\",\"since\":99999999999}", -EINVAL, "whole number");
}

static char *repeat(const char *before, const char *part, size_t times, const char *after)
{
	struct text text = { 0 };

	cr_assert_eq(text_add(&text, before, strlen(before)), 0);
	for (size_t i = 0; i < times; i++)
		cr_assert_eq(text_add(&text, part, strlen(part)), 0);
	cr_assert_eq(text_add(&text, after, strlen(after)), 0);
	return text.data;
}

Test(proto, too_much_is_refused_before_it_is_parsed)
{
	OWNED_MEM char *deep = repeat("{\"v\":1,\"do\":\"status\",\"x\":", "[", 100000, "");
	OWNED_MEM char *many = repeat("{\"v\":1,\"do\":\"status\",\"x\":[0", ",0", 5000, "]}");
	OWNED_MEM char *words =
		repeat("{\"v\":1,\"do\":\"start\",\"command\":[\"a\"", ",\"a\"", 1024, "]}");
	OWNED_MEM char *large =
		repeat("{\"v\":1,\"do\":\"kill\",\"session\":\"", "x", 70000, "\"}");
	OWNED_MEM char *huge =
		repeat("{\"v\":1,\"do\":\"start\",\"command\":[\"", "x", 9u << 20, "\"]}");

	refused(deep, -E2BIG, "values");
	refused(many, -E2BIG, "values");
	refused(words, -E2BIG, "1024");
	refused(large, -E2BIG, "65536");
	refused(huge, -E2BIG, "8388608");
}

Test(proto, brackets_inside_of_strings_are_not_counted)
{
	OWNED_MEM char *line =
		repeat("{\"v\":1,\"do\":\"start\",\"command\":[\"a\"],\"policy\":{\"name\":\"x\","
		       "\"text\":\"",
		       "{[,:\\\"", 10000, "\"}}");
	CLEANUP(proto_request_freep) struct proto_request *request = NULL;
	char why[256];

	cr_assert_eq(parse(line, &request, why), 0, "%s", why);
	cr_assert_eq(request->policy_length, 50000);
}

Test(proto, names)
{
	OWNED_MEM char *longest = repeat("", "a", 64, ""), *longer = repeat("", "a", 65, "");

	cr_assert(proto_name_valid("a"));
	cr_assert(proto_name_valid("9.a-b_c"));
	cr_assert(proto_name_valid(longest));
	cr_assert_not(proto_name_valid(longer));
	cr_assert_not(proto_name_valid(""));
	cr_assert_not(proto_name_valid(".."));
	cr_assert_not(proto_name_valid("-a"));
	cr_assert_not(proto_name_valid("a/b"));
	cr_assert_not(proto_name_valid("a b"));
	cr_assert_not(proto_name_valid("a\n"));
	cr_assert_not(proto_name_valid("\xc3\xbc"));
}

Test(proto, replies)
{
	json_t *details = json_pack("[s]", "x.yaml:1:2: no"), *reply;
	char *text;

	/* cut in the middle of a character: still JSON */
	reply = proto_error_reply(PROTO_POLICY, "unknown \"\xc3", details);
	cr_assert_not_null(reply);
	text = json_dumps(reply, JSON_COMPACT);
	cr_assert_str_eq(text, "{\"v\":1,\"ok\":false,\"error\":{\"code\":\"policy\",\"message\":"
			       "\"unknown \\\"\\\\xc3\",\"details\":[\"x.yaml:1:2: no\"]}}");
	free(text);
	json_decref(reply);
	reply = proto_ok_reply();
	text = json_dumps(reply, JSON_COMPACT);
	cr_assert_str_eq(text, "{\"v\":1,\"ok\":true}");
	free(text);
	json_decref(reply);
}

Test(proto, every_number_has_a_word)
{
	for (unsigned int i = 0; i < PROTO_VERBS; i++)
		cr_assert_not_null(proto_verb_name(i));
	for (unsigned int i = 0; i < PROTO_ERRORS; i++)
		cr_assert_not_null(proto_error_name(i));
	cr_assert_null(proto_verb_name(PROTO_VERBS));
	cr_assert_null(proto_error_name(PROTO_ERRORS));
}
