/* SPDX-License-Identifier: MPL-2.0 */
/* Which lines are shown, and to whom they are counted. */
#include <string.h>

#include <criterion/criterion.h>

#include "lib/event/event.h"

#define START "{\"v\":1,\"time\":\"2026-01-02T03:04:05.123456789Z\",\"mono\":42,"

static const char line[] = START
	"\"seq\":7,\"session\":\"abcdefghij\",\"kind\":\"file\",\"op\":\"rename\",\"verdict\":\"deny\","
	"\"rule\":\"base.yaml:12\",\"score\":8.50,\"path\":\"/home/u/a\",\"path2\":\"/etc/b\",\"program\":\"/usr/bin/node\"}";

static bool matches(const struct log_filter *filter, const char *text)
{
	OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
	struct log_head head;

	cr_assert(log_head_parse(text, strlen(text), &head));
	return log_filter_matches(filter, &reader, &head, text, strlen(text));
}

Test(log_filter, the_start_of_a_line)
{
	struct log_head head;

	cr_assert(log_head_parse(line, strlen(line), &head));
	cr_assert_str_eq(head.time, "2026-01-02T03:04:05.123456789Z");
	cr_assert_str_eq(head.session, "abcdefghij");
	cr_assert(log_head_parse(START "\"kind\":\"gap\",\"lost\":1}", strlen(START) + 10, &head));
	cr_assert_str_eq(head.session, "");
	cr_assert_not(head.is_gap); /* cut off */
}

Test(log_filter, gaps)
{
	static const char all[] = START "\"kind\":\"gap\",\"lost\":17,\"reason\":\"r\"}";
	static const char one[] = START "\"session\":\"abcdefghij\",\"kind\":\"gap\",\"next\":5,"
					"\"lost\":2,\"reason\":\"r\"}";
	struct log_head head;

	cr_assert(log_head_parse(all, strlen(all), &head));
	cr_assert(head.is_gap && head.lost == 17 && head.next == 0);
	cr_assert(log_head_parse(one, strlen(one), &head));
	cr_assert(head.is_gap && head.lost == 2 && head.next == 5);
	cr_assert(log_head_parse(line, strlen(line), &head));
	cr_assert_not(head.is_gap);
}

Test(log_filter, what_grithd_did_not_write)
{
	static const char *const cases[] = {
		"",
		"{}",
		"{\"v\":2,\"time\":\"2026-01-02T03:04:05.123456789Z\",\"mono\":42,",
		START "\"session\":\"abc\"}",
		START "\"session\":\"../../etc/\"}",
		START "\"seq\":,\"session\":\"abcdefghij\"",
		"x" START,
	};
	struct log_head head;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_assert_not(log_head_parse(cases[i], strlen(cases[i]), &head), "%s", cases[i]);
	for (size_t i = 0; i < strlen(START) - 1; i++)
		cr_assert_not(log_head_parse(line, i, &head), "%zu bytes", i);
}

/* A session's name in a field that an agent fills is not the session of the line. */
Test(log_filter, a_field_cannot_pose_as_the_session)
{
	static const char trap[] =
		START "\"kind\":\"gap\",\"reason\":\"\\\"session\\\":\\\"abcdefghij\\\"\"}";
	struct log_head head;

	cr_assert(log_head_parse(trap, strlen(trap), &head));
	cr_assert_str_eq(head.session, "");
}

Test(log_filter, fields)
{
	struct log_filter filter = { 0 };

	cr_assert(matches(&filter, line));
	filter.op = GRITH_OP_RENAME;
	cr_assert(matches(&filter, line));
	filter.op = GRITH_OP_READ;
	cr_assert_not(matches(&filter, line));
	filter = (struct log_filter) { .by_verdict = true, .verdict = GRITH_DENY, .refused = true };
	cr_assert(matches(&filter, line));
	filter.verdict = GRITH_ALLOW;
	cr_assert_not(matches(&filter, line));
	filter = (struct log_filter) { .by_score = true, .score = 850 };
	cr_assert(matches(&filter, line));
	filter.score = 851;
	cr_assert_not(matches(&filter, line));
	filter = (struct log_filter) { .rule = (char *)"base.yaml:*" };
	cr_assert(matches(&filter, line));
	filter.rule = (char *)"base.yaml:1";
	cr_assert_not(matches(&filter, line));
	filter = (struct log_filter) { .program = (char *)"node" };
	cr_assert(matches(&filter, line));
	filter.program = (char *)"/usr/*";
	cr_assert(matches(&filter, line));
	filter.program = (char *)"bin/node";
	cr_assert_not(matches(&filter, line));
	filter = (struct log_filter) { .path = (char *)"/etc/*" };
	cr_assert(matches(&filter, line));
	filter.path = (char *)"/home/*/a";
	cr_assert(matches(&filter, line));
	filter.path = (char *)"/var/*";
	cr_assert_not(matches(&filter, line));
}

Test(log_filter, time_and_session)
{
	struct log_filter filter = { .session = "abcdefghij" };

	cr_assert(matches(&filter, line));
	filter.session[0] = 'b';
	cr_assert_not(matches(&filter, line));
	filter = (struct log_filter) { .since = "2026-01-02T03:04:05.123456789Z" };
	cr_assert(matches(&filter, line));
	filter.since[18] = '6';
	cr_assert_not(matches(&filter, line));
	filter = (struct log_filter) { .until = "2026-01-02T03:04:05.123456790Z" };
	cr_assert(matches(&filter, line));
	filter.until[28] = '9';
	filter.until[27] = '8';
	cr_assert_not(matches(&filter, line));
}

Test(log_filter, refused_means_decided)
{
	struct log_filter filter = { .refused = true };

	cr_assert_not(matches(&filter, START "\"session\":\"abcdefghij\",\"kind\":\"exit\"}"));
	cr_assert_not(matches(&filter, START "\"session\":\"abcdefghij\",\"verdict\":\"allow\"}"));
	cr_assert(matches(&filter, START "\"session\":\"abcdefghij\",\"verdict\":\"hide\"}"));
	cr_assert_not(matches(&filter, START "\"session\":\"abcdefghij\",\"verdict\":\"hide\""));
}

static bool pattern(const char *with, const char *text)
{
	return log_pattern_matches(with, (struct record_bytes) { text, strlen(text) });
}

Test(log_filter, patterns)
{
	cr_assert(pattern("", ""));
	cr_assert(pattern("*", ""));
	cr_assert(pattern("**", "a/b"));
	cr_assert(pattern("a*b*c", "a1b2b3c"));
	cr_assert(pattern("?", "a"));
	cr_assert(pattern("\\*", "*"));
	cr_assert(pattern("a\\?", "a?"));
	cr_assert(pattern("*\\", "a\\"));
	cr_assert_not(pattern("", "a"));
	cr_assert_not(pattern("?", ""));
	cr_assert_not(pattern("\\*", "a"));
	cr_assert_not(pattern("a*b", "ab1"));
	cr_assert_not(pattern("a", "ab"));
}

/* Would take for ever with a matcher that tries every star again. */
Test(log_filter, a_mean_pattern_takes_no_time, .timeout = 5)
{
	char text[4096];

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	cr_assert_not(pattern("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}
