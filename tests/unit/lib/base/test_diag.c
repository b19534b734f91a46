/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Complaints: how they are rendered, and what becomes of too many.
 */
#include <criterion/criterion.h>

#include "lib/base/base.h"

Test(diag, renders_places_and_escapes)
{
	OWNED_DIAG struct diag d = { 0 };
	OWNED_MEM char *text = NULL;

	diag_add(&d, "a.yaml", 3, 7, "unknown key \"%s\"", "x\ny");
	diag_add(&d, "b\x1b.yaml", 4, 0, "no column");
	diag_add(&d, "c.yaml", 0, 9, "no line");
	diag_add(&d, NULL, 5, 5, "no file");
	text = diag_text(&d);
	cr_expect_str_eq(text, "a.yaml:3:7: unknown key \"x\\ny\"\n"
			       "b\\e.yaml:4: no column\n"
			       "c.yaml: no line\n"
			       "no file\n");
}

Test(diag, counts_what_it_does_not_keep)
{
	OWNED_DIAG struct diag d = { 0 };
	OWNED_MEM char *text = NULL;

	for (int i = 0; i < DIAG_MAX + 5; i++)
		diag_add(&d, "f", i + 1, 1, "m");
	cr_expect_eq(d.count, (size_t)DIAG_MAX);
	cr_expect_eq(d.dropped, 5u);
	text = diag_text(&d);
	cr_expect(strstr(text, "\nand 5 more\n"));
}

Test(diag, joins_what_is_new)
{
	OWNED_DIAG struct diag d = { 0 };
	OWNED_DIAG struct diag found = { 0 };
	OWNED_MEM char *text = NULL;

	diag_add(&d, "a", 1, 2, "said first");
	diag_add(&found, "a", 1, 2, "said again");
	diag_add(&found, "b", 1, 2, "one");
	diag_add(&found, "b", 1, 2, "another of that place");
	diag_add(&found, NULL, 1, 2, "no file");
	found.dropped = 3;
	diag_join(&d, &found);
	text = diag_text(&d);
	cr_expect_str_eq(text, "a:1:2: said first\n"
			       "b:1:2: one\n"
			       "b:1:2: another of that place\n"
			       "no file\n"
			       "and 3 more\n");
}

Test(diag, empty)
{
	OWNED_DIAG struct diag d = { 0 };
	OWNED_MEM char *text = diag_text(&d);

	cr_expect_str_eq(text, "");
	diag_free(NULL);
}
