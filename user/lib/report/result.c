/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What was collected, as data: the names of the counts and tables, and the counts that are not
 * simply added up.
 */
#include "internal.h"

static const struct {
	const char *key, *label;
} counts[] = {
	[REPORT_DURATION] = { "duration_ms", "task duration" },
	[REPORT_FILES_READ] = { "files_read", "files read (unique)" },
	[REPORT_FILES_WRITTEN] = { "files_written", "files written" },
	[REPORT_FILES_PROJECT] = { "files_in_project", "files in the project" },
	[REPORT_FILES_OUTSIDE] = { "files_outside", "files outside the project" },
	[REPORT_SCANS] = { "directory_scans", "directory scans" },
	[REPORT_PROGRAMS] = { "subprocesses", "unique subprocesses" },
	[REPORT_EXECS] = { "execs", "programs executed" },
	[REPORT_ENVIRON_TRIED] = { "environ_tried", "environments of processes: tried" },
	[REPORT_ENVIRON_READ] = { "environ_read", "environments of processes: read" },
	[REPORT_GITCONFIG] = { "gitconfig_read", "~/.gitconfig" },
	[REPORT_PASSWD] = { "passwd_read", "/etc/passwd" },
	[REPORT_NPMRC] = { "npmrc_read", "~/.npmrc" },
	[REPORT_SSH_CONFIG] = { "ssh_config_read", "~/.ssh/config" },
	[REPORT_SSH_HOSTS] = { "ssh_known_hosts_read", "~/.ssh/known_hosts" },
	[REPORT_CONNECTIONS] = { "connections", "connections (address and port)" },
	[REPORT_URING] = { "uring_operations", "operations through io_uring" },
	[REPORT_DENIED] = { "denied", "operations denied" },
	[REPORT_HIDDEN] = { "hidden", "operations hidden" },
	[REPORT_HELD] = { "held", "operations held" },
	[REPORT_OPERATIONS] = { "operations", "operations recorded" },
	[REPORT_LOST] = { "lost", "entries lost" },
};
_Static_assert(ARRAY_SIZE(counts) == REPORT_COUNTS, "a name for every count");

static const struct {
	const char *key, *title, *about;
	void (*make)(struct table_writer *w);
} tables[] = {
	[REPORT_TABLE_REFUSED] = { "refused", "Refused, hidden, held",
				   "What the policy or the score did not allow at once.",
				   report_table_refused },
	[REPORT_TABLE_REVIEWS] = { "reviews", "Questions and answers",
				   "Each hold that asked for a decision, and who gave it.",
				   report_table_reviews },
	[REPORT_TABLE_SCORES] = { "scores", "Scores, taken apart",
				  "Which filter added how much, and why.", report_table_scores },
	[REPORT_TABLE_SENSITIVE] = { "sensitive", "Sensitive files",
				     "Known by name, or held to be so by the policy.",
				     report_table_sensitive },
	[REPORT_TABLE_PROCESSES] = { "processes", "Other processes",
				     "Environments, memory and signals, by the target program.",
				     report_table_others },
	[REPORT_TABLE_WRITES] = { "outside_writes", "Written outside the project",
				  "Without devices and /proc.", report_table_writes },
	[REPORT_TABLE_NETWORK] = { "network", "Network",
				   "Destinations and local ports, and who used them.",
				   report_table_network },
	[REPORT_TABLE_UNIX] = { "unix", "Unix sockets and servers",
				"Servers of this machine; an abstract name starts with @.",
				report_table_unix },
	[REPORT_TABLE_GIT] = { "git", "Git metadata",
			       "Of repositories above the project, and elsewhere.",
			       report_table_git },
	[REPORT_TABLE_STARTUP] = { "startup", "Start-up files of shells",
				   "Read by a shell, and what was started until it read the next "
				   "one; after the last one that includes the command itself.",
				   report_table_startup },
	[REPORT_TABLE_TREE] = { "tree", "Programs, by who started them",
				"A program once for each chain of programs that led to it.",
				report_table_tree },
	[REPORT_TABLE_PROGRAMS] = { "programs", "Programs executed", "By path.",
				    report_table_programs },
	[REPORT_TABLE_FILES] = { "files", "Files",
				 "Opened with success; `agent` is its own installation, which "
				 "the counts leave out.",
				 report_table_files },
	[REPORT_TABLE_PLACES] = { "places", "Places",
				  "Where the files lie, each in the nearest one of these directories.",
				  report_table_places },
	[REPORT_TABLE_RULES] = { "rules", "Policy use", NULL, report_table_rules },
	[REPORT_TABLE_TIMELINE] = { "timeline", "Timeline", "Operations in spans of equal length.",
				    report_table_timeline },
};
_Static_assert(ARRAY_SIZE(tables) == REPORT_TABLES, "every table is made");

