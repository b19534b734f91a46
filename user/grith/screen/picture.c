/* SPDX-License-Identifier: MPL-2.0 */
/* Lines and their spans, the wrapping of long values, and pictures inside of others. */
#include "grith/base/base.h"
#include "picture.h"

static int failed(struct picture *picture, int r)
{
	return picture->r = r;
}

static struct picture_line *last_line(struct picture *picture)
{
	return picture->count ? &picture->lines[picture->count - 1] : NULL;
}

int picture_begin(struct picture *picture)
{
	if (picture->r < 0)
		return picture->r;
	if (ARRAY_GROW(picture->lines, picture->count) < 0)
		return failed(picture, -ENOMEM);
	picture->lines[picture->count] = (struct picture_line) { 0 };
	if (text_add(&picture->lines[picture->count].text, "", 0) < 0)
		return failed(picture, -ENOMEM);
	picture->count++;
	return 0;
}

/* Whether text can be appended to the span: each of its bytes was one column. */
static bool goes_on(const struct picture_line *line, const struct picture_span *span)
{
	return line->columns - span->column == line->text.length - span->start;
}

/* Bytes that take so many columns, in a span of their own unless the last one can go on. */
static int put(struct picture *picture, struct picture_line *line, unsigned int style,
	       const char *text, size_t length, unsigned int columns)
{
	const struct picture_span *before = line->n_spans ? &line->spans[line->n_spans - 1] : NULL;

	if (!before || before->style != style || columns != length || !goes_on(line, before)) {
		if (ARRAY_GROW(line->spans, line->n_spans) < 0)
			return failed(picture, -ENOMEM);
		line->spans[line->n_spans++] = (struct picture_span) {
			.start = line->text.length,
			.column = line->columns,
			.style = style,
		};
	}
	if (text_add(&line->text, text, length) < 0)
		return failed(picture, -ENOMEM);
	line->columns += columns;
	return 0;
}

int picture_put(struct picture *picture, unsigned int style, const char *text)
{
	if (picture->r < 0 || !*text)
		return picture->r;
	return put(picture, last_line(picture), style, text, strlen(text), term_columns(text));
}

int picture_take(struct picture *picture, unsigned int style, char *text)
{
	OWNED_MEM char *own = text;

	return own ? picture_put(picture, style, own) : failed(picture, -ENOMEM);
}

/* Spaces up to a column. */
static int fill(struct picture *picture, unsigned int style, unsigned int column)
{
	const struct picture_line *line = last_line(picture);
	char spaces[64];

	memset(spaces, ' ', sizeof(spaces));
	while (picture->r == 0 && line->columns < column) {
		unsigned int n = column - line->columns;

		n = n < sizeof(spaces) ? n : sizeof(spaces);
		put(picture, last_line(picture), style, spaces, n, n);
	}
	return picture->r;
}

int picture_cell(struct picture *picture, unsigned int style, unsigned int columns,
		 enum picture_fit fit, const char *text)
{
	OWNED_TEXT struct text cut = { 0 };
	unsigned int start, used;
	int r;

	if (picture->r < 0 || !columns)
		return picture->r;
	start = last_line(picture)->columns;
	r = fit == PICTURE_MIDDLE ? term_add_middle(&cut, text, columns)
				  : term_add_cut(&cut, text, columns);
	if (r < 0)
		return failed(picture, r);
	used = term_columns(cut.data);
	if (fit == PICTURE_RIGHT)
		fill(picture, style, start + columns - used);
	picture_put(picture, style, cut.data);
	return fill(picture, style, start + columns);
}

int picture_add(struct picture *picture, unsigned int style, unsigned int columns, const char *text)
{
	OWNED_TEXT struct text cut = { 0 };

	if (term_add_cut(&cut, text, columns) < 0)
		return failed(picture, -ENOMEM);
	picture_begin(picture);
	return picture_put(picture, style, cut.data);
}

int picture_add_lines(struct picture *picture, const char *const *lines, size_t count)
{
	for (size_t i = 0; i < count; i++)
		picture_add(picture, PICTURE_PLAIN, 0, lines[i]);
	return picture->r;
}

