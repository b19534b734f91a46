/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One function for each kind of entry in the log, as grithd(8) describes them.
 */
#include <string.h>

#include "shown.h"
#include "term.h"
#include "view_object.h"

#define COMMAND_COLUMNS 240 /* --json has all of it */

static bool has_flag(const json_t *event, const char *name)
{
	const json_t *flag;
	size_t i;

	json_array_foreach (json_object_get(event, "flags"), i, flag) {
		if (json_is_string(flag) && !strcmp(json_string_value(flag), name))
			return true;
	}
	return false;
}

static int add_path(struct text *out, const json_t *event)
{
	int r = 0;

	if (has_flag(event, "abstract"))
		r = text_add(out, "@", 1);
	if (r == 0)
		r = shown_add(out, event, "path");
	if (r == 0 && json_object_get(event, "path2")) {
		r = text_addf(out, " -> ");
		if (r == 0)
			r = shown_add(out, event, "path2");
	}
	return r;
}

static int add_exec(struct text *out, const json_t *event)
{
	OWNED_TEXT struct text command = { 0 };
	int r = shown_add(out, event, "path");

	if (r == 0)
		r = shown_add_command(&command, json_object_get(event, "argv"));
	if (r < 0 || !command.length)
		return r;
	r = text_addf(out, ": ");
	return r < 0 ? r : term_add_cut(out, command.data, COMMAND_COLUMNS);
}

static int add_net(struct text *out, const json_t *event)
{
	OWNED_TEXT struct text address = { 0 }, family = { 0 }, type = { 0 };
	int r = shown_add(&address, event, "address");

	if (r == 0)
		r = shown_add(&family, event, "family");
	if (r == 0)
		r = shown_add(&type, event, "type");
	if (r < 0)
		return r;
	if (!address.length)
		return text_addf(out, "%s %s", family.length ? family.data : "?",
				 type.length ? type.data : "?");
	return text_addf(out, strchr(address.data, ':') ? "[%s]:%lld" : "%s:%lld", address.data,
			 (long long)shown_integer(event, "port"));
}

static int add_result(struct text *out, const json_t *event)
{
	int r = add_net(out, event);

	if (r == 0 && !json_object_get(event, "errno"))
		r = text_addf(out, " succeeded");
	return r;
}

static int add_target(struct text *out, const json_t *event)
{
	const json_t *target = json_object_get(event, "target");
	int r = shown_add(out, target, "comm");

	if (r == 0)
		r = text_addf(out, "[%lld]", (long long)shown_integer(target, "pid"));
	if (r == 0 && json_object_get(target, "session")) {
		r = text_addf(out, " of session ");
		if (r == 0)
			r = shown_add(out, target, "session");
	}
	if (r == 0 && json_object_get(event, "signal"))
		r = text_addf(out, ", signal %lld", (long long)shown_integer(event, "signal"));
	return r;
}

/* The wait status of wait(2). */
static int add_exit(struct text *out, const json_t *event)
{
	int64_t status = shown_integer(event, "status");

	if (status & 0x7f)
		return text_addf(out, "by signal %d", (int)(status & 0x7f));
	return text_addf(out, "with status %d", (int)(status >> 8 & 0xff));
}

static int add_change(struct text *out, const json_t *event)
{
	static const char *const keys[] = { "name", "user", "profile", "mode", "project" };
	int r = shown_add_command(out, json_object_get(event, "command"));

	for (size_t i = 0; i < ARRAY_SIZE(keys) && r == 0; i++) {
		if (!json_is_string(json_object_get(event, keys[i])))
			continue;
		r = text_addf(out, "%s%s ", out->data[out->length - 1] == ' ' ? "" : ", ", keys[i]);
		if (r == 0)
			r = shown_add(out, event, keys[i]);
	}
	return r;
}

static int add_gap(struct text *out, const json_t *event)
{
	return text_addf(out, "%lld records lost", (long long)shown_integer(event, "lost"));
}

/* "/home/me/x  review 12 allowed for session below /home/me by uid 1000" */
static int add_review(struct text *out, const json_t *event)
{
	static const struct {
		const char *before, *key;
	} words[] = {
		{ " ", "state" },
		{ " for ", "for" },
		{ " below ", "directory" },
		{ " by ", "by" },
	};
	int r = add_path(out, event);

	if (r == 0)
		r = text_addf(out, "  review %lld", (long long)shown_integer(event, "review"));
	for (size_t i = 0; i < ARRAY_SIZE(words) && r == 0; i++) {
		if (!json_is_string(json_object_get(event, words[i].key)))
			continue;
		r = text_addf(out, "%s", words[i].before);
		if (r == 0)
			r = shown_add(out, event, words[i].key);
	}
	return r;
}

int view_object(const json_t *event, struct text *out)
{
	static const struct {
		const char *name;
		int (*add)(struct text *, const json_t *);
	} kinds[] = {
		{ "file", add_path },	   { "unix", add_path },     { "exec", add_exec },
		{ "net", add_net },	   { "result", add_result }, { "process", add_target },
		{ "session", add_change }, { "exit", add_exit },     { "gap", add_gap },
		{ "review", add_review },
	};
	const char *kind = shown_string(event, "kind");

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strcmp(kind, kinds[i].name))
			return kinds[i].add(out, event);
	}
	return add_path(out, event);
}
