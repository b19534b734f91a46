/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Metadata of git repositories that are not the project's own: of those that the project lies in,
 * and of others, such as the repositories of plugins.
 */
#include "internal.h"

enum { READ = USE_FIRST, WRITTEN, LISTED };

static const uint8_t counts[OP_COUNTS] = {
	[OP_COUNT_READS] = READ,
	[OP_COUNT_SCANS] = LISTED,
	[OP_COUNT_WRITES] = WRITTEN,
};

static int add(struct report *report, const struct report_event *event)
{
	unsigned int count = counts[op_info(event->log->op)->count];

	if (!count || event->log->kind != LOG_FILE || !event->path ||
	    !(report->facts[event->path].flags & PATH_GIT))
		return 0;
	return report_add_use(report, event, TALLY_GIT, event->path, count);
}

static const char *where(const struct report *report, const struct tally_key *key)
{
	return report->facts[key->a].flags & PATH_GIT_ABOVE ? "above" : "elsewhere";
}

const struct report_section report_git = {
	.key = "git",
	.title = "Git metadata",
	.about = "Of repositories above the project, and elsewhere.",
	.columns = {
		{ "path", "file", REPORT_TEXT, ROW_A },
		{ "where", "repository", REPORT_WORD, ROW_WORD(0) },
		{ "program", "program", REPORT_PROGRAM, ROW_B },
		{ "read", "read", REPORT_NUMBER, ROW_COUNT(READ) },
		{ "written", "written", REPORT_NUMBER, ROW_COUNT(WRITTEN) },
		{ "listed", "listed", REPORT_NUMBER, ROW_COUNT(LISTED) },
		{ "refused", "refused", REPORT_NUMBER, ROW_COUNT(USE_REFUSED) },
		{ "total", "total", REPORT_NUMBER, ROW_COUNT(USE_TOTAL) },
	},
	.words = { where },
	.sort = 7,
	.tally = TALLY_GIT,
	.add = add,
};
