/* SPDX-License-Identifier: MPL-2.0 */
/* Each hostile name in every text of an entry of every kind, through all that shows entries. */
#include <criterion/criterion.h>
#include <string.h>

#include "grith/log/csv.h"
#include "grith/log/json.h"
#include "grith/log/log.h"
#include "grith/log/ocsf.h"
#include "grith/report/report.h"
#include "grith/top/json.h"
#include "lib/report/report.h"
#include "hostile.h"
#include "top_fixture.h"

/* Every text has the name in it, but for the session, which grithd gave. */
static struct log_event event_of(enum log_kind kind, enum grith_op op, struct record_bytes name)
{
	return (struct log_event) {
		.kind = kind,
		.time = (uint64_t)TOP_TEST_NOW * 1000000,
		.sequence = 7,
		.session = { "abcdefghij", 10 },
		.op = op,
		.decided = true,
		.verdict = GRITH_DENY,
		.error = EACCES,
		.path = name,
		.second = name,
		.address =
			kind == LOG_NET || kind == LOG_RESULT ? name : (struct record_bytes) { 0 },
		.port = 443,
		.family = name,
		.type = name,
		.argv = { name.data, name.length + 1 }, /* with its NUL */
		.target = 5,
		.target_comm = name,
		.target_session = name,
		.rule = name,
		.reason = name,
		.score = 150,
		.review = 3,
		.pid = 9,
		.tid = 9,
		.ppid = 1,
		.comm = name,
		.program = name,
		.parent = name,
		.change = kind == LOG_SESSION ? name : (struct record_bytes) { 0 },
		.name = name,
		.user = name,
		.profile = name,
		.session_mode = name,
		.project = name,
		.state = name,
		.scope = name,
		.by = name,
		.directory = name,
	};
}

typedef void check_fn(const struct log_event *event, struct record_bytes name);

static void for_each(check_fn *check)
{
	static const enum grith_op ops[] = { GRITH_OP_READ, GRITH_OP_WRITE, GRITH_OP_EXEC,
					     GRITH_OP_CONNECT, GRITH_OP_SIGNAL };

	for (size_t i = 0; i < n_hostile_names; i++)
		for (unsigned int kind = LOG_OTHER; kind < LOG_KINDS; kind++) {
			struct log_event event =
				event_of(kind, ops[(i + kind) % ARRAY_SIZE(ops)], hostile_names[i]);

			check(&event, hostile_names[i]);
		}
}

/* One line, and only its end is a newline. */
static void text_is_one_line(const struct log_event *event, struct record_bytes name)
{
	const struct term term = { 0 };
	struct moment_memory memory = { 0 };
	OWNED_TEXT struct text out = { 0 };

	(void)name;
	cr_assert_eq(view_event(event, &term, &memory, &out), 0);
	cr_assert_eq(out.data[--out.length], '\n');
	hostile_check("text", &out, "");
}

Test(hostile_events, text)
{
	for_each(text_is_one_line);
}

/* The n-th cell of a row, without its quotes, as RFC 4180 has it. */
static void cell_of(const struct text *row, unsigned int n, struct text *out)
{
	bool quoted = false;

	for (const char *p = row->data; *p != '\r' || quoted; p++) {
		cr_assert(*p);
		if (*p == '"' && quoted && p[1] == '"' && n == 0)
			text_add(out, p++, 1);
		else if (*p == '"')
			quoted = !quoted;
		else if (*p == ',' && !quoted && n-- == 0)
			return;
		else if (n == 0 && (*p != ',' || quoted))
			text_add(out, p, 1);
	}
}

static void csv_is_one_row(const struct log_event *event, struct record_bytes name)
{
	OWNED_TEXT struct text out = { 0 }, path = { 0 }, expected = { 0 };

	cr_assert_eq(view_csv(event, &out), 0);
	cr_assert_str_eq(out.data + out.length - 2, "\r\n");
	cell_of(&out, 7, &path);
	out.length -= 2;
	hostile_check("CSV", &out, "");
	cr_assert_eq(text_add_escaped(&expected, name.data, name.length), 0);
	if (strchr("=+-@", *expected.data))
		cr_assert_str_eq(path.data + (*path.data == '\''), expected.data);
	else
		cr_assert_str_eq(path.data, expected.data);
	cr_assert_null(strchr("=+-@", *path.data), "%s", path.data);
}

