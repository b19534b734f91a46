/* SPDX-License-Identifier: MPL-2.0 */
/* The sessions in an order, each one with the tree of its processes below it. */
#include <string.h>

#include "sessions.h"

struct ordered {
	const struct top_session *session;
	uint64_t weight;
};

static uint64_t weigh(enum top_session_order order, int64_t now, const struct top_rates *rates,
		      uint64_t operations, uint64_t refused)
{
	switch (order) {
	case TOP_BY_RATE:
		return top_rates_tenths(rates, now);
	case TOP_BY_OPERATIONS:
		return operations;
	case TOP_BY_REFUSALS:
		return refused;
	default:
		return 0;
	}
}

/* With equal weights the older one first, which does not change. */
static int by_weight(const void *a, const void *b)
{
	const struct ordered *p = a, *q = b;

	if (p->weight != q->weight)
		return p->weight > q->weight ? -1 : 1;
	if (p->session->started != q->session->started)
		return p->session->started < q->session->started ? -1 : 1;
	return strcmp(p->session->id, q->session->id);
}

static int by_session(const void *a, const void *b)
{
	const struct top_process *p = *(const struct top_process *const *)a;
	const struct top_process *q = *(const struct top_process *const *)b;

	if (p->session != q->session)
		return strcmp(p->session->id, q->session->id);
	return p->pid < q->pid ? -1 : p->pid > q->pid;
}

/* The place of a session's first process, of those sorted by session, and how many it has. */
static size_t slice(const struct top_process **processes, size_t count,
		    const struct top_session *session, size_t *ret_n)
{
	size_t first = 0, n = 0;

	while (first < count && processes[first]->session != session)
		first++;
	while (first + n < count && processes[first + n]->session == session)
		n++;
	*ret_n = n;
	return first;
}

/* The session and its processes, which are in the order of pids, as the tree will have them. */
static int add_session(struct top_session_row *rows, size_t *count,
		       const struct top_session *session, const struct top_process **processes,
		       size_t n, enum top_session_order order, int64_t now)
{
	OWNED_MEM struct tree_process *tree = calloc(n + 1, sizeof(*tree));
	OWNED_MEM struct tree_row *places = calloc(n + 1, sizeof(*places));
	int r;

	if (!tree || !places)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		tree[i] = (struct tree_process) {
			.pid = processes[i]->pid,
			.ppid = processes[i]->ppid,
			.weight = weigh(order, now, &processes[i]->rates, processes[i]->operations,
					processes[i]->refused),
		};
	r = process_tree_rows(tree, n, places);
	if (r < 0)
		return r;
	rows[(*count)++] = (struct top_session_row) { .session = session };
	for (size_t i = 0; i < n; i++)
		rows[(*count)++] = (struct top_session_row) {
			.session = session,
			.process = processes[places[i].process],
			.tree = places[i],
		};
	return 0;
}

int top_sessions_rows(const struct top_sessions *sessions, enum top_session_order order,
		      int64_t now, struct top_session_row **ret_rows, size_t *ret_count)
{
	size_t n = sessions->n_processes, count = 0;
	OWNED_MEM const struct top_process **processes = calloc(n + 1, sizeof(*processes));
	OWNED_MEM struct ordered *ordered = calloc(sessions->count + 1, sizeof(*ordered));
	OWNED_MEM struct top_session_row *rows = calloc(n + sessions->count + 1, sizeof(*rows));
	int r = 0;

	if (!processes || !ordered || !rows)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		processes[i] = sessions->processes[i];
	qsort(processes, n, sizeof(*processes), by_session);
	for (size_t i = 0; i < sessions->count; i++) {
		const struct top_session *session = sessions->list[i];

		ordered[i] = (struct ordered) {
			.session = session,
			.weight = weigh(order, now, &session->rates, session->operations,
					session->refused),
		};
	}
	qsort(ordered, sessions->count, sizeof(*ordered), by_weight);
	for (size_t i = 0; i < sessions->count && r == 0; i++) {
		size_t of, first = slice(processes, n, ordered[i].session, &of);

		r = add_session(rows, &count, ordered[i].session, processes + first, of, order,
				now);
	}
	if (r < 0)
		return r;
	*ret_rows = TAKE_PTR(rows);
	*ret_count = count;
	return 0;
}
