/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What was written, made, removed or renamed outside the project. Devices and what the kernel shows
 * as files are left out: nothing of it stays.
 */
#include "internal.h"

enum { WRITTEN = USE_FIRST, CREATED, DELETED, RENAMED, METADATA };

static const uint8_t counts[GRITH_OP_CLASS_NONE + 1] = {
	[GRITH_OP_CLASS_WRITE] = WRITTEN,  [GRITH_OP_CLASS_CREATE] = CREATED,
	[GRITH_OP_CLASS_DELETE] = DELETED, [GRITH_OP_CLASS_RENAME] = RENAMED,
	[GRITH_OP_CLASS_LINK] = RENAMED,   [GRITH_OP_CLASS_METADATA] = METADATA,
};

static int add_path(struct report *report, const struct report_event *event, uint32_t path)
{
	struct path_facts *facts = report_path(report, path);

	if (!facts)
		return -ENOMEM;
	if (facts->flags & (PATH_PROJECT | PATH_OBJECT))
		return 0;
	return report_add_use(report, event, TALLY_WRITES, path, counts[op_class(event->log->op)]);
}

static int add(struct report *report, const struct report_event *event)
{
	uint32_t second;
	int r;

	if (!counts[op_class(event->log->op)] || event->log->kind != LOG_FILE || !event->path)
		return 0;
	r = add_path(report, event, event->path);
	if (r < 0 || !event->log->second.length)
		return r;
	r = report_name_add(report, event->log->second, &second);
	return r < 0 ? r : add_path(report, event, second);
}

const struct report_section report_writes = {
	.key = "outside_writes",
	.title = "Written outside the project",
	.about = "Without devices and /proc.",
	.columns = {
		{ "path", "file", REPORT_TEXT, ROW_A },
		{ "program", "program", REPORT_PROGRAM, ROW_B },
		{ "written", "written", REPORT_NUMBER, ROW_COUNT(WRITTEN) },
		{ "created", "created", REPORT_NUMBER, ROW_COUNT(CREATED) },
		{ "deleted", "deleted", REPORT_NUMBER, ROW_COUNT(DELETED) },
		{ "renamed", "renamed", REPORT_NUMBER, ROW_COUNT(RENAMED) },
		{ "metadata", "metadata", REPORT_NUMBER, ROW_COUNT(METADATA) },
		{ "refused", "refused", REPORT_NUMBER, ROW_COUNT(USE_REFUSED) },
		{ "total", "total", REPORT_NUMBER, ROW_COUNT(USE_TOTAL) },
	},
	.sort = 8,
	.tally = TALLY_WRITES,
	.add = add,
};
