/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A problem is what makes grith less than it promises: a mandatory hook without its program, an
 * operation refused for want of resources, a record that was lost. A hook that a kernel does not
 * have, or a path that the policy decides as unknown, is worth a note.
 */
#include <string.h>

#include "view_status.h"

enum finding { FINDING_NONE, FINDING_NOTE, FINDING_PROBLEM };

static const struct {
	const char *name; /* with an underscore at its end: the start of several */
	enum finding finding;
	const char *meaning;
} counters[] = {
	{ "records", FINDING_NONE, "" },
	{ "audit_lines", FINDING_NONE, "" },
	{ "unknown_paths", FINDING_NOTE, "paths that could not be built, decided as 'unknown'" },
	{ "stray_records", FINDING_NOTE, "records that came after the end of their session" },
	{ "bad_records", FINDING_PROBLEM, "records that grithd did not understand" },
	{ "audit_lost", FINDING_PROBLEM, "entries that could not be written to the log" },
	{ "lost_", FINDING_PROBLEM, "records that found no room; the log has a gap entry there" },
	{ "no_image", FINDING_PROBLEM, "operations refused because the session had no policy" },
	{ "no_scratch", FINDING_PROBLEM, "operations refused because too many ran on one CPU" },
	{ "no_range", FINDING_PROBLEM, "addresses refused because the policy had no entry" },
	/* A newer grithd's: whether it counts faults is not known, so it is none. */
	{ NULL, FINDING_NOTE, "a counter that this grith does not know" },
};

static bool is_counter(const char *name, const char *entry)
{
	size_t length = strlen(entry);

	return entry[length - 1] == '_' ? !strncmp(name, entry, length) : !strcmp(name, entry);
}

static size_t counter_entry(const char *name)
{
	size_t i = 0;

	while (counters[i].name && !is_counter(name, counters[i].name))
		i++;
	return i;
}

static enum finding of_counter(const char *name, const json_t *value)
{
	if (json_integer_value(value) <= 0)
		return FINDING_NONE;
	return counters[counter_entry(name)].finding;
}

static enum finding of_hook(const json_t *hook)
{
	if (!strcmp(shown_string(hook, "state"), "attached"))
		return FINDING_NONE;
	return json_is_true(json_object_get(hook, "mandatory")) ? FINDING_PROBLEM : FINDING_NOTE;
}

unsigned int view_status_problems(const json_t *status)
{
	json_t *all = json_object_get(status, "counters");
	unsigned int problems = 0;
	const json_t *hook;
	const char *name;
	json_t *value;
	size_t i;

	json_array_foreach (json_object_get(status, "hooks"), i, hook)
		problems += of_hook(hook) == FINDING_PROBLEM;
	json_object_foreach (all, name, value)
		problems += of_counter(name, value) == FINDING_PROBLEM;
	return problems;
}

static int add_finding(struct text *out, enum finding finding, const struct term *term)
{
	bool problem = finding == FINDING_PROBLEM;

	return text_addf(out, "  %s%s%s: ", term_colour(term, problem ? TERM_RED : TERM_YELLOW),
			 problem ? "problem" : "note", term_colour(term, TERM_PLAIN));
}

static int add_hook(struct text *out, const json_t *hook, const struct term *term)
{
	int r = add_finding(out, of_hook(hook), term);

	if (r == 0)
		r = text_addf(out, "hook ");
	if (r == 0)
		r = shown_add(out, hook, "name");
	if (r == 0)
		r = text_addf(out, " is ");
	if (r == 0)
		r = shown_add(out, hook, "state");
	if (r == 0 && json_object_get(hook, "why")) {
		r = text_addf(out, ": ");
		if (r == 0)
			r = shown_add(out, hook, "why");
	}
	return r < 0 ? r : text_add(out, "\n", 1);
}

