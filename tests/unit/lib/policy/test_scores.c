/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The table of static scores with the weights as they are shipped, through the evaluator, through
 * the compiled image and through the scores taken apart.
 */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <string.h>

#include "lib/policy/policy.h"
#include "cases.h"

#define TABLE "tests/golden/scores-static"
#define HOME "/home/ann"

static const char scores_policy[] =
	"grith: 1\n"
	"defaults: {read: score, write: score, create: score, delete: score, rename: score,\n"
	"  link: score, metadata: score, list: score, exec: score, connect: score, bind: score,\n"
	"  listen: score, unix: score}\n";

static const struct policy_context context = {
	.project = HOME "/project",
	.home = HOME,
	.user = "ann",
	.uid = 1000,
	.directory = "policy",
};

struct loaded {
	struct policy *policy;
	struct policy_image *image;
};

static void loaded_clear(struct loaded *loaded)
{
	policy_free(loaded->policy);
	policy_image_free(loaded->image);
	*loaded = (struct loaded) { 0 };
}

static void load(struct loaded *loaded, const char *name)
{
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *errors = NULL;
	char path[256];
	int r;

	loaded_clear(loaded);
	snprintf(path, sizeof(path), "policy/%s.yaml", name);
	if (strcmp(name, "scores") == 0)
		r = policy_read_text("scores", scores_policy, strlen(scores_policy), &context,
				     &diag, &loaded->policy);
	else
		r = policy_read_file(path, &context, &diag, &loaded->policy);
	if (r == 0)
		r = policy_compile(loaded->policy, NULL, 0, &diag, &loaded->image);
	errors = diag_text(&diag);
	cr_assert_eq(r, 0, "%s: %s", name, errors);
}

/* What the outcome is once the thresholds have had their say. */
static const char *verdict_of(const struct policy *policy, const struct grith_outcome *outcome)
{
	static const char *const names[] = { "allow", "hold", "deny", "hide" };

	if (outcome->verdict == GRITH_ALLOW && outcome->score > policy->threshold_deny)
		return "deny";
	if (outcome->verdict == GRITH_ALLOW && outcome->score > policy->threshold_hold)
		return "hold";
	return names[outcome->verdict];
}

static int sum_of(const struct policy_parts *parts)
{
	int sum = 0;

	for (size_t i = 0; i < parts->count; i++)
		sum += parts->all[i].score;
	return sum;
}

struct question {
	unsigned int line;
	const char *verdict, *score, *operation;
	char object[512];
};

static void check(const struct loaded *loaded, const struct question *q,
		  const struct grith_outcome *outcome, const struct grith_outcome *by_image,
		  const struct policy_parts *parts)
{
	char score[16];

	snprintf(score, sizeof(score), "%s%d.%02d", outcome->score < 0 ? "-" : "",
		 abs(outcome->score) / 100, abs(outcome->score) % 100);
	cr_expect_str_eq(score, q->score, TABLE ":%u: %s %s has %s, not %s", q->line, q->operation,
			 q->object, score, q->score);
	cr_expect_str_eq(verdict_of(loaded->policy, outcome), q->verdict, TABLE ":%u: %s, not %s",
			 q->line, verdict_of(loaded->policy, outcome), q->verdict);
	cr_expect_arr_eq(outcome, by_image, sizeof(*outcome), TABLE ":%u: the image differs",
			 q->line);
	cr_expect_eq(sum_of(parts), outcome->score, TABLE ":%u: the parts' sum is %d", q->line,
		     sum_of(parts));
	for (size_t i = 0; i < parts->count; i++)
		cr_expect(parts->all[i].file && parts->all[i].line, TABLE ":%u: part %zu", q->line,
			  i);
}

static void ask_path(const struct loaded *loaded, const struct question *q,
		     enum grith_op_class class)
{
	CLEANUP(policy_parts_clear) struct policy_parts parts = { 0 };
	struct grith_outcome outcome, by_image;
	size_t length = strlen(q->object);

	outcome = policy_eval_path(loaded->policy, class, q->object, length);
	by_image = policy_image_path(loaded->image, class, q->object, length);
	cr_assert_eq(policy_eval_parts(loaded->policy, class, q->object, length, &parts), 0);
	check(loaded, q, &outcome, &by_image, &parts);
}

static void ask_net(const struct loaded *loaded, const struct question *q, enum grith_net_op op)
{
	CLEANUP(policy_parts_clear) struct policy_parts parts = { 0 };
	uint8_t address[16] = { [10] = 0xff, [11] = 0xff };
	struct grith_outcome outcome, by_image;
	char text[64];
	unsigned int port;

	cr_assert_eq(sscanf(q->object, "%63s %u", text, &port), 2, TABLE ":%u", q->line);
	cr_assert(inet_pton(AF_INET, text, address + 12) == 1 ||
			  inet_pton(AF_INET6, text, address) == 1,
		  TABLE ":%u: no address", q->line);
	outcome = policy_eval_net(loaded->policy, op, address, port, NULL);
	by_image = policy_image_net(loaded->image, op, address, port);
	cr_assert_eq(policy_eval_net_parts(loaded->policy, op, address, port, NULL, &parts), 0);
	check(loaded, q, &outcome, &by_image, &parts);
}