const char *report_count_key(enum report_count count)
{
	return counts[count].key;
}

const char *report_count_label(enum report_count count)
{
	return counts[count].label;
}

static void count_files(const struct report *report, uint64_t *ret_counts)
{
	for (size_t i = 0; i < report->n_facts; i++) {
		const struct path_facts *facts = &report->facts[i];

		if ((!facts->reads && !facts->writes) || facts->flags & PATH_EXCLUDED)
			continue;
		ret_counts[REPORT_FILES_READ] += facts->reads > 0;
		ret_counts[REPORT_FILES_WRITTEN] += facts->writes > 0;
		ret_counts[facts->flags & PATH_PROJECT ? REPORT_FILES_PROJECT
						       : REPORT_FILES_OUTSIDE]++;
	}
}

/* By the monotonic clock, where events have it: the other one may be set meanwhile. */
static uint64_t duration(const struct report *report)
{
	if (report->last_mono > report->first_mono)
		return (report->last_mono - report->first_mono) / 1000000;
	return (report->last - report->first) / 1000000;
}

static void count_all(const struct report *report, uint64_t *ret_counts)
{
	const struct tally *destinations = &report->destinations;

	memcpy(ret_counts, report->counts, sizeof(report->counts));
	count_files(report, ret_counts);
	ret_counts[REPORT_DURATION] = duration(report);
	ret_counts[REPORT_PROGRAMS] = report->programs.keys.count;
	for (uint32_t i = 0; i < destinations->keys.count; i++)
		ret_counts[REPORT_CONNECTIONS] += destinations->entries[i].n[1] > 0;
}

static struct report_session session_of(const struct report *report)
{
	const struct report_names *names = &report->names;

	return (struct report_session) {
		.id = report_name(names, report->id),
		.name = report_name(names, report->name),
		.user = report_name(names, report->user),
		.profile = report_name(names, report->profile),
		.mode = report_name(names, report->mode),
		.project = report_name(names, report->project_name),
		.command = report_name(names, report->command),
		.started = report->first,
		.ended = report->last,
	};
}

int report_result_make(const struct report *report, struct report_result *ret_result)
{
	OWNED_REPORT_RESULT struct report_result result = {
		.session = session_of(report),
		.notes = (const char *const *)report->notes,
		.n_notes = report->n_notes,
		.names_beyond = report->names.beyond,
	};

	count_all(report, result.counts);
	for (size_t i = 0; i < REPORT_TABLES; i++) {
		struct table_writer w = { .report = report, .table = &result.tables[i] };

		w.table->key = tables[i].key;
		w.table->title = tables[i].title;
		w.table->about = tables[i].about;
		tables[i].make(&w);
		if (w.r < 0)
			return w.r;
	}
	*ret_result = result;
	memset(&result, 0, sizeof(result));
	return 0;
}

void report_result_free(struct report_result *result)
{
	for (size_t i = 0; i < REPORT_TABLES; i++) {
		struct report_table *table = &result->tables[i];

		for (size_t n = 0; n < table->n_owned; n++)
			free(table->owned[n]);
		free(table->owned);
		free(table->cells);
	}
	*result = (struct report_result) { 0 };
}
