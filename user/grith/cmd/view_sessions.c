/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One row and one tree for each session.
 */
#include <string.h>

#include "view_sessions.h"

#define COLUMNS 10
#define COLUMN_AGE 6
#define COLUMN_OPERATIONS 7
#define COLUMN_REFUSED 8

static int add_heads(struct table *table)
{
	static const char *const heads[COLUMNS] = { "SESSION", "NAME",	 "USER", "PROFILE",
						    "MODE",    "STATE",	 "AGE",	 "OPERATIONS",
						    "REFUSED", "PROJECT" };
	int r = 0;

	for (size_t i = 0; i < COLUMNS && r == 0; i++)
		r = table_add(table, heads[i]);
	return r;
}

static int add_escaped(struct table *table, const json_t *session, const char *key)
{
	OWNED_TEXT struct text cell = { 0 };
	int r = shown_add(&cell, session, key);

	return r < 0 ? r : table_add(table, cell.length ? cell.data : "-");
}

static int add_age(struct table *table, const json_t *session, int64_t now)
{
	OWNED_TEXT struct text cell = { 0 };
	int64_t started;
	int r;

	if (moment_parse(shown_string(session, "started"), &started) < 0)
		return table_add(table, "-");
	r = moment_add_span(&cell, now - started);
	return r < 0 ? r : table_add(table, cell.data);
}

static int add_session(struct table *table, const json_t *session, int64_t now)
{
	static const char *const first[] = { "id", "name", "user", "profile", "mode", "state" };
	const json_t *counts = json_object_get(session, "counts");
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(first) && r == 0; i++)
		r = add_escaped(table, session, first[i]);
	if (r == 0)
		r = add_age(table, session, now);
	if (r == 0)
		r = table_addf(table, "%lld", (long long)shown_integer(counts, "operations"));
	if (r == 0)
		r = table_addf(table, "%lld", (long long)shown_integer(counts, "refused"));
	return r < 0 ? r : add_escaped(table, session, "project");
}

struct processes {
	struct tree_process *list;
	size_t count;
};

static void processes_free(struct processes *processes)
{
	for (size_t i = 0; i < processes->count; i++)
		free(processes->list[i].label);
	free(processes->list);
}

/* The command line, or where it cannot be read, the program. */
static int label_of(const json_t *process, char **ret_label)
{
	OWNED_TEXT struct text label = { 0 };
	int r;

	r = shown_add_command(&label, json_object_get(process, "command"));
	if (r == 0 && !label.length)
		r = shown_add(&label, process, "program");
	if (r == 0 && !label.length)
		r = text_addf(&label, "-");
	if (r < 0)
		return r;
	*ret_label = TAKE_PTR(label.data);
	return 0;
}

static int read_processes(const json_t *json, struct processes *processes)
{
	const json_t *process;
	size_t i;

	processes->list = calloc(json_array_size(json) + 1, sizeof(*processes->list));
	if (!processes->list)
		return -ENOMEM;
	json_array_foreach (json, i, process) {
		struct tree_process *p = &processes->list[i];
		int r;

		p->pid = shown_integer(process, "pid");
		p->ppid = shown_integer(process, "ppid");
		r = label_of(process, &p->label);
		if (r < 0)
			return r;
		processes->count++;
	}
	return 0;
}

static int add_processes(struct text *out, const json_t *session, const struct term *term)
{
	CLEANUP(processes_free) struct processes processes = { 0 };
	int r = read_processes(json_object_get(session, "processes"), &processes);

	return r < 0 ? r : process_tree_add(out, processes.list, processes.count, term);
}

static int add_losses(struct text *out, const json_t *session, const struct term *term)
{
	int64_t lost = shown_integer(json_object_get(session, "counts"), "lost");

	if (lost <= 0)
		return 0;
	return text_addf(out, "%s%lld records lost%s\n", term_colour(term, TERM_YELLOW),
			 (long long)lost, term_colour(term, TERM_PLAIN));
}

static int print_heads(struct text *out, const struct table *table, const struct term *term)
{
	int r = text_addf(out, "%s", term_colour(term, TERM_BOLD));

	if (r == 0)
		r = table_print_row(table, 0, term, out);
	return r < 0 ? r : text_addf(out, "%s", term_colour(term, TERM_PLAIN));
}

int view_sessions(const json_t *sessions, int64_t now, const struct term *term, struct text *out)
{
	OWNED_TABLE struct table table = {
		.columns = COLUMNS,
		.right = 1u << COLUMN_AGE | 1u << COLUMN_OPERATIONS | 1u << COLUMN_REFUSED,
	};
	const json_t *session;
	size_t i;
	int r;

	r = add_heads(&table);
	json_array_foreach (sessions, i, session) {
		if (r == 0)
			r = add_session(&table, session, now);
	}
	if (r == 0)
		r = print_heads(out, &table, term);
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
