/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The report for people: who and when, the counts, and a table for each section that has rows.
 * Empty columns are left out; numbers come first, so that what a narrow terminal cuts is the end of
 * a reason and not a count.
 */
#include "value.h"
#include "view.h"

#define TEXT_COLUMN_MIN 24 /* even where the line is cut for it */

/* What a line is made of, before it is cut to the width and gets its colour. */
static void add_line(struct line *w, const struct term *term, enum term_colour colour,
		     const struct line *line)
{
	if (w->r == 0)
		w->r = line->r;
	if (colour)
		line_add(w, term_colour(term, colour));
	if (w->r == 0)
		w->r = term_add_cut(w->out, line_text(line), term->width);
	line_addf(w, "%s\n", colour ? term_colour(term, TERM_PLAIN) : "");
}

static void add_head(struct line *w, const struct report_session *session, const struct term *term)
{
	const struct record_bytes title = title_of_session(session), none = { 0 };
	const struct record_bytes words[] = {
		session->name.length ? session->id : none,
		session->profile,
		session->mode,
		session->user,
		session->project,
	};
	OWNED_LINE struct line line = { .out = &line.own };

	line_add_bytes(&line, title.length ? title : bytes_of("session"));
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		line_add(&line, words[i].length ? "  " : "");
		line_add_bytes(&line, words[i]);
	}
	add_line(w, term, TERM_BOLD, &line);
}

/* The command, and when it began. */
static void add_start(struct line *w, const struct report_session *session, const struct term *term)
{
	OWNED_LINE struct line line = { .out = &line.own };

	show_command(&line, session->command);
	if (line.own.length)
		add_line(w, term, TERM_PLAIN, &line);
	if (!session->started)
		return;
	line.own.length = 0;
	line_add(&line, "from ");
	show_time(&line, session->started);
	line_add(&line, " to ");
	show_time(&line, session->ended);
	add_line(w, term, TERM_DIM, &line);
}

/* A line of its own, wrapped by the terminal: it must be read whole. */
static void add_warning(struct line *w, const struct term *term, uint64_t number, const char *what)
{
	if (number)
		line_addf(w, "%s%llu %s%s\n", term_colour(term, TERM_RED),
			  (unsigned long long)number, what, term_colour(term, TERM_PLAIN));
}

static void add_notes(struct line *w, const struct report_result *result, const struct term *term)
{
	add_warning(w, term, result->counts[REPORT_LOST], "entries lost: counts are too low");
	add_warning(w, term, result->names_beyond,
		    "uses of names beyond the limit, counted together");
	for (size_t i = 0; i < result->n_notes; i++) {
		line_add(w, "Note: ");
		line_add_bytes(w, bytes_of(result->notes[i]));
		line_add(w, "\n");
	}
}

static void add_counts(struct line *w, const struct report_result *result, const struct term *term)
{
	OWNED_TABLE struct table table = { .columns = 2, .right = 0x2 };

	line_add(w, "\n");
	for (size_t i = 0; i < REPORT_COUNTS && w->r == 0; i++) {
		OWNED_LINE struct line value = { .out = &value.own };

		show_count(&value, i, result->counts[i]);
		w->r = value.r;
		if (w->r == 0)
			w->r = table_add(&table, report_count_label(i));
		if (w->r == 0)
			w->r = table_add(&table, line_text(&value));
	}
	for (size_t i = 0; i < REPORT_COUNTS && w->r == 0; i++)
		w->r = table_print_row(&table, i, term, w->out);
}

/* --- tables */

/* Which columns are shown, in which order, and how wide those of text may become. */
struct layout {
	const struct report_table *table;
	size_t rows; /* of them that are shown */
	size_t columns[TABLE_COLUMNS];
	size_t count;
	unsigned int right;
	unsigned int wide; /* columns a text may take; 0: no limit */
};

/* Numbers come first and times last. */
static int rank_of(enum report_cell_kind kind)
{
	return report_is_text(kind) ? 1 : kind == REPORT_TIME ? 2 : 0;
}

/* The depth of a program in the tree is shown by its indentation. */
static void choose_columns(struct layout *layout)
{
	const struct report_table *table = layout->table;

	for (int rank = 0; rank <= 2; rank++)
		for (size_t i = 0; i < table->n_columns; i++) {
			enum report_cell_kind kind = table->columns[i].kind;

			if (rank_of(kind) != rank || kind == REPORT_DEPTH ||
			    !column_is_used(table, i, layout->rows) ||
			    layout->count == TABLE_COLUMNS)
				continue;
			if (rank != 1)
				layout->right |= 1u << layout->count;
			layout->columns[layout->count++] = i;
		}
}

