/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Which program does something: each process belongs to a node in a tree of programs, one for each
 * program that another one started. However many processes there are, the tree stays as small as
 * the number of different ways from one program to another.
 */
#include "internal.h"

enum { PROCESSES, REFUSED, READS, WRITES, SCANS, CONNECTS, ACCESSES };

static uint32_t program_of(const struct report *report, const struct report_process *process)
{
	return process->node ? tally_key(&report->tallies[TALLY_TREE], process->node - 1)->b
			     : REPORT_NAME_NONE;
}

/* The child of a node (plus one; 0: the root) that is this program. Too deep: its sibling. */
static int child_of(struct report *report, uint32_t parent, uint32_t program, uint32_t *ret_node)
{
	struct tally *tree = &report->tallies[TALLY_TREE];
	struct tally_key key = { .a = parent, .b = program };
	struct tally_entry *entry;
	uint32_t number;
	int r;

	if (parent && tally_key(tree, parent - 1)->d + 1 >= REPORT_TREE_DEPTH)
		key.a = tally_key(tree, parent - 1)->a;
	key.d = key.a ? tally_key(tree, key.a - 1)->d + 1 : 0;
	r = tally_at(tree, &key, 0, &entry, &number);
	if (r == 0)
		*ret_node = number == UINT32_MAX ? key.a : number + 1;
	return r;
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
	int r;

	report->process_numbers.size = sizeof(number);
	report->process_numbers.max = REPORT_PROCESSES_MAX;
	r = intern(&report->process_numbers, &number, ret_process);
	if (r == -E2BIG) {
		report->processes_beyond++;
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

/* Where an exec was missed, or there was none to be seen, the event itself names the program. */
static int follow_program(struct report *report, const struct report_event *event)
{
	const struct log_event *log = event->log;
	struct report_process *process = report_process(report, event->process);
	struct record_bytes named = log->kind == LOG_EXEC ? log->path : log->program;
	struct record_bytes known = report_name(&report->names, program_of(report, process));

	if (log->kind == LOG_EXEC && (!event->happened || !named.length))
		return 0;
	if (!named.length && !process->node)
		named = log->comm;
	if (!named.length)
		return 0;
	if (bytes_equal(named, known))
		return 0;
	return enter(report, process, process->node, named);
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

/* Which count of a node an operation adds to; 0: to none. */
static const uint8_t counts[] = {
	[OP_COUNT_NONE] = 0,	  [OP_COUNT_READS] = READS,	  [OP_COUNT_WRITES] = WRITES,
	[OP_COUNT_SCANS] = SCANS, [OP_COUNT_CONNECTS] = CONNECTS, [OP_COUNT_ACCESSES] = ACCESSES,
};

/* A child that does nothing but become another program is not one of its parent's processes. */
static bool is_only_exec(const struct log_event *log)
{
	return log->kind == LOG_FILE && log->op == GRITH_OP_EXEC;
}

static int add(struct report *report, const struct report_event *event)
{
	struct report_process *process = report_process(report, event->process);
	unsigned int count = counts[op_info(event->log->op)->count];
	struct tally_entry *node;

	if (!process->node)
		return 0;
	node = &report->tallies[TALLY_TREE].entries[process->node - 1];
	if (!process->counted && !is_only_exec(event->log)) {
		process->counted = true;
		node->n[PROCESSES]++;
	}
	node->n[REFUSED] += event->refused;
	/* How a connect ended is not another one. */
	if (event->happened && count && !(count == CONNECTS && event->log->kind == LOG_RESULT))
		node->n[count]++;
	return 0;
}

/*
 * `links`: of each node the first child and the next sibling, plus one. Nodes are numbered in the
 * order of their making, so a child comes after its parent, and walking backwards keeps siblings in
 * order.
 */
static void add_all(struct table_writer *w, uint32_t (*links)[2])
{
	const struct tally *tree = &w->report->tallies[TALLY_TREE];
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
		table_row(w, tree, node - 1);
		stack[depth] = links[node - 1][1];
		if (depth + 1 < ARRAY_SIZE(stack))
			stack[++depth] = links[node - 1][0];
	}
}

static void make(struct table_writer *w)
{
	uint32_t count = w->report->tallies[TALLY_TREE].keys.count;
	OWNED_MEM uint32_t(*links)[2] = calloc(count + 1, sizeof(*links));

	w->table->beyond += w->report->processes_beyond;
	if (links)
		add_all(w, links);
	else
		w->r = -ENOMEM;
}

const struct report_section report_tree = {
	.key = "tree",
	.title = "Programs, by who started them",
	.about = "A program once for each chain of programs that led to it.",
	.columns = {
		{ "depth", "depth", REPORT_DEPTH, ROW_D },
		{ "program", "program", REPORT_PROGRAM, ROW_B },
		{ "processes", "processes", REPORT_NUMBER, ROW_COUNT(PROCESSES) },
		{ "reads", "reads", REPORT_NUMBER, ROW_COUNT(READS) },
		{ "writes", "writes", REPORT_NUMBER, ROW_COUNT(WRITES) },
		{ "scans", "scans", REPORT_NUMBER, ROW_COUNT(SCANS) },
		{ "connects", "connects", REPORT_NUMBER, ROW_COUNT(CONNECTS) },
		{ "touches", "touched processes", REPORT_NUMBER, ROW_COUNT(ACCESSES) },
		{ "refused", "refused", REPORT_NUMBER, ROW_COUNT(REFUSED) },
	},
	.tally = TALLY_TREE,
	.add = add,
	.make = make,
};
