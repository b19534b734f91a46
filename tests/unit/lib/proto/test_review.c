/* SPDX-License-Identifier: MPL-2.0 */
/* Requests about holds and what was learned from them, and the words that they use. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "lib/proto/proto.h"

static struct proto_request *parse(const char *rest)
{
	struct proto_request *request = NULL;
	char line[8192], why[256] = "";

	snprintf(line, sizeof(line), "{\"v\":1,\"do\":%s}", rest);
	cr_assert_eq(proto_request_parse(line, strlen(line), why, sizeof(why), &request), 0,
		     "%s: %s", line, why);
	return request;
}

static void refused(const char *rest, const char *part)
{
	struct proto_request *request = NULL;
	char line[8192], why[256] = "";

	snprintf(line, sizeof(line), "{\"v\":1,\"do\":%s}", rest);
	cr_assert_eq(proto_request_parse(line, strlen(line), why, sizeof(why), &request), -EINVAL,
		     "%s", line);
	cr_assert_not_null(strstr(why, part), "%s: %s", line, why);
}

Test(proto_review, start)
{
	struct proto_request *request = parse("\"start\",\"command\":[\"a\"]");

	cr_expect_eq(request->on_hold, PROTO_ON_HOLD_WAIT);
	cr_expect_eq(request->timeout, PROTO_TIMEOUT_DEFAULT);
	proto_request_free(request);
	request = parse("\"start\",\"command\":[\"a\"],\"on_hold\":\"deny\",\"timeout\":1");
	cr_expect_eq(request->on_hold, PROTO_ON_HOLD_DENY);
	cr_expect_eq(request->timeout, 1);
	proto_request_free(request);
	refused("\"start\",\"command\":[\"a\"],\"on_hold\":\"ask\"", "\"wait\"");
	refused("\"start\",\"command\":[\"a\"],\"on_hold\":1", "\"wait\"");
	refused("\"start\",\"command\":[\"a\"],\"timeout\":0", "from 1 to 604800");
	refused("\"start\",\"command\":[\"a\"],\"timeout\":604801", "from 1 to 604800");
	refused("\"status\",\"timeout\":5", "unknown key");
}

Test(proto_review, reviews)
{
	struct proto_request *request = parse("\"reviews\"");

	cr_expect_eq(request->verb, PROTO_REVIEWS);
	cr_expect_null(request->session);
	cr_expect_not(request->all);
	cr_expect_not(request->follow);
	proto_request_free(request);
	request = parse("\"reviews\",\"session\":\"blue\",\"all\":true,\"follow\":true");
	cr_expect_str_eq(request->session, "blue");
	cr_expect(request->all);
	cr_expect(request->follow);
	proto_request_free(request);
	refused("\"reviews\",\"all\":1", "true or false");
	refused("\"reviews\",\"follow\":\"yes\"", "true or false");
	refused("\"reviews\",\"session\":7", "string");
	refused("\"reviews\",\"review\":7", "unknown key");
}

Test(proto_review, answer)
{
	struct proto_request *request = parse("\"answer\",\"review\":12,\"verdict\":\"allow\"");

	cr_expect_eq(request->verb, PROTO_ANSWER);
	cr_expect_eq(request->review, 12);
	cr_expect(request->allow);
	cr_expect_eq(request->scope, PROTO_ONCE);
	cr_expect_null(request->directory);
	proto_request_free(request);
	request = parse("\"answer\",\"review\":2147483647,\"verdict\":\"deny\",\"for\":\"always\","
			"\"directory\":\"/home/me/x\"");
	cr_expect_eq(request->review, PROTO_REVIEW_MAX);
	cr_expect_not(request->allow);
	cr_expect_eq(request->scope, PROTO_ALWAYS);
	cr_expect_str_eq(request->directory, "/home/me/x");
	proto_request_free(request);
}

Test(proto_review, answers_that_are_none)
{
	refused("\"answer\",\"verdict\":\"allow\"", "\"review\" is missing");
	refused("\"answer\",\"review\":12", "\"verdict\" is missing");
	refused("\"answer\",\"review\":0,\"verdict\":\"allow\"", "from 1 to");
	refused("\"answer\",\"review\":-1,\"verdict\":\"allow\"", "from 1 to");
	refused("\"answer\",\"review\":2147483648,\"verdict\":\"allow\"", "from 1 to");
	refused("\"answer\",\"review\":1.0,\"verdict\":\"allow\"", "from 1 to");
	refused("\"answer\",\"review\":\"12\",\"verdict\":\"allow\"", "from 1 to");
	refused("\"answer\",\"review\":1,\"verdict\":\"hold\"", "\"allow\" or \"deny\"");
	refused("\"answer\",\"review\":1,\"verdict\":true", "\"allow\" or \"deny\"");
	refused("\"answer\",\"review\":1,\"verdict\":\"allow\",\"for\":\"ever\"", "\"always\"");
	refused("\"answer\",\"review\":1,\"verdict\":\"allow\",\"for\":null", "\"always\"");
	refused("\"answer\",\"review\":1,\"verdict\":\"allow\",\"directory\":\"/a\"", "\"for\"");
	refused("\"answer\",\"review\":1,\"verdict\":\"allow\",\"for\":\"session\","
		"\"directory\":\"a\"",
		"absolute");
	refused("\"answer\",\"review\":1,\"verdict\":\"allow\",\"for\":\"session\","
		"\"directory\":\"/a/../b\"",
		"absolute");
	refused("\"answer\",\"review\":1,\"verdict\":\"allow\",\"for\":\"session\","
		"\"directory\":[\"/a\"]",
		"absolute");
	refused("\"answer\",\"review\":1,\"verdict\":\"allow\",\"session\":\"x\"", "unknown key");
}

Test(proto_review, why)
{
	struct proto_request *request = parse("\"why\",\"session\":\"s\",\"event\":0");

	cr_expect_eq(request->verb, PROTO_WHY);
	cr_expect_eq(request->event, 0);
	cr_expect_not(request->newest);
	proto_request_free(request);
	request = parse("\"why\",\"last\":true");
	cr_expect_eq(request->event, -1);
	cr_expect(request->newest);
	cr_expect_eq(request->last, -1, "that is of \"log\"");
	proto_request_free(request);
	refused("\"why\"", "missing");
	refused("\"why\",\"last\":false", "missing");
	refused("\"why\",\"event\":1,\"last\":true", "exclude");
	refused("\"why\",\"event\":-1", "whole number");
	refused("\"why\",\"event\":\"1\"", "whole number");
	refused("\"why\",\"last\":1", "true or false");
	refused("\"why\",\"op\":\"read\",\"last\":true", "unknown key");
}

Test(proto_review, trust)
{
	struct proto_request *request = parse("\"trust\"");
	OWNED_MEM char *longer = calloc(1, PROTO_KEY_MAX + 32);
	char *end;

	cr_expect_eq(request->verb, PROTO_TRUST);
	cr_expect_null(request->reset);
	proto_request_free(request);
	request = parse("\"trust\",\"reset\":\"all\"");
	cr_expect_str_eq(request->reset, "all");
	proto_request_free(request);
	refused("\"trust\",\"reset\":\"\"", "1 to 1024");
	refused("\"trust\",\"reset\":true", "1 to 1024");
	refused("\"trust\",\"key\":\"k\"", "unknown key");
	end = stpcpy(longer, "\"trust\",\"reset\":\"");
	memset(end, 'k', PROTO_KEY_MAX + 1);
	end[PROTO_KEY_MAX + 1] = '"';
	refused(longer, "1 to 1024");
	end[PROTO_KEY_MAX] = '"';
	end[PROTO_KEY_MAX + 1] = '\0';
	proto_request_free(parse(longer));
}

Test(proto_review, canaries)
{
	struct proto_request *request = parse("\"canary\",\"action\":\"list\"");

	cr_expect_eq(request->verb, PROTO_CANARY);
	cr_expect_eq(request->action, PROTO_CANARY_LIST);
	proto_request_free(request);
	request = parse("\"canary\",\"action\":\"add\",\"name\":\"a.1\",\"path\":\"/home/me/.x\"");
	cr_expect_eq(request->action, PROTO_CANARY_ADD);
	cr_expect_str_eq(request->name, "a.1");
	cr_expect_str_eq(request->path, "/home/me/.x");
	cr_expect_null(request->value);
	proto_request_free(request);
	request = parse("\"canary\",\"action\":\"add\",\"name\":\"a\",\"value\":\"12345678\"");
	cr_expect_str_eq(request->value, "12345678");
	proto_request_free(request);
	request = parse("\"canary\",\"action\":\"rotate\",\"name\":\"a\"");
	cr_expect_eq(request->action, PROTO_CANARY_ROTATE);
	proto_request_free(request);
	proto_request_free(
		parse("\"canary\",\"action\":\"rotate\",\"name\":\"a\",\"value\":\"12345678\""));
	proto_request_free(parse("\"canary\",\"action\":\"remove\",\"name\":\"a\""));
}

Test(proto_review, canaries_that_are_none)
{
	refused("\"canary\"", "\"action\" is missing");
	refused("\"canary\",\"action\":\"show\"", "\"rotate\"");
	refused("\"canary\",\"action\":\"list\",\"name\":\"a\"", "nothing else");
	refused("\"canary\",\"action\":\"add\"", "\"name\"");
	refused("\"canary\",\"action\":\"add\",\"name\":\"a b\",\"path\":\"/x\"", "\"name\"");
	refused("\"canary\",\"action\":\"add\",\"name\":\"a\"", "either");
	refused("\"canary\",\"action\":\"add\",\"name\":\"a\",\"path\":\"/x\","
		"\"value\":\"12345678\"",
		"either");
	refused("\"canary\",\"action\":\"add\",\"name\":\"a\",\"path\":\"x\"", "absolute");
	refused("\"canary\",\"action\":\"add\",\"name\":\"a\",\"value\":\"1234567\"", "8 to 256");
	refused("\"canary\",\"action\":\"add\",\"name\":\"a\",\"value\":12345678", "8 to 256");
	refused("\"canary\",\"action\":\"rotate\",\"name\":\"a\",\"path\":\"/x\"", "only \"add\"");
	refused("\"canary\",\"action\":\"remove\",\"name\":\"a\",\"value\":\"12345678\"",
		"no \"value\"");
	refused("\"canary\",\"action\":\"remove\"", "\"name\"");
	refused("\"canary\",\"action\":\"list\",\"session\":\"s\"", "unknown key");
}

Test(proto_review, paths)
{
	OWNED_MEM char *longest = calloc(1, PROTO_DIRECTORY_MAX + 2);

	cr_expect(proto_path_valid("/a"));
	cr_expect(proto_path_valid("/a/b c/.d/..e/..."));
	cr_expect_not(proto_path_valid(""));
	cr_expect_not(proto_path_valid("/"));
	cr_expect_not(proto_path_valid("//"));
	cr_expect_not(proto_path_valid("a"));
	cr_expect_not(proto_path_valid("/a/"));
	cr_expect_not(proto_path_valid("/a//b"));
	cr_expect_not(proto_path_valid("/."));
	cr_expect_not(proto_path_valid("/a/.."));
	cr_expect_not(proto_path_valid("/a/./b"));
	memset(longest, 'x', PROTO_DIRECTORY_MAX);
	longest[0] = '/';
	cr_expect(proto_path_valid(longest));
	longest[PROTO_DIRECTORY_MAX] = 'x';
	cr_expect_not(proto_path_valid(longest));
}

/* Every number has a word, every word is read back as its number, and no other word is. */
Test(proto_review, words)
{
	enum proto_on_hold on_hold;
	enum proto_scope scope;
	enum proto_canary_action action;

	for (unsigned int i = 0; i < PROTO_ON_HOLDS; i++)
		cr_expect(!proto_on_hold_parse(proto_on_hold_name(i), &on_hold) && on_hold == i);
	for (unsigned int i = 0; i < PROTO_SCOPES; i++)
		cr_expect(!proto_scope_parse(proto_scope_name(i), &scope) && scope == i);
	for (unsigned int i = 0; i < PROTO_STATES; i++)
		cr_expect(proto_state_name(i));
	for (unsigned int i = 0; i < PROTO_CANARY_ACTIONS; i++)
		cr_expect(!proto_canary_action_parse(proto_canary_action_name(i), &action) &&
			  action == i);
	cr_expect_null(proto_on_hold_name(PROTO_ON_HOLDS));
	cr_expect_null(proto_scope_name(PROTO_SCOPES));
	cr_expect_null(proto_state_name(PROTO_STATES));
	cr_expect_null(proto_canary_action_name(PROTO_CANARY_ACTIONS));
	cr_expect_eq(proto_on_hold_parse("", &on_hold), -EINVAL);
	cr_expect_eq(proto_scope_parse("Once", &scope), -EINVAL);
	cr_expect_eq(proto_canary_action_parse("show", &action), -EINVAL);
}
