/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the verbs that make a report do with it: the policy's rules go in, text, JSON and a page
 * come out.
 */
#pragma once

#include "grith/base/base.h"
#include "lib/policy/policy.h"
#include "lib/report/report.h"

/* The policy's own rules, of which a log has only those that decided. 0 or -ENOMEM. */
int report_add_policy(struct report *report, const struct policy *policy);

struct report_output {
	const char *html; /* file to write a page to; NULL: none, and then text or JSON */
	bool json;
	size_t rows; /* of a table as text; 0: all */
};

/* The value of --rows, into a size_t. */
int report_take_rows(const struct option_entry *entry, const char *value);

/* To stdout and the file. The exit status; a message was printed where it fails. */
int report_print(const struct report_output *output, const struct report_result *result);

/* Says on stderr what failed and why; COMMAND_FAILED. */
int report_failed(const char *what, int r);
