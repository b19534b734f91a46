/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The report as one HTML document: who and when, the counts, the charts, a table for each section,
 * and all of it as JSON. There is no script that runs and nothing is fetched, which the document
 * itself forbids: whatever an agent has put into a name, it stays a name.
 */
#include <string.h>

#include "grith/base/base.h"
#include "charts.h"
#include "style.h"
#include "value.h"
#include "view.h"

#define ROWS_MAX 500 /* of a table; all of them are in the JSON */
#define PROGRAM_WIDTH 34 /* characters */

static void add_title(struct markup *m, const struct report_session *session)
{
	struct record_bytes name = session->name.length ? session->name : session->id;

	if (name.length)
		markup_bytes(m, name);
	else
		markup_add(m, "Session");
}

static void add_fact(struct markup *m, const char *label, struct record_bytes value)
{
	if (!value.length)
		return;
	markup_addf(m, "<span><b>%s</b> ", label);
	markup_bytes(m, value);
	markup_add(m, "</span>");
}

static void add_moment(struct markup *m, const char *label, uint64_t time)
{
	OWNED_TEXT struct text text = { 0 };

	if (!time || m->r < 0)
		return;
	m->r = moment_add(&text, time / 1000000);
	if (m->r == 0)
		markup_addf(m, "<span><b>%s</b> %s</span>", label, text.data);
}

static void add_head(struct markup *m, const struct report_session *session)
{
	OWNED_TEXT struct text command = { 0 };

	markup_add(m, "<header><p class=\"brand\">grith report</p><h1>");
	add_title(m, session);
	markup_add(m, "</h1>\n");
	if (m->r == 0)
		m->r = view_report_command(session->command, &command);
	if (command.length) {
		markup_add(m, "<pre class=\"command\">");
		markup_text(m, command.data);
		markup_add(m, "</pre>\n");
	}
	markup_add(m, "<p class=\"facts\">");
	add_fact(m, "session", session->id);
	add_fact(m, "policy", session->profile);
	add_fact(m, "mode", session->mode);
	add_fact(m, "user", session->user);
	add_fact(m, "project", session->project);
	add_moment(m, "from", session->started);
	add_moment(m, "to", session->ended);
	markup_add(m, "</p></header>\n");
}

static void add_notes(struct markup *m, const struct report_result *result)
{
	if (result->counts[REPORT_LOST])
		markup_addf(m,
			    "<p class=\"note\">%llu entries of the log are missing: counts are "
			    "too low.</p>\n",
			    (unsigned long long)result->counts[REPORT_LOST]);
	if (result->names_beyond)
		markup_addf(m,
			    "<p class=\"note\">Too many different names: %llu uses of others are "
			    "counted together.</p>\n",
			    (unsigned long long)result->names_beyond);
	for (size_t i = 0; i < result->n_notes; i++) {
		markup_add(m, "<p class=\"note\">");
		markup_bytes(m,
			     (struct record_bytes) { result->notes[i], strlen(result->notes[i]) });
		markup_add(m, "</p>\n");
	}
}

static void add_counts(struct markup *m, const struct report_result *result)
{
	markup_add(m, "<dl class=\"counts\">\n");
	for (size_t i = 0; i < REPORT_COUNTS; i++) {
		markup_addf(m, "<div%s><dt>", result->counts[i] ? "" : " class=\"none\"");
		markup_text(m, report_count_label(i));
		markup_addf(m, "</dt><dd data-count=\"%s\" data-value=\"%llu\">",
			    report_count_key(i), (unsigned long long)result->counts[i]);
		if (m->r == 0)
			m->r = view_report_count(m->out, i, result->counts[i]);
		markup_add(m, "</dd></div>\n");
	}
	markup_add(m, "</dl>\n");
}

/* --- tables */

static bool is_empty(const struct report_table *table, size_t column)
{
	for (size_t row = 0; row < table->n_rows; row++) {
		const struct report_cell *cell = report_cell(table, row, column);

		if (cell->text.length || cell->number)
			return false;
	}
	return true;
}

/* Paths of programs are not what a row is about: without their middle, which the title has. */
static void add_program(struct markup *m, const struct report_cell *cell)
{
	OWNED_TEXT struct text escaped = { 0 }, cut = { 0 };

	markup_add(m, "<td class=\"word\" title=\"");
	markup_bytes(m, cell->text);
	markup_add(m, "\">");
	if (m->r == 0)
		m->r = text_add_escaped(&escaped, cell->text.data, cell->text.length);
	if (m->r == 0 && escaped.data)
		m->r = term_add_middle(&cut, escaped.data, PROGRAM_WIDTH);
	if (m->r == 0 && cut.data)
		markup_text(m, cut.data);
	markup_add(m, "</td>");
}

