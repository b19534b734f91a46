/* SPDX-License-Identifier: MPL-2.0 */
/* A session survives being written and read; a damaged file is not a session. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include "session_info.h"

static void fill(struct session_info *info)
{
	struct policy_rule rules[] = {
		{ .file = "base.yaml", .line = 3, .reason = (char *)"programs" },
		{ .file = "base.yaml", .line = 9 },
		{ .file = "mine.yaml", .line = 1, .reason = (char *)"mine" },
	};
	struct policy policy = { .rules = rules, .n_rules = 3 };

	*info = (struct session_info) {
		.id = "abcdefghij",
		.uid = 4000000000,
		.started = 1,
		.started_mono = 2,
		.mode = GRITH_OBSERVE,
		.image = 1023,
		.cgroup = UINT64_C(1) << 40,
	};
	info->name = strdup("blue");
	info->user = strdup("u");
	info->profile = strdup("generic");
	info->project = strdup("/home/u/\xc3\xbc");
	info->command = calloc(2, sizeof(char *));
	info->command[0] = strdup("claude");
	info->command[1] = strdup("");
	info->n_command = 2;
	cr_assert_eq(session_info_set_rules(info, &policy), 0);
}

Test(session_info, there_and_back)
{
	OWNED_SESSION_INFO struct session_info info = { 0 }, again = { 0 };
	const struct session_rule *rule;
	json_t *json;

	fill(&info);
	json = session_info_to_json(&info);
	cr_assert_not_null(json);
	cr_assert_eq(session_info_from_json(json, &again), 0);
	json_decref(json);
	cr_assert_str_eq(again.id, "abcdefghij");
	cr_assert_str_eq(again.name, "blue");
	cr_assert_eq(again.uid, 4000000000);
	cr_assert_eq(again.mode, GRITH_OBSERVE);
	cr_assert_eq(again.image, 1023);
	cr_assert_eq(again.cgroup, UINT64_C(1) << 40);
	cr_assert_str_eq(again.project, "/home/u/\xc3\xbc");
	cr_assert_eq(again.n_command, 2);
	cr_assert_str_eq(again.command[1], "");
	cr_assert_eq(again.n_files, 2);
	cr_assert_null(session_info_rule(&again, 0));
	cr_assert_null(session_info_rule(&again, 4));
	rule = session_info_rule(&again, 3);
	cr_assert_str_eq(again.files[rule->file], "mine.yaml");
	cr_assert_eq(rule->line, 1);
	cr_assert_str_eq(rule->reason, "mine");
	cr_assert_null(session_info_rule(&again, 2)->reason);
}

/* Each field in turn is missing, or has a value that cannot be. */
Test(session_info, damaged)
{
	static const char *const nonsense[] = {
		"null", "-1", "\"\"", "[5]", "[[7,1]]", "[[0,-1]]"
	};
	OWNED_SESSION_INFO struct session_info info = { 0 };
	json_t *whole, *value;
	const char *key;

	fill(&info);
	whole = session_info_to_json(&info);
	json_object_foreach (whole, key, value) {
		struct session_info again = { 0 };
		json_t *copy = json_deep_copy(whole);

		json_object_del(copy, key);
		cr_assert_eq(session_info_from_json(copy, &again), -EBADMSG, "without %s", key);
		json_decref(copy);
		for (size_t i = 0; i < ARRAY_SIZE(nonsense); i++) {
			copy = json_deep_copy(whole);
			json_object_set_new(copy, key,
					    json_loads(nonsense[i], JSON_DECODE_ANY, NULL));
			if (session_info_from_json(copy, &again) == 0)
				session_info_free(&again); /* what is possible may pass */
			json_decref(copy);
		}
	}
	json_decref(whole);
}

Test(session_info, ids)
{
	char id[SESSION_ID_LENGTH + 1], other[SESSION_ID_LENGTH + 1];

	for (int i = 0; i < 1000; i++) {
		cr_assert_eq(session_id_make(id), 0);
		cr_assert(session_id_valid(id), "%s", id);
		cr_assert_eq(session_id_make(other), 0);
		cr_assert_str_neq(id, other);
	}
	cr_assert_not(session_id_valid(""));
	cr_assert_not(session_id_valid("abcdefghi"));
	cr_assert_not(session_id_valid("abcdefghijk"));
	cr_assert_not(session_id_valid("2bcdefghij")); /* no letter first */
	cr_assert_not(session_id_valid("abcdefghi0"));
	cr_assert_not(session_id_valid("../../../x"));
}
