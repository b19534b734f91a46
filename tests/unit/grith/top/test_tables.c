/* SPDX-License-Identifier: MPL-2.0 */
/* The tables of `grith top`: bounded, right, and what they do when they are full. */
#include <criterion/criterion.h>
#include <string.h>

#include "grith/top/counts.h"
#include "grith/top/events.h"
#include "grith/top/rates.h"
#include "grith/top/matches.h"
#include "top_fixture.h"

static struct record_bytes bytes(const char *text)
{
	return (struct record_bytes) { text, strlen(text) };
}

Test(top_events, texts_are_copied_and_the_oldest_go)
{
	CLEANUP(top_events_freep) struct top_events *events = top_events_new();
	char path[32];

	cr_assert(events);
	for (unsigned int i = 0; i < TOP_EVENTS + 10; i++) {
		snprintf(path, sizeof(path), "/file-%u", i);
		cr_assert_eq(top_events_add(events,
					    &(struct log_event) { .path = bytes(path), .pid = i }),
			     i);
	}
	cr_expect_eq(top_events_first(events), 10);
	cr_expect_eq(top_events_next(events), TOP_EVENTS + 10);
	for (uint64_t i = 10; i < TOP_EVENTS + 10; i++) {
		const struct log_event *event = top_events_get(events, i);

		snprintf(path, sizeof(path), "/file-%u", (unsigned int)i);
		cr_assert_eq(event->pid, i);
		cr_assert_eq(event->path.length, strlen(path));
		cr_assert_eq(memcmp(event->path.data, path, strlen(path)), 0, "%s", path);
	}
}

/* Long texts: fewer events, none of which is overwritten. */
Test(top_events, bytes_are_bounded)
{
	CLEANUP(top_events_freep) struct top_events *events = top_events_new();
	static char text[TOP_EVENT_TEXT + 500];
	unsigned int seed = 1;

	for (unsigned int i = 0; i < 10000; i++) {
		size_t length = (seed = seed * 1103515245 + 12345) >> 16 & 8191;

		memset(text, 'a' + i % 26, sizeof(text));
		top_events_add(events, &(struct log_event) {
					       .argv = { text, i % 9 ? length : sizeof(text) },
					       .comm = { text, 5 },
				       });
		if (i % 500)
			continue;
		for (uint64_t n = top_events_first(events); n < top_events_next(events); n++) {
			const struct log_event *event = top_events_get(events, n);

			cr_assert_leq(event->argv.length, TOP_EVENT_TEXT);
			cr_assert_eq(event->comm.data[4], 'a' + (int)(n % 26));
			if (event->argv.length)
				cr_assert_eq(event->argv.data[event->argv.length - 1],
					     'a' + (int)(n % 26));
		}
	}
	cr_expect_lt(top_events_next(events) - top_events_first(events), 8000);
	cr_expect_gt(top_events_next(events) - top_events_first(events), 2000);
}

Test(top_rates, mean_of_whole_seconds)
{
	struct top_rates rates = { 0 };

	for (int i = 0; i < 30; i++)
		top_rates_add(&rates, 1000 + i % 3);
	top_rates_add(&rates, 1003);
	cr_expect_eq(top_rates_tenths(&rates, 1003), 100);
	cr_expect_eq(top_rates_tenths(&rates, 1004), 70);
	cr_expect_eq(top_rates_tenths(&rates, 1007), 0);
	/* late, but not too late */
	top_rates_add(&rates, 1001);
	cr_expect_eq(top_rates_at(&rates, 1001), 11);
	cr_expect_eq(top_rates_at(&rates, 999), 0);
	cr_expect_eq(top_rates_at(&rates, 1000 - TOP_SECONDS), 0);
	/* a clock that is set forward and back */
	top_rates_add(&rates, 900000);
	cr_expect_eq(top_rates_at(&rates, 1001), 0);
	top_rates_add(&rates, 1010);
	cr_expect_eq(top_rates_at(&rates, 1010), 1);
	cr_expect_eq(top_rates_at(&rates, 900000), 0);
}

/* What Space-Saving promises, against a count of everything. */
Test(top_counts, bounds_hold)
{
	static uint64_t exact[20000];
	const struct top_count *rows[TOP_COUNTS];
	struct top_counts counts = { 0 };
	uint64_t total = 100000;
	unsigned int seed = 3;
	char key[16];

	for (uint64_t i = 0; i < total; i++) {
		unsigned int n = (seed = seed * 1103515245 + 12345) >> 12 & 0xfffff;

		/* a few often, many seldom */
		n = n % 3 ? n % 20 : n % 20000;
		exact[n]++;
		snprintf(key, sizeof(key), "%u", n);
		cr_assert_eq(top_counts_add(&counts, bytes(key), n == 7), 0);
	}
	cr_assert_eq(counts.count, TOP_COUNTS);
	top_counts_rows(&counts, TOP_BY_COUNT, rows);
	for (size_t i = 0; i < TOP_COUNTS; i++) {
		uint64_t n = strtoull(rows[i]->key, NULL, 10);

		cr_assert_geq(rows[i]->count, exact[n]);
		cr_assert_leq(rows[i]->count - rows[i]->error, exact[n]);
		if (i)
			cr_assert_leq(rows[i]->count, rows[i - 1]->count);
	}
	for (unsigned int n = 0; n < 20; n++) {
		bool there = false;

		snprintf(key, sizeof(key), "%u", n);
		for (size_t i = 0; i < TOP_COUNTS; i++)
			there |= !strcmp(rows[i]->key, key);
		cr_expect(there, "%u came %lu times", n, exact[n]);
	}
	top_counts_rows(&counts, TOP_BY_REFUSED, rows);
	cr_expect_str_eq(rows[0]->key, "7");
	cr_expect_eq(rows[0]->refused, exact[7]);
	top_counts_free(&counts);
}

