/* SPDX-License-Identifier: MPL-2.0 */
/* Few execs are in pieces, and each only for a moment: a list is enough. */
#include "lib/base/base.h"
#include "exec_join.h"

static struct exec_pending *find(struct exec_join *join, uint32_t tid)
{
	for (size_t i = 0; i < join->count; i++)
		if (join->pending[i].record.head.tid == tid)
			return &join->pending[i];
	return NULL;
}

static int append(struct exec_pending *p, struct record_bytes part)
{
	if (p->argv.length + part.length > GRITH_ARGV_MAX)
		return -E2BIG;
	return text_add(&p->argv, part.data, part.length);
}

static void clear(struct exec_pending *p)
{
	free(p->path);
	text_free(&p->argv);
	*p = (struct exec_pending) { 0 };
}

/* Hands it out and takes it out of the list. */
static void finish(struct exec_join *join, struct exec_pending *p, exec_join_fn *fn, void *arg)
{
	fn(arg, &p->record, (struct record_bytes) { p->argv.data, p->argv.length });
	clear(p);
	*p = join->pending[--join->count];
}

static int begin(struct exec_join *join, const struct record *record)
{
	struct exec_pending p = { .record = *record };
	int r;

	if (join->count >= EXEC_JOIN_MAX)
		return -E2BIG;
	if (ARRAY_GROW(join->pending, join->count) < 0)
		return -ENOMEM;
	p.path = malloc(record->path.length + 1);
	r = p.path ? append(&p, record->argv) : -ENOMEM;
	if (r < 0) {
		clear(&p);
		return r;
	}
	if (record->path.length)
		memcpy(p.path, record->path.data, record->path.length);
	p.record.path.data = p.path;
	p.record.argv = (struct record_bytes) { 0 };
	join->pending[join->count++] = p;
	return 0;
}

static void add_first(struct exec_join *join, const struct record *record, exec_join_fn *fn,
		      void *arg)
{
	struct record cut = *record;

	/* The rest of an earlier one was lost. */
	exec_join_flush(join, record->head.tid, fn, arg);
	if (!(record->head.flags & GRITH_RECORD_MORE)) {
		fn(arg, record, record->argv);
	} else if (begin(join, record) < 0) {
		cut.head.flags |= GRITH_RECORD_TRUNCATED;
		fn(arg, &cut, record->argv);
	}
}

static void add_more(struct exec_join *join, const struct record *record, exec_join_fn *fn,
		     void *arg)
{
	struct exec_pending *p = find(join, record->head.tid);

	if (!p) /* its first record was lost, or was too much */
		return;
	if (append(p, record->argv) < 0)
		p->record.head.flags |= GRITH_RECORD_TRUNCATED;
	p->record.head.flags |= record->head.flags & GRITH_RECORD_TRUNCATED;
	if (!(record->head.flags & GRITH_RECORD_MORE))
		finish(join, p, fn, arg);
}

void exec_join_add(struct exec_join *join, const struct record *record, exec_join_fn *fn, void *arg)
{
	if (record->head.kind == GRITH_KIND_EXEC)
		add_first(join, record, fn, arg);
	else
		add_more(join, record, fn, arg);
}

void exec_join_flush(struct exec_join *join, uint32_t tid, exec_join_fn *fn, void *arg)
{
	for (size_t i = 0; i < join->count;) {
		struct exec_pending *p = &join->pending[i];

		if (tid && p->record.head.tid != tid) {
			i++;
			continue;
		}
		p->record.head.flags |= GRITH_RECORD_TRUNCATED;
		finish(join, p, fn, arg);
	}
}

void exec_join_free(struct exec_join *join)
{
	for (size_t i = 0; i < join->count; i++)
		clear(&join->pending[i]);
	free(join->pending);
	*join = (struct exec_join) { 0 };
}
