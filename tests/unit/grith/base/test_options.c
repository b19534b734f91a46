/* SPDX-License-Identifier: MPL-2.0 */
/* Tables of options: where values go, where options end, and what is refused. */
#include <criterion/criterion.h>

#include "grith/base/base.h"

struct given {
	bool all;
	const char *path, *style;
	size_t taken;
};

static int take(const struct option_entry *entry, const char *value)
{
	cr_expect_str_eq(entry->name, "number");
	*(size_t *)entry->to += strlen(value);
	return *value == '-' ? -ERANGE : 0;
}

/* Words separated by spaces; the number of operands, or what was returned. */
static int parse(const char *words, bool leading, struct given *given)
{
	const struct option_entry known[] = {
		{ "all", 'a', .flag = &given->all },
		{ "path", .value = &given->path },
		{ "ids", 'i', .value = &given->style, .is = "ids" },
		{ "table", .value = &given->style, .is = "table" },
		{ "number", 'n', .take = take, .to = &given->taken },
		{ 0 },
	};
	static char copy[256];
	char *argv[32] = { (char *)"verb" }, *next = copy;
	int argc = 1, r;

	snprintf(copy, sizeof(copy), "%s", words);
	while (next && *next && argc < 31)
		argv[argc++] = strsep(&next, " ");
	argv[argc] = NULL;
	*given = (struct given) { 0 };
	optind = 0;
	opterr = 0;
	r = leading ? options_read_leading(argc, argv, known) : options_read(argc, argv, known);
	return r < 0 ? r : argc - optind;
}

Test(cli_options, values_go_where_entries_point)
{
	struct given given;

	cr_expect_eq(parse("one --path /x two -a -n12 --number 345", false, &given), 2);
	cr_expect(given.all);
	cr_expect_str_eq(given.path, "/x");
	cr_expect_eq(given.taken, 5);
	cr_expect_eq(parse("--ids --table", false, &given), 0);
	cr_expect_str_eq(given.style, "table");
	cr_expect_eq(parse("--table -i --path=", false, &given), 0);
	cr_expect_str_eq(given.style, "ids");
	cr_expect_str_eq(given.path, "");
	cr_expect_eq(parse("-- --all", false, &given), 1);
	cr_expect_not(given.all);
	cr_expect_eq(parse("", false, &given), 0);
}

Test(cli_options, the_first_operand_may_end_them)
{
	struct given given;

	cr_expect_eq(parse("-a command --path /x -n 1", true, &given), 5);
	cr_expect(given.all);
	cr_expect_null(given.path);
	cr_expect_eq(given.taken, 0);
}

Test(cli_options, refused)
{
	static const char *const lines[] = {
		"--nothing", "-x", "--path", "-n", "--all=1", "--ids=x", "-a -a -x",
	};
	struct given given;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		cr_expect_eq(parse(lines[i], false, &given), -EINVAL, "%s", lines[i]);
	cr_expect_eq(parse("-n -1 --all", false, &given), -ERANGE);
	cr_expect_not(given.all);
}
