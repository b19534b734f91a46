/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Who does something: each process has a place in a tree of programs, which has one node for each
 * program that another one started. However many processes there are, the tree stays as small as
 * the number of different ways from one program to another.
 */
#include "lib/base/base.h"
#include "internal.h"

enum { PROCESSES, READS, WRITES, SCANS, CONNECTS, TOUCHES, REFUSED };

static uint32_t program_of(const struct report *report, const struct report_process *process)
{
	return process->node ? tally_key(&report->tree, process->node - 1)->b : REPORT_NAME_NONE;
}

/* The child of a node (plus one; 0: the root) that is this program. Too deep: its sibling. */
static int child_of(struct report *report, uint32_t parent, uint32_t program, uint32_t *ret_node)
{
	uint32_t count = report->tree.keys.count, depth, number;
	struct tally_entry *entry;
	int r;

	if (parent && report->depths[parent - 1] + 1 >= REPORT_TREE_DEPTH)
		parent = tally_key(&report->tree, parent - 1)->a;
	depth = parent ? report->depths[parent - 1] + 1 : 0;
	r = tally_at(&report->tree, &(struct tally_key) { .a = parent, .b = program }, 0, &entry,
		     &number);
	if (r < 0)
		return r;
	if (number == UINT32_MAX) {
		*ret_node = parent;
		return 0;
	}
	if (number == count) {
		if (ARRAY_GROW(report->depths, report->n_depths) < 0)
			return -ENOMEM;
		report->depths[report->n_depths++] = depth;
	}
	*ret_node = number + 1;
	return 0;
}

static int enter(struct report *report, struct report_process *process, uint32_t parent,
		 struct record_bytes program)
{
	uint32_t name;
	int r = report_name_add(report, program, &name);

	process->counted = false;
	return r < 0 ? r : child_of(report, parent, name, &process->node);
}

int report_look_up(struct report *report, uint32_t number, uint32_t *ret_process)
{
	struct tally_key key = { .a = number };
	int r;

	report->process_numbers.keys.size = sizeof(key);
	report->process_numbers.keys.max = REPORT_PROCESSES_MAX;
	r = intern(&report->process_numbers.keys, &key, ret_process);
	if (r == -E2BIG) {
		report->process_numbers.beyond++;
		*ret_process = UINT32_MAX;
		return 0;
	}
	if (r < 0 || *ret_process < report->n_processes)
		return r;
	if (ARRAY_GROW(report->processes, report->n_processes) < 0)
		return -ENOMEM;
	report->processes[report->n_processes++] = (struct report_process) { 0 };
	return 0;
}

/* A process that is seen for the first time runs its parent's program, and maybe since its own. */
static int see(struct report *report, uint32_t number, uint32_t parent_number)
{
	struct report_process *process, *parent;
	uint32_t parent_at;
	int r = report_look_up(report, parent_number, &parent_at);

	if (r < 0)
		return r;
	process = report_process(report, number);
	parent = report_process(report, parent_at);
	*process = (struct report_process) { .alive = true };
	if (parent == process || !parent->alive)
		return 0;
	process->node = parent->node;
	process->startup = parent->startup;
	return 0;
}

/* Where an exec was missed, or there was none to be seen, the event itself tells the program. */
static int follow_program(struct report *report, const struct report_event *event)
{
	const struct log_event *log = event->log;
	struct report_process *process = report_process(report, event->process);
	struct record_bytes told = log->kind == LOG_EXEC ? log->path : log->program;
	struct record_bytes known = report_name(&report->names, program_of(report, process));

	if (log->kind == LOG_EXEC && (!event->happened || !told.length))
		return 0;
	if (!told.length && !process->node)
		told = log->comm;
	if (!told.length)
		return 0;
	if (told.length == known.length && !memcmp(told.data, known.data, told.length))
		return 0;
	return enter(report, process, process->node, told);
}

int report_find_process(struct report *report, struct report_event *event)
{
	const struct log_event *log = event->log;
	uint32_t pid = log->pid ? log->pid : log->tid, tid = log->tid ? log->tid : pid;
	int r = report_look_up(report, pid, &event->process);

	event->thread = event->process;
	if (r == 0 && tid != pid)
		r = report_look_up(report, tid, &event->thread);
	if (r == 0 && !report_process(report, event->process)->alive)
		r = see(report, event->process, log->ppid);
	if (r < 0)
		return r;
	event->program = program_of(report, report_process(report, event->process));
	r = follow_program(report, event);
	/* An exec was asked for by the program that was there before. */
	if (log->kind != LOG_EXEC || !event->program)
		event->program = program_of(report, report_process(report, event->process));
	if (log->kind == LOG_EXIT)
		report_process(report, event->process)->alive = false;
	return r;
}

