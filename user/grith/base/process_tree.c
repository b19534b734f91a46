/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A forest over array indices. No recursion: an agent decides how deep it is.
 */
#include "process_tree.h"

#define NONE SIZE_MAX

struct node {
	size_t parent; /* NONE: a root */
	size_t first_child, next_sibling;
};

struct ordered {
	size_t node;
	uint64_t weight;
};

static int by_pid(const void *a, const void *b)
{
	const struct tree_process *p = a, *q = b;

	return p->pid < q->pid ? -1 : p->pid > q->pid;
}

static size_t find(const struct tree_process *processes, size_t count, uint32_t pid)
{
	const struct tree_process key = { .pid = pid }, *found;

	found = bsearch(&key, processes, count, sizeof(key), by_pid);
	return found ? (size_t)(found - processes) : NONE;
}

/*
 * Each node belongs to the walk towards the root that came to it first; a walk that meets itself
 * has gone around a circle, which is cut there.
 */
static void cut_circles(struct node *nodes, size_t *walks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		walks[i] = NONE;
	for (size_t walk = 0; walk < count; walk++) {
		size_t i = walk;

		while (i != NONE && walks[i] == NONE) {
			size_t parent = nodes[i].parent;

			walks[i] = walk;
			if (parent != NONE && walks[parent] == walk)
				nodes[parent].parent = NONE;
			i = parent;
		}
	}
}

static int by_weight(const void *a, const void *b)
{
	const struct ordered *p = a, *q = b;

	if (p->weight != q->weight)
		return p->weight > q->weight ? -1 : 1;
	return p->node < q->node ? -1 : p->node > q->node;
}

/* Backwards, so that each list is in the order of `order`. Returns the first root. */
static size_t link_children(struct node *nodes, const struct ordered *order, size_t count)
{
	size_t first_root = NONE;

	for (size_t i = count; i-- > 0;) {
		size_t at = order[i].node;
		size_t *list = nodes[at].parent == NONE ? &first_root
							: &nodes[nodes[at].parent].first_child;

		nodes[at].next_sibling = *list;
		*list = at;
	}
	return first_root;
}

void process_tree_add_lines(struct line *out, const struct tree_row *row, bool utf8)
{
	static const char *const drawn[2][4] = {
		{ "   ", "|  ", "`- ", "|- " },
		{ "   ", "│  ", "└─ ", "├─ " },
	};

	for (unsigned int i = 0; i <= row->depth; i++)
		line_add(out, drawn[utf8][(i == row->depth) * 2 + (row->more >> i & 1)]);
}

/* The node to draw after this one and all below it; *depth becomes that node's. */
static size_t next_after(const struct node *nodes, size_t at, unsigned int *depth)
{
	while (nodes[at].next_sibling == NONE) {
		at = nodes[at].parent;
		if (at == NONE)
			return NONE;
		--*depth;
	}
	return nodes[at].next_sibling;
}

static void walk(const struct node *nodes, size_t at, struct tree_row *ret_rows)
{
	uint32_t more = 0;
	unsigned int depth = 0;

	while (at != NONE) {
		unsigned int drawn = depth < PROCESS_TREE_DEPTH ? depth : PROCESS_TREE_DEPTH;

		more &= ~(1u << drawn);
		if (nodes[at].next_sibling != NONE)
			more |= 1u << drawn;
		*ret_rows++ = (struct tree_row) { .process = at, .depth = drawn, .more = more };
		if (nodes[at].first_child != NONE) {
			at = nodes[at].first_child;
			depth++;
		} else {
			at = next_after(nodes, at, &depth);
		}
	}
}

int process_tree_rows(struct tree_process *processes, size_t count, struct tree_row *ret_rows)
{
	OWNED_MEM struct ordered *order = NULL;
	OWNED_MEM struct node *nodes = NULL;
	OWNED_MEM size_t *walks = NULL;

	if (!count)
		return 0;
	nodes = calloc(count, sizeof(*nodes));
	walks = calloc(count, sizeof(*walks));
	order = calloc(count, sizeof(*order));
	if (!nodes || !walks || !order)
		return -ENOMEM;

	qsort(processes, count, sizeof(*processes), by_pid);
	for (size_t i = 0; i < count; i++) {
		nodes[i].first_child = NONE;
		nodes[i].parent = find(processes, count, processes[i].ppid);
		order[i] = (struct ordered) { .node = i, .weight = processes[i].weight };
	}
	cut_circles(nodes, walks, count);
	qsort(order, count, sizeof(*order), by_weight);
	walk(nodes, link_children(nodes, order, count), ret_rows);
	return 0;
}

static int add_line(struct text *out, const struct tree_process *process,
		    const struct tree_row *row, const struct term *term)
{
	OWNED_LINE struct line line = { .out = &line.own };

	process_tree_add_lines(&line, row, term->utf8);
	line_addf(&line, "%u %s", process->pid, process->label);
	if (line.r == 0)
		line.r = term_add_cut(out, line_text(&line), term->width);
	return line.r < 0 ? line.r : text_add(out, "\n", 1);
}

int process_tree_add(struct text *out, struct tree_process *processes, size_t count,
		     const struct term *term)
{
	OWNED_MEM struct tree_row *rows = calloc(count + 1, sizeof(*rows));
	int r = rows ? process_tree_rows(processes, count, rows) : -ENOMEM;

	for (size_t i = 0; i < count && r == 0; i++)
		r = add_line(out, &processes[rows[i].process], &rows[i], term);
	return r;
}
