/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Where the files lie, as two tree maps: the project, and all else. Areas within each are as the
 * numbers of files. Rectangles are kept close to squares by the algorithm of Bruls, Huizing and van
 * Wijk, "Squarified Treemaps" (2000).
 */
#include "charts.h"

#define HEIGHT 340
#define CAPTION 22
#define GAP 16
#define SHARE_MIN 0.16 /* of the width, for the smaller of the two */
#define FONT 12

struct box {
	double x, y, width, height;
};

/* Rows of the table, sorted as it is: the largest first. */
struct part {
	const struct report_table *table;
	const char *where;
	size_t *rows;
	size_t count;
	uint64_t files;
};

static uint64_t files_of(const struct report_table *table, size_t row)
{
	return chart_value(table, row, "files");
}

static int select_rows(struct part *part)
{
	part->rows = calloc(part->table->n_rows + 1, sizeof(*part->rows));
	if (!part->rows)
		return -ENOMEM;
	for (size_t row = 0; row < part->table->n_rows; row++) {
		if (!bytes_are(chart_text(part->table, row, "where"), part->where))
			continue;
		part->rows[part->count++] = row;
		part->files += files_of(part->table, row);
	}
	return 0;
}

/* The directory, or as many of its last components as fit. */
static struct record_bytes shorten(struct record_bytes directory, double units)
{
	while (directory.length * FONT * 0.58 > units) {
		const char *slash = memchr(directory.data + 1, '/', directory.length - 1);

		if (!slash || slash + 1 >= directory.data + directory.length)
			break;
		directory.length -= slash + 1 - directory.data;
		directory.data = slash + 1;
	}
	return directory;
}

static void add_leaf(struct line *w, const struct part *part, size_t row, const struct box *box)
{
	const struct report_table *table = part->table;
	struct record_bytes directory = report_cell(table, row, 0)->text;
	uint64_t files = files_of(table, row);
	uint64_t writes = chart_value(table, row, "writes");
	double width = box->width > 2 ? box->width - 2 : box->width;
	double height = box->height > 2 ? box->height - 2 : box->height;

	line_addf(w,
		  "<g><rect class=\"%s%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
		  "rx=\"2\" data-table=\"places\" data-row=\"%zu\" data-value=\"%llu\"/><title>",
		  part->where, writes ? " written" : "", box->x, box->y, width, height, row,
		  (unsigned long long)files);
	markup_bytes(w, directory);
	line_addf(w, ": %llu files, %llu writes</title>", (unsigned long long)files,
		  (unsigned long long)writes);
	if (width > 54 && height > 20) {
		line_addf(w, "<text class=\"leaf\" x=\"%.1f\" y=\"%.1f\">", box->x + 6,
			  box->y + 15);
		chart_label(w, shorten(directory, width - 10), width - 10, FONT);
		line_add(w, "</text>");
	}
	if (width > 54 && height > 36) {
		line_addf(w, "<text class=\"leaf count\" x=\"%.1f\" y=\"%.1f\">", box->x + 6,
			  box->y + 30);
		show_number(w, files);
		line_add(w, "</text>");
	}
	line_add(w, "</g>\n");
}

/* How far the worst rectangle of a row is from a square, along a side of that length. */
static double worst(double side, double sum, double largest, double smallest)
{
	double square = side * side, a = square * largest / (sum * sum),
	       b = sum * sum / (square * smallest);

	return a > b ? a : b;
}

/* Puts the rows from..to, whose areas have that sum, along the shorter side of what is left. */
static void add_strip(struct line *w, const struct part *part, size_t from, size_t to, double sum,
		      double scale, struct box *left)
{
	bool upright = left->width >= left->height; /* a column at the left */
	double thickness = sum / (upright ? left->height : left->width), at = 0;

	for (size_t i = from; i < to; i++) {
		double length = files_of(part->table, part->rows[i]) * scale / thickness;
		struct box box =
			upright ? (struct box) { left->x, left->y + at, thickness, length }
				: (struct box) { left->x + at, left->y, length, thickness };

		add_leaf(w, part, part->rows[i], &box);
		at += length;
	}
	if (upright) {
		left->x += thickness;
		left->width -= thickness;
	} else {
		left->y += thickness;
		left->height -= thickness;
	}
}

static void add_map(struct line *w, const struct part *part, struct box left)
{
	double scale = left.width * left.height / part->files;

	for (size_t from = 0, to; from < part->count; from = to) {
		double side = left.width < left.height ? left.width : left.height;
		double largest = files_of(part->table, part->rows[from]) * scale, sum = largest;

		for (to = from + 1; to < part->count; to++) {
			double last = files_of(part->table, part->rows[to - 1]) * scale;
			double area = files_of(part->table, part->rows[to]) * scale;

			if (worst(side, sum + area, largest, area) >
			    worst(side, sum, largest, last))
				break;
			sum += area;
		}
		add_strip(w, part, from, to, sum, scale, &left);
	}
}

static void add_part(struct line *w, const struct part *part, const char *title, double x,
		     double width)
{
	line_addf(w, "<text class=\"caption\" x=\"%.1f\" y=\"14\">%s: ", x, title);
	show_number(w, part->files);
	line_addf(w, " %s</text>\n", part->files == 1 ? "file" : "files");
	add_map(w, part, (struct box) { x, CAPTION, width, HEIGHT });
}

static double share_of(const struct part *project, const struct part *outside)
{
	double share = (double)project->files / (project->files + outside->files);

	if (!project->files || !outside->files)
		return share;
	if (share < SHARE_MIN)
		return SHARE_MIN;
	return share > 1 - SHARE_MIN ? 1 - SHARE_MIN : share;
}

void chart_places(struct line *w, const struct report_result *result)
{
	const struct report_table *table = &result->tables[REPORT_TABLE_PLACES];
	struct part project = { .table = table, .where = "project" };
	struct part outside = { .table = table, .where = "outside" };
	double share;

	if (!table->n_rows || w->r < 0)
		return;
	w->r = select_rows(&project);
	if (w->r == 0)
		w->r = select_rows(&outside);
	if (w->r == 0 && project.files + outside.files) {
		double gap = project.files && outside.files ? GAP : 0, width = CHART_WIDTH - gap;

		share = share_of(&project, &outside);
		chart_begin(
			w, "Where the files lie",
			"Files read or written, by directory. Within each of the two, areas are as "
			"the numbers of files; an outline says that something was written there.",
			CAPTION + HEIGHT);
		if (project.files)
			add_part(w, &project, "In the project", 0, width * share);
		if (outside.files)
			add_part(w, &outside, "Outside", width * share + gap, width * (1 - share));
		line_add(w, "</svg>");
		chart_end(w);
	}
	free(project.rows);
	free(outside.rows);
}
