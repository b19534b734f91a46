/* SPDX-License-Identifier: MPL-2.0 */
/* A session survives being written and read; a damaged file is not a session. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include "lib/session/session.h"

static void fill(struct session_info *info)
{
	struct policy_rule rules[] = {
		{ .file = "base.yaml", .line = 3, .reason = (char *)"programs" },
		{ .file = "base.yaml", .line = 9 },
		{ .file = "mine.yaml", .line = 1, .reason = (char *)"mine", .verdict = GRITH_HOLD },
	};
	struct policy policy = { .rules = rules, .n_rules = 3 };
	char *host = (char *)"example.org";
	const struct policy_host hosts[] = {
		{ "example.org", { [10] = 0xff, 0xff, 192, 0, 2, 1 } },
		{ "second.example", { [10] = 0xff, 0xff, 192, 0, 2, 1 } },
		{ "second.example", { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 } },
	};

	rules[0].hosts = &host;
	rules[0].n_hosts = 1;
	rules[1].inspect_argv = true;

	*info = (struct session_info) {
		.id = "abcdefghij",
		.uid = 4000000000,
		.started = 1,
		.started_mono = 2,
		.mode = GRITH_OBSERVE,
		.image = 1023,
		.cgroup = UINT64_C(1) << 40,
		.on_hold = PROTO_ON_HOLD_DENY,
		.timeout = 7,
		.threshold_hold = -1,
		.threshold_deny = 800,
		.sources = { 1, 2, 0x8000 },
		.mounts = 4026531841,
	};
	info->home = strdup("/home/u");
	info->name = strdup("blue");
	info->user = strdup("u");
	info->profile = strdup("generic");
	info->project = strdup("/home/u/\xc3\xbc");
	info->worktrees = calloc(1, sizeof(char *));
	info->worktrees[0] = strdup("/home/u/other");
	info->n_worktrees = 1;
	info->command = calloc(2, sizeof(char *));
	info->command[0] = strdup("claude");
	info->command[1] = strdup("");
	info->n_command = 2;
	cr_assert_eq(session_info_set_rules(info, &policy), 0);
	cr_assert_eq(session_hosts_set(&info->hosts, hosts, 3), 0);
}

static const char *name_of(const struct session_info *info, uint8_t first, uint8_t last)
{
	const uint8_t address[16] = { [10] = 0xff, 0xff, first, 0, 2, last };

	return session_hosts_name(&info->hosts, address);
}

/* Of one address the name that stands first in the policy. */
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
	cr_assert_eq(again.n_worktrees, 1);
	cr_assert_str_eq(again.worktrees[0], "/home/u/other");
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
	cr_assert(rule->holds);
	cr_assert_not(session_info_rule(&again, 1)->holds);
	cr_assert(session_info_rule(&again, 1)->trusts);
	cr_assert_not(rule->trusts);
	cr_assert(session_info_rule(&again, 2)->judges);
	cr_assert_not(rule->judges);
	cr_assert_eq(again.on_hold, PROTO_ON_HOLD_DENY);
	cr_assert_eq(again.timeout, 7);
	cr_assert_eq(again.threshold_hold, -1);
	cr_assert_eq(again.threshold_deny, 800);
	cr_assert_eq(again.sources[GRITH_SOURCE_LOW], 0x8000);
	cr_assert_str_eq(again.home, "/home/u");
	cr_assert_eq(again.mounts, 4026531841);
	cr_assert_str_eq(name_of(&again, 192, 1), "example.org");
	cr_assert_null(name_of(&again, 192, 2));
	cr_assert_eq(again.hosts.count, 2);
}

/* What was not written before there were holds: as if nothing had been asked for. */
static const char *const added[] = {
	"on_hold", "timeout", "threshold_hold", "threshold_deny", "sources",
	"home",	   "mounts",  "hosts",		"worktrees",
};

static bool is_added(const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(added); i++)
		if (!strcmp(added[i], key))
			return true;
	return false;
}

Test(session_info, of_an_earlier_version)
{
	OWNED_SESSION_INFO struct session_info info = { 0 }, again = { 0 };
	json_t *json, *rule;

	fill(&info);
	json = session_info_to_json(&info);
	for (size_t i = 0; i < ARRAY_SIZE(added); i++)
		json_object_del(json, added[i]);
	rule = json_array_get(json_object_get(json, "rules"), 1);
	for (size_t i = json_array_size(rule); i-- > 2;)
		json_array_remove(rule, i);
	cr_assert_eq(session_info_from_json(json, &again), 0);
	json_decref(json);
	cr_assert_eq(again.on_hold, PROTO_ON_HOLD_WAIT);
	cr_assert_eq(again.timeout, 0);
	cr_assert_null(again.home);
	cr_assert_eq(again.mounts, 0);
	cr_assert_eq(again.n_worktrees, 0);
	cr_assert_eq(session_info_rule(&again, 2)->line, 9);
}

Test(session_info, damaged_holding)
{
	static const struct {
		const char *key, *value;
	} wrong[] = {
		{ "on_hold", "\"never\"" },
		{ "on_hold", "1" },
		{ "timeout", "-1" },
		{ "timeout", "604801" },
		{ "threshold_hold", "32768" },
		{ "threshold_deny", "\"8\"" },
		{ "sources", "[1,2]" },
		{ "sources", "[1,2,65536]" },
		{ "home", "5" },
		{ "rules", "[[0,1,5,false]]" },
		{ "rules", "[[0,1,null,3]]" },
		{ "rules", "[[0,1,null,true,3]]" },
		{ "rules", "[[0,1,null,true,true,true,true]]" },
		{ "hosts", "5" },
		{ "worktrees", "\"/a\"" },
		{ "worktrees", "[\"/a\",5]" },
		{ "hosts", "[[\"a\"]]" },
		{ "hosts", "[[\"a\",\"192.0.2.1\"]]" },
	};
	OWNED_SESSION_INFO struct session_info info = { 0 };

	fill(&info);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct session_info again = { 0 };
		json_t *json = session_info_to_json(&info);

		json_object_set_new(json, wrong[i].key,
				    json_loads(wrong[i].value, JSON_DECODE_ANY, NULL));
		cr_assert_eq(session_info_from_json(json, &again), -EBADMSG, "%s: %s", wrong[i].key,
			     wrong[i].value);
		json_decref(json);
	}
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
		if (is_added(key)) {
			cr_assert_eq(session_info_from_json(copy, &again), 0, "without %s", key);
			session_info_free(&again);
		} else {
			cr_assert_eq(session_info_from_json(copy, &again), -EBADMSG, "without %s",
				     key);
		}
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
