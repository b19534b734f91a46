/* SPDX-License-Identifier: MPL-2.0 */
/* The sessions in an order, each one with the tree of its processes below it. */
#include "sessions.h"

struct order {
	enum top_session_order by;
	int64_t now;
};

static uint64_t weigh(const struct order *order, const struct top_activity *activity)
{
	switch (order->by) {
	case TOP_BY_RATE:
		return top_rates_tenths(&activity->rates, order->now);
	case TOP_BY_OPERATIONS:
		return activity->operations;
	case TOP_BY_REFUSALS:
		return activity->refused;
	default:
		return 0;
	}
}

/* With equal weights the older one first, which does not change. */
static int in_order(const void *a, const void *b, void *order)
{
	const struct top_session *p = *(const struct top_session *const *)a;
	const struct top_session *q = *(const struct top_session *const *)b;
	uint64_t first = weigh(order, &p->activity);
	uint64_t second = weigh(order, &q->activity);

	if (first != second)
		return first > second ? -1 : 1;
	if (p->started != q->started)
		return p->started < q->started ? -1 : 1;
	return strcmp(p->id, q->id);
}

static int by_session(const void *a, const void *b)
{
	const struct top_process *p = *(const struct top_process *const *)a;
	const struct top_process *q = *(const struct top_process *const *)b;

	if (p->session != q->session)
		return strcmp(p->session->id, q->session->id);
	return p->pid < q->pid ? -1 : p->pid > q->pid;
}

/* The index of a session's first process, of those sorted by session, and how many it has. */
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
		       size_t n, const struct order *order)
{
	OWNED_MEM struct tree_process *tree = calloc(n + 1, sizeof(*tree));
	OWNED_MEM struct tree_row *tree_rows = calloc(n + 1, sizeof(*tree_rows));
	int r;

	if (!tree || !tree_rows)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		tree[i] = (struct tree_process) {
			.pid = processes[i]->pid,
			.ppid = processes[i]->ppid,
			.weight = weigh(order, &processes[i]->activity),
		};
	r = process_tree_rows(tree, n, tree_rows);
	if (r < 0)
		return r;
	rows[(*count)++] = (struct top_session_row) { .session = session };
	for (size_t i = 0; i < n; i++)
		rows[(*count)++] = (struct top_session_row) {
			.session = session,
			.process = processes[tree_rows[i].process],
			.tree = tree_rows[i],
		};
	return 0;
}

int top_sessions_rows(const struct top_sessions *sessions, enum top_session_order by, int64_t now,
		      struct top_session_row **ret_rows, size_t *ret_count)
{
	size_t n = sessions->n_processes, n_sessions = sessions->count, count = 0;
	OWNED_MEM const struct top_process **processes = calloc(n + 1, sizeof(*processes));
	OWNED_MEM const struct top_session **list = calloc(n_sessions + 1, sizeof(*list));
	OWNED_MEM struct top_session_row *rows = calloc(n + n_sessions + 1, sizeof(*rows));
	struct order order = { by, now };
	int r = 0;

	if (!processes || !list || !rows)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		processes[i] = sessions->processes[i];
	qsort(processes, n, sizeof(*processes), by_session);
	for (size_t i = 0; i < n_sessions; i++)
		list[i] = sessions->list[i];
	qsort_r(list, n_sessions, sizeof(*list), in_order, &order);
	for (size_t i = 0; i < n_sessions && r == 0; i++) {
		size_t of, first = slice(processes, n, list[i], &of);

		r = add_session(rows, &count, list[i], processes + first, of, &order);
	}
	if (r < 0)
		return r;
	*ret_rows = TAKE_PTR(rows);
	*ret_count = count;
	return 0;
}
