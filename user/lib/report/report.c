/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Takes events in: what each one is about is found out once, here, and every section is given it.
 * Knows what "happened" and "refused" mean; what a section makes of it is the section's.
 */
#include "internal.h"

int report_new(const struct report_options *options, struct report **ret_report)
{
	CLEANUP(report_freep) struct report *report = calloc(1, sizeof(*report));
	int r;

	if (!report)
		return -ENOMEM;
	report->source = options->source;
	report->bucket_width = 1000000;
	r = report_names_init(&report->names, REPORT_NAMES_MAX, REPORT_NAMES_BYTES);
	if (r == 0)
		r = report_directory_copy(options->project, &report->project);
	if (r == 0)
		r = report_directory_copy(options->home, &report->home);
	if (r == 0)
		r = report_directory_copy(options->exclude, &report->exclude);
	if (r == 0 && report->project)
		r = report_name_add(report, bytes_of(report->project), &report->project_name);
	if (r < 0)
		return r;
	*ret_report = TAKE_PTR(report);
	return 0;
}

void report_free(struct report *report)
{
	if (!report)
		return;
	for (size_t i = 0; i < TALLIES; i++)
		tally_free(&report->tallies[i]);
	intern_clear(&report->process_numbers);
	for (size_t i = 0; i < report->n_notes; i++)
		free(report->notes[i]);
	report_names_free(&report->names);
	free(report->notes);
	free(report->facts);
	free(report->processes);
	free(report->reviews);
	report_project_free(report);
	free(report->home);
	free(report->exclude);
	free(report);
}

int report_add_note(struct report *report, const char *note)
{
	char *copied;

	if (report->n_notes == REPORT_NOTES_MAX)
		return 0;
	if (ARRAY_GROW(report->notes, report->n_notes) < 0)
		return -ENOMEM;
	copied = strdup(note);
	if (!copied)
		return -ENOMEM;
	report->notes[report->n_notes++] = copied;
	return 0;
}

static void see_time(uint64_t time, uint64_t *first, uint64_t *last)
{
	if (time && (!*first || time < *first))
		*first = time;
	if (time > *last)
		*last = time;
}

int report_name_fields(struct report *report, const struct name_field *fields, size_t count,
		       bool keep)
{
	int r = 0;

	for (size_t i = 0; i < count && r == 0; i++)
		if (fields[i].from.length && (!keep || !*fields[i].to))
			r = report_name_add(report, fields[i].from, fields[i].to);
	return r;
}

/* A session that was adopted is described again; what is left out there stays. */
static int add_session(struct report *report, const struct log_event *event)
{
	const struct name_field fields[] = {
		{ event->session, &report->id },
		{ event->name, &report->name },
		{ event->user, &report->user },
		{ event->profile, &report->profile },
		{ event->session_mode, &report->mode },
		{ event->command, &report->command },
		{ event->project, &report->project_name },
	};
	int r = report_name_fields(report, fields, ARRAY_SIZE(fields), true);

	return r < 0 ? r : report_project_see(report, event);
}

/* Most events have the rule of the one before: then there is nothing to look up. */
static int name_again(struct report *report, struct record_bytes bytes, uint32_t *last)
{
	if (bytes_equal(report_name(&report->names, *last), bytes))
		return 0;
	return report_name_add(report, bytes, last);
}

static bool has_path(enum log_kind kind)
{
	return kind == LOG_FILE || kind == LOG_UNIX || kind == LOG_EXEC;
}

static int name_parts(struct report *report, struct report_event *event)
{
	const struct log_event *log = event->log;
	int r = 0;

	if (has_path(log->kind) && log->path.length)
		r = report_name_add(report, log->path, &event->path);
	if (r == 0 && log->kind == LOG_FILE && event->path && !report_path(report, event->path))
		r = -ENOMEM;
	if (r < 0 || !log->decided)
		return r;
	if (log->rule.length)
		r = name_again(report, log->rule, &report->last_rule);
	if (r == 0 && log->reason.length)
		r = name_again(report, log->reason, &report->last_reason);
	event->rule = log->rule.length ? report->last_rule : REPORT_NAME_NONE;
	event->reason = log->reason.length ? report->last_reason : REPORT_NAME_NONE;
	return r;
}

/*
 * What waits has not happened; its second record tells. That a program was executed is a fact, also
 * where it waits before its first instruction. A call ended as it says, whatever would have been.
 */
static bool happened(const struct report *report, const struct log_event *event)
{
	if (event->error)
		return false;
	return report->source == REPORT_CALLS || event->kind == LOG_EXEC ||
	       !(event->flags & GRITH_RECORD_HELD);
}

static int add_operation(struct report *report, const struct log_event *log)
{
	struct report_event event = { .log = log };
	int r;

	event.happened = happened(report, log);
	event.refused = report_is_decision(report, log) && log->verdict != GRITH_ALLOW;
	r = name_parts(report, &event);
	if (r == 0)
		r = report_find_process(report, &event);
	if (r < 0)
		return r;
	report->counts[REPORT_OPERATIONS] += log->kind != LOG_EXIT && log->kind != LOG_RESULT;
	report->counts[REPORT_URING] += !!(log->flags & GRITH_RECORD_URING);
	if (event.refused)
		report->counts[log->verdict == GRITH_HOLD   ? REPORT_HELD
			       : log->verdict == GRITH_HIDE ? REPORT_HIDDEN
							    : REPORT_DENIED]++;
	r = report_add_others(report, &event);
	for (size_t i = 0; i < REPORT_TABLES && r == 0; i++)
		if (report_sections[i]->add)
			r = report_sections[i]->add(report, &event);
	return r;
}

int report_add(struct report *report, const struct log_event *event)
{
	see_time(event->time, &report->first, &report->last);
	see_time(event->mono, &report->first_mono, &report->last_mono);
	switch (event->kind) {
	case LOG_FILE:
	case LOG_UNIX:
	case LOG_EXEC:
	case LOG_NET:
	case LOG_PROCESS:
	case LOG_RING:
	case LOG_EXIT:
	case LOG_RESULT:
		return add_operation(report, event);
	case LOG_SESSION:
		return add_session(report, event);
	case LOG_REVIEW:
		return report_add_review(report, event);
	case LOG_GAP:
		report->counts[REPORT_LOST] += event->lost;
		return 0;
	default:
		return 0;
	}
}
