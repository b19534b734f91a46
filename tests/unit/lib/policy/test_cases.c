/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The table of cases through the evaluator and through compiled images.
 */
#include <criterion/criterion.h>

#include "cases.h"

static struct grith_outcome fixed(enum grith_verdict verdict)
{
	return (struct grith_outcome) { .verdict = verdict };
}

static struct grith_outcome ask_policy(const struct policy_case *c, const struct policy *policy)
{
	switch (c->kind) {
	case CASE_PATH:
		return policy_eval_path(policy, c->class, c->object, c->length);
	case CASE_NET:
		return policy_eval_net(policy, c->op, c->address, c->port, c->name);
	case CASE_SOCKET:
		return policy_eval_socket(policy, c->family, c->raw);
	case CASE_TOUCH:
		return fixed(policy->outside);
	case CASE_SIGNAL:
		return fixed(policy->signal);
	case CASE_RING:
		return fixed(policy->ring);
	default:
		return fixed(policy->unknown);
	}
}

static struct grith_outcome ask_image(const struct policy_case *c, const struct policy_image *image)
{
	const struct grith_image_header *header = policy_image_header(image);

	switch (c->kind) {
	case CASE_PATH:
		return policy_image_path(image, c->class, c->object, c->length);
	case CASE_NET:
		return policy_image_net(image, c->op, c->address, c->port);
	case CASE_SOCKET:
		return policy_image_socket(image, c->family, c->raw);
	case CASE_TOUCH:
		return policy_image_outcome(image, header->ptrace_access);
	case CASE_SIGNAL:
		return policy_image_outcome(image, header->signal);
	case CASE_RING:
		return policy_image_outcome(image, header->ring);
	default:
		return policy_image_unknown(image, c->class);
	}
}

static void run_case(const struct policy_case *c, const struct policy *policy,
		     const struct policy_image *image)
{
	OWNED_TEXT struct text error = { 0 };
	struct grith_outcome by_policy = ask_policy(c, policy), by_image = ask_image(c, image);
	bool ok;

	ok = cases_check(c, policy, &by_policy, "the evaluator", &error);
	cr_expect(ok, "%s", error.data);
	text_free(&error);
	ok = cases_check(c, policy, &by_image, "the image", &error);
	cr_expect(ok, "%s", error.data);
	cr_expect_arr_eq(&by_policy, &by_image, sizeof(by_policy), "policy-cases:%u", c->line);
}

Test(policy_cases, table)
{
	OWNED_TEXT struct text error = { 0 };
	struct policy_cases cases = { 0 };
	size_t count = 0;

	cr_assert_eq(cases_read(".", &cases, &error), 0, "%s", error.data);
	for (size_t i = 0; i < cases.n_groups; i++) {
		CLEANUP(policy_freep) struct policy *policy = NULL;
		CLEANUP(policy_image_freep) struct policy_image *image = NULL;
		OWNED_DIAG struct diag diag = { 0 };
		int r = cases_load(&cases.groups[i], &diag, &policy, &image);
		OWNED_MEM char *text = diag_text(&diag);

		cr_assert_eq(r, 0, "%s: %s", cases.groups[i].file, text);
		for (size_t k = 0; k < cases.groups[i].n_cases; k++)
			run_case(&cases.groups[i].cases[k], policy, image);
		count += cases.groups[i].n_cases;
	}
	cr_expect_geq(count, 350u, "the table has shrunk to %zu cases", count);
	cases_free(&cases);
}
