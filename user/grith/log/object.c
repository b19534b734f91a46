/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One function for each kind of entry in the log, as grith-audit(5) describes them.
 */
#include "object.h"

#define COMMAND_COLUMNS 240 /* --json has all of it */

static void add_path(struct line *line, const struct log_event *event)
{
	if (event->flags & GRITH_RECORD_ABSTRACT)
		line_add(line, "@");
	line_add_bytes(line, event->path);
	if (event->second.length) {
		line_add(line, " -> ");
		line_add_bytes(line, event->second);
	}
	if (event->view.length) {
		line_add(line, " (under another name: ");
		line_add_bytes(line, event->view);
		line_add(line, ")");
	}
}

static void add_exec(struct line *line, const struct log_event *event)
{
	OWNED_LINE struct line command = { .out = &command.own };

	line_add_bytes(line, event->path);
	line_add_argv(&command, event->argv);
	if (command.own.length) {
		line_add(line, ": ");
		line_add_cut(line, line_text(&command), COMMAND_COLUMNS);
	}
	if (command.r < 0)
		line->r = command.r;
}

static void add_net(struct line *line, const struct log_event *event)
{
	static const struct record_bytes unknown = { "?", 1 };
	bool colon =
		event->address.length && memchr(event->address.data, ':', event->address.length);

	if (!event->address.length) {
		line_add_bytes(line, event->family.length ? event->family : unknown);
		line_add(line, " ");
		line_add_bytes(line, event->type.length ? event->type : unknown);
		return;
	}
	line_add(line, colon ? "[" : "");
	line_add_bytes(line, event->address);
	line_add(line, colon ? "]:" : ":");
	line_add_u64(line, event->port);
}

static void add_result(struct line *line, const struct log_event *event)
{
	/* The kernel may not know the object: the connect is one of the entries before. */
	if (event->path.length)
		add_path(line, event);
	else if (event->address.length || event->family.length)
		add_net(line, event);
	else
		line_add(line, "result");
	if (!event->error)
		line_add(line, " succeeded");
}

static void add_target(struct line *line, const struct log_event *event)
{
	line_add_bytes(line, event->target_comm);
	line_add(line, "[");
	line_add_u64(line, event->target);
	line_add(line, "]");
	if (event->target_session.length) {
		line_add(line, " of session ");
		line_add_bytes(line, event->target_session);
	}
	if (event->op == GRITH_OP_SIGNAL) {
		line_add(line, ", signal ");
		line_add_u64(line, event->mode);
	}
}

/* The wait status of wait(2). */
static void add_exit(struct line *line, const struct log_event *event)
{
	unsigned int status = (unsigned int)event->status, signal = status & 0x7f;

	line_add(line, signal ? "by signal " : "with status ");
	line_add_u64(line, signal ? signal : status >> 8 & 0xff);
}

/* "claude -p, name blue, user u" */
static void add_change(struct line *line, const struct log_event *event)
{
	const struct {
		const char *word;
		struct record_bytes text;
	} words[] = {
		{ "name ", event->name },	{ "user ", event->user },
		{ "profile ", event->profile }, { "mode ", event->session_mode },
		{ "project ", event->project }, { "home ", event->home },
	};
	json_auto_t *command = event->command.length ? json_loadb(event->command.data,
								  event->command.length, 0, NULL)
						     : NULL;
	bool first = !json_array_size(command);

	line_add_command(line, command);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!words[i].text.length)
			continue;
		line_add(line, first ? "" : ", ");
		line_add(line, words[i].word);
		line_add_bytes(line, words[i].text);
		first = false;
	}
}

/* "/home/me/x  review 12 allowed for session below /home/me by uid 1000" */
static void add_review(struct line *line, const struct log_event *event)
{
	const struct {
		const char *before;
		struct record_bytes text;
	} words[] = {
		{ " ", event->state },
		{ " for ", event->scope },
		{ " below ", event->directory },
		{ " by ", event->by },
	};

	add_path(line, event);
	line_add(line, "  review ");
	line_add_u64(line, event->review);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!words[i].text.length)
			continue;
		line_add(line, words[i].before);
		line_add_bytes(line, words[i].text);
	}
}

static void add_gap(struct line *line, const struct log_event *event)
{
	line_add_u64(line, event->lost);
	line_add(line, " records lost");
}

void view_object(const struct log_event *event, struct line *line)
{
	static void (*const kinds[])(struct line * line, const struct log_event *event) = {
		[LOG_EXEC] = add_exec,	    [LOG_NET] = add_net,	[LOG_RESULT] = add_result,
		[LOG_PROCESS] = add_target, [LOG_SESSION] = add_change, [LOG_EXIT] = add_exit,
		[LOG_GAP] = add_gap,	    [LOG_REVIEW] = add_review,
	};
	bool known = event->kind < ARRAY_SIZE(kinds) && kinds[event->kind];

	(known ? kinds[event->kind] : add_path)(line, event);
}

struct record_bytes view_base_name(struct record_bytes path)
{
	const char *slash = path.length ? memrchr(path.data, '/', path.length) : NULL;

	if (!slash || slash + 1 == path.data + path.length)
		return path;
	return (struct record_bytes) { slash + 1, path.length - (slash + 1 - path.data) };
}

struct record_bytes view_program(const struct log_event *event)
{
	return view_base_name(event->program.length ? event->program : event->comm);
}
