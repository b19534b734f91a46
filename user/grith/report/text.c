/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The report for people: who and when, the counts, and a table for each section that has rows.
 * Columns in which nothing stands are left out; numbers come first, so that what a narrow terminal
 * cuts is the end of a reason and not a count.
 */
#include <string.h>

#include "grith/base/base.h"
#include "value.h"
#include "view.h"

#define TEXT_COLUMN_MIN 24 /* even where the line is cut for it */

static int add_escaped(struct text *out, struct record_bytes bytes)
{
	return text_add_escaped(out, bytes.data, bytes.length);
}

/* "  WORD" where there is one. */
static int add_word(struct text *out, struct record_bytes word)
{
	int r;

	if (!word.length)
		return 0;
	r = text_addf(out, "  ");
	return r < 0 ? r : add_escaped(out, word);
}

static int add_head(struct text *out, const struct report_session *session, const struct term *term)
{
	OWNED_TEXT struct text line = { 0 };
	struct record_bytes name = session->name.length ? session->name : session->id;
	int r = add_escaped(&line, name.length ? name : (struct record_bytes) { "session", 7 });

	if (r == 0 && session->name.length)
		r = add_word(&line, session->id);
	if (r == 0)
		r = add_word(&line, session->profile);
	if (r == 0)
		r = add_word(&line, session->mode);
	if (r == 0)
		r = add_word(&line, session->user);
	if (r == 0)
		r = add_word(&line, session->project);
	if (r == 0)
		r = text_addf(out, "%s", term_colour(term, TERM_BOLD));
	if (r == 0)
		r = term_add_cut(out, line.data, term->width);
	return r < 0 ? r : text_addf(out, "%s\n", term_colour(term, TERM_PLAIN));
}

static int add_moments(struct text *out, const struct report_session *session,
		       const struct term *term)
{
	OWNED_TEXT struct text line = { 0 };
	int r = text_addf(&line, "from ");

	if (r == 0)
		r = moment_add(&line, session->started / 1000000);
	if (r == 0)
		r = text_addf(&line, " to ");
	if (r == 0)
		r = moment_add(&line, session->ended / 1000000);
	if (r == 0)
		r = text_addf(out, "%s", term_colour(term, TERM_DIM));
	if (r == 0)
		r = term_add_cut(out, line.data, term->width);
	return r < 0 ? r : text_addf(out, "%s\n", term_colour(term, TERM_PLAIN));
}

/* The command, and when it began. */
static int add_start(struct text *out, const struct report_session *session,
		     const struct term *term)
{
	OWNED_TEXT struct text command = { 0 };
	int r = view_report_command(session->command, &command);

	if (r == 0 && command.length) {
		r = term_add_cut(out, command.data, term->width);
		if (r == 0)
			r = text_addf(out, "\n");
	}
	return r < 0 || !session->started ? r : add_moments(out, session, term);
}

/* A line of its own, wrapped by the terminal: it must be read whole. */
static int add_warning(struct text *out, const struct term *term, uint64_t number, const char *what)
{
	return text_addf(out, "%s%llu %s%s\n", term_colour(term, TERM_RED),
			 (unsigned long long)number, what, term_colour(term, TERM_PLAIN));
}

static int add_notes(struct text *out, const struct report_result *result, const struct term *term)
{
	int r = 0;

	if (result->counts[REPORT_LOST])
		r = add_warning(out, term, result->counts[REPORT_LOST],
				"entries lost: counts are too low");
	if (r == 0 && result->names_beyond)
		r = add_warning(out, term, result->names_beyond,
				"uses of names beyond the limit, counted together");
	for (size_t i = 0; i < result->n_notes && r == 0; i++) {
		r = text_addf(out, "Note: ");
		if (r == 0)
			r = text_add_escaped(out, result->notes[i], strlen(result->notes[i]));
		if (r == 0)
			r = text_addf(out, "\n");
	}
	return r;
}