/* Which count of a node an operation adds to; -1: to none. */
static int column_of(const struct log_event *log)
{
	switch (log->op) {
	case GRITH_OP_READ:
		return READS;
	case GRITH_OP_WRITE:
	case GRITH_OP_CREATE:
	case GRITH_OP_DELETE:
	case GRITH_OP_RENAME:
	case GRITH_OP_LINK:
	case GRITH_OP_TRUNCATE:
		return WRITES;
	case GRITH_OP_LIST:
		return SCANS;
	case GRITH_OP_CONNECT:
	case GRITH_OP_SEND:
		return log->kind == LOG_RESULT ? -1 : CONNECTS;
	case GRITH_OP_TOUCH:
		return TOUCHES;
	default:
		return -1;
	}
}

/* A child that does nothing but become another program is not one of its parent's processes. */
static bool is_only_exec(const struct log_event *log)
{
	return log->kind == LOG_FILE && log->op == GRITH_OP_EXEC;
}

void report_add_tree(struct report *report, const struct report_event *event)
{
	struct report_process *process = report_process(report, event->process);
	int column = column_of(event->log);
	struct tally_entry *node;

	if (!process->node)
		return;
	node = &report->tree.entries[process->node - 1];
	if (!process->counted && !is_only_exec(event->log)) {
		process->counted = true;
		node->n[PROCESSES]++;
	}
	node->n[REFUSED] += event->refused;
	if (event->happened && column >= 0)
		node->n[column]++;
}

static const struct report_column columns[] = {
	{ "depth", "depth", REPORT_NUMBER },
	{ "program", "program", REPORT_TEXT },
	{ "processes", "processes", REPORT_NUMBER },
	{ "reads", "reads", REPORT_NUMBER },
	{ "writes", "writes", REPORT_NUMBER },
	{ "scans", "scans", REPORT_NUMBER },
	{ "connects", "connects", REPORT_NUMBER },
	{ "touches", "touched processes", REPORT_NUMBER },
	{ "refused", "refused", REPORT_NUMBER },
};

static void add_node(struct table_writer *w, uint32_t node)
{
	const struct tally *tree = &w->report->tree;

	table_number(w, w->report->depths[node]);
	table_name(w, tally_key(tree, node)->b);
	for (size_t i = PROCESSES; i <= REFUSED; i++)
		table_number(w, tree->entries[node].n[i]);
}

/*
 * `links`: of each node the first child and the next sibling, plus one. Nodes are numbered in the
 * order of their making, so a child comes after its parent, and walking backwards keeps siblings in
 * order.
 */
static void add_all(struct table_writer *w, uint32_t (*links)[2])
{
	const struct tally *tree = &w->report->tree;
	uint32_t stack[REPORT_TREE_DEPTH + 1], root = 0;
	size_t depth = 0;

	for (uint32_t i = tree->keys.count; i-- > 0;) {
		uint32_t parent = tally_key(tree, i)->a;
		uint32_t *first = parent ? &links[parent - 1][0] : &root;

		links[i][1] = *first;
		*first = i + 1;
	}
	stack[0] = root;
	for (;;) {
		uint32_t node = stack[depth];

		if (!node && !depth)
			return;
		if (!node) {
			depth--;
			continue;
		}
		add_node(w, node - 1);
		stack[depth] = links[node - 1][1];
		if (depth + 1 < ARRAY_SIZE(stack))
			stack[++depth] = links[node - 1][0];
	}
}

void report_table_tree(struct table_writer *w)
{
	uint32_t count = w->report->tree.keys.count;
	OWNED_MEM uint32_t(*links)[2] = calloc(count + 1, sizeof(*links));

	TABLE_COLUMNS_SET(w->table, columns);
	w->table->beyond = w->report->tree.beyond + w->report->process_numbers.beyond;
	if (!links) {
		w->r = -ENOMEM;
		return;
	}
	add_all(w, links);
	if (w->table->n_rows > REPORT_ROWS_MAX)
		w->table->n_rows = REPORT_ROWS_MAX;
}
