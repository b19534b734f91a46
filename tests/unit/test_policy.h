/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Policies as text in a test: read against a pretended user and project, and either right or wrong
 * in a way that the test names.
 */
#pragma once

#include <criterion/criterion.h>

#include "lib/base/base.h"
#include "lib/policy/policy.h"

static const struct policy_context test_context = {
	.project = "/home/ann/project",
	.home = "/home/ann",
	.user = "ann",
	.uid = 1000,
	.directory = "tests/golden/policies",
};

/* Reads a text, with "grith: 1" on its first line, that must fail. */
static inline void expect_error(const char *body, const char *expected)
{
	CLEANUP(policy_freep) struct policy *policy = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_TEXT struct text text = { 0 };
	OWNED_MEM char *errors = NULL;
	int r;

	text_addf(&text, "grith: 1\n%s", body);
	r = policy_read_text("p", text.data, text.length, &test_context, &diag, &policy);
	errors = diag_text(&diag);
	cr_expect_eq(r, -EINVAL, "not refused:\n%s", text.data);
	cr_expect(strstr(errors, expected), "expected \"%s\" and not \"%s\" of\n%s", expected,
		  errors, text.data);
	cr_expect_null(policy);
}

/* Reads one that must be right, behind the same first line. The caller's. */
static inline struct policy *expect_ok(const char *body)
{
	struct policy *policy = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_TEXT struct text text = { 0 };
	OWNED_MEM char *errors = NULL;

	text_addf(&text, "grith: 1\n%s", body);
	policy_read_text("p", text.data, text.length, &test_context, &diag, &policy);
	errors = diag_text(&diag);
	cr_assert(policy, "%s", errors);
	return policy;
}