Test(hostile_events, csv)
{
	for_each(csv_is_one_row);
}

static void ocsf_is_one_object(const struct log_event *event, struct record_bytes name)
{
	OWNED_OCSF_MEMORY struct ocsf_memory memory = { .host = "host" };
	OWNED_TEXT struct text out = { 0 }, expected = { 0 };
	json_auto_t *json = NULL;
	const char *rule;

	cr_assert_eq(view_ocsf(event, &memory, &out), 0);
	cr_assert_eq(out.data[--out.length], '\n');
	out.data[out.length] = '\0';
	hostile_check("OCSF", &out, "");
	json = hostile_check_json("OCSF", &out);
	cr_assert_eq(json_unpack(json, "{s:{s:s}}", "policy", "uid", &rule), 0);
	if (!hostile_is_text(name))
		text_add_escaped(&expected, name.data, name.length);
	else
		text_add(&expected, name.data, name.length);
	cr_assert_str_eq(rule, expected.data);
}

Test(hostile_events, ocsf)
{
	for_each(ocsf_is_one_object);
}

/* What grithd writes to the disk, and `grith log --json` to the terminal; read back, the bytes. */
Test(hostile_events, log_line)
{
	for (size_t i = 0; i < n_hostile_names; i++) {
		struct record record = {
			.head = { .version = GRITH_ABI_VERSION,
				  .kind = GRITH_KIND_PATH,
				  .op = GRITH_OP_READ },
			.comm = "x",
			.path = hostile_names[i],
		};
		struct event_operation operation = { .record = &record };
		OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
		OWNED_TEXT struct text line = { 0 }, shown = { 0 };
		struct log_event event;

		operation.head.session = "abcdefghij";
		cr_assert_eq(event_add_operation(&line, &operation), 0);
		hostile_check("line", &(struct text) { line.data, line.length - 1, 0 }, "");
		for (unsigned int pass = 0; pass < 2; pass++) {
			const struct text *json = pass ? &shown : &line;

			cr_assert_eq(log_event_read(&reader, json->data, json->length - 1, &event),
				     0);
			cr_assert_eq(event.path.length, hostile_names[i].length);
			cr_assert_eq(memcmp(event.path.data, record.path.data, event.path.length),
				     0);
			if (!pass)
				cr_assert_eq(view_json((struct record_bytes) { line.data,
									       line.length - 1 },
						       &shown),
					     0);
		}
		for (const char *p = shown.data; p[1]; p++)
			cr_assert(*p >= ' ' && *p < 0x7f);
	}
}

static void report_of(struct record_bytes name, struct report **ret_report)
{
	const struct report_options options = { .project = "/home/anna", .home = "/home/anna" };
	static const struct record_bytes project = { "/home/anna", 10 };

	cr_assert_eq(report_new(&options, ret_report), 0);
	for (unsigned int kind = LOG_OTHER; kind < LOG_KINDS; kind++)
		for (unsigned int op = GRITH_OP_NONE + 1; op < GRITH_OPS; op++)
			for (unsigned int refused = 0; refused < 2; refused++) {
				struct log_event event = event_of(kind, op, name);
				OWNED_TEXT struct text path = { 0 };

				if (!refused) {
					event.verdict = GRITH_ALLOW;
					event.error = 0;
				}
				text_addf(&path, "/home/anna/");
				text_add(&path, name.data, name.length);
				if (op % 2)
					event.path =
						(struct record_bytes) { path.data, path.length };
				event.project = project;
				cr_assert_eq(report_add(*ret_report, &event), 0);
			}
}

