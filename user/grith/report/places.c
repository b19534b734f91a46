/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Where the files lie, as two tree maps: the project, and all else. Areas within each are as the
 * numbers of files. Rectangles are kept close to squares by the algorithm of Bruls, Huizing and van
 * Wijk, "Squarified Treemaps" (2000).
 */
#include <string.h>

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
	return report_cell(table, row, report_column(table, "files"))->number;
}

static int select_rows(struct part *part)
{
	size_t where = report_column(part->table, "where");

	part->rows = calloc(part->table->n_rows + 1, sizeof(*part->rows));
	if (!part->rows)
		return -ENOMEM;
	for (size_t row = 0; row < part->table->n_rows; row++) {
		struct record_bytes text = report_cell(part->table, row, where)->text;

		if (text.length != strlen(part->where) ||
		    memcmp(text.data, part->where, text.length) != 0)
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

static void add_leaf(struct markup *m, const struct part *part, size_t row, const struct box *box)
{
	const struct report_table *table = part->table;
	struct record_bytes directory = report_cell(table, row, 0)->text;
	uint64_t files = files_of(table, row);
	uint64_t writes = report_cell(table, row, report_column(table, "writes"))->number;
	double width = box->width > 2 ? box->width - 2 : box->width;
	double height = box->height > 2 ? box->height - 2 : box->height;

	markup_addf(m,
		    "<g><rect class=\"%s%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
		    "rx=\"2\" data-table=\"places\" data-row=\"%zu\" data-value=\"%llu\"/><title>",
		    part->where, writes ? " written" : "", box->x, box->y, width, height, row,
		    (unsigned long long)files);
	markup_bytes(m, directory);
	markup_addf(m, ": %llu files, %llu writes</title>", (unsigned long long)files,
		    (unsigned long long)writes);
	if (width > 54 && height > 20) {
		markup_addf(m, "<text class=\"leaf\" x=\"%.1f\" y=\"%.1f\">", box->x + 6,
			    box->y + 15);
		chart_label(m, shorten(directory, width - 10), width - 10, FONT);
		markup_add(m, "</text>");
	}
	if (width > 54 && height > 36) {
		markup_addf(m, "<text class=\"leaf count\" x=\"%.1f\" y=\"%.1f\">", box->x + 6,
			    box->y + 30);
		chart_number(m, files);
		markup_add(m, "</text>");
	}
	markup_add(m, "</g>\n");
}

/* How far the worst rectangle of a row is from a square, along a side of that length. */
static double worst(double side, double sum, double largest, double smallest)
{
	double square = side * side, a = square * largest / (sum * sum),
	       b = sum * sum / (square * smallest);

	return a > b ? a : b;
}

/* Puts the rows from..to, whose areas have that sum, along the shorter side of what is left. */
static void add_strip(struct markup *m, const struct part *part, size_t from, size_t to, double sum,
		      double scale, struct box *left)
{
	bool upright = left->width >= left->height; /* a column at the left */
	double thickness = sum / (upright ? left->height : left->width), at = 0;

	for (size_t i = from; i < to; i++) {
		double length = files_of(part->table, part->rows[i]) * scale / thickness;
		struct box box =
			upright ? (struct box) { left->x, left->y + at, thickness, length }
				: (struct box) { left->x + at, left->y, length, thickness };

		add_leaf(m, part, part->rows[i], &box);
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

static void add_map(struct markup *m, const struct part *part, struct box left)
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
		add_strip(m, part, from, to, sum, scale, &left);
	}
}

static void add_part(struct markup *m, const struct part *part, const char *title, double x,
		     double width)
{
	markup_addf(m, "<text class=\"caption\" x=\"%.1f\" y=\"14\">%s: ", x, title);
	chart_number(m, part->files);
	markup_addf(m, " %s</text>\n", part->files == 1 ? "file" : "files");
	add_map(m, part, (struct box) { x, CAPTION, width, HEIGHT });
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

void chart_places(struct markup *m, const struct report_result *result)
{
	const struct report_table *table = &result->tables[REPORT_TABLE_PLACES];
	struct part project = { .table = table, .where = "project" };
	struct part outside = { .table = table, .where = "outside" };
	double share;

	if (!table->n_rows || m->r < 0)
		return;
	m->r = select_rows(&project);
	if (m->r == 0)
		m->r = select_rows(&outside);
	if (m->r == 0 && project.files + outside.files) {
		double gap = project.files && outside.files ? GAP : 0, width = CHART_WIDTH - gap;

		share = share_of(&project, &outside);
		chart_begin(
			m, "Where the files lie",
			"Files read or written, by directory. Within each of the two, areas are as "
			"the numbers of files; an outline says that something was written there.",
			CAPTION + HEIGHT);
		if (project.files)
			add_part(m, &project, "In the project", 0, width * share);
		if (outside.files)
			add_part(m, &outside, "Outside", width * share + gap, width * (1 - share));
		markup_add(m, "</svg>");
		chart_end(m);
	}
	free(project.rows);
	free(outside.rows);
}
