/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The report as one HTML document: who and when, the counts, the charts, a table for each section,
 * and all of it as JSON. There is no script that runs and nothing is fetched, which the document
 * itself forbids: whatever an agent has put into a name, it stays a name.
 */
#include "charts.h"
#include "style.h"
#include "value.h"
#include "view.h"

#define ROWS_MAX 500 /* of a table; all of them are in the JSON */
#define PROGRAM_WIDTH 34 /* characters */

static void add_title(struct line *w, const struct report_session *session)
{
	struct record_bytes title = title_of_session(session);

	markup_bytes(w, title.length ? title : bytes_of("Session"));
}

static void add_fact(struct line *w, const char *label, struct record_bytes value)
{
	if (!value.length)
		return;
	line_addf(w, "<span><b>%s</b> ", label);
	markup_bytes(w, value);
	line_add(w, "</span>");
}

static void add_time(struct line *w, const char *label, uint64_t time)
{
	if (!time)
		return;
	line_addf(w, "<span><b>%s</b> ", label);
	show_time(w, time);
	line_add(w, "</span>");
}

static void add_head(struct line *w, const struct report_session *session)
{
	OWNED_LINE struct line command = { .out = &command.own };

	line_add(w, "<header><p class=\"brand\">grith report</p><h1>");
	add_title(w, session);
	line_add(w, "</h1>\n");
	show_command(&command, session->command);
	if (command.own.length) {
		line_add(w, "<pre class=\"command\">");
		markup_shown(w, &command);
		line_add(w, "</pre>\n");
	}
	line_add(w, "<p class=\"facts\">");
	add_fact(w, "session", session->id);
	add_fact(w, "policy", session->profile);
	add_fact(w, "mode", session->mode);
	add_fact(w, "user", session->user);
	add_fact(w, "project", session->project);
	add_time(w, "from", session->started);
	add_time(w, "to", session->ended);
	line_add(w, "</p></header>\n");
}

static void add_notes(struct line *w, const struct report_result *result)
{
	if (result->counts[REPORT_LOST])
		line_addf(w,
			  "<p class=\"note\">%llu entries of the log are missing: counts are "
			  "too low.</p>\n",
			  (unsigned long long)result->counts[REPORT_LOST]);
	if (result->names_beyond)
		line_addf(w,
			  "<p class=\"note\">Too many different names: %llu uses of others are "
			  "counted together.</p>\n",
			  (unsigned long long)result->names_beyond);
	for (size_t i = 0; i < result->n_notes; i++) {
		line_add(w, "<p class=\"note\">");
		markup_bytes(w, bytes_of(result->notes[i]));
		line_add(w, "</p>\n");
	}
}

static void add_counts(struct line *w, const struct report_result *result)
{
	line_add(w, "<dl class=\"counts\">\n");
	for (size_t i = 0; i < REPORT_COUNTS; i++) {
		line_addf(w, "<div%s><dt>", result->counts[i] ? "" : " class=\"none\"");
		markup_text(w, report_count_label(i));
		line_addf(w, "</dt><dd data-count=\"%s\" data-value=\"%llu\">", report_count_key(i),
			  (unsigned long long)result->counts[i]);
		show_count(w, i, result->counts[i]);
		line_add(w, "</dd></div>\n");
	}
	line_add(w, "</dl>\n");
}

/* --- tables */

static void add_cell(struct line *w, const struct report_column *column,
		     const struct report_cell *cell)
{
	OWNED_LINE struct line value = { .out = &value.own };

	/* A program's path is not what a row is about: without its middle, which the title has. */
	if (column->kind == REPORT_PROGRAM) {
		line_add(w, "<td class=\"word\" title=\"");
		markup_bytes(w, cell->text);
		line_add(w, "\">");
		markup_middle(w, cell->text, PROGRAM_WIDTH);
		line_add(w, "</td>");
		return;
	}
	if (report_is_text(column->kind))
		line_add(w, column->kind == REPORT_WORD ? "<td class=\"word\">" : "<td>");
	else
		line_add(w, cell->number ? "<td class=\"number\">" : "<td class=\"number none\">");
	show_cell(&value, column, cell);
	markup_path(w, &value);
	line_add(w, "</td>");
}

