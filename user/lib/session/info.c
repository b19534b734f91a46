/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The JSON is written and read by grithd alone, but a file may be damaged: what is read is checked
 * like any other input.
 */
#include "info.h"

#define INFO_VERSION 1

static int file_index(struct session_info *info, const char *file, uint32_t *ret_index)
{
	/* Rules of one file follow each other, so the last one is nearly always it. */
	for (size_t i = info->n_files; i-- > 0;)
		if (!strcmp(info->files[i], file)) {
			*ret_index = i;
			return 0;
		}
	if (ARRAY_GROW(info->files, info->n_files) < 0 ||
	    text_copy(file, &info->files[info->n_files]) < 0)
		return -ENOMEM;
	*ret_index = info->n_files++;
	return 0;
}

static void fill_in(const struct policy_rule *rule, struct session_rule *ret_rule)
{
	ret_rule->line = rule->line;
	ret_rule->holds = !rule->is_score && !rule->inspect_argv && rule->verdict == GRITH_HOLD;
	ret_rule->trusts = !rule->is_score && rule->verdict == GRITH_ALLOW && rule->n_hosts;
	ret_rule->judges = rule->inspect_argv;
}

int session_info_set_rules(struct session_info *info, const struct policy *policy)
{
	if (!policy->n_rules)
		return 0;
	info->rules = calloc(policy->n_rules, sizeof(*info->rules));
	if (!info->rules)
		return -ENOMEM;
	info->n_rules = policy->n_rules;
	for (size_t i = 0; i < policy->n_rules; i++) {
		struct session_rule *rule = &info->rules[i];
		int r = file_index(info, policy->rules[i].file, &rule->file);

		if (r < 0)
			return r;
		fill_in(&policy->rules[i], rule);
		r = text_copy(policy->rules[i].reason, &rule->reason);
		if (r < 0)
			return r;
	}
	return 0;
}

const struct session_rule *session_info_rule(const struct session_info *info, unsigned int number)
{
	return number >= 1 && number <= info->n_rules ? &info->rules[number - 1] : NULL;
}

static json_t *strings_to_json(char *const *strings, size_t count)
{
	json_auto_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		if (json_array_append_new(array, json_string(strings[i])) < 0)
			return NULL;
	return TAKE_PTR(array);
}

static json_t *rules_to_json(const struct session_info *info)
{
	json_auto_t *array = json_array();

	for (size_t i = 0; i < info->n_rules; i++) {
		const struct session_rule *rule = &info->rules[i];
		json_t *entry = json_pack("[i, i, s?, b, b, b]", (int)rule->file, (int)rule->line,
					  rule->reason, rule->holds, rule->trusts, rule->judges);

		if (json_array_append_new(array, entry) < 0)
			return NULL;
	}
	return TAKE_PTR(array);
}

static json_t *sources_to_json(const struct session_info *info)
{
	return json_pack("[i, i, i]", (int)info->sources[GRITH_SOURCE_HIGH],
			 (int)info->sources[GRITH_SOURCE_MEDIUM],
			 (int)info->sources[GRITH_SOURCE_LOW]);
}

json_t *session_info_to_json(const struct session_info *info)
{
	return json_pack(
		"{s:i, s:s, s:s, s:I, s:s, s:s, s:s, s:o, s:I, s:I, s:I, s:s, s:I, s:I,"
		" s:o, s:o, s:s, s:I, s:i, s:i, s:o, s:s*, s:I, s:o, s:o}",
		"v", INFO_VERSION, "id", info->id, "name", info->name, "uid", (json_int_t)info->uid,
		"user", info->user, "profile", info->profile, "project", info->project, "command",
		strings_to_json(info->command, info->n_command), "started",
		(json_int_t)info->started, "started_mono", (json_int_t)info->started_mono, "ended",
		(json_int_t)info->ended, "mode", mode_name(info->mode), "image",
		(json_int_t)info->image, "cgroup", (json_int_t)info->cgroup, "files",
		strings_to_json(info->files, info->n_files), "rules", rules_to_json(info),
		"on_hold", proto_on_hold_name(info->on_hold), "timeout", (json_int_t)info->timeout,
		"threshold_hold", (int)info->threshold_hold, "threshold_deny",
		(int)info->threshold_deny, "sources", sources_to_json(info), "home", info->home,
		"mounts", (json_int_t)info->mounts, "hosts", session_hosts_to_json(&info->hosts),
		"worktrees", strings_to_json(info->worktrees, info->n_worktrees));
}

static int strings_from_json(json_t *array, char ***ret_strings, size_t *ret_count)
{
	size_t i;
	json_t *value;

	if (!json_array_size(array))
		return json_is_array(array) ? 0 : -EBADMSG;
	*ret_strings = calloc(json_array_size(array), sizeof(**ret_strings));
	if (!*ret_strings)
		return -ENOMEM;
	json_array_foreach (array, i, value) {
		if (!json_is_string(value))
			return -EBADMSG;
		(*ret_strings)[i] = strdup(json_string_value(value));
		if (!(*ret_strings)[i])
			return -ENOMEM;
		*ret_count = i + 1;
	}
	return 0;
}

/* A key that an earlier version did not write defaults to false. */
static int bool_from_json(json_t *value, bool *ret_bool)
{
	if (value && !json_is_boolean(value))
		return -EBADMSG;
	*ret_bool = json_is_true(value);
	return 0;
}

