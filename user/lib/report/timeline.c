/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How much was done when. A fixed number of spans, which become twice as wide, two of them one,
 * when the session outlives them.
 */
#include "internal.h"

static void widen(struct report *report)
{
	for (size_t i = 0; i < TIMELINE_BUCKETS / 2; i++) {
		struct report_bucket sum = report->timeline[2 * i];

		for (size_t n = 0; n < BUCKET_COUNTS; n++)
			sum.n[n] += report->timeline[2 * i + 1].n[n];
		report->timeline[i] = sum;
	}
	memset(report->timeline + TIMELINE_BUCKETS / 2, 0, sizeof(report->timeline) / 2);
	report->bucket_width *= 2;
}

static enum bucket_count count_of(enum log_kind kind)
{
	switch (kind) {
	case LOG_FILE:
		return BUCKET_FILES;
	case LOG_EXEC:
		return BUCKET_PROGRAMS;
	case LOG_NET:
	case LOG_UNIX:
		return BUCKET_NETWORK;
	default:
		return BUCKET_OTHERS;
	}
}

static int add(struct report *report, const struct report_event *event)
{
	uint64_t time = event->log->time, begin = report->timeline_begin, at;
	struct report_bucket *bucket;

	if (!time || event->log->kind == LOG_RESULT || event->log->kind == LOG_EXIT)
		return 0;
	if (!begin)
		begin = report->timeline_begin = report->first;
	/* The clock may have been set back: then it counts as at the beginning. */
	at = time > begin ? time - begin : 0;
	while (at / report->bucket_width >= TIMELINE_BUCKETS)
		widen(report);
	bucket = &report->timeline[at / report->bucket_width];
	bucket->n[count_of(event->log->kind)]++;
	bucket->n[BUCKET_REFUSED] += event->refused;
	return 0;
}

static void make(struct table_writer *w)
{
	const struct report *report = w->report;
	uint64_t last = report->last > report->timeline_begin
				? (report->last - report->timeline_begin) / report->bucket_width
				: 0;

	for (size_t i = 0; report->timeline_begin && i < TIMELINE_BUCKETS && i <= last; i++) {
		table_number(w, report->timeline_begin + i * report->bucket_width);
		for (size_t n = 0; n < BUCKET_COUNTS; n++)
			table_number(w, report->timeline[i].n[n]);
	}
}

const struct report_section report_timeline = {
	.key = "timeline",
	.title = "Timeline",
	.about = "Operations in spans of equal length.",
	.columns = {
		{ "time", "from", REPORT_TIME, ROW_MADE },
		{ "files", "files", REPORT_NUMBER, ROW_MADE },
		{ "programs", "programs", REPORT_NUMBER, ROW_MADE },
		{ "network", "network", REPORT_NUMBER, ROW_MADE },
		{ "others", "others", REPORT_NUMBER, ROW_MADE },
		{ "refused", "refused", REPORT_NUMBER, ROW_MADE },
	},
	.add = add,
	.make = make,
};