int picture_fill(struct picture *picture, unsigned int rows, unsigned int columns, const char *text)
{
	for (unsigned int i = 0; i < rows; i++) {
		picture_begin(picture);
		if (!i)
			picture_cell(picture, PICTURE_PLAIN, columns, PICTURE_LEFT, text);
	}
	return picture->r;
}

int picture_add_bar(struct picture *picture, unsigned int columns, const char *left,
		    const char *right)
{
	unsigned int used = term_columns(left), more = term_columns(right);

	if (used + more + 1 > columns)
		more = 0;
	picture_begin(picture);
	picture_cell(picture, PICTURE_BAR, columns - more, PICTURE_LEFT, left);
	return more ? picture_put(picture, PICTURE_BAR, right) : picture->r;
}

int picture_add_value(struct picture *picture, const char *label, const char *value,
		      unsigned int columns, unsigned int most)
{
	unsigned int width = columns > PICTURE_LABEL + 8 ? columns - PICTURE_LABEL : 8;
	OWNED_TEXT struct text cut = { 0 };
	const char *at, *next;

	if (term_add_middle(&cut, value, width * most) < 0)
		return failed(picture, -ENOMEM);
	picture->cut |= term_columns(value) > width * most;
	for (at = cut.data; picture->r == 0 && *at; at = next) {
		OWNED_MEM char *line = NULL;

		next = term_skip(at, width);
		line = strndup(at, next - at);
		if (!line)
			return failed(picture, -ENOMEM);
		picture_begin(picture);
		picture_put(picture, PICTURE_BOLD, at == cut.data ? label : "");
		fill(picture, PICTURE_PLAIN, PICTURE_LABEL);
		picture_put(picture, PICTURE_PLAIN, line);
	}
	return picture->r;
}

/* Where the text of a span ends. */
static size_t end_of(const struct picture_line *line, size_t span)
{
	return span + 1 < line->n_spans ? line->spans[span + 1].start : line->text.length;
}

static void copy_line(struct picture *picture, struct picture_line *to,
		      const struct picture_line *from, unsigned int column, unsigned int columns)
{
	for (size_t i = 0; i < from->n_spans && picture->r == 0; i++) {
		const struct picture_span *span = &from->spans[i];
		size_t length = end_of(from, i) - span->start;
		OWNED_MEM char *text = strndup(from->text.data + span->start, length);
		OWNED_TEXT struct text cut = { 0 };

		if (span->column >= columns)
			return;
		if (!text || term_add_cut(&cut, text, columns - span->column) < 0) {
			failed(picture, -ENOMEM);
			return;
		}
		to->columns = column + span->column;
		put(picture, to, span->style, cut.data, cut.length, term_columns(cut.data));
	}
}

int picture_copy(struct picture *picture, const struct picture_place *place,
		 const struct picture *from, size_t first)
{
	if (from->r < 0)
		return failed(picture, from->r);
	for (unsigned int i = 0; i < place->rows && picture->r == 0; i++) {
		struct picture_line *line;

		while (picture->r == 0 && picture->count <= place->row + i)
			picture_begin(picture);
		if (picture->r < 0)
			break;
		line = &picture->lines[place->row + i];
		while (line->columns < place->column &&
		       put(picture, line, PICTURE_PLAIN, " ", 1, 1) == 0)
			;
		if (first + i < from->count)
			copy_line(picture, line, &from->lines[first + i], place->column,
				  place->columns);
	}
	return picture->r;
}

static bool line_equal(const struct picture_line *a, const struct picture_line *b)
{
	if (a->text.length != b->text.length || a->n_spans != b->n_spans ||
	    memcmp(a->text.data, b->text.data, a->text.length) != 0)
		return false;
	for (size_t i = 0; i < a->n_spans; i++)
		if (a->spans[i].start != b->spans[i].start ||
		    a->spans[i].column != b->spans[i].column ||
		    a->spans[i].style != b->spans[i].style)
			return false;
	return true;
}

bool picture_equal(const struct picture *a, const struct picture *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!line_equal(&a->lines[i], &b->lines[i]))
			return false;
	return true;
}

void picture_free(struct picture *picture)
{
	if (!picture)
		return;
	for (size_t i = 0; i < picture->count; i++) {
		text_free(&picture->lines[i].text);
		free(picture->lines[i].spans);
	}
	free(picture->lines);
	*picture = (struct picture) { 0 };
}