Test(top_matches, a_ring_of_rising_numbers)
{
	struct top_matches matches = { 0 };

	cr_expect_eq(top_matches_row(&matches, 5), 0);
	for (uint64_t i = 0; i < TOP_EVENTS + 5; i++)
		cr_assert_eq(top_matches_add(&matches, 2 * i), 0);
	cr_expect_eq(top_matches_count(&matches), TOP_EVENTS);
	cr_expect_eq(top_matches_at(&matches, 0), 10);
	cr_expect_eq(top_matches_row(&matches, 11), 1);
	top_matches_trim(&matches, 101);
	cr_expect_eq(top_matches_at(&matches, 0), 102);
	cr_expect_eq(top_matches_row(&matches, UINT64_MAX), top_matches_count(&matches));
	top_matches_free(&matches);
}

/* Processes come and go; those that grithd does not list any more go, too. */
Test(top_sessions, processes)
{
	struct top_model model;
	json_auto_t *none = json_array();

	cr_assert_eq(top_model_init(&model, true), 0);
	top_test_read(&model, 1000, 1, "/a", "allow");
	cr_expect_eq(model.sessions.n_processes, 1);
	cr_expect_str_eq(model.sessions.processes[0]->label, "/usr/bin/node");
	top_test_event(&model, 900,
		       "\"seq\":2,\"session\":\"abcdefghij\",\"kind\":\"exec\",\"op\":\"exec\","
		       "\"verdict\":\"allow\",\"argv\":[\"sh\",\"-c\",\"x\\n\"],\"pid\":4321");
	cr_expect_str_eq(model.sessions.processes[0]->label, "sh -c x\\n");
	cr_expect_eq(model.sessions.processes[0]->activity.operations, 2);
	/* the same number in another session is another process */
	top_test_event(&model, 800,
		       "\"seq\":1,\"session\":\"zzzzzzzzzz\",\"kind\":\"file\",\"op\":\"read\","
		       "\"verdict\":\"deny\",\"errno\":\"EACCES\",\"path\":\"/a\",\"pid\":4321,"
		       "\"comm\":\"cat\"");
	cr_expect_eq(model.sessions.n_processes, 1);
	cr_expect_str_eq(model.sessions.processes[0]->label, "cat");
	cr_expect_eq(model.sessions.processes[0]->activity.operations, 1);
	cr_expect_eq(model.sessions.processes[0]->activity.refused, 1);
	top_test_event(&model, 700,
		       "\"seq\":2,\"session\":\"zzzzzzzzzz\",\"kind\":\"exit\",\"op\":\"exit\","
		       "\"status\":0,\"pid\":4321");
	cr_expect_eq(model.sessions.n_processes, 0);
	cr_expect_eq(model.sessions.count, 2);
	top_test_read(&model, 600, 3, "/a", "allow");
	cr_assert_eq(top_sessions_list(&model.sessions, none, TOP_TEST_NOW / 1000 + 60), 0);
	cr_expect_eq(model.sessions.n_processes, 0);
	cr_expect_eq(model.sessions.count, 0);
	top_model_free(&model);
}

/* grithd knows of a secret that was read before anything is scored for it. */
Test(top_sessions, tainted)
{
	static const struct {
		const char *time; /* as JSON */
		bool tainted;
	} cases[] = {
		{ "null", false },
		{ "5", false },
		{ "\"yesterday\"", false },
		{ "\"2020-01-01T00:00:00Z\"", false },
		{ "\"2026-01-02T03:04:00.5Z\"", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		json_auto_t *list = json_pack("[{s:s, s:o}]", "id", "abcdefghij", "tainted",
					      json_loads(cases[i].time, JSON_DECODE_ANY, NULL));
		struct top_model model;

		cr_assert_eq(top_model_init(&model, true), 0);
		cr_assert_eq(top_sessions_list(&model.sessions, list, TOP_TEST_NOW / 1000), 0);
		cr_expect_eq(top_session_is_tainted(model.sessions.list[0], TOP_TEST_NOW / 1000),
			     cases[i].tainted, "%s", cases[i].time);
		top_model_free(&model);
	}
}

Test(top_sessions, bounded)
{
	struct top_model model;
	char rest[256];

	cr_assert_eq(top_model_init(&model, true), 0);
	for (unsigned int i = 0; i < TOP_PROCESSES + 100; i++) {
		snprintf(rest, sizeof(rest),
			 "\"seq\":1,\"session\":\"s%09u\",\"kind\":\"file\",\"op\":\"read\","
			 "\"verdict\":\"allow\",\"path\":\"/a\",\"pid\":%u",
			 i % (TOP_SESSIONS + 50), i + 1);
		top_test_event(&model, 0, rest);
	}
	cr_expect_eq(model.sessions.count, TOP_SESSIONS);
	cr_expect_leq(model.sessions.n_processes, TOP_PROCESSES);
	cr_expect_eq(model.operations, TOP_PROCESSES + 100);
	free(top_test_picture(&model, 24, 80));
	top_model_free(&model);
}
