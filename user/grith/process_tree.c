/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A forest over array indices. No recursion: an agent decides how deep it is.
 */
#include <string.h>

#include "process_tree.h"

#define NONE SIZE_MAX

struct node {
	size_t parent; /* NONE: a root */
	size_t first_child, next_sibling;
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

/* Backwards, so that each list is in the order of the array. Returns the first root. */
static size_t link_children(struct node *nodes, size_t count)
{
	size_t first_root = NONE;

	for (size_t i = count; i-- > 0;) {
		size_t *list =
			nodes[i].parent == NONE ? &first_root : &nodes[nodes[i].parent].first_child;

		nodes[i].next_sibling = *list;
		*list = i;
	}
	return first_root;
}

static int add_line(struct text *out, const struct tree_process *process, uint32_t more,
		    unsigned int depth, const struct term *term)
{
	static const char *const drawn[2][4] = {
		{ "   ", "|  ", "`- ", "|- " },
		{ "   ", "│  ", "└─ ", "├─ " },
	};
	const char *const *lines = drawn[term->utf8];
	OWNED_TEXT struct text line = { 0 };
	int r = 0;

	for (unsigned int i = 0; i < depth && r == 0; i++)
		r = text_addf(&line, "%s", lines[more >> i & 1]);
	if (r == 0)
		r = text_addf(&line, "%s%u %s", lines[2 + (more >> depth & 1)], process->pid,
			      process->label);
	if (r == 0)
		r = term_add_cut(out, line.data, term->width);
	return r < 0 ? r : text_add(out, "\n", 1);
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

static int draw(struct text *out, const struct tree_process *processes, const struct node *nodes,
		size_t at, const struct term *term)
{
	uint32_t more = 0; /* bit per depth: the last node there has a sibling still to come */
	unsigned int depth = 0;

	while (at != NONE) {
		unsigned int drawn = depth < PROCESS_TREE_DEPTH ? depth : PROCESS_TREE_DEPTH;
		int r;

		more &= ~(1u << drawn);
		if (nodes[at].next_sibling != NONE)
			more |= 1u << drawn;
		r = add_line(out, &processes[at], more, drawn, term);
		if (r < 0)
			return r;
		if (nodes[at].first_child != NONE) {
			at = nodes[at].first_child;
			depth++;
		} else {
			at = next_after(nodes, at, &depth);
		}
	}
	return 0;
}

int process_tree_add(struct text *out, struct tree_process *processes, size_t count,
		     const struct term *term)
{
	OWNED_MEM struct node *nodes = NULL;
	OWNED_MEM size_t *walks = NULL;

	if (!count)
		return 0;
	nodes = calloc(count, sizeof(*nodes));
	walks = calloc(count, sizeof(*walks));
	if (!nodes || !walks)
		return -ENOMEM;

	qsort(processes, count, sizeof(*processes), by_pid);
	for (size_t i = 0; i < count; i++) {
		nodes[i].first_child = NONE;
		nodes[i].parent = find(processes, count, processes[i].ppid);
	}
	cut_circles(nodes, walks, count);
	return draw(out, processes, nodes, link_children(nodes, count), term);
}
