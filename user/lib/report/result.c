/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What was collected, as data: the names of the counts, those that are not simply added up, and the
 * tables of all sections, sorted and cut.
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

const struct report_section *const report_sections[] = {
	[REPORT_TABLE_REFUSED] = &report_refused,  [REPORT_TABLE_REVIEWS] = &report_reviews,
	[REPORT_TABLE_SCORES] = &report_scores,	   [REPORT_TABLE_SENSITIVE] = &report_sensitive,
	[REPORT_TABLE_PROCESSES] = &report_others, [REPORT_TABLE_WRITES] = &report_writes,
	[REPORT_TABLE_NETWORK] = &report_network,  [REPORT_TABLE_UNIX] = &report_unix,
	[REPORT_TABLE_GIT] = &report_git,	   [REPORT_TABLE_STARTUP] = &report_startup,
	[REPORT_TABLE_TREE] = &report_tree,	   [REPORT_TABLE_PROGRAMS] = &report_programs,
	[REPORT_TABLE_FILES] = &report_files,	   [REPORT_TABLE_PLACES] = &report_places,
	[REPORT_TABLE_RULES] = &report_rules,	   [REPORT_TABLE_TIMELINE] = &report_timeline,
};
_Static_assert(ARRAY_SIZE(report_sections) == REPORT_TABLES, "a section for every table");

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
	const struct tally *destinations = &report->tallies[TALLY_DESTINATIONS];

	memcpy(ret_counts, report->counts, sizeof(report->counts));
	count_files(report, ret_counts);
	ret_counts[REPORT_DURATION] = duration(report);
	ret_counts[REPORT_PROGRAMS] = report->tallies[TALLY_PROGRAMS].keys.count;
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

static int compare_bytes(struct record_bytes a, struct record_bytes b)
{
	size_t length = a.length < b.length ? a.length : b.length;
	int r = length ? memcmp(a.data, b.data, length) : 0;

	return r ? r : (a.length > b.length) - (a.length < b.length);
}

static int compare_rows(const void *a, const void *b, void *arg)
{
	const struct report_cell *x = a, *y = b;
	const struct report_section *section = arg;
	int r = 0;

	if (x[section->sort].number != y[section->sort].number)
		return x[section->sort].number < y[section->sort].number ? 1 : -1;
	for (size_t i = 0; section->columns[i].key && !r; i++)
		if (report_is_text(section->columns[i].kind))
			r = compare_bytes(x[i].text, y[i].text);
	return r;
}

static int make_table(const struct report *report, const struct report_section *section,
		      struct report_table *table)
{
	struct table_writer w = { .report = report, .section = section, .table = table };
	const struct tally *tally = &report->tallies[section->tally];

	table->key = section->key;
	table->title = section->title;
	table->about = section->about;
	table->columns = section->columns;
	while (section->columns[table->n_columns].key)
		table->n_columns++;
	table->beyond = tally->beyond;
	if (section->make)
		section->make(&w);
	else
		table_tally(&w, tally);
	if (w.r < 0)
		return w.r;
	if (section->sort && table->n_rows)
		qsort_r(table->cells, table->n_rows, table->n_columns * sizeof(*table->cells),
			compare_rows, (void *)section);
	if (table->n_rows > REPORT_ROWS_MAX)
		table->n_rows = REPORT_ROWS_MAX;
	return 0;
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
		int r = make_table(report, report_sections[i], &result.tables[i]);

		if (r < 0)
			return r;
	}
	*ret_result = result;
	result = (struct report_result) { 0 };
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
