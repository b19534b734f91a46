/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The keys are in a balanced tree and not in a hash table: an agent chooses them, and could choose
 * those with one hash. The smallest count is found by a heap.
 */
#include <search.h>

#include "counts.h"

/* By length first: most comparisons then do not look at the bytes. */
static int compare_keys(const void *a, const void *b)
{
	const struct top_count *p = a, *q = b;

	if (p->length != q->length)
		return p->length < q->length ? -1 : 1;
	return memcmp(p->key, q->key, p->length);
}

static void put_at(struct top_counts *counts, size_t at, struct top_count *count)
{
	counts->heap[at] = count;
	count->index = at;
}

/* The count at this index has grown. */
static void sift_down(struct top_counts *counts, size_t at)
{
	struct top_count *grown = counts->heap[at];

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= counts->count)
			break;
		if (child + 1 < counts->count &&
		    counts->heap[child + 1]->count < counts->heap[child]->count)
			child++;
		if (counts->heap[child]->count >= grown->count)
			break;
		put_at(counts, at, counts->heap[child]);
		at = child;
	}
	put_at(counts, at, grown);
}

/* A count of 0 at the root of the heap. */
static void put_first(struct top_counts *counts, struct top_count *count)
{
	size_t at = counts->count++;

	while (at) {
		put_at(counts, at, counts->heap[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	put_at(counts, 0, count);
}

static int new_key(struct top_counts *counts, struct record_bytes key, struct top_count **ret_count)
{
	struct top_count *count;
	char *copy = malloc(key.length + 1);

	if (!copy)
		return -ENOMEM;
	if (key.length)
		memcpy(copy, key.data, key.length);
	copy[key.length] = '\0';
	if (counts->count < TOP_COUNTS) {
		count = calloc(1, sizeof(*count));
		if (count)
			put_first(counts, count);
	} else {
		count = counts->heap[0];
		tdelete(count, &counts->tree, compare_keys);
		count->error = count->count;
		count->refused = 0;
	}
	if (!count) {
		free(copy);
		return -ENOMEM;
	}
	free(count->key);
	count->key = copy;
	count->length = key.length;
	/* One that is in the heap only is never found, and goes as any other. */
	if (!tsearch(count, &counts->tree, compare_keys))
		return -ENOMEM;
	*ret_count = count;
	return 0;
}

int top_counts_add(struct top_counts *counts, struct record_bytes key, bool refused)
{
	struct top_count wanted = { .key = (char *)key.data, .length = key.length };
	struct top_count *count, **found;
	int r;

	if (wanted.length > TOP_COUNT_KEY)
		wanted.length = key.length = TOP_COUNT_KEY;
	found = tfind(&wanted, &counts->tree, compare_keys);
	if (found) {
		count = *found;
	} else {
		r = new_key(counts, key, &count);
		if (r < 0)
			return r;
	}
	count->count++;
	count->refused += refused;
	sift_down(counts, count->index);
	return 0;
}

static int by_key(const struct top_count *p, const struct top_count *q)
{
	int order = memcmp(p->key, q->key, p->length < q->length ? p->length : q->length);

	return order ? order : (p->length > q->length) - (p->length < q->length);
}

/* Most first, and of equal ones by key. */
static int in_order(const void *a, const void *b, void *arg)
{
	const struct top_count *p = *(const struct top_count *const *)a;
	const struct top_count *q = *(const struct top_count *const *)b;
	enum top_count_order order = *(enum top_count_order *)arg;

	if (order == TOP_BY_REFUSED && p->refused != q->refused)
		return p->refused > q->refused ? -1 : 1;
	if (order != TOP_BY_KEY && p->count != q->count)
		return p->count > q->count ? -1 : 1;
	return by_key(p, q);
}

void top_counts_rows(const struct top_counts *counts, enum top_count_order order,
		     const struct top_count **ret_rows)
{
	for (size_t i = 0; i < counts->count; i++)
		ret_rows[i] = counts->heap[i];
	if (counts->count)
		qsort_r(ret_rows, counts->count, sizeof(struct top_count *), in_order, &order);
}

static void keep(void *node)
{
	(void)node;
}

void top_counts_free(struct top_counts *counts)
{
	tdestroy(counts->tree, keep);
	for (size_t i = 0; i < counts->count; i++) {
		free(counts->heap[i]->key);
		free(counts->heap[i]);
	}
	*counts = (struct top_counts) { 0 };
}