static int add_counts(struct text *out, const struct report_result *result, const struct term *term)
{
	OWNED_TABLE struct table table = { .columns = 2, .right = 0x2 };
	int r = text_addf(out, "\n");

	for (size_t i = 0; i < REPORT_COUNTS && r == 0; i++) {
		OWNED_TEXT struct text value = { 0 };

		r = view_report_count(&value, i, result->counts[i]);
		if (r == 0)
			r = table_add(&table, report_count_label(i));
		if (r == 0)
			r = table_add(&table, value.data);
	}
	for (size_t i = 0; i < REPORT_COUNTS && r == 0; i++)
		r = table_print_row(&table, i, term, out);
	return r;
}

/* --- tables */

/* Which columns are shown, in which order, and how wide those of text may become. */
struct layout {
	size_t columns[TABLE_COLUMNS];
	size_t count;
	unsigned int right;
	unsigned int wide; /* columns a text may take; 0: no limit */
};

/* The depth of a program in the tree is shown by where it stands. */
static bool is_empty(const struct report_table *table, size_t column, size_t rows)
{
	if (table->columns[column].kind == REPORT_DEPTH)
		return true;
	for (size_t row = 0; row < rows; row++) {
		const struct report_cell *cell = report_cell(table, row, column);

		if (cell->text.length || cell->number)
			return false;
	}
	return true;
}

/* Numbers come first and times last. */
static int rank_of(enum report_cell_kind kind)
{
	return report_is_text(kind) ? 1 : kind == REPORT_TIME ? 2 : 0;
}

static void choose_columns(const struct report_table *table, size_t rows, struct layout *layout)
{
	for (int rank = 0; rank <= 2; rank++)
		for (size_t i = 0; i < table->n_columns; i++) {
			if (rank_of(table->columns[i].kind) != rank || is_empty(table, i, rows) ||
			    layout->count == TABLE_COLUMNS)
				continue;
			if (rank != 1)
				layout->right |= 1u << layout->count;
			layout->columns[layout->count++] = i;
		}
}

/* A cell as text; a program that has a depth is indented by it. */
static int add_value(struct text *out, const struct report_table *table, size_t row, size_t column)
{
	int r = 0;

	if (table->columns[0].kind == REPORT_DEPTH && table->columns[column].kind == REPORT_PROGRAM)
		r = text_addf(out, "%*s", 2 * (int)report_cell(table, row, 0)->number, "");
	return r < 0 ? r
		     : view_report_cell(out, &table->columns[column],
					report_cell(table, row, column));
}

/* The widest a cell of a column is, header included. */
static int natural_width(const struct report_table *table, size_t column, size_t rows,
			 unsigned int *ret_width)
{
	unsigned int width = term_columns(table->columns[column].title);

	for (size_t row = 0; row < rows; row++) {
		OWNED_TEXT struct text cell = { 0 };
		int r = add_value(&cell, table, row, column);

		if (r < 0)
			return r;
		if (cell.data && term_columns(cell.data) > width)
			width = term_columns(cell.data);
	}
	*ret_width = width;
	return 0;
}

/*
 * Texts share what numbers leave of the width: the largest limit with which all fit, so that short
 * columns give to long ones.
 */
static int choose_width(const struct report_table *table, size_t rows, const struct term *term,
			struct layout *layout)
{
	unsigned int widths[TABLE_COLUMNS] = { 0 }, used = 0, limit = TEXT_COLUMN_MIN, sum;
	int r;

	for (size_t i = 0; i < layout->count; i++) {
		r = natural_width(table, layout->columns[i], rows, &widths[i]);
		if (r < 0)
			return r;
		used += 2 + (layout->right & 1u << i ? widths[i] : 0);
	}
	do {
		limit++;
		sum = used;
		for (size_t i = 0; i < layout->count; i++)
			if (!(layout->right & 1u << i))
				sum += widths[i] < limit ? widths[i] : limit;
	} while (sum <= term->width && limit < term->width);
	layout->wide = term->width ? limit - 1 : 0;
	return 0;
}

