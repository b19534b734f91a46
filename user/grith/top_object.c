/* SPDX-License-Identifier: MPL-2.0 */
/* One function for each kind of event, as grithd(8) describes them. */
#include <string.h>

#include "shown.h"
#include "top_object.h"

#define ARGUMENT_BYTES 2048 /* of a command in one line; the details have more */

static int add_bytes(struct text *out, const char *before, struct record_bytes bytes)
{
	int r;

	if (!bytes.length)
		return 0;
	r = text_addf(out, "%s", before);
	return r < 0 ? r : text_add_escaped(out, bytes.data, bytes.length);
}

static int add_path(struct text *out, const struct log_event *event)
{
	int r = add_bytes(out, event->flags & GRITH_RECORD_ABSTRACT ? "@" : "", event->path);

	return r < 0 ? r : add_bytes(out, " -> ", event->second);
}

int top_arguments_add(struct text *out, struct record_bytes argv)
{
	int r = 0;

	for (size_t at = 0; at < argv.length && r == 0;) {
		const char *word = argv.data + at;
		size_t length = strnlen(word, argv.length - at);
		const char *quote = !length || memchr(word, ' ', length) ? "'" : "";

		r = text_addf(out, "%s%s", at ? " " : "", quote);
		if (r == 0)
			r = text_add_escaped(out, word, length);
		if (r == 0)
			r = text_addf(out, "%s", quote);
		at += length + 1;
	}
	return r;
}

static int add_exec(struct text *out, const struct log_event *event)
{
	struct record_bytes argv = event->argv;
	int r = add_path(out, event);

	if (argv.length > ARGUMENT_BYTES)
		argv.length = ARGUMENT_BYTES;
	if (r == 0 && argv.length)
		r = text_addf(out, ": ");
	return r < 0 ? r : top_arguments_add(out, argv);
}

int top_address_add(struct text *out, const struct log_event *event)
{
	bool wide =
		event->address.length && memchr(event->address.data, ':', event->address.length);
	int r;

	if (!event->address.length)
		return 0;
	r = add_bytes(out, wide ? "[" : "", event->address);
	return r < 0 ? r : text_addf(out, "%s:%u", wide ? "]" : "", event->port);
}

static int add_net(struct text *out, const struct log_event *event)
{
	int r;

	if (event->address.length)
		return top_address_add(out, event);
	r = add_bytes(out, "", event->family);
	return r < 0 ? r : add_bytes(out, " ", event->type);
}

static int add_process(struct text *out, const struct log_event *event)
{
	int r = add_bytes(out, "", event->target_comm);

	if (r == 0)
		r = text_addf(out, "[%u]", event->target);
	if (r == 0)
		r = add_bytes(out, " of session ", event->target_session);
	if (r == 0 && event->op == GRITH_OP_SIGNAL)
		r = text_addf(out, ", signal %u", event->mode);
	return r;
}

/* The wait status of wait(2). */
static int add_exit(struct text *out, const struct log_event *event)
{
	if (event->status & 0x7f)
		return text_addf(out, "by signal %d", event->status & 0x7f);
	return text_addf(out, "with status %d", event->status >> 8 & 0xff);
}

static int add_session(struct text *out, const struct log_event *event)
{
	json_auto_t *command = NULL;
	int r = add_bytes(out, "", event->name);

	if (event->command.length)
		command = json_loadb(event->command.data, event->command.length, 0, NULL);
	if (r == 0 && command)
		r = text_addf(out, event->name.length ? ": " : "");
	if (r == 0 && command)
		r = shown_add_command(out, command);
	return r < 0 ? r : add_bytes(out, " ", event->reason);
}

static int add_review(struct text *out, const struct log_event *event)
{
	int r = add_path(out, event);

	if (r == 0)
		r = text_addf(out, " review %u", event->review);
	if (r == 0)
		r = add_bytes(out, " ", event->state);
	if (r == 0)
		r = add_bytes(out, " for ", event->scope);
	return r < 0 ? r : add_bytes(out, " by ", event->by);
}

int top_object_add(struct text *out, const struct log_event *event)
{
	switch (event->kind) {
	case LOG_EXEC:
		return add_exec(out, event);
	case LOG_NET:
	case LOG_RESULT:
		return add_net(out, event);
	case LOG_PROCESS:
		return add_process(out, event);
	case LOG_EXIT:
		return add_exit(out, event);
	case LOG_SESSION:
		return add_session(out, event);
	case LOG_REVIEW:
		return add_review(out, event);
	case LOG_GAP:
		return text_addf(out, "%llu entries lost", (unsigned long long)event->lost);
	default:
		return add_path(out, event);
	}
}

struct record_bytes top_program_name(const struct log_event *event)
{
	struct record_bytes name = event->program;
	const char *slash = name.length ? memrchr(name.data, '/', name.length) : NULL;

	if (!name.length)
		return event->comm;
	if (slash && slash + 1 < name.data + name.length) {
		name.length -= slash + 1 - name.data;
		name.data = slash + 1;
	}
	return name;
}
