/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What was written, made, removed or renamed outside the project. Devices and what the kernel shows
 * as files are left out: nothing of it stays.
 */
#include "internal.h"

enum { WRITTEN, CREATED, DELETED, RENAMED, METADATA, REFUSED, TOTAL };

/* Which count an operation belongs to; -1: to none. */
static int column_of(enum grith_op op)
{
	switch (op) {
	case GRITH_OP_WRITE:
	case GRITH_OP_TRUNCATE:
		return WRITTEN;
	case GRITH_OP_CREATE:
		return CREATED;
	case GRITH_OP_DELETE:
		return DELETED;
	case GRITH_OP_RENAME:
	case GRITH_OP_LINK:
		return RENAMED;
	case GRITH_OP_METADATA:
		return METADATA;
	default:
		return -1;
	}
}

static int add(struct report *report, const struct report_event *event, uint32_t path, int column)
{
	struct path_facts *facts = report_path(report, path);
	struct tally_entry *entry;
	int r;

	if (!facts)
		return -ENOMEM;
	if (facts->flags & (PATH_PROJECT | PATH_OBJECT))
		return 0;
	if (!event->happened && !event->refused)
		return 0;
	r = tally_at(&report->writes, &(struct tally_key) { .a = path, .b = event->program },
		     event->log->time, &entry, NULL);
	if (r < 0)
		return r;
	entry->n[column] += event->happened;
	entry->n[REFUSED] += event->refused;
	entry->n[TOTAL]++;
	return 0;
}

int report_add_writes(struct report *report, const struct report_event *event)
{
	int column = column_of(event->log->op), r;
	uint32_t second;

	if (column < 0 || event->log->kind != LOG_FILE || !event->path)
		return 0;
	r = add(report, event, event->path, column);
	if (r < 0 || !event->log->second.length)
		return r;
	r = report_name_add(report, event->log->second, &second);
	return r < 0 ? r : add(report, event, second, column);
}

void report_table_writes(struct table_writer *w)
{
	static const struct report_column columns[] = {
		{ "path", "file", REPORT_TEXT },	   { "program", "program", REPORT_TEXT },
		{ "written", "written", REPORT_NUMBER },   { "created", "created", REPORT_NUMBER },
		{ "deleted", "deleted", REPORT_NUMBER },   { "renamed", "renamed", REPORT_NUMBER },
		{ "metadata", "metadata", REPORT_NUMBER }, { "refused", "refused", REPORT_NUMBER },
		{ "total", "total", REPORT_NUMBER },
	};
	const struct tally *writes = &w->report->writes;

	TABLE_COLUMNS_SET(w->table, columns);
	w->table->beyond = writes->beyond;
	for (uint32_t i = 0; i < writes->keys.count; i++) {
		table_name(w, tally_key(writes, i)->a);
		table_name(w, tally_key(writes, i)->b);
		for (size_t n = WRITTEN; n <= TOTAL; n++)
			table_number(w, writes->entries[i].n[n]);
	}
	table_finish(w, 8);
}
