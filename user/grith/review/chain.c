/* SPDX-License-Identifier: MPL-2.0 */
/* The words say what a record tells: that a file was opened, not what was done with it. */

#include "grith/base/base.h"
#include "chain.h"

static const struct {
	const char *what, *between;
} words[] = {
	{ "read", " read " },
	{ "wrote", " could write to " },
	{ "started", ", started from " },
	{ "named", " has an argument that names " },
	{ "moved", " gave another name to " },
	{ "left", ", of a parent that is not known, perhaps " },
	{ "returned", " may have what was printed by its child " },
};

static int add_object(const json_t *step, struct text *line)
{
	return *shown_string(step, "object") ? shown_add(line, step, "object")
					     : text_addf(line, "something unknown");
}

static int add_program(const json_t *step, struct text *line)
{
	int r = *shown_string(step, "program") ? shown_add(line, step, "program")
					       : text_addf(line, "a process");

	return r < 0 ? r : text_addf(line, "[%lld]", (long long)shown_integer(step, "pid"));
}

int view_chain_step(const json_t *step, struct text *line)
{
	const char *what = shown_string(step, "what");
	int r;

	if (!strcmp(what, "forgotten"))
		return text_addf(line, "(what was before is not known any more)");
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(what, words[i].what) != 0)
			continue;
		r = add_program(step, line);
		r = r < 0 ? r : text_addf(line, "%s", words[i].between);
		return r < 0 ? r : add_object(step, line);
	}
	return text_addf(line, "(more steps)");
}
