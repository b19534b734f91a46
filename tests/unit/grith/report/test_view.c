/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The report of one session, tests/golden/report/session.jsonl, as text, JSON and HTML: whole
 * outputs beside it. It has a name that breaks out of HTML, moves a cursor and turns text around,
 * and one that is not UTF-8. GRITH_GOLDEN=write writes them anew, to be looked at before they are
 * kept.
 */
#include <jansson.h>
#include <time.h>

#include "grith/report/report.h"
#include "test_report_events.h"

#define DIRECTORY "tests/golden/report/"

static void set_up(void)
{
	setenv("TZ", "UTC", 1);
	tzset();
}
TestSuite(report_view, .init = set_up);

static void read_session(struct report **ret_report)
{
	CLEANUP(log_event_reader_free) struct log_event_reader reader = { 0 };
	OWNED_FILE FILE *f = fopen(DIRECTORY "session.jsonl", "r");
	OWNED_MEM char *line = NULL;
	struct log_event event;
	size_t size = 0;
	ssize_t length;

	cr_assert(f);
	cr_assert_eq(report_new(&(struct report_options) { .home = "/home/anna" }, ret_report), 0);
	while ((length = getline(&line, &size, f)) > 0) {
		cr_assert_eq(log_event_read(&reader, line, length - 1, &event), 0, "%s", line);
		add(*ret_report, event);
	}
}

static void expect_golden(const char *name, const struct text *seen)
{
	const char *mode = getenv("GRITH_GOLDEN");
	OWNED_TEXT struct text expected = { 0 };
	OWNED_FILE FILE *f = NULL;
	char path[128], block[4096];
	size_t n;

	snprintf(path, sizeof(path), DIRECTORY "%s", name);
	if (mode && strcmp(mode, "write") == 0) {
		f = fopen(path, "w");
		cr_assert(f && fwrite(seen->data, 1, seen->length, f) == seen->length &&
			  !fflush(f));
		cr_assert(false, "%s was written", path);
	}
	f = fopen(path, "r");
	cr_assert(f, "%s", path);
	while ((n = fread(block, 1, sizeof(block), f)) > 0)
		cr_assert_eq(text_add(&expected, block, n), 0);
	cr_expect(seen->length == expected.length &&
			  memcmp(seen->data, expected.data, seen->length) == 0,
		  "%s is not what is printed", path);
}

static void make(struct report **report, struct report_result *result)
{
	read_session(report);
	cr_assert_eq(report_result_make(*report, result), 0);
}

Test(report_view, golden_text)
{
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	CLEANUP(report_freep) struct report *report = NULL;
	const struct term term = { .width = 100 };
	OWNED_TEXT struct text out = { 0 };

	make(&report, &result);
	cr_assert_eq(view_report_text(&result, &term, 0, &out), 0);
	expect_golden("text-100", &out);
}

Test(report_view, golden_json)
{
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	CLEANUP(report_freep) struct report *report = NULL;
	OWNED_TEXT struct text out = { 0 };

	make(&report, &result);
	cr_assert_eq(view_report_json(&result, &out), 0);
	expect_golden("report.json", &out);
}

Test(report_view, golden_html)
{
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	CLEANUP(report_freep) struct report *report = NULL;
	OWNED_TEXT struct text out = { 0 };

	make(&report, &result);
	cr_assert_eq(view_report_html(&result, &out), 0);
	expect_golden("report.html", &out);
}

Test(report_view, golden_compare)
{
	OWNED_REPORT_RESULT struct report_result result = { 0 }, empty = { 0 };
	CLEANUP(report_freep) struct report *report = NULL, *none = NULL;
	const struct term term = { .width = 100 };
	OWNED_TEXT struct text out = { 0 };

	make(&report, &result);
	none = new_report(REPORT_RECORDS);
	cr_assert_eq(report_result_make(none, &empty), 0);
	cr_assert_eq(view_report_compare(&result, &empty, &term, &out), 0);
	expect_golden("compare", &out);
}

/* Whatever the width, no line is longer, and nothing that a terminal would obey is in it. */
Test(report_view, text_fits_and_is_harmless)
{
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	CLEANUP(report_freep) struct report *report = NULL;

	make(&report, &result);
	for (unsigned int width = 40; width < 200; width += 7) {
		const struct term term = { .width = width };
		OWNED_TEXT struct text out = { 0 };
		char *save = NULL;

		cr_assert_eq(view_report_text(&result, &term, 0, &out), 0);
		for (const char *p = out.data; *p; p++)
			cr_assert(*p == '\n' || (unsigned char)*p >= ' ', "%d", *p);
		cr_expect_null(strstr(out.data, "\xe2\x80\xae"));
		for (char *line = strtok_r(out.data, "\n", &save); line;
		     line = strtok_r(NULL, "\n", &save))
			cr_expect_leq(term_columns(line), width, "%u: %s", width, line);
	}
}

static size_t count(const char *text, const char *word)
{
	size_t n = 0;

	for (const char *p = text; (p = strstr(p, word)); p += strlen(word))
		n++;
	return n;
}

Test(report_view, html_cannot_be_broken_out_of)
{
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	CLEANUP(report_freep) struct report *report = NULL;
	OWNED_TEXT struct text out = { 0 };

	make(&report, &result);
	cr_assert_eq(view_report_html(&result, &out), 0);
	cr_expect_eq(count(out.data, "<script"), 1, "the JSON");
	cr_expect_eq(count(out.data, "</script"), 1);
	cr_expect_null(strstr(out.data, "\xe2\x80\xae"), "turns text around");
	cr_expect_null(strchr(out.data, '\x1b'));
	cr_expect(text_is_utf8(out.data, out.length));
	/* Nothing to fetch: no address but that of the icon, which is empty. */
	cr_expect_eq(count(out.data, "href="), 1);
	cr_expect_eq(count(out.data, "src="), 0);
	cr_expect_eq(count(out.data, "url("), 0);
}

/* The JSON in the document is the one that --json prints. */
Test(report_view, html_has_the_json)
{
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	CLEANUP(report_freep) struct report *report = NULL;
	OWNED_TEXT struct text html = { 0 }, text = { 0 };
	json_auto_t *inside = NULL, *printed = NULL;
	const char *begin, *end;

	make(&report, &result);
	cr_assert_eq(view_report_html(&result, &html), 0);
	cr_assert_eq(view_report_json(&result, &text), 0);
	begin = strstr(html.data, "id=\"report\">");
	cr_assert(begin);
	begin += strlen("id=\"report\">");
	end = strstr(begin, "</script>");
	cr_assert(end);
	inside = json_loadb(begin, end - begin, 0, NULL);
	printed = json_loads(text.data, 0, NULL);
	cr_assert(inside && printed);
	cr_expect(json_equal(inside, printed));
}
