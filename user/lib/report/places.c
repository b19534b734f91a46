/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Where the used files lie, as few directories that a person can take in: begins with the
 * project, its work trees and the root, and takes apart the largest one again and again. Each file
 * is in the nearest of them.
 */
#include "internal.h"

#define PLACES 64 /* a directory is a place of its own with this part of all files, */
#define LEAST 6 /* and with so many */

/* A run of the sorted paths that have their first `prefix` bytes in common: a directory. */
struct place {
	size_t from, to;
	size_t prefix; /* with no slash at its end */
	bool whole; /* cannot be taken apart */
};

struct places {
	const struct report *report;
	uint32_t *paths; /* names, sorted */
	uint32_t *spare; /* room for as many */
	size_t count;
	struct place *all;
	size_t n_all;
};

/* Which of the project's directories it is in; those come first. */
static unsigned int rank(const struct report *report, uint32_t path)
{
	return (report->facts[path].root - 1u) & 0xff;
}

/*
 * The project's come first, then those of each work tree. A slash comes before all other bytes,
 * so that a directory's paths lie together.
 */
static int compare_paths(const void *a, const void *b, void *arg)
{
	const struct report *report = arg;
	unsigned int root_a = rank(report, *(const uint32_t *)a);
	unsigned int root_b = rank(report, *(const uint32_t *)b);
	struct record_bytes x = report_name(&report->names, *(const uint32_t *)a);
	struct record_bytes y = report_name(&report->names, *(const uint32_t *)b);
	size_t length = x.length < y.length ? x.length : y.length, i = 0;

	if (root_a != root_b)
		return root_a < root_b ? -1 : 1;
	while (i < length && x.data[i] == y.data[i])
		i++;
	if (i == length)
		return (x.length > y.length) - (x.length < y.length);
	if (x.data[i] == '/' || y.data[i] == '/')
		return x.data[i] == '/' ? -1 : 1;
	return (unsigned char)x.data[i] < (unsigned char)y.data[i] ? -1 : 1;
}

/* Where the component after `prefix` bytes ends. 0: the path has no directory there. */
static size_t next_prefix(struct record_bytes path, size_t prefix)
{
	const char *slash;

	if (path.length <= prefix + 1)
		return 0;
	slash = memchr(path.data + prefix + 1, '/', path.length - prefix - 1);
	return slash ? (size_t)(slash - path.data) : 0;
}

/* Whether the path has a directory there, and it is the one of `first`. */
static bool is_in_same(const struct places *p, size_t i, struct record_bytes first, size_t prefix)
{
	struct record_bytes path = report_name(&p->report->names, p->paths[i]);

	return path.length > prefix && path.data[prefix] == '/' &&
	       !memcmp(path.data, first.data, prefix);
}

static int add_place(struct places *p, struct place place)
{
	if (ARRAY_GROW(p->all, p->n_all) < 0)
		return -ENOMEM;
	p->all[p->n_all++] = place;
	return 0;
}

/* Where the run of paths ends that lie in the same directory of the place as the one at `from`. */
static size_t run_end(const struct places *p, const struct place *place, size_t from)
{
	struct record_bytes first = report_name(&p->report->names, p->paths[from]);
	size_t prefix = next_prefix(first, place->prefix), i = from + 1;

	while (prefix && i < place->to && is_in_same(p, i, first, prefix))
		i++;
	return i;
}

/*
 * Files that lie directly in the place come first, with those in its small directories, which stay
 * in it; then those in large ones. Both in order. Returns where the latter begin.
 */
static size_t part(struct places *p, const struct place *place)
{
	size_t least = p->count / PLACES > LEAST ? p->count / PLACES : LEAST;
	size_t kept = place->from, moved = 0, end;

	for (size_t i = place->from; i < place->to; i = end) {
		bool large;

		end = run_end(p, place, i);
		large = end - i >= least &&
			next_prefix(report_name(&p->report->names, p->paths[i]), place->prefix);
		for (size_t n = i; n < end; n++)
			if (large)
				p->spare[moved++] = p->paths[n];
			else
				p->paths[kept++] = p->paths[n];
	}
	memcpy(&p->paths[kept], p->spare, moved * sizeof(*p->spare));
	return kept;
}

