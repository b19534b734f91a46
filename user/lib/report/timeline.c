/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How much was done when. A fixed number of spans, which become twice as wide, two of them one,
 * when the session outlives them.
 */
#include "internal.h"

static void add_bucket(struct report_bucket *to, const struct report_bucket *from)
{
	to->files += from->files;
	to->programs += from->programs;
	to->network += from->network;
	to->others += from->others;
	to->refused += from->refused;
}

static void widen(struct report *report)
{
	for (size_t i = 0; i < TIMELINE_BUCKETS / 2; i++) {
		struct report_bucket sum = report->timeline[2 * i];

		add_bucket(&sum, &report->timeline[2 * i + 1]);
		report->timeline[i] = sum;
	}
	memset(report->timeline + TIMELINE_BUCKETS / 2, 0, sizeof(report->timeline) / 2);
	report->bucket_width *= 2;
}

void report_add_timeline(struct report *report, const struct report_event *event)
{
	uint64_t time = event->log->time, begin = report->timeline_begin, at;
	struct report_bucket *bucket;

	if (!time || event->log->kind == LOG_RESULT || event->log->kind == LOG_EXIT)
		return;
	if (!begin)
		begin = report->timeline_begin = report->first;
	/* The clock may have been set back: then it counts as at the beginning. */
	at = time > begin ? time - begin : 0;
	while (at / report->bucket_width >= TIMELINE_BUCKETS)
		widen(report);
	bucket = &report->timeline[at / report->bucket_width];
	bucket->refused += event->refused;
	switch (event->log->kind) {
	case LOG_FILE:
		bucket->files++;
		break;
	case LOG_EXEC:
		bucket->programs++;
		break;
	case LOG_NET:
	case LOG_UNIX:
		bucket->network++;
		break;
	default:
		bucket->others++;
		break;
	}
}

void report_table_timeline(struct table_writer *w)
{
	static const struct report_column columns[] = {
		{ "time", "from", REPORT_TIME },	   { "files", "files", REPORT_NUMBER },
		{ "programs", "programs", REPORT_NUMBER }, { "network", "network", REPORT_NUMBER },
		{ "others", "others", REPORT_NUMBER },	   { "refused", "refused", REPORT_NUMBER },
	};
	const struct report *report = w->report;
	uint64_t last = report->last > report->timeline_begin
				? (report->last - report->timeline_begin) / report->bucket_width
				: 0;

	TABLE_COLUMNS_SET(w->table, columns);
	for (size_t i = 0; report->timeline_begin && i < TIMELINE_BUCKETS && i <= last; i++) {
		const struct report_bucket *bucket = &report->timeline[i];

		table_number(w, report->timeline_begin + i * report->bucket_width);
		table_number(w, bucket->files);
		table_number(w, bucket->programs);
		table_number(w, bucket->network);
		table_number(w, bucket->others);
		table_number(w, bucket->refused);
	}
}
