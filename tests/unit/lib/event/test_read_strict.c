/* SPDX-License-Identifier: MPL-2.0 */
/* Lines that were changed, cut or made up: refused, and nothing beyond them is looked at. */

#include <criterion/criterion.h>

#include "lib/base/base.h"
#include "lib/event/event.h"

#define START "{\"v\":1,\"time\":\"2026-01-02T03:04:05.123456789Z\""

static int read_line(const char *line, size_t length, struct log_event *ret_event)
{
	OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
	OWNED_MEM char *copy = malloc(length ? length : 1); /* ends where the line does */

	memcpy(copy, line, length);
	return log_event_read(&reader, copy, length, ret_event);
}

static int read_text(const char *line)
{
	struct log_event event;

	return read_line(line, strlen(line), &event);
}

Test(log_event, every_shorter_line_is_refused)
{
	static const char line[] = START
		",\"seq\":7,\"session\":\"abcdefghij\",\"kind\":\"exec\",\"errno\":\"EACCES\","
		"\"target\":{\"pid\":1,\"comm\":\"\\u00e9\\ud83d\\ude00\"},\"argv\":[\"a\",\"\"],"
		"\"path\":\"\xc3\xa9\",\"path_hex\":\"c3\",\"score\":-1.25,\"flags\":[\"uring\"],"
		"\"inode\":\"12\",\"new\":[{\"a\":-1.5e+3,\"b\":null},true,false]}";
	struct log_event event;

	cr_assert_eq(read_line(line, sizeof(line) - 1, &event), 0);
	for (size_t i = 0; i < sizeof(line) - 1; i++)
		cr_assert_eq(read_line(line, i, &event), -EBADMSG, "%zu bytes", i);
}

Test(log_event, what_it_does_not_know_is_passed_over)
{
	cr_assert_eq(read_text(START "}"), 0);
	cr_assert_eq(read_text(START ",\"kind\":\"later\",\"op\":\"later\",\"flags\":[\"x\"]}"), 0);
	cr_assert_eq(read_text(START ",\"x\":{},\"y\":[],\"z\":[[[[0]]]],\"x_hex\":\"zz\"}"), 0);
	cr_assert_eq(read_text(START ",\"n\":17,\"prev\":\"00\"}"), 0);
	cr_assert_eq(read_text("{\"time\":\"2026-01-02T03:04:05.123456789Z\",\"v\":1}"), 0);
}

Test(log_event, refused)
{
	static const char *const cases[] = {
		"",
		"{}",
		"{\"v\":1}",
		"{\"v\":2,\"time\":\"2026-01-02T03:04:05.123456789Z\"}",
		START "} ",
		START "}\n",
		START ",}",
		START ",\"v\":1}",
		START ",\"path\":\"/a\",\"path\":\"/b\"}",
		START ",\"path\":1}",
		START ",\"path\":\"a\nb\"}",
		START ",\"path\":\"\xc3\"}",
		START ",\"path\":\"\xed\xa0\x80\"}",
		START ",\"path\":\"\\u0000\"}",
		START ",\"path\":\"\\ud800\"}",
		START ",\"path\":\"\\ud800\\u0041\"}",
		START ",\"path\":\"\\udc00\"}",
		START ",\"path\":\"\\u00g0\"}",
		START ",\"path\":\"\\x41\"}",
		START ",\"path_hex\":\"f\"}",
		START ",\"path_hex\":\"fg\"}",
		START ",\"path_hex\":[\"ff\"]}",
		START ",\"argv\":[\"a\",]}",
		START ",\"argv\":[1]}",
		START ",\"argv_hex\":[\"6\"]}",
		START ",\"pid\":4294967296}",
		START ",\"pid\":-1}",
		START ",\"pid\":01}",
		START ",\"pid\":1.0}",
		START ",\"port\":65536}",
		START ",\"mono\":18446744073709551616}",
		START ",\"score\":1.234}",
		START ",\"score\":99999999999}",
		START ",\"score\":1.}",
		START ",\"verdict\":\"maybe\"}",
		START ",\"errno\":\"EWHAT\"}",
		START ",\"errno\":4096}",
		START ",\"inode\":\"1x\"}",
		START ",\"inode\":\"\"}",
		START ",\"target\":[]}",
		START ",\"x\":nul}",
		START ",\"x\":.5}",
		START ",\"x\":1e}",
		START ",\"x\":[1,2}",
		START ",\"x\":{1:2}}",
		START ",\"x\":[[[[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]]]]}",
		START ", \"pid\":1}",
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		cr_assert_eq(read_text(cases[i]), -EBADMSG, "%s", cases[i]);
}

Test(log_event, a_failure_leaves_the_event_alone)
{
	struct log_event event = { .pid = 17 };

	cr_assert_eq(read_line(START ",\"pid\":18,", strlen(START) + 10, &event), -EBADMSG);
	cr_assert_eq(event.pid, 17);
}

static int parse_time(const char *text, uint64_t *ret_time)
{
	return log_time_parse(text, strlen(text), ret_time);
}

/* Every day there is, as the writer has it. */
Test(log_time, days)
{
	char text[JSON_TIME_SIZE];
	uint64_t time;

	for (uint64_t day = 0; day < UINT64_MAX / (UINT64_C(86400) * 1000000000); day++) {
		uint64_t wanted = day * 86400 * UINT64_C(1000000000) + day;

		json_format_time(wanted, text);
		cr_assert_eq(parse_time(text, &time), 0, "%s", text);
		cr_assert_eq(time, wanted, "%s", text);
	}
}

Test(log_time, limits)
{
	static const char *const cases[] = {
		"",
		"2026-01-02T03:04:05.123456789",
		"2026-01-02T03:04:05.123456789Z ",
		"2026-01-02 03:04:05.123456789Z",
		"2026-00-02T03:04:05.123456789Z",
		"2026-13-02T03:04:05.123456789Z",
		"2026-02-29T03:04:05.123456789Z",
		"2100-02-29T03:04:05.123456789Z",
		"2026-01-00T03:04:05.123456789Z",
		"2026-01-02T24:04:05.123456789Z",
		"2026-01-02T03:60:05.123456789Z",
		"2026-01-02T03:04:60.123456789Z",
		"2026-01-02T03:04:05.12345678xZ",
		"1969-12-31T23:59:59.999999999Z",
		"2554-07-21T23:34:33.709551616Z",
		"9999-12-31T23:59:59.999999999Z",
	};
	uint64_t time = 17;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		cr_assert_eq(parse_time(cases[i], &time), -EINVAL, "%s", cases[i]);
	cr_assert_eq(time, 17);
	cr_assert_eq(parse_time("2554-07-21T23:34:33.709551615Z", &time), 0);
	cr_assert_eq(time, UINT64_MAX);
	cr_assert_eq(parse_time("2024-02-29T00:00:00.000000000Z", &time), 0);
}