/* Makes places of the large directories in one place. */
static int take_apart(struct places *p, size_t which)
{
	struct place place = p->all[which];
	size_t i = part(p, &place);
	int r = 0;

	p->all[which].to = i;
	p->all[which].whole = true;
	while (i < place.to && r == 0) {
		struct place child = { .from = i, .to = run_end(p, &place, i) };

		child.prefix =
			next_prefix(report_name(&p->report->names, p->paths[i]), place.prefix);
		i = child.to;
		r = add_place(p, child);
	}
	return r;
}

/* The largest place that can be taken apart; n_all: there is none. */
static size_t largest(const struct places *p)
{
	size_t best = p->n_all, most = 2 * LEAST - 1;

	for (size_t i = 0; i < p->n_all; i++)
		if (!p->all[i].whole && p->all[i].to - p->all[i].from > most) {
			best = i;
			most = p->all[i].to - p->all[i].from;
		}
	return best;
}

/* The places that all others come from: the project, its work trees, the root without them. */
static int add_first(struct places *p)
{
	const struct report *report = p->report;
	struct place place = { .whole = false };
	int r = 0;

	for (; place.from < p->count && r == 0; place.from = place.to) {
		size_t root = report->facts[p->paths[place.from]].root;

		place.prefix = root ? strlen(report_project_root(report, root)) : 0;
		while (place.to < p->count && report->facts[p->paths[place.to]].root == root)
			place.to++;
		r = add_place(p, place);
	}
	return r;
}

static int collect(struct places *p)
{
	const struct report *report = p->report;

	p->paths = calloc(report->n_facts + 1, sizeof(*p->paths));
	p->spare = calloc(report->n_facts + 1, sizeof(*p->spare));
	if (!p->paths || !p->spare)
		return -ENOMEM;
	for (size_t i = 0; i < report->n_facts; i++) {
		const struct path_facts *facts = &report->facts[i];
		struct record_bytes path;

		if ((!facts->reads && !facts->writes) || facts->flags & PATH_EXCLUDED)
			continue;
		path = report_name(&report->names, i);
		if (path.length && *path.data == '/')
			p->paths[p->count++] = i;
	}
	qsort_r(p->paths, p->count, sizeof(*p->paths), compare_paths, (void *)report);
	return add_first(p);
}

static void write_place(struct table_writer *w, const struct places *p, const struct place *place)
{
	const struct report *report = w->report;
	struct record_bytes directory = report_name(&report->names, p->paths[place->from]);
	uint64_t reads = 0, writes = 0;

	directory.length = place->prefix;
	if (!directory.length)
		directory = bytes_of("/");
	for (size_t i = place->from; i < place->to; i++) {
		reads += report->facts[p->paths[i]].reads;
		writes += report->facts[p->paths[i]].writes;
	}
	table_text(w, directory);
	table_string(w, report->facts[p->paths[place->from]].root ? "project" : "outside");
	table_number(w, place->to - place->from);
	table_number(w, reads);
	table_number(w, writes);
}

static void make(struct table_writer *w)
{
	struct places p = { .report = w->report };
	size_t which;

	w->r = collect(&p);
	while (w->r == 0 && (which = largest(&p)) < p.n_all)
		w->r = take_apart(&p, which);
	for (size_t i = 0; i < p.n_all && w->r == 0; i++)
		if (p.all[i].from < p.all[i].to)
			write_place(w, &p, &p.all[i]);
	free(p.paths);
	free(p.spare);
	free(p.all);
}

const struct report_section report_places = {
	.key = "places",
	.title = "Places",
	.about = "Where the files lie, each in the nearest one of these directories.",
	.columns = {
		{ "directory", "directory", REPORT_TEXT, ROW_MADE },
		{ "where", "where", REPORT_WORD, ROW_MADE },
		{ "files", "files", REPORT_NUMBER, ROW_MADE },
		{ "reads", "reads", REPORT_NUMBER, ROW_MADE },
		{ "writes", "writes", REPORT_NUMBER, ROW_MADE },
	},
	.sort = 2,
	.make = make,
};