/* The parts from the third on were not always written. */
static int rule_from_json(json_t *entry, const struct session_info *info, struct session_rule *rule)
{
	json_t *reason = json_array_get(entry, 2);
	json_int_t file = json_integer_value(json_array_get(entry, 0));
	json_int_t line = json_integer_value(json_array_get(entry, 1));

	if (!json_is_integer(json_array_get(entry, 0)) ||
	    !json_is_integer(json_array_get(entry, 1)) || json_array_size(entry) > 6 ||
	    (reason && !json_is_null(reason) && !json_is_string(reason)) ||
	    bool_from_json(json_array_get(entry, 3), &rule->holds) < 0 ||
	    bool_from_json(json_array_get(entry, 4), &rule->trusts) < 0 ||
	    bool_from_json(json_array_get(entry, 5), &rule->judges) < 0)
		return -EBADMSG;
	if (file < 0 || (size_t)file >= info->n_files || line < 0 || line > INT32_MAX)
		return -EBADMSG;
	rule->file = file;
	rule->line = line;
	return text_copy(json_string_value(reason), &rule->reason);
}

static int rules_from_json(json_t *array, struct session_info *info)
{
	size_t count = json_array_size(array), i;
	json_t *entry;
	int r;

	if (!json_is_array(array))
		return -EBADMSG;
	info->rules = calloc(count ? count : 1, sizeof(*info->rules));
	if (!info->rules)
		return -ENOMEM;
	info->n_rules = count;
	json_array_foreach (array, i, entry) {
		r = rule_from_json(entry, info, &info->rules[i]);
		if (r < 0)
			return r;
	}
	return 0;
}

static bool is_within(json_int_t number, json_int_t low, json_int_t high)
{
	return number >= low && number <= high;
}

/* Lists are left to the caller. What comes with a ? an earlier version did not write. */
static int unpack(json_t *json, struct session_info *info)
{
	const char *id, *name, *user, *profile, *project, *mode, *on_hold = NULL, *home = NULL;
	json_int_t uid, started, mono, ended, image, cgroup, timeout = 0, hold = 0, deny = 0;
	json_int_t mounts = 0;
	json_int_t sources[GRITH_SOURCES] = { 0 };
	int version;

	if (json_unpack(json,
			"{s:i, s:s, s:s, s:I, s:s, s:s, s:s, s:I, s:I, s:I, s:s, s:I, s:I, s?s,"
			" s?I, s?I, s?I, s?[I, I, I!], s?s, s?I}",
			"v", &version, "id", &id, "name", &name, "uid", &uid, "user", &user,
			"profile", &profile, "project", &project, "started", &started,
			"started_mono", &mono, "ended", &ended, "mode", &mode, "image", &image,
			"cgroup", &cgroup, "on_hold", &on_hold, "timeout", &timeout,
			"threshold_hold", &hold, "threshold_deny", &deny, "sources",
			&sources[GRITH_SOURCE_HIGH], &sources[GRITH_SOURCE_MEDIUM],
			&sources[GRITH_SOURCE_LOW], "home", &home, "mounts", &mounts) < 0)
		return -EBADMSG;
	if (version != INFO_VERSION || !session_id_valid(id) || !is_within(uid, 0, UINT32_MAX) ||
	    !is_within(image, 0, GRITH_MAX_IMAGES - 1) || mode_parse(mode, &info->mode) < 0 ||
	    (on_hold && proto_on_hold_parse(on_hold, &info->on_hold) < 0) ||
	    !is_within(timeout, 0, PROTO_TIMEOUT_MAX) || !is_within(hold, INT16_MIN, INT16_MAX) ||
	    !is_within(deny, INT16_MIN, INT16_MAX))
		return -EBADMSG;
	for (size_t i = 0; i < GRITH_SOURCES; i++) {
		if (!is_within(sources[i], 0, UINT16_MAX))
			return -EBADMSG;
		info->sources[i] = sources[i];
	}
	memcpy(info->id, id, sizeof(info->id));
	info->uid = uid;
	info->started = started;
	info->started_mono = mono;
	info->ended = ended;
	info->image = image;
	info->cgroup = cgroup;
	info->timeout = timeout;
	info->threshold_hold = hold;
	info->threshold_deny = deny;
	info->mounts = mounts;
	return text_copy(name, &info->name) ?: text_copy(user, &info->user)
		       ?: text_copy(profile, &info->profile) ?: text_copy(project, &info->project)
		       ?: text_copy(home, &info->home);
}

int session_info_from_json(json_t *json, struct session_info *ret_info)
{
	OWNED_SESSION_INFO struct session_info info = { 0 };
	json_t *worktrees =
		json_object_get(json, "worktrees"); /* not in what an earlier version wrote */
	int r = unpack(json, &info)
			?: strings_from_json(json_object_get(json, "command"), &info.command,
					     &info.n_command)
			?: strings_from_json(json_object_get(json, "files"), &info.files,
					     &info.n_files);

	if (r == 0 && worktrees)
		r = strings_from_json(worktrees, &info.worktrees, &info.n_worktrees);
	r = r ?: rules_from_json(json_object_get(json, "rules"), &info)
		      ?: session_hosts_from_json(json_object_get(json, "hosts"), &info.hosts);
	if (r < 0)
		return r;
	*ret_info = info;
	info = (struct session_info) { 0 };
	return 0;
}

static void free_strings(char **strings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(strings[i]);
	free(strings);
}

void session_info_free(struct session_info *info)
{
	free(info->name);
	free(info->user);
	free(info->profile);
	free(info->project);
	free(info->home);
	free_strings(info->worktrees, info->n_worktrees);
	free_strings(info->command, info->n_command);
	free_strings(info->files, info->n_files);
	for (size_t i = 0; i < info->n_rules; i++)
		free(info->rules[i].reason);
	free(info->rules);
	session_hosts_free(&info->hosts);
	*info = (struct session_info) { 0 };
}
