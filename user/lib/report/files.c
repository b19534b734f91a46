/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Which files were read and written, and what is known of a path by its name alone.
 */
#include "internal.h"

/* /root, or /home and one more name, where the home directory is not known. */
static size_t guess_home(struct record_bytes path)
{
	const size_t home = strlen("/home/");
	const char *slash;

	if (path_is_below(path.data, path.length, "/root"))
		return strlen("/root");
	if (!bytes_start(path, "/home/"))
		return 0;
	slash = memchr(path.data + home, '/', path.length - home);
	return slash ? (size_t)(slash - path.data) : 0;
}

struct record_bytes report_below_home(const struct report *report, struct record_bytes path)
{
	size_t length = report->home ? strlen(report->home) : guess_home(path);

	while (report->home && length && report->home[length - 1] == '/')
		length--;
	if (report->home && !path_is_below(path.data, path.length, report->home))
		length = 0;
	if (!length || path.length <= length + 1)
		return (struct record_bytes) { 0 };
	return (struct record_bytes) { path.data + length + 1, path.length - length - 1 };
}

static bool is_in(const char *const *list, struct record_bytes path)
{
	for (size_t i = 0; list[i]; i++)
		if (path_is_below(path.data, path.length, list[i]))
			return true;
	return false;
}

/* A .git that is the project's own is the agent's to work with. */
static uint8_t classify_git(const struct report *report, struct record_bytes path)
{
	static const char git[] = "/.git";
	const char *p = path.data, *end = path.data + path.length;

	while ((p = memmem(p, end - p, git, strlen(git)))) {
		size_t above = p - path.data;

		p += strlen(git);
		if (p < end && *p != '/')
			continue;
		if (report_project_number(report, (struct record_bytes) { path.data, above }))
			return 0;
		if (report->project && strlen(report->project) > above &&
		    !memcmp(report->project, path.data, above) && report->project[above] == '/')
			return PATH_GIT | PATH_GIT_ABOVE;
		return PATH_GIT;
	}
	return 0;
}

static bool is_startup(const struct report *report, struct record_bytes path)
{
	static const char *const system[] = {
		"/etc/profile", "/etc/profile.d", "/etc/bash.bashrc", "/etc/bashrc", "/etc/zsh",
		"/etc/zshenv",	"/etc/zshrc",	  "/etc/zprofile",    "/etc/zlogin", "/etc/fish",
		NULL,
	};
	static const char *const own[] = {
		".profile",	".bash_profile", ".bash_login", ".bashrc",
		".bash_logout", ".zshenv",	 ".zprofile",	".zshrc",
		".zlogin",	".config/fish",	 NULL,
	};
	struct record_bytes below = report_below_home(report, path);

	return is_in(system, path) || (below.length && is_in(own, below));
}

static bool is_object(struct record_bytes path)
{
	static const char *const places[] = { "/dev", "/proc", "/sys", NULL };

	return !path.length || *path.data != '/' ||
	       (is_in(places, path) && !path_is_below(path.data, path.length, "/dev/shm"));
}

static void classify(const struct report *report, struct record_bytes path,
		     struct path_facts *facts)
{
	facts->flags = PATH_KNOWN;
	facts->root = report_project_number(report, path);
	if (facts->root)
		facts->flags |= PATH_PROJECT;
	if (path_is_below(path.data, path.length, report->exclude))
		facts->flags |= PATH_EXCLUDED;
	if (is_startup(report, path))
		facts->flags |= PATH_STARTUP;
	if (is_object(path))
		facts->flags |= PATH_OBJECT;
	facts->flags |= classify_git(report, path);
	facts->sensitive = report_classify_sensitive(report, path);
}

struct path_facts *report_path(struct report *report, uint32_t path)
{
	struct path_facts *facts;

	if (path >= report->n_facts) {
		size_t count = path * 2 > 1024 ? path * 2 : 1024;

		facts = reallocarray(report->facts, count, sizeof(*facts));
		if (!facts)
			return NULL;
		memset(facts + report->n_facts, 0, (count - report->n_facts) * sizeof(*facts));
		report->facts = facts;
		report->n_facts = count;
	}
	facts = &report->facts[path];
	if (!(facts->flags & PATH_KNOWN))
		classify(report, report_name(&report->names, path), facts);
	return facts;
}

