/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Columns of fixed width where nearly all entries fit; what is longer pushes the rest to the right,
 * because a line can not wait for those after it.
 */
#include "event.h"
#include "object.h"

/* "-" where nothing was added since `start`; then up to the column. */
static void end_cell(struct line *line, size_t start, unsigned int columns)
{
	if (line->out->length == start)
		line_add(line, "-");
	line_pad(line, start, columns);
}

static void add_time(struct line *line, const struct log_event *event, const struct term *term,
		     struct moment_memory *memory)
{
	line_add(line, term_colour(term, TERM_DIM));
	if (line->r == 0)
		line->r = moment_add_again(line->out, (int64_t)(event->time / 1000000), memory);
	line_add(line, term_colour(term, TERM_PLAIN));
	line_add(line, " ");
}

/* "abcdefghij:17": what `grith why` calls the entry; without the number where it has none. */
static void add_session(struct line *line, const struct log_event *event)
{
	size_t start = line->out->length;

	line_add_bytes(line, event->session);
	if (event->session.length && event->sequence != LOG_NO_NUMBER) {
		line_add(line, ":");
		line_add_u64(line, event->sequence);
	}
	end_cell(line, start, 15);
}

/* "node[123]" */
static void add_program(struct line *line, const struct log_event *event)
{
	struct record_bytes program = view_program(event);
	size_t start = line->out->length;

	if (program.length) {
		line_add_bytes(line, program);
		line_add(line, "[");
		line_add_u64(line, event->pid);
		line_add(line, "]");
	}
	end_cell(line, start, 18);
}

static void add_verdict(struct line *line, const struct log_event *event, const struct term *term)
{
	static const enum term_colour colours[] = {
		[GRITH_ALLOW] = TERM_GREEN,
		[GRITH_HOLD] = TERM_YELLOW,
		[GRITH_DENY] = TERM_RED,
		[GRITH_HIDE] = TERM_RED,
	};
	size_t start;

	if (event->decided)
		line_add(line, term_colour(term, colours[event->verdict]));
	start = line->out->length;
	if (event->decided)
		line_add(line, verdict_name(event->verdict));
	end_cell(line, start, 5);
	if (event->decided)
		line_add(line, term_colour(term, TERM_PLAIN));
}

static void add_op(struct line *line, const struct log_event *event)
{
	const char *kind = log_kind_name(event->kind);
	size_t start = line->out->length;

	if (event->change.length)
		line_add_bytes(line, event->change);
	else if (event->op != GRITH_OP_NONE)
		line_add(line, op_name(event->op));
	else if (kind)
		line_add(line, kind);
	end_cell(line, start, 8);
}

/* "  base.yaml:12 (private SSH keys)" */
static void add_why(struct line *line, const struct log_event *event, const struct term *term)
{
	if (!event->rule.length && !event->reason.length)
		return;
	line_add(line, "  ");
	line_add(line, term_colour(term, TERM_DIM));
	line_add_bytes(line, event->rule);
	if (event->reason.length) {
		line_add(line, event->rule.length ? " (" : "(");
		line_add_bytes(line, event->reason);
		line_add(line, ")");
	}
	if (event->move.length) {
		line_add(line, ": ");
		line_add_bytes(line, event->move);
	}
	line_add(line, term_colour(term, TERM_PLAIN));
}

/* "  score 5.00", where there is one. */
static void add_score(struct line *line, const struct log_event *event)
{
	if (!event->score)
		return;
	line_add(line, "  score ");
	line_add_hundredths(line, event->score);
}

/* "  [EACCES held review 12]": how it was refused, and what is out of the ordinary. */
static void add_marks(struct line *line, const struct log_event *event)
{
	bool review = event->review && event->kind != LOG_REVIEW;

	if (!event->error && !event->flags && !review)
		return;
	line_add(line, "  [");
	line_add_errno(line, event->error);
	line_add(line, event->error && event->flags ? " " : "");
	line_add_flags(line, event->flags, " ");
	if (review) {
		line_add(line, event->error || event->flags ? " review " : "review ");
		line_add_u64(line, event->review);
	}
	line_add(line, "]");
}

int view_event(const struct log_event *event, const struct term *term, struct moment_memory *memory,
	       struct text *out)
{
	struct line line = { .out = out };

	add_time(&line, event, term, memory);
	add_session(&line, event);
	add_program(&line, event);
	add_verdict(&line, event, term);
	add_op(&line, event);
	view_object(event, &line);
	add_why(&line, event, term);
	add_score(&line, event);
	add_marks(&line, event);
	line_add(&line, "\n");
	return line.r;
}
