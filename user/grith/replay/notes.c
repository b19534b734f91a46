/* SPDX-License-Identifier: MPL-2.0 */
/* Each sentence stands by itself: what is so, and where it makes a difference, what to do. */
#include <inttypes.h>
#include <stdarg.h>

#include "lib/policy/policy.h"
#include "notes.h"

#define NAMED_CALLS 20 /* of those that are not known; the others are counted together */

__attribute__((format(printf, 2, 3))) static int add(struct report *report, const char *format, ...)
{
	OWNED_MEM char *note = NULL;
	va_list arguments;
	int r;

	va_start(arguments, format);
	r = vasprintf(&note, format, arguments);
	va_end(arguments);
	if (r < 0) {
		note = NULL;
		return -ENOMEM;
	}
	return report_add_note(report, note);
}

static int compare_calls(const void *a, const void *b)
{
	const struct strace_name *const *x = a, *const *y = b;

	return (*x)->count < (*y)->count ? 1 : (*x)->count > (*y)->count ? -1 : 0;
}

/* "12 calls are not known here and were left out: read (9), ..." */
static int note_calls(const struct strace_notes *notes, struct report *report)
{
	const struct strace_name *sorted[STRACE_NAMES_MAX];
	OWNED_TEXT struct text names = { 0 };
	uint64_t all = notes->unknown_beyond, named = 0;
	size_t n = notes->n_unknown, shown = n < NAMED_CALLS ? n : NAMED_CALLS;
	int r = 0;

	for (size_t i = 0; i < n; i++) {
		sorted[i] = &notes->unknown[i];
		all += sorted[i]->count;
	}
	if (!n)
		return 0;
	qsort(sorted, n, sizeof(sorted[0]), compare_calls);
	for (size_t i = 0; i < shown && r == 0; i++) {
		named += sorted[i]->count;
		r = text_addf(&names, "%s%s (%" PRIu64 ")", i ? ", " : "", sorted[i]->name,
			      sorted[i]->count);
	}
	if (r == 0 && named < all)
		r = text_addf(&names, ", others (%" PRIu64 ")", all - named);
	return r < 0 ? r
		     : add(report, "%" PRIu64 " calls are not known here and were left out: %s",
			   all, names.data);
}

static int note_lines(const struct replay_noted *noted, struct report *report)
{
	const struct strace_notes *n = noted->notes;
	int r = 0;

	if (n->unreadable)
		r = add(report, "%" PRIu64 " of %" PRIu64 " lines are nothing that strace writes",
			n->unreadable, n->lines);
	if (r == 0 && noted->too_long)
		r = add(report, "%" PRIu64 " lines are longer than %u KiB and were left out",
			noted->too_long, STRACE_LINE_MAX >> 10);
	if (r == 0 && n->dropped)
		r = add(report,
			"%" PRIu64 " processes or unfinished calls were too many to be remembered",
			n->dropped);
	return r;
}

static int note_paths(const struct replay_noted *noted, struct report *report)
{
	const struct strace_notes *n = noted->notes;
	int r;

	r = add(report, "links are not followed: a file under two names is two files here, and one "
			"in a session");
	if (r == 0 && n->guessed)
		r = add(report,
			"%" PRIu64 " paths are relative to a directory that the log does not name, "
			"and were taken to be below %s (--cwd)%s; strace -y names it",
			n->guessed, noted->cwd,
			n->has_chdir ? "" : ": there is no chdir in the log");
	if (r == 0 && n->truncated)
		r = add(report, "%" PRIu64 " paths were cut by strace", n->truncated);
	return r;
}

static int note_times(const struct strace_notes *n, struct report *report)
{
	if (!n->has_times)
		return add(report, "the log has no times: the duration is none, and nothing is "
				   "scored by how fast it was; strace -ttt writes them");
	if (!n->has_dates)
		return add(report, "the log has no dates: times are those of a day in 1970; "
				   "strace -ttt writes them");
	return 0;
}

static bool names_hosts(const struct policy *policy)
{
	for (size_t i = 0; i < policy->n_rules; i++)
		if (policy->rules[i].n_hosts)
			return true;
	return false;
}

static int note_policy(const struct policy *policy, struct report *report)
{
	int r;

	if (!policy)
		return add(report,
			   "there are no policies here, so nothing was decided; --policy or "
			   "--policy-dir names some");
	r = add(report,
		"verdicts are what policy %s and the score would have been: everything in "
		"the log has happened",
		policy->name);
	if (r == 0 && names_hosts(policy))
		r = add(report, "the policy names hosts, a log has addresses: no rule for a host "
				"applies here");
	return r;
}

int replay_add_notes(const struct replay_noted *noted, struct report *report)
{
	int r = note_policy(noted->policy, report);

	if (r == 0)
		r = note_paths(noted, report);
	if (r == 0 && !noted->notes->has_forks)
		r = add(report, "no calls that make processes are in the log (clone, fork, vfork): "
				"threads count as processes, and the program of some is not known");
	if (r == 0)
		r = note_times(noted->notes, report);
	if (r == 0)
		r = note_calls(noted->notes, report);
	return r < 0 ? r : note_lines(noted, report);
}
