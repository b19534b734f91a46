/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One row and one tree for each session.
 */
#include "view_sessions.h"

static const char *const heads[] = { "SESSION", "NAME", "USER",	      "PROFILE", "MODE",
				     "STATE",	"AGE",	"OPERATIONS", "REFUSED", "PROJECT" };
#define RIGHT (7u << 6) /* of heads: from AGE to REFUSED */

static void add_age(struct table *table, const json_t *session, int64_t now)
{
	OWNED_LINE struct line cell = { .out = &cell.own };
	int64_t started;

	if (moment_parse(member_string(session, "started"), &started) == 0)
		line_add_span(&cell, now - started);
	else
		line_add(&cell, "-");
	table_add_line(table, &cell);
}

static void add_session(struct table *table, const json_t *session, int64_t now)
{
	static const char *const first[] = { "id", "name", "user", "profile", "mode", "state" };
	const json_t *counts = json_object_get(session, "counts");

	for (size_t i = 0; i < ARRAY_SIZE(first); i++)
		table_add_member(table, session, first[i]);
	add_age(table, session, now);
	table_addf(table, "%lld", (long long)member_integer(counts, "operations"));
	table_addf(table, "%lld", (long long)member_integer(counts, "refused"));
	table_add_member(table, session, "project");
}

/* The command line, or where it cannot be read, the program; and a NUL. */
static void add_label(struct line *labels, const json_t *process)
{
	size_t start = labels->own.length;

	line_add_command(labels, json_object_get(process, "command"));
	if (labels->own.length == start)
		line_add_member(labels, process, "program");
	if (labels->own.length == start)
		line_add(labels, "-");
	if (labels->r == 0)
		labels->r = text_add(&labels->own, "", 1);
}

static int add_processes(struct text *out, const json_t *session, const struct term *term)
{
	const json_t *processes = json_object_get(session, "processes"), *process;
	size_t n = json_array_size(processes), i;
	OWNED_MEM struct tree_process *list = calloc(n + 1, sizeof(*list));
	OWNED_LINE struct line labels = { .out = &labels.own };
	const char *label;

	json_array_foreach (processes, i, process)
		add_label(&labels, process);
	if (!list || labels.r < 0)
		return -ENOMEM;
	label = labels.own.data;
	json_array_foreach (processes, i, process) {
		list[i] = (struct tree_process) {
			.pid = (uint32_t)member_integer(process, "pid"),
			.ppid = (uint32_t)member_integer(process, "ppid"),
			.label = label,
		};
		label += strlen(label) + 1;
	}
	return process_tree_add(out, list, n, term);
}

static int add_losses(struct text *out, const json_t *session, const struct term *term)
{
	int64_t lost = member_integer(json_object_get(session, "counts"), "lost");

	if (lost <= 0)
		return 0;
	return text_addf(out, "%s%lld records lost%s\n", term_colour(term, TERM_YELLOW),
			 (long long)lost, term_colour(term, TERM_PLAIN));
}

int view_sessions(const json_t *sessions, int64_t now, const struct term *term, struct text *out)
{
	OWNED_TABLE struct table table = { .columns = ARRAY_SIZE(heads), .right = RIGHT };
	const json_t *session;
	size_t i;
	int r;

	table_add_cells(&table, heads, ARRAY_SIZE(heads));
	json_array_foreach (sessions, i, session)
		add_session(&table, session, now);
	r = text_addf(out, "%s", term_colour(term, TERM_BOLD));
	if (r == 0)
		r = table_print_row(&table, 0, term, out);
	if (r == 0)
		r = text_addf(out, "%s", term_colour(term, TERM_PLAIN));
	json_array_foreach (sessions, i, session) {
		if (r == 0)
			r = table_print_row(&table, i + 1, term, out);
		if (r == 0)
			r = add_losses(out, session, term);
		if (r == 0)
			r = add_processes(out, session, term);
	}
	return r;
}
