/* SPDX-License-Identifier: MPL-2.0 */
/* Questions over all files of a log: which lines, how many, in which order, and while it grows. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "lib/audit/audit.h"
#include "audit_fixture.h"

#define ODD "aaaaaaaaaa" /* the session of the lines with odd numbers */

static struct audit_fixture f;

static void append(unsigned int count)
{
	OWNED_TEXT struct text text = { 0 };

	fixture_lines(&f, &text, count);
	fixture_append(&f, AUDIT_FILE, &text);
}

static void seal(uint64_t first)
{
	cr_assert_eq(renameat(f.directory, AUDIT_FILE, f.directory,
			      audit_segment_name(first, AUDIT_PLAIN).text),
		     0);
}

/* Lines 1 to 1000 in small frames, to 2000 in a sealed file, to 3000 in the one being written. */
static void set_up(void)
{
	f = fixture_make();
	append(1000);
	seal(1);
	fixture_pack(&f, 1, 2000);
	append(1000);
	seal(1001);
	append(1000);
}

static void tear_down(void)
{
	fixture_remove(&f);
}

TestSuite(log_query, .init = set_up, .fini = tear_down);

static struct log_query *ask(struct log_question *question)
{
	struct log_query *query;
	int directory = open(f.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	cr_assert_eq(log_query_new(directory, question, &query), 0);
	cr_assert_null(question->filter.path);
	return query;
}

/* Takes all lines there are, which must be those from `first` on, each `step` after the other. */
static unsigned int take(struct log_query *query, int64_t first, int64_t step,
			 enum log_step wanted_end)
{
	enum log_step end = LOG_MORE;
	struct log_head head;
	unsigned int count = 0;
	const char *line;
	size_t length;

	while (end == LOG_MORE) {
		cr_assert_eq(log_query_step(query, &end), 0);
		for (; log_query_line(query, &line, &length); count++) {
			cr_assert(log_head_parse(line, length, &head));
			cr_assert_eq((int64_t)head.sequence, first + count * step, "%d is %d",
				     (int)count, (int)head.sequence);
		}
	}
	cr_assert_eq(end, wanted_end);
	return count;
}

static unsigned int answer(struct log_question question, int64_t first, int64_t step)
{
	CLEANUP(log_query_freep) struct log_query *query = ask(&question);

	return take(query, first, step, LOG_END);
}

Test(log_query, all_of_it)
{
	cr_assert_eq(answer((struct log_question) { .last = -1 }, 1, 1), 3000);
	cr_assert_eq(answer((struct log_question) { .last = -1, .reverse = true }, 3000, -1), 3000);
	cr_assert_eq(answer((struct log_question) { .last = -1, .filter.session = ODD }, 1, 2),
		     1500);
}

Test(log_query, the_newest)
{
	static const int64_t counts[] = { 1, 2, 999, 1000, 1001, 1999, 2001, 2500, 2999, 3000 };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		struct log_question question = { .last = counts[i] };

		cr_assert_eq(answer(question, 3001 - counts[i], 1), counts[i]);
		question.reverse = true;
		cr_assert_eq(answer(question, 3000, -1), counts[i]);
		question.filter = (struct log_filter) { .session = ODD };
		cr_assert_eq(answer(question, 2999, -2), counts[i] < 1500 ? counts[i] : 1500);
	}
	cr_assert_eq(answer((struct log_question) { .last = 0 }, 0, 0), 0);
	cr_assert_eq(answer((struct log_question) { .last = 0, .reverse = true }, 0, 0), 0);
	cr_assert_eq(answer((struct log_question) { .last = 5000 }, 1, 1), 3000);
	cr_assert_eq(answer((struct log_question) { .last = 700, .filter.session = ODD }, 1601, 2),
		     700);
}

/* The fixture's lines have the time of as many seconds after 1970. */
Test(log_query, by_time)
{
	struct log_question question = {
		.last = -1,
		.filter.since = "1970-01-01T00:15:00.000000000Z",
		.filter.until = "1970-01-01T00:16:00.000000000Z",
	};

	cr_assert_eq(answer(question, 900, 1), 60);
	question.last = 10;
	cr_assert_eq(answer(question, 950, 1), 10);
	question.reverse = true;
	cr_assert_eq(answer(question, 959, -1), 10);
}

static bool may_see_even(void *arg, const char *session)
{
	(void)arg;
	return strcmp(session, ODD) != 0;
}

Test(log_query, what_may_not_be_seen_does_not_count)
{
	struct log_question question = { .last = 600, .may = may_see_even };

	cr_assert_eq(answer(question, 1802, 2), 600);
	question.reverse = true;
	cr_assert_eq(answer(question, 3000, -2), 600);
}

Test(log_query, following_over_a_rotation)
{
	struct log_question question = { .last = 1500, .follow = true };
	CLEANUP(log_query_freep) struct log_query *query = ask(&question);

	append(100); /* what comes between the question and the first step comes too */
	cr_assert_eq(take(query, 1501, 1, LOG_WAIT), 1600);
	append(100);
	seal(2001);
	append(100);
	cr_assert_eq(take(query, 3101, 1, LOG_WAIT), 200);
	cr_assert_eq(take(query, 3301, 1, LOG_WAIT), 0);
	append(1);
	cr_assert_eq(take(query, 3301, 1, LOG_WAIT), 1);
}

/* Also where more comes than is read: a question that does not follow has an end. */
Test(log_query, what_is_written_meanwhile_is_not_read)
{
	struct log_question questions[] = { { .last = -1 }, { .last = 2 } };
	unsigned int there = 3000;

	for (size_t i = 0; i < ARRAY_SIZE(questions); i++) {
		struct log_query *query = ask(&questions[i]);
		int64_t expected = i ? 2 : there;

		append(10);
		seal(i ? 3011 : 2001);
		append(10);
		cr_assert_eq(take(query, there - expected + 1, 1, LOG_END), expected);
		log_query_free(query);
		there += 20;
	}
}

Test(log_query, what_is_no_line_is_counted)
{
	static char junk[] = "not a line of the log\n{\"v\":1,\"whole\":1}\n";
	const struct text text = { .data = junk, .length = sizeof(junk) - 1 };
	struct log_question question = { .last = 2 };
	CLEANUP(log_query_freep) struct log_query *query = NULL;

	fixture_append(&f, AUDIT_FILE, &text);
	append(1);
	query = ask(&question);
	cr_assert_eq(take(query, 3000, 1, LOG_END), 2);
	cr_assert_eq(log_query_damaged(query), 2);
}
