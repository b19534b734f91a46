/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "git-settings": takes back what the policy's rule adds for the settings of a git
 * repository where git does what it does all day. Git writes a file beside them, CONFIG.lock, and
 * renames it; what is in it is known here. Settings that are not on the list may make git run
 * something: they are for a person, unless they were there before.
 *
 * What makes this sound: config.lock may not be opened for writing nor get another file's name
 * without being held itself, it was not open for writing when it was read, and the answer is for
 * this very file (see path_rename).
 */
#include <ctype.h>

#include "lib/session/session.h"
#include "evaluation.h"
#include "scoring.h"

#define NUMBERS(NUMBER) NUMBER(HARMLESS, "harmless")
#define LISTS(LIST) LIST(SETTINGS, "settings", SCORE_WORDS)
FILTER_INDICES(NUMBERS);
FILTER_INDICES(LISTS);

static const char lock[] = ".lock";

bool score_wants_settings(const struct score_operation *o)
{
	size_t n = strlen(lock);

	return o->op == GRITH_OP_RENAME && o->flags & GRITH_RECORD_HELD &&
	       place_has_name(o->second.data, o->second.length, "config") &&
	       o->path.length == o->second.length + n &&
	       !memcmp(o->path.data, o->second.data, o->second.length) &&
	       !memcmp(o->path.data + o->second.length, lock, n);
}

/* "ext::COMMAND" in place of an address, or an option in place of any value. */
static bool may_run(const char *value)
{
	const char *p = value;

	if (!value)
		return false;
	while (isalnum((unsigned char)*p) || strchr("+.-", *p ?: '/'))
		p++;
	return *value == '-' || !strncmp(p, "::", 2);
}

/*
 * Whether a repository in DIRECTORY/.git/modules has its work tree in DIRECTORY, as that of a
 * submodule: as many "../" as lead there, and none behind them.
 */
static bool is_submodule(const struct score_operation *o, const char *worktree)
{
	static const char modules[] = "/.git/modules/";
	const char *end = o->second.data + o->second.length;
	const char *p = memmem(o->second.data, o->second.length, modules, strlen(modules));
	size_t up = 2; /* out of .git/modules, and one for each component below it */

	if (!p || !worktree)
		return false;
	for (p += strlen(modules); p < end; p++)
		up += *p == '/';
	for (; !strncmp(worktree, "../", 3); worktree += 3)
		up--;
	return !up && *worktree && *worktree != '/' &&
	       !place_has_part(worktree, strlen(worktree), "..");
}

static bool is_harmless(const struct evaluation *e, const struct git_setting *setting)
{
	if (!strcmp(setting->name, "core.worktree"))
		return is_submodule(e->operation, setting->value);
	return score_list_has(eval_list(e, SETTINGS), setting->name) && !may_run(setting->value);
}

static void compare(const struct evaluation *e, const struct git_settings *fresh,
		    const struct git_settings *old)
{
	for (size_t i = 0; i < fresh->count; i++) {
		const struct git_setting *setting = &fresh->all[i];

		if (is_harmless(e, setting) || git_settings_have(old, setting))
			continue;
		score_add(e->score, e->filter, 0, "new in the settings: %s", setting->name);
		return;
	}
	eval_add(e, HARMLESS, "nothing new in the settings that git would run");
}

static void evaluate_rename(const struct evaluation *e)
{
	CLEANUP(git_settings_clear) struct git_settings fresh = { 0 }, old = { 0 };
	const struct score_operation *o = e->operation;
	int r = -EINVAL;

	if (o->settings_known)
		r = git_settings_read(o->settings.data, o->settings.length, &fresh);
	if (r < 0) {
		score_add(e->score, e->filter, 0,
			  o->settings_known ? "settings that cannot be read with certainty"
					    : "settings that cannot be read, or are being written");
		return;
	}
	/* Nothing of what cannot be read was there before. */
	if (git_settings_read(o->settings_before.data, o->settings_before.length, &old) < 0)
		git_settings_clear(&old);
	compare(e, &fresh, &old);
}

static void evaluate(const struct evaluation *e)
{
	const struct score_operation *o = e->operation;

	/* There is nothing to take off from what no rule doubts. */
	if (o->static_score + eval_number(e, HARMLESS) < 0)
		return;
	/* An empty file: what is written into it is looked at when it becomes the settings. */
	if (o->op == GRITH_OP_CREATE && place_has_name(o->path.data, o->path.length, "config.lock"))
		eval_add(e, HARMLESS, "new settings are not in force yet");
	else if (score_wants_settings(o))
		evaluate_rename(e);
}

FILTER(git_settings, NUMBERS, LISTS, .evaluate = evaluate);