/* A cell of a column of the layout; row 0 is the header. Added to `cell`, which is emptied. */
static int make_cell(const struct layout *layout, size_t row, size_t n, struct text *cell)
{
	const struct report_table *table = layout->table;
	const struct report_column *column = &table->columns[layout->columns[n]];
	struct line w = { .out = cell };

	cell->length = 0;
	line_add(&w, row ? "" : column->title);
	if (row && table->columns[0].kind == REPORT_DEPTH && column->kind == REPORT_PROGRAM)
		line_addf(&w, "%*s", 2 * (int)report_cell(table, row - 1, 0)->number, "");
	if (row)
		show_cell(&w, column, report_cell(table, row - 1, layout->columns[n]));
	return w.r;
}

/*
 * Texts share what numbers leave of the width: the largest limit with which all fit, so that short
 * columns give to long ones.
 */
static int choose_width(const struct term *term, struct layout *layout)
{
	unsigned int widths[TABLE_COLUMNS] = { 0 }, used = 0, limit = TEXT_COLUMN_MIN, sum;
	OWNED_TEXT struct text cell = { 0 };

	for (size_t i = 0; i < layout->count; i++) {
		for (size_t row = 0; row <= layout->rows; row++) {
			int r = make_cell(layout, row, i, &cell);

			if (r < 0)
				return r;
			if (term_columns(cell.data) > widths[i])
				widths[i] = term_columns(cell.data);
		}
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

static int fill(struct table *cells, const struct layout *layout)
{
	OWNED_TEXT struct text cell = { 0 }, cut = { 0 };
	int r = 0;

	for (size_t row = 0; row <= layout->rows; row++)
		for (size_t i = 0; i < layout->count && r == 0; i++) {
			bool whole = !layout->wide || layout->right & 1u << i;

			r = make_cell(layout, row, i, &cell);
			cut.length = 0;
			whole = whole || r < 0 || term_columns(cell.data) <= layout->wide;
			if (r == 0 && !whole)
				r = term_add_middle(&cut, cell.data, layout->wide);
			if (r == 0)
				r = table_add(cells, whole ? cell.data : cut.data);
		}
	return r;
}

/* The title, and as much about it as there is room for. */
static void add_heading(struct line *w, const struct report_table *table, const struct term *term)
{
	unsigned int used = strlen(table->title) + 2;

	line_addf(w, "\n%s%s%s  %s", term_colour(term, TERM_BOLD), table->title,
		  term_colour(term, TERM_PLAIN), term_colour(term, TERM_DIM));
	if (w->r == 0 && (!term->width || term->width > used))
		w->r = term_add_cut(w->out, table->about, term->width ? term->width - used : 0);
	line_addf(w, "%s\n", term_colour(term, TERM_PLAIN));
}

static void add_table(struct line *w, const struct report_table *table, size_t most,
		      const struct term *term)
{
	struct layout layout = {
		.table = table,
		.rows = most && most < table->n_rows ? most : table->n_rows,
	};
	OWNED_TABLE struct table cells = { 0 };

	choose_columns(&layout);
	add_heading(w, table, term);
	cells.columns = layout.count;
	cells.right = layout.right;
	if (w->r == 0)
		w->r = choose_width(term, &layout);
	if (w->r == 0)
		w->r = fill(&cells, &layout);
	for (size_t row = 0; row <= layout.rows && w->r == 0; row++) {
		line_add(w, row ? "" : term_colour(term, TERM_DIM));
		w->r = w->r < 0 ? w->r : table_print_row(&cells, row, term, w->out);
		line_add(w, row ? "" : term_colour(term, TERM_PLAIN));
	}
	if (table->total > layout.rows)
		line_addf(w, "  ... and %llu more\n",
			  (unsigned long long)(table->total - layout.rows));
	if (table->beyond)
		line_addf(w, "  ... and %llu events of more rows than are kept\n",
			  (unsigned long long)table->beyond);
}

int view_report_text(const struct report_result *result, const struct term *term, size_t rows,
		     struct text *out)
{
	struct line w = { .out = out };

	add_head(&w, &result->session, term);
	add_start(&w, &result->session, term);
	add_notes(&w, result, term);
	add_counts(&w, result, term);
	/* The timeline is for charts: as text it says nothing. */
	for (size_t i = 0; i < REPORT_TABLE_TIMELINE; i++)
		if (result->tables[i].n_rows)
			add_table(&w, &result->tables[i], rows, term);
	return w.r;
}