static bool is_write(const struct log_event *event)
{
	enum grith_op_class class = op_class(event->op);

	return class == GRITH_OP_CLASS_WRITE ||
	       (class == GRITH_OP_CLASS_CREATE && !(event->flags & GRITH_RECORD_DIRECTORY));
}

static int add(struct report *report, const struct report_event *event)
{
	const struct log_event *log = event->log;
	struct path_facts *facts;

	/* pidfd_open(2) opens a file for the kernel alone: it has no name that one could open. */
	if (log->kind != LOG_FILE || !event->path || bytes_start(log->path, "pidfs:"))
		return 0;
	facts = &report->facts[event->path];
	if (!event->happened || log->flags & GRITH_RECORD_UNKNOWN)
		return 0;
	if (log->op == GRITH_OP_READ && !(log->flags & GRITH_RECORD_DIRECTORY))
		facts->reads++;
	else if (log->op == GRITH_OP_LIST)
		report->counts[REPORT_SCANS]++;
	else if (is_write(log))
		facts->writes++;
	return 0;
}

int report_add_use(struct report *report, const struct report_event *event, enum tally_number tally,
		   uint32_t path, unsigned int count)
{
	struct tally_entry *row;
	int r;

	if (!event->happened && !event->refused)
		return 0;
	r = report_row(report, event, tally, (struct tally_key) { .a = path, .b = event->program },
		       &row);
	if (r < 0)
		return r;
	row->n[count] += event->happened;
	row->n[USE_REFUSED] += event->refused;
	row->n[USE_TOTAL]++;
	return 0;
}

static const char *where_is(const struct path_facts *facts)
{
	if (facts->flags & PATH_EXCLUDED)
		return "agent";
	return facts->flags & PATH_PROJECT ? "project" : "outside";
}

static bool is_used(const struct path_facts *facts)
{
	return facts->reads || facts->writes;
}

struct used {
	uint64_t opens;
	uint32_t path;
};

static int compare_used(const void *a, const void *b)
{
	const struct used *x = a, *y = b;

	if (x->opens != y->opens)
		return x->opens < y->opens ? 1 : -1;
	return (x->path > y->path) - (x->path < y->path);
}

static void make(struct table_writer *w)
{
	const struct report *report = w->report;
	OWNED_MEM struct used *used = NULL;
	size_t count = 0;

	for (size_t i = 0; i < report->n_facts; i++)
		count += is_used(&report->facts[i]);
	used = calloc(count + 1, sizeof(*used));
	if (!used) {
		w->r = -ENOMEM;
		return;
	}
	count = 0;
	for (size_t i = 0; i < report->n_facts; i++)
		if (is_used(&report->facts[i]))
			used[count++] = (struct used) {
				(uint64_t)report->facts[i].reads + report->facts[i].writes, i
			};
	qsort(used, count, sizeof(*used), compare_used);
	for (size_t i = 0; i < count && i < REPORT_ROWS_MAX; i++) {
		const struct path_facts *facts = &report->facts[used[i].path];

		table_name(w, used[i].path);
		table_string(w, where_is(facts));
		table_number(w, used[i].opens);
		table_number(w, facts->reads);
		table_number(w, facts->writes);
	}
	w->table->total = count;
}

const struct report_section report_files = {
	.key = "files",
	.title = "Files",
	.about = "Opened with success; `agent` is its own installation, which the counts leave out.",
	.columns = {
		{ "path", "file", REPORT_TEXT, ROW_MADE },
		{ "where", "where", REPORT_WORD, ROW_MADE },
		{ "opens", "opens", REPORT_NUMBER, ROW_MADE },
		{ "reads", "reads", REPORT_NUMBER, ROW_MADE },
		{ "writes", "writes", REPORT_NUMBER, ROW_MADE },
	},
	.sort = 2,
	.add = add,
	.make = make,
};