/* `column` is one of the layout's. */
static int add_cell(struct table *cells, const struct layout *layout, size_t column,
		    const char *text)
{
	OWNED_TEXT struct text cut = { 0 };
	int r = 0;

	if (!text || !layout->wide || layout->right & 1u << column ||
	    term_columns(text) <= layout->wide)
		return table_add(cells, text);
	r = term_add_middle(&cut, text, layout->wide);
	return r < 0 ? r : table_add(cells, cut.data);
}

static int fill(struct table *cells, const struct report_table *table, size_t rows,
		const struct layout *layout)
{
	int r = 0;

	for (size_t i = 0; i < layout->count && r == 0; i++)
		r = add_cell(cells, layout, i, table->columns[layout->columns[i]].title);
	for (size_t row = 0; row < rows && r == 0; row++)
		for (size_t i = 0; i < layout->count && r == 0; i++) {
			OWNED_TEXT struct text cell = { 0 };

			r = add_value(&cell, table, row, layout->columns[i]);
			if (r == 0)
				r = add_cell(cells, layout, i, cell.data);
		}
	return r;
}

static int add_rest(struct text *out, const struct report_table *table, size_t rows)
{
	int r = 0;

	if (table->total > rows)
		r = text_addf(out, "  ... and %llu more\n",
			      (unsigned long long)(table->total - rows));
	if (r == 0 && table->beyond)
		r = text_addf(out, "  ... and %llu events of more rows than are kept\n",
			      (unsigned long long)table->beyond);
	return r;
}

/* The title, and as much about it as there is room for. */
static int add_heading(struct text *out, const struct report_table *table, const struct term *term)
{
	unsigned int used = strlen(table->title) + 2;
	int r = text_addf(out, "\n%s%s%s  %s", term_colour(term, TERM_BOLD), table->title,
			  term_colour(term, TERM_PLAIN), term_colour(term, TERM_DIM));

	if (r == 0 && (!term->width || term->width > used))
		r = term_add_cut(out, table->about, term->width ? term->width - used : 0);
	return r < 0 ? r : text_addf(out, "%s\n", term_colour(term, TERM_PLAIN));
}

static int add_table(struct text *out, const struct report_table *table, size_t most,
		     const struct term *term)
{
	size_t rows = most && most < table->n_rows ? most : table->n_rows;
	struct layout layout = { 0 };
	OWNED_TABLE struct table cells = { 0 };
	int r;

	choose_columns(table, rows, &layout);
	r = choose_width(table, rows, term, &layout);
	if (r == 0)
		r = add_heading(out, table, term);
	cells.columns = layout.count;
	cells.right = layout.right;
	if (r == 0)
		r = fill(&cells, table, rows, &layout);
	for (size_t row = 0; row <= rows && r == 0; row++) {
		if (row == 0)
			r = text_addf(out, "%s", term_colour(term, TERM_DIM));
		if (r == 0)
			r = table_print_row(&cells, row, term, out);
		if (r == 0 && row == 0)
			r = text_addf(out, "%s", term_colour(term, TERM_PLAIN));
	}
	return r < 0 ? r : add_rest(out, table, rows);
}

int view_report_text(const struct report_result *result, const struct term *term, size_t rows,
		     struct text *out)
{
	int r = add_head(out, &result->session, term);

	if (r == 0)
		r = add_start(out, &result->session, term);
	if (r == 0)
		r = add_notes(out, result, term);
	if (r == 0)
		r = add_counts(out, result, term);
	/* The timeline is for charts: as text it says nothing. */
	for (size_t i = 0; i < REPORT_TABLE_TIMELINE && r == 0; i++)
		if (result->tables[i].n_rows)
			r = add_table(out, &result->tables[i], rows, term);
	return r;
}