static size_t count(const struct text *text, const char *word)
{
	size_t n = 0;

	for (const char *p = text->data; (p = strcasestr(p, word)); p++)
		n++;
	return n;
}

/* A name of the same parts, with nothing in it that means anything. */
static void make_plain(struct record_bytes name, struct text *out)
{
	for (size_t i = 0; i < name.length; i++)
		text_add(out, name.data[i] == '/' ? "/" : "a", 1);
}

/* As many tags as with a plain name in its place, and none that the name has. */
static void check_page(const struct text *page, struct record_bytes name)
{
	CLEANUP(report_freep) struct report *report = NULL;
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	OWNED_TEXT struct text plain = { 0 }, expected = { 0 };

	make_plain(name, &plain);
	report_of((struct record_bytes) { plain.data, plain.length }, &report);
	cr_assert_eq(report_result_make(report, &result), 0);
	cr_assert_eq(view_report_html(&result, &expected), 0);
	hostile_check("HTML", page, "\n\t");
	cr_assert_eq(count(page, "<script"), count(&expected, "<script"));
	cr_assert_eq(count(page, "</script"), count(&expected, "</script"));
	cr_assert_eq(count(page, "</style"), count(&expected, "</style"));
	cr_assert_eq(count(page, "<img"), 0);
	cr_assert_eq(count(page, "<!--"), count(&expected, "<!--"));
	cr_assert_eq(count(page, "\" onload=\""), 0);
	cr_assert_eq(count(page, "<"), count(&expected, "<"), "%s", name.data);
}

Test(hostile_events, reports)
{
	const struct term term = { .width = 100 }, pipe = { 0 };

	for (size_t i = 0; i < n_hostile_names; i++) {
		CLEANUP(report_freep) struct report *report = NULL;
		OWNED_REPORT_RESULT struct report_result result = { 0 };
		OWNED_TEXT struct text text = { 0 }, json = { 0 }, page = { 0 }, both = { 0 };
		json_auto_t *object = NULL, *compared = NULL;

		report_of(hostile_names[i], &report);
		cr_assert_eq(report_result_make(report, &result), 0);
		cr_assert_eq(view_report_text(&result, &term, 0, &text), 0);
		cr_assert_eq(view_report_text(&result, &pipe, 0, &text), 0);
		hostile_check("report", &text, "\n");
		cr_assert_eq(view_report_json(&result, &json), 0);
		object = hostile_check_json("report as JSON", &json);
		cr_assert_eq(view_report_html(&result, &page), 0);
		check_page(&page, hostile_names[i]);
		cr_assert_eq(view_report_compare(&result, &result, &term, &both), 0);
		hostile_check("compared", &both, "\n");
		both.length = 0;
		cr_assert_eq(view_report_compare_json(&result, &result, &both), 0);
		compared = hostile_check_json("compared as JSON", &both);
	}
}

Test(hostile_events, top)
{
	for (size_t i = 0; i < n_hostile_names; i++) {
		OWNED_PICTURE struct picture details = { 0 };
		struct top_model model = { 0 };
		json_auto_t *json = NULL;
		OWNED_MEM char *picture = NULL, *dump = NULL;

		cr_assert_eq(top_model_init(&model, true), 0);
		for (unsigned int kind = LOG_OTHER; kind < LOG_KINDS; kind++) {
			struct log_event event = event_of(kind, GRITH_OP_READ, hostile_names[i]);

			cr_assert_eq(top_model_event(&model, &event), 0);
		}
		picture = top_test_picture(&model, 50, 160);
		hostile_check("top", &(struct text) { picture, strlen(picture), 0 }, "\n");
		view_top_detail(&model, 100, TOP_TEST_NOW, &details);
		cr_assert_eq(details.r, 0);
		hostile_check_picture("details", &details);
		json = top_json(&model, TOP_TEST_NOW);
		cr_assert(json);
		dump = json_dumps(json, JSON_ENSURE_ASCII);
		cr_assert(dump);
		top_model_free(&model);
	}
}