static void ask(const struct loaded *loaded, const struct question *q)
{
	static const char *const paths[] = { "read",   "write",	       "create",   "delete",
					     "rename", "link",	       "metadata", "list",
					     "exec",   "unix-connect", "unix-bind" };
	static const char *const nets[] = { "connect", "bind", "listen" };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (strcmp(paths[i], q->operation) == 0)
			return ask_path(loaded, q, i);
	for (size_t i = 0; i < ARRAY_SIZE(nets); i++)
		if (strcmp(nets[i], q->operation) == 0)
			return ask_net(loaded, q, i);
	cr_assert_fail(TABLE ":%u: no operation \"%s\"", q->line, q->operation);
}

/* One line of the table. True where it was a case. */
static bool run_line(struct loaded *loaded, char *line, unsigned int number)
{
	struct question q = { .line = number };
	const char *object;
	char *rest = line;

	line[strcspn(line, "\n")] = '\0';
	if (!*line || *line == '#')
		return false;
	if (strncmp(line, "policy ", 7) == 0) {
		load(loaded, line + 7);
		return false;
	}
	q.verdict = strsep(&rest, " ");
	q.score = strsep(&rest, " ");
	q.operation = strsep(&rest, " ");
	object = rest;
	cr_assert(object && loaded->policy, TABLE ":%u: not a case", number);
	snprintf(q.object, sizeof(q.object), "%s%s", *object == '~' ? HOME : "",
		 object + (*object == '~'));
	ask(loaded, &q);
	return true;
}

Test(policy_scores, table)
{
	CLEANUP(loaded_clear) struct loaded loaded = { 0 };
	OWNED_FILE FILE *file = fopen(TABLE, "re");
	char line[1024];
	size_t count = 0;

	cr_assert(file, TABLE);
	for (unsigned int number = 1; fgets(line, sizeof(line), file); number++)
		count += run_line(&loaded, line, number);
	cr_expect_geq(count, 220u, "the table has shrunk to %zu cases", count);
}

/* The same sum for every case of the other table, whatever its policy. */
Test(policy_scores, parts_of_all_policies)
{
	OWNED_TEXT struct text error = { 0 };
	struct policy_cases cases = { 0 };
	size_t scored = 0;

	cr_assert_eq(cases_read(".", &cases, &error), 0, "%s", error.data);
	for (size_t i = 0; i < cases.n_groups; i++) {
		CLEANUP(loaded_clear) struct loaded loaded = { 0 };
		OWNED_DIAG struct diag diag = { 0 };

		cr_assert_eq(cases_load(&cases.groups[i], &diag, &loaded.policy, &loaded.image), 0);
		for (size_t k = 0; k < cases.groups[i].n_cases; k++) {
			const struct policy_case *c = &cases.groups[i].cases[k];
			CLEANUP(policy_parts_clear) struct policy_parts parts = { 0 };
			int r = 0;

			if (c->kind == CASE_PATH)
				r = policy_eval_parts(loaded.policy, c->class, c->object, c->length,
						      &parts);
			else if (c->kind == CASE_NET)
				r = policy_eval_net_parts(loaded.policy, c->op, c->address, c->port,
							  c->name, &parts);
			cr_assert_eq(r, 0);
			cr_expect_eq(sum_of(&parts), c->expected.score, "policy-cases:%u: %d",
				     c->line, sum_of(&parts));
			scored += parts.count > 0;
		}
	}
	cr_expect_gt(scored, 25u);
	cases_free(&cases);
}

static const struct policy_part *part_of(const struct policy_parts *parts, enum filter_id filter)
{
	for (size_t i = 0; i < parts->count; i++)
		if (parts->all[i].filter == filter)
			return &parts->all[i];
	return NULL;
}

Test(policy_scores, parts_tell_where_they_come_from)
{
	CLEANUP(loaded_clear) struct loaded loaded = { 0 };
	CLEANUP(policy_parts_clear) struct policy_parts parts = { 0 };
	static const char path[] = HOME "/.npmrc";
	const struct policy_part *part;

	load(&loaded, "scores");
	cr_assert_eq(
		policy_eval_parts(loaded.policy, GRITH_OP_CLASS_WRITE, path, strlen(path), &parts),
		0);
	cr_assert_eq(parts.count, 2u);
	part = part_of(&parts, FILTER_OPERATION_RISK);
	cr_assert(part);
	cr_expect_eq(part->score, 50);
	cr_expect_str_eq(part->file, "weights.yaml");
	part = part_of(&parts, FILTER_PATH_MATCH);
	cr_assert(part);
	cr_expect_eq(part->score, 300);
	cr_expect_str_eq(part->reason, "passwords and tokens");
	cr_expect_str_eq(filter_name(part->filter), "path-match");
}