static void add_cell(struct markup *m, const struct report_column *column,
		     const struct report_cell *cell)
{
	OWNED_TEXT struct text text = { 0 };

	if (column->kind == REPORT_PROGRAM) {
		add_program(m, cell);
		return;
	}
	if (report_is_text(column->kind))
		markup_add(m, column->kind == REPORT_WORD ? "<td class=\"word\">" : "<td>");
	else
		markup_add(m,
			   cell->number ? "<td class=\"number\">" : "<td class=\"number none\">");
	if (m->r == 0)
		m->r = view_report_cell(&text, column, cell);
	if (m->r == 0 && text.data)
		markup_path(m, text.data);
	markup_add(m, "</td>");
}

static void add_rows(struct markup *m, const struct report_table *table)
{
	size_t rows = table->n_rows < ROWS_MAX ? table->n_rows : ROWS_MAX;

	for (size_t row = 0; row < rows; row++) {
		markup_add(m, "<tr>");
		for (size_t i = 0; i < table->n_columns; i++)
			if (!is_empty(table, i))
				add_cell(m, &table->columns[i], report_cell(table, row, i));
		markup_add(m, "</tr>\n");
	}
}

static void add_rest(struct markup *m, const struct report_table *table)
{
	if (table->total > table->n_rows)
		markup_addf(m,
			    "<p class=\"about\">... and %llu more rows, which the report does "
			    "not keep.</p>\n",
			    (unsigned long long)(table->total - table->n_rows));
	if (table->n_rows > ROWS_MAX)
		markup_addf(m,
			    "<p class=\"about\">... and %zu more rows in the JSON of this "
			    "document.</p>\n",
			    table->n_rows - ROWS_MAX);
	if (table->beyond)
		markup_addf(m,
			    "<p class=\"about\">... and %llu events of more rows than are "
			    "kept.</p>\n",
			    (unsigned long long)table->beyond);
}

static void add_table(struct markup *m, const struct report_table *table)
{
	markup_addf(m, "<section id=\"%s\"><h2>", table->key);
	markup_text(m, table->title);
	markup_addf(m, " <span class=\"rows\">%llu</span></h2>\n<p class=\"about\">",
		    (unsigned long long)table->total);
	markup_text(m, table->about);
	markup_add(m, "</p>\n<div class=\"scroll\"><table><thead><tr>");
	for (size_t i = 0; i < table->n_columns; i++) {
		if (is_empty(table, i))
			continue;
		markup_addf(m, "<th%s>",
			    report_is_text(table->columns[i].kind) ? "" : " class=\"number\"");
		markup_text(m, table->columns[i].title);
		markup_add(m, "</th>");
	}
	markup_add(m, "</tr></thead><tbody>\n");
	add_rows(m, table);
	markup_add(m, "</tbody></table></div>\n");
	add_rest(m, table);
	markup_add(m, "</section>\n");
}

static void add_json(struct markup *m, const struct report_result *result)
{
	OWNED_TEXT struct text json = { 0 };

	if (m->r == 0)
		m->r = view_report_json(result, &json);
	markup_add(m, "<script type=\"application/json\" id=\"report\">");
	if (m->r == 0)
		markup_json(m, json.data, json.length);
	markup_add(m, "</script>\n");
}

int view_report_html(const struct report_result *result, struct text *out)
{
	struct markup m = { .out = out };

	markup_add(&m, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		       "style-src 'unsafe-inline'; img-src data:\">\n"
		       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		       "<meta name=\"color-scheme\" content=\"light dark\">\n"
		       "<link rel=\"icon\" href=\"data:,\">\n<title>");
	add_title(&m, &result->session);
	markup_add(&m, " - grith report</title>\n<style>\n");
	markup_add(&m, view_report_style);
	markup_add(&m, "</style></head><body><main>\n");
	add_head(&m, &result->session);
	add_notes(&m, result);
	add_counts(&m, result);
	chart_timeline(&m, result);
	chart_places(&m, result);
	chart_tree(&m, result);
	chart_network(&m, result);
	for (size_t i = 0; i < REPORT_TABLE_TIMELINE; i++)
		if (result->tables[i].n_rows)
			add_table(&m, &result->tables[i]);
	add_json(&m, result);
	markup_add(&m, "</main></body></html>\n");
	return m.r;
}
