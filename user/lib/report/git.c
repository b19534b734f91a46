/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Metadata of git repositories that are not the project's own: of those that the project lies in,
 * and of others, such as the repositories of plugins.
 */
#include "internal.h"

enum { READ, WRITTEN, LISTED, REFUSED, TOTAL };

static int column_of(enum grith_op op)
{
	switch (op) {
	case GRITH_OP_READ:
		return READ;
	case GRITH_OP_LIST:
		return LISTED;
	case GRITH_OP_WRITE:
	case GRITH_OP_CREATE:
	case GRITH_OP_TRUNCATE:
	case GRITH_OP_DELETE:
	case GRITH_OP_RENAME:
	case GRITH_OP_LINK:
		return WRITTEN;
	default:
		return -1;
	}
}

int report_add_git(struct report *report, const struct report_event *event)
{
	int column = column_of(event->log->op), r;
	struct path_facts *facts;
	struct tally_entry *entry;

	if (column < 0 || event->log->kind != LOG_FILE || !event->path)
		return 0;
	facts = report_path(report, event->path);
	if (!facts)
		return -ENOMEM;
	if (!(facts->flags & PATH_GIT) || (!event->happened && !event->refused))
		return 0;
	r = tally_at(&report->git, &(struct tally_key) { .a = event->path, .b = event->program },
		     event->log->time, &entry, NULL);
	if (r < 0)
		return r;
	entry->n[column] += event->happened;
	entry->n[REFUSED] += event->refused;
	entry->n[TOTAL]++;
	return 0;
}

void report_table_git(struct table_writer *w)
{
	static const struct report_column columns[] = {
		{ "path", "file", REPORT_TEXT },	 { "where", "repository", REPORT_TEXT },
		{ "program", "program", REPORT_TEXT },	 { "read", "read", REPORT_NUMBER },
		{ "written", "written", REPORT_NUMBER }, { "listed", "listed", REPORT_NUMBER },
		{ "refused", "refused", REPORT_NUMBER }, { "total", "total", REPORT_NUMBER },
	};
	const struct tally *git = &w->report->git;

	TABLE_COLUMNS_SET(w->table, columns);
	w->table->beyond = git->beyond;
	for (uint32_t i = 0; i < git->keys.count; i++) {
		const struct tally_key *key = tally_key(git, i);

		table_name(w, key->a);
		table_string(w, w->report->facts[key->a].flags & PATH_GIT_ABOVE ? "above"
										: "elsewhere");
		table_name(w, key->b);
		for (size_t n = READ; n <= TOTAL; n++)
			table_number(w, git->entries[i].n[n]);
	}
	table_finish(w, 7);
}