/* Columns that have no values in any row are left out. */
static void add_rows(struct line *w, const struct report_table *table, size_t rows)
{
	line_add(w, "<div class=\"scroll\"><table><thead><tr>");
	for (size_t i = 0; i < table->n_columns; i++) {
		if (!column_is_used(table, i, table->n_rows))
			continue;
		line_addf(w, "<th%s>",
			  report_is_text(table->columns[i].kind) ? "" : " class=\"number\"");
		markup_text(w, table->columns[i].title);
		line_add(w, "</th>");
	}
	line_add(w, "</tr></thead><tbody>\n");
	for (size_t row = 0; row < rows; row++) {
		line_add(w, "<tr>");
		for (size_t i = 0; i < table->n_columns; i++)
			if (column_is_used(table, i, table->n_rows))
				add_cell(w, &table->columns[i], report_cell(table, row, i));
		line_add(w, "</tr>\n");
	}
	line_add(w, "</tbody></table></div>\n");
}

static void add_rest(struct line *w, const struct report_table *table)
{
	if (table->total > table->n_rows)
		line_addf(w,
			  "<p class=\"about\">... and %llu more rows, which the report does "
			  "not keep.</p>\n",
			  (unsigned long long)(table->total - table->n_rows));
	if (table->n_rows > ROWS_MAX)
		line_addf(w,
			  "<p class=\"about\">... and %zu more rows in the JSON of this "
			  "document.</p>\n",
			  table->n_rows - ROWS_MAX);
	if (table->beyond)
		line_addf(w,
			  "<p class=\"about\">... and %llu events of more rows than are "
			  "kept.</p>\n",
			  (unsigned long long)table->beyond);
}

static void add_table(struct line *w, const struct report_table *table)
{
	line_addf(w, "<section id=\"%s\"><h2>", table->key);
	markup_text(w, table->title);
	line_addf(w, " <span class=\"rows\">%llu</span></h2>\n<p class=\"about\">",
		  (unsigned long long)table->total);
	markup_text(w, table->about);
	line_add(w, "</p>\n");
	add_rows(w, table, table->n_rows < ROWS_MAX ? table->n_rows : ROWS_MAX);
	add_rest(w, table);
	line_add(w, "</section>\n");
}

static void add_json(struct line *w, const struct report_result *result)
{
	OWNED_TEXT struct text json = { 0 };

	if (w->r == 0)
		w->r = view_report_json(result, &json);
	line_add(w, "<script type=\"application/json\" id=\"report\">");
	if (w->r == 0)
		markup_json(w, json.data);
	line_add(w, "</script>\n");
}

int view_report_html(const struct report_result *result, struct text *out)
{
	struct line w = { .out = out };

	line_add(&w, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		     "style-src 'unsafe-inline'; img-src data:\">\n"
		     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		     "<meta name=\"color-scheme\" content=\"light dark\">\n"
		     "<link rel=\"icon\" href=\"data:,\">\n<title>");
	add_title(&w, &result->session);
	line_add(&w, " - grith report</title>\n<style>\n");
	line_add(&w, view_report_style);
	line_add(&w, "</style></head><body><main>\n");
	add_head(&w, &result->session);
	add_notes(&w, result);
	add_counts(&w, result);
	chart_timeline(&w, result);
	chart_places(&w, result);
	chart_tree(&w, result);
	chart_network(&w, result);
	for (size_t i = 0; i < REPORT_TABLE_TIMELINE; i++)
		if (result->tables[i].n_rows)
			add_table(&w, &result->tables[i]);
	add_json(&w, result);
	line_add(&w, "</main></body></html>\n");
	return w.r;
}