static int add_hooks(struct text *out, const json_t *hooks, const struct term *term)
{
	size_t attached = 0, i;
	const json_t *hook;
	int r;

	json_array_foreach (hooks, i, hook)
		attached += of_hook(hook) == FINDING_NONE;
	r = text_addf(out, "hooks       %zu of %zu attached\n", attached, json_array_size(hooks));
	json_array_foreach (hooks, i, hook) {
		if (r == 0 && of_hook(hook) != FINDING_NONE)
			r = add_hook(out, hook, term);
	}
	return r;
}

static int add_counter(struct text *out, const char *name, const json_t *value,
		       const struct term *term)
{
	const char *meaning = counters[counter_entry(name)].meaning;
	enum finding finding = of_counter(name, value);
	int r;

	if (finding == FINDING_NONE)
		return 0;
	r = add_finding(out, finding, term);
	if (r == 0)
		r = text_add_escaped(out, name, strlen(name));
	return r < 0 ? r
		     : text_addf(out, " %lld%s%s\n", (long long)json_integer_value(value),
				 *meaning ? ": " : "", meaning);
}

static int add_counters(struct text *out, json_t *all, const struct term *term)
{
	const char *name;
	json_t *value;
	int r;

	r = text_addf(out, "records     %lld\n", (long long)shown_integer(all, "records"));
	json_object_foreach (all, name, value) {
		if (r == 0)
			r = add_counter(out, name, value, term);
	}
	return r;
}

static int add_field(struct text *out, const char *title, const json_t *status, const char *key,
		     const char *before)
{
	int r = text_addf(out, "%-11s %s", title, before);

	if (r == 0)
		r = shown_add(out, status, key);
	return r < 0 ? r : text_add(out, "\n", 1);
}

int view_status(const json_t *status, const struct term *term, struct text *out)
{
	static const char *const fields[][2] = {
		{ "version", "version" },   { "socket", "socket" },	  { "kernel", "kernel" },
		{ "attachment", "attach" }, { "policies", "policy_dir" }, { "log", "log_dir" },
	};
	int r;

	r = text_addf(out, "grithd      running, pid %lld%s\n",
		      (long long)shown_integer(status, "pid"),
		      json_is_true(json_object_get(status, "adopted"))
			      ? ", with programs that an earlier one loaded"
			      : "");
	for (size_t i = 0; i < ARRAY_SIZE(fields) && r == 0; i++)
		r = add_field(out, fields[i][0], status, fields[i][1], "");
	if (r == 0)
		r = text_addf(out, "sessions    %lld\n",
			      (long long)shown_integer(status, "sessions"));
	if (r == 0)
		r = add_hooks(out, json_object_get(status, "hooks"), term);
	return r < 0 ? r : add_counters(out, json_object_get(status, "counters"), term);
}

static int add_problems(struct text *out, const json_t *problems, const struct term *term)
{
	const json_t *problem;
	size_t i;
	int r = 0;

	json_array_foreach (problems, i, problem) {
		if (!json_is_string(problem))
			continue;
		if (r == 0)
			r = add_finding(out, FINDING_PROBLEM, term);
		if (r == 0)
			r = text_add_escaped(out, json_string_value(problem),
					     json_string_length(problem));
		if (r == 0)
			r = text_add(out, "\n", 1);
	}
	return r;
}

int view_check(const json_t *report, const struct term *term, struct text *out)
{
	bool ok = json_is_true(json_object_get(report, "ok"));
	int r;

	if (ok)
		r = add_field(out, "kernel", report, "attach", "can enforce, attachment ");
	else
		r = text_addf(out, "kernel      cannot enforce\n");
	if (r == 0)
		r = add_problems(out, json_object_get(report, "problems"), term);
	if (r == 0 && json_array_size(json_object_get(report, "policy_problems")))
		r = text_addf(out, "policies    have errors\n");
	if (r == 0)
		r = add_problems(out, json_object_get(report, "policy_problems"), term);
	return r;
}
