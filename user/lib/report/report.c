/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Takes events in: what each one is about is found out once, here, and every section is given it.
 * Knows what "happened" and "refused" mean; what a section makes of it is the section's.
 */
#include "lib/base/base.h"
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
		r = report_name_add(report, report_bytes(report->project), &report->project_name);
	if (r < 0)
		return r;
	*ret_report = TAKE_PTR(report);
	return 0;
}

static void free_tallies(struct report *report)
{
	struct tally *tallies[] = {
		&report->process_numbers, &report->tree,	 &report->programs,
		&report->sensitive,	  &report->others,	 &report->targets,
		&report->writes,	  &report->git,		 &report->startup,
		&report->network,	  &report->destinations, &report->sockets,
		&report->refused,	  &report->rules,	 &report->parts,
		&report->review_numbers,
	};

	for (size_t i = 0; i < ARRAY_SIZE(tallies); i++)
		tally_free(tallies[i]);
}

void report_free(struct report *report)
{
	if (!report)
		return;
	free_tallies(report);
	for (size_t i = 0; i < report->n_notes; i++)
		free(report->notes[i]);
	report_names_free(&report->names);
	free(report->notes);
	free(report->facts);
	free(report->processes);
	free(report->depths);
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

static void see_time(struct report *report, const struct log_event *event)
{
	if (event->time) {
		if (!report->first || event->time < report->first)
			report->first = event->time;
		if (event->time > report->last)
			report->last = event->time;
	}
	if (event->mono) {
		if (!report->first_mono || event->mono < report->first_mono)
			report->first_mono = event->mono;
		if (event->mono > report->last_mono)
			report->last_mono = event->mono;
	}
}

/* A session that was adopted is described again; what is left out there stays. */
static int add_session(struct report *report, const struct log_event *event)
{
	const struct {
		struct record_bytes from;
		uint32_t *to;
	} fields[] = {
		{ event->session, &report->id },
		{ event->name, &report->name },
		{ event->user, &report->user },
		{ event->profile, &report->profile },
		{ event->session_mode, &report->mode },
		{ event->command, &report->command },
		{ event->project, &report->project_name },
	};
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(fields) && r == 0; i++)
		if (fields[i].from.length && !*fields[i].to)
			r = report_name_add(report, fields[i].from, fields[i].to);
	return r < 0 ? r : report_project_see(report, event);
}

/* Most events have the rule of the one before: then there is nothing to look up. */
static int name_again(struct report *report, struct record_bytes bytes, uint32_t *last)
{
	struct record_bytes before = report_name(&report->names, *last);

	if (before.length == bytes.length && !memcmp(before.data, bytes.data, bytes.length))
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

static void count_verdict(struct report *report, const struct report_event *event)
{
	if (!event->refused)
		return;
	switch (event->log->verdict) {
	case GRITH_HOLD:
		report->counts[REPORT_HELD]++;
		break;
	case GRITH_HIDE:
		report->counts[REPORT_HIDDEN]++;
		break;
	default:
		report->counts[REPORT_DENIED]++;
		break;
	}
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
	count_verdict(report, &event);
	report_add_timeline(report, &event);
	/* Others first: whether such a file was read is known only after its second event. */
	r = report_add_others(report, &event);
	report_add_tree(report, &event);
	if (r == 0)
		r = report_add_files(report, &event);
	if (r == 0)
		r = report_add_sensitive(report, &event);
	if (r == 0)
		r = report_add_writes(report, &event);
	if (r == 0)
		r = report_add_git(report, &event);
	if (r == 0)
		r = report_add_startup(report, &event);
	if (r == 0)
		r = report_add_programs(report, &event);
	if (r == 0)
		r = report_add_network(report, &event);
	if (r == 0)
		r = report_add_unix(report, &event);
	if (r == 0)
		r = report_add_rules(report, &event);
	if (r == 0)
		r = report_add_scores(report, &event);
	return r < 0 ? r : report_add_refused(report, &event);
}

int report_add(struct report *report, const struct log_event *event)
{
	see_time(report, event);
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
		return report_add_reviews(report, &(struct report_event) { .log = event });
	case LOG_GAP:
		report->counts[REPORT_LOST] += event->lost;
		return 0;
	default:
		return 0;
	}
}
