/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A problem is what makes grith less than it promises: a mandatory hook without its program, an
 * operation refused for want of resources, a record that was lost. A hook that a kernel does not
 * have, or a path that the policy decides as unknown, is worth a note.
 */
#include "view_status.h"

/* A counter of a newer grithd may count anything: it is shown, and is no fault. */
static enum severity of_counter(const char *name, const json_t *value)
{
	const struct counter *counter = counter_find(name);

	if (json_integer_value(value) <= 0)
		return SEVERITY_NONE;
	return counter ? counter->severity : SEVERITY_NOTE;
}

static enum severity of_hook(const json_t *hook)
{
	if (!strcmp(member_string(hook, "state"), "attached"))
		return SEVERITY_NONE;
	return member_true(hook, "mandatory") ? SEVERITY_PROBLEM : SEVERITY_NOTE;
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
		problems += of_hook(hook) == SEVERITY_PROBLEM;
	json_object_foreach (all, name, value)
		problems += of_counter(name, value) == SEVERITY_PROBLEM;
	return problems;
}

static void add_finding(struct line *out, enum severity severity, const struct term *term)
{
	bool problem = severity == SEVERITY_PROBLEM;

	line_addf(out, "  %s%s%s: ", term_colour(term, problem ? TERM_RED : TERM_YELLOW),
		  problem ? "problem" : "note", term_colour(term, TERM_PLAIN));
}

static void add_hooks(struct line *out, const json_t *hooks, const struct term *term)
{
	size_t attached = 0, i;
	const json_t *hook;

	json_array_foreach (hooks, i, hook)
		attached += of_hook(hook) == SEVERITY_NONE;
	line_addf(out, "hooks       %zu of %zu attached\n", attached, json_array_size(hooks));
	json_array_foreach (hooks, i, hook) {
		if (of_hook(hook) == SEVERITY_NONE)
			continue;
		add_finding(out, of_hook(hook), term);
		line_add(out, "hook ");
		line_add_member(out, hook, "name");
		line_add(out, " is ");
		line_add_member(out, hook, "state");
		line_add(out, json_object_get(hook, "why") ? ": " : "");
		line_add_member(out, hook, "why");
		line_add(out, "\n");
	}
}

static void add_counters(struct line *out, json_t *all, const struct term *term)
{
	const char *name;
	json_t *value;

	line_addf(out, "records     %lld\n", (long long)member_integer(all, "records"));
	json_object_foreach (all, name, value) {
		const struct counter *counter = counter_find(name);
		enum severity severity = of_counter(name, value);

		if (severity == SEVERITY_NONE)
			continue;
		add_finding(out, severity, term);
		line_add_bytes(out, bytes_of(name));
		line_addf(out, " %lld: %s\n", (long long)json_integer_value(value),
			  counter ? counter->meaning : "a counter that this grith does not know");
	}
}

static void add_field(struct line *out, const char *title, const json_t *status, const char *key)
{
	line_addf(out, "%-11s ", title);
	line_add_member(out, status, key);
	line_add(out, "\n");
}

int view_status(const json_t *status, const struct term *term, struct text *out)
{
	static const char *const fields[][2] = {
		{ "version", "version" },   { "socket", "socket" },	  { "kernel", "kernel" },
		{ "attachment", "attach" }, { "policies", "policy_dir" }, { "log", "log_dir" },
	};
	struct line line = { .out = out };

	line_addf(&line, "grithd      running, pid %lld%s\n",
		  (long long)member_integer(status, "pid"),
		  member_true(status, "adopted") ? ", with programs that an earlier one loaded"
						 : "");
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		add_field(&line, fields[i][0], status, fields[i][1]);
	line_addf(&line, "sessions    %lld\n", (long long)member_integer(status, "sessions"));
	add_hooks(&line, json_object_get(status, "hooks"), term);
	add_counters(&line, json_object_get(status, "counters"), term);
	return line.r;
}

static void add_problems(struct line *out, const json_t *problems, const struct term *term)
{
	const json_t *problem;
	size_t i;

	json_array_foreach (problems, i, problem) {
		if (!json_is_string(problem))
			continue;
		add_finding(out, SEVERITY_PROBLEM, term);
		line_add_string(out, problem);
		line_add(out, "\n");
	}
}

int view_check(const json_t *report, const struct term *term, struct text *out)
{
	const json_t *policy_problems = json_object_get(report, "policy_problems");
	struct line line = { .out = out };

	if (member_true(report, "ok"))
		add_field(&line, "kernel      can enforce, attachment", report, "attach");
	else
		line_add(&line, "kernel      cannot enforce\n");
	add_problems(&line, json_object_get(report, "problems"), term);
	if (json_array_size(policy_problems))
		line_add(&line, "policies    have errors\n");
	add_problems(&line, policy_problems, term);
	return line.r;
}
