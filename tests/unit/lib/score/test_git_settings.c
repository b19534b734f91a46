/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the filter "git-settings" takes back, with the weights as they are shipped.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "lib/score/score.h"
#include "test_score_table.h"

#define REPOSITORY "/home/dev/app/.git"

static struct record_bytes text(const char *bytes)
{
	return (struct record_bytes) { bytes, strlen(bytes) };
}

static struct score_operation rename_of(const char *from, const char *to)
{
	return (struct score_operation) {
		.op = GRITH_OP_RENAME,
		.flags = GRITH_RECORD_HELD,
		.path = text(from),
		.second = text(to),
		.static_score = 500,
	};
}

static int points(const struct score_operation *operation, char ret_why[SCORE_WHY_MAX])
{
	CLEANUP(score_weights_freep) struct score_weights *weights = table_weights();
	CLEANUP(score_session_freep) struct score_session *session = score_session_new();
	const struct score_part *part;
	struct score score;

	score_evaluate(weights, session, operation, &score);
	part = score_part(&score, FILTER_GIT_SETTINGS);
	snprintf(ret_why, SCORE_WHY_MAX, "%s", part ? part->why : "");
	return part ? part->score : 0;
}

#define CLONED                                                                       \
	"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n" \
	"\tlogallrefupdates = true\n[remote \"origin\"]\n\turl = /srv/x.git\n"       \
	"\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n"         \
	"\tremote = origin\n\tmerge = refs/heads/main\n"

Test(git_settings_filter, what_is_new_in_them)
{
	static const struct {
		const char *fresh, *old;
		int points;
	} cases[] = {
		{ CLONED, "", -500 },
		{ CLONED "[user]\n\tname = x\n", CLONED, -500 },
		{ CLONED "[core]\n\tfsmonitor = /x\n", CLONED, 0 },
		{ CLONED "[core] hooksPath = x\n", CLONED, 0 },
		{ CLONED "[alias]\n\tst = !x\n", CLONED, 0 },
		{ CLONED "[filter \"x\"]\n\tclean = x\n", CLONED, 0 },
		{ CLONED "[diff]\n\texternal = x\n", CLONED, 0 },
		{ CLONED "[include]\n\tpath = x\n", CLONED, 0 },
		{ CLONED "[remote \"x\"]\n\tuploadpack = x\n", CLONED, 0 },
		{ CLONED "[remote \"x\"]\n\turl = ext::sh -c x\n", CLONED, 0 },
		{ CLONED "[remote \"x\"]\n\turl = ssh://[::1]/x\n", CLONED, -500 },
		{ CLONED "[branch \"x\"]\n\tremote = --upload-pack=x\n", CLONED, 0 },
		{ CLONED "[core]\n\tworktree = ../../../x\n", CLONED, 0 },
		/* What its user has set is there again in each new file. */
		{ CLONED "[alias]\n\tst = !x\n", CLONED "[alias]\nst = !x\n", -500 },
		{ CLONED "[alias]\n\tst = !y\n", CLONED "[alias]\nst = !x\n", 0 },
		{ CLONED "[alias]\n\tst = !x\n", "x\n" CLONED "[alias]\nst = !x\n", 0 },
		{ "x\n" CLONED, CLONED, 0 },
		{ "", CLONED, -500 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct score_operation o =
			rename_of(REPOSITORY "/config.lock", REPOSITORY "/config");
		char why[SCORE_WHY_MAX];

		o.settings = text(cases[i].fresh);
		o.settings_before = text(cases[i].old);
		o.settings_known = true;
		cr_expect_eq(points(&o, why), cases[i].points, "%s: %s", cases[i].fresh, why);
	}
}

/* A work tree in the directory of the repository, and nowhere else. */
Test(git_settings_filter, submodules)
{
	static const struct {
		const char *module, *worktree;
		int points;
	} cases[] = {
		{ "x", "../../../x", -500 },	  { "lib/x", "../../../../lib/x", -500 },
		{ "x", "../../../../x", 0 },	  { "lib/x", "../../../x", 0 },
		{ "x", "../../../a/../../x", 0 }, { "x", "../../..//etc", 0 },
		{ "x", "../../../", 0 },	  { "x", "/home/dev", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		OWNED_MEM char *to = text_format(REPOSITORY "/modules/%s/config", cases[i].module);
		OWNED_MEM char *from = text_format("%s.lock", to);
		OWNED_MEM char *file =
			text_format(CLONED "[core]\n\tworktree = %s\n", cases[i].worktree);
		struct score_operation o = rename_of(from, to);
		char why[SCORE_WHY_MAX];

		o.settings = text(file);
		o.settings_known = true;
		cr_expect_eq(points(&o, why), cases[i].points, "%s: %s", cases[i].worktree, why);
	}
}

/* What it must not take back. */
Test(git_settings_filter, other_operations)
{
	struct score_operation o = rename_of(REPOSITORY "/config.lock", REPOSITORY "/config");
	char why[SCORE_WHY_MAX];

	o.settings = text(CLONED);
	cr_expect_eq(points(&o, why), 0, "not known: %s", why);
	o.settings_known = true;
	cr_expect_eq(points(&o, why), -500, "%s", why);
	o.static_score = 400;
	cr_expect_eq(points(&o, why), 0, "no rule doubts it");
	o.static_score = 500;
	o.flags = GRITH_RECORD_HOLD_REFUSED;
	cr_expect_eq(points(&o, why), 0, "it does not wait");
	o.flags = GRITH_RECORD_HELD;
	o.path = text("/home/dev/app/x.lock");
	cr_expect_eq(points(&o, why), 0, "of another name");
	o.path = o.second;
	o.second = text(REPOSITORY "/config.lock");
	cr_expect_eq(points(&o, why), 0, "the other way round");
	o.op = GRITH_OP_CREATE;
	cr_expect_eq(points(&o, why), 0, "made by itself");
	o.path = text(REPOSITORY "/config.lock");
	cr_expect_eq(points(&o, why), -500, "as git makes it");
	o.op = GRITH_OP_WRITE;
	cr_expect_eq(points(&o, why), 0, "written to");
}
