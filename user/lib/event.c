/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The order of the fields is that of the questions a reader has: when, who, what, what came of it,
 * why, by which process, how it got here.
 */
#include <arpa/inet.h>
#include <limits.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "event.h"
#include "json_write.h"
#include "names.h"

static const char *const changes[] = {
	[EVENT_START] = "start", [EVENT_ADOPTED] = "adopted", [EVENT_FREEZE] = "freeze",
	[EVENT_THAW] = "thaw",	 [EVENT_KILL] = "kill",	      [EVENT_END] = "end",
};
_Static_assert(ARRAY_SIZE(changes) == EVENT_CHANGES, "a word for every change");

const char *event_change_name(enum event_change change)
{
	return (unsigned int)change < EVENT_CHANGES ? changes[change] : NULL;
}

static const char *kind_name(const struct record *record)
{
	switch (record->head.kind) {
	case GRITH_KIND_PATH:
		return record->head.flags & (GRITH_RECORD_UNIX | GRITH_RECORD_ABSTRACT) ? "unix"
											: "file";
	case GRITH_KIND_EXEC:
	case GRITH_KIND_ARGV:
		return "exec";
	case GRITH_KIND_NET:
		return "net";
	case GRITH_KIND_PROCESS:
		return "process";
	case GRITH_KIND_RING:
		return "ring";
	case GRITH_KIND_EXIT:
		return "exit";
	case GRITH_KIND_RESULT:
		return "result";
	default:
		return "unknown";
	}
}

static void add_head(struct json_writer *w, const struct event_head *head, const __u64 *sequence)
{
	char time[JSON_TIME_SIZE];

	json_format_time(head->time, time);
	json_open(w, NULL);
	json_u64(w, "v", EVENT_VERSION);
	json_text(w, "time", time);
	json_u64(w, "mono", head->mono);
	if (sequence)
		json_u64(w, "seq", *sequence);
	json_text(w, "session", head->session);
}

static void add_number_or_name(struct json_writer *w, const char *field, const char *name,
			       unsigned int number)
{
	if (name)
		json_text(w, field, name);
	else
		json_u64(w, field, number);
}

static void add_path(struct json_writer *w, const char *name, struct record_bytes path)
{
	if (path.length)
		json_bytes(w, name, path.data, path.length);
}

static void add_address(struct json_writer *w, const struct record *record)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	static const uint8_t none[16];
	char text[INET6_ADDRSTRLEN];

	if (!record->family)
		return;
	if (memcmp(record->address, none, sizeof(none)) || record->port) {
		if (!memcmp(record->address, mapped, sizeof(mapped)))
			inet_ntop(AF_INET, record->address + 12, text, sizeof(text));
		else
			inet_ntop(AF_INET6, record->address, text, sizeof(text));
		json_text(w, "address", text);
		json_u64(w, "port", record->port);
	}
	add_number_or_name(w, "family", family_name(record->family), record->family);
	add_number_or_name(w, "type", socket_type_name(record->type), record->type);
	if (record->protocol)
		json_u64(w, "protocol", record->protocol);
}

static void add_target(struct json_writer *w, const struct event_operation *event)
{
	const struct record *record = event->record;

	json_open(w, "target");
	json_u64(w, "pid", record->target);
	json_text(w, "comm", record->target_comm);
	json_text(w, "session", event->target_session);
	json_close(w);
	json_u64(w, record->head.op == GRITH_OP_SIGNAL ? "signal" : "mode", record->mode);
}

/* Calls `each` for every argument. */
static void for_arguments(struct json_writer *w, struct record_bytes argv,
			  void (*each)(struct json_writer *, const char *, const char *, size_t))
{
	size_t at = 0;

	while (at < argv.length) {
		size_t length = strnlen(argv.data + at, argv.length - at);

		each(w, NULL, argv.data + at, length);
		at += length + 1;
	}
}

static bool arguments_exact(struct record_bytes argv)
{
	for (size_t at = 0; at < argv.length;) {
		size_t length = strnlen(argv.data + at, argv.length - at);

		if (!json_bytes_exact(argv.data + at, length))
			return false;
		at += length + 1;
	}
	return true;
}

static void add_arguments(struct json_writer *w, struct record_bytes argv)
{
	json_open_array(w, "argv");
	for_arguments(w, argv, json_bytes);
	json_close_array(w);
	if (arguments_exact(argv))
		return;
	json_open_array(w, "argv_hex");
	for_arguments(w, argv, json_hex);
	json_close_array(w);
}

/* Terminals and devices are left out: much else is behind them, too. */
static const char *stream_type(const struct grith_stream *stream)
{
	switch (stream->inode ? stream->type : 0) {
	case S_IFIFO:
		return "pipe";
	case S_IFSOCK:
		return "socket";
	case S_IFREG:
		return "file";
	default:
		return NULL;
	}
}

static void add_device(struct json_writer *w, uint32_t device)
{
	char text[24];

	snprintf(text, sizeof(text), "%u:%u", device >> 20, device & 0xfffff);
	json_text(w, "device", text);
}

/* Where the program's data comes from and goes to: who is at the other end of a pipe. */
static void add_streams(struct json_writer *w, const struct record *record)
{
	bool any = false;

	for (size_t i = 0; i < GRITH_STREAMS; i++) {
		const char *type = stream_type(&record->origin.streams[i]);

		if (!type)
			continue;
		if (!any)
			json_open_array(w, "streams");
		any = true;
		json_open(w, NULL);
		json_u64(w, "fd", i);
		json_text(w, "type", type);
		json_u64_text(w, "inode", record->origin.streams[i].inode);
		add_device(w, record->origin.streams[i].device);
		json_close(w);
	}
	if (any)
		json_close_array(w);
}

static void add_object(struct json_writer *w, const struct event_operation *event)
{
	const struct record *record = event->record;

	add_path(w, "path", record->path);
	add_path(w, "path2", record->second);
	add_address(w, record);
	if (record->head.kind == GRITH_KIND_PROCESS)
		add_target(w, event);
	if (record->head.kind == GRITH_KIND_EXEC)
		add_arguments(w, event->argv);
	if (record->head.kind == GRITH_KIND_EXEC)
		add_streams(w, record);
	if (record->head.kind == GRITH_KIND_EXIT)
		json_i64(w, "status", record->head.error);
}

static void add_filters(struct json_writer *w, unsigned int filters)
{
	static const struct {
		unsigned int bit;
		enum score_filter filter;
	} names[] = {
		{ GRITH_CONTEXT_TAINT, SCORE_TAINT },
		{ GRITH_CONTEXT_CONTAINMENT, SCORE_CONTAINMENT },
		{ GRITH_CONTEXT_RATE, SCORE_RATE_LIMIT },
		{ GRITH_CONTEXT_EGRESS_RATE, SCORE_EGRESS_RATE },
		{ GRITH_CONTEXT_MASS, SCORE_MASS },
	};

	json_open_array(w, "filters");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (filters & names[i].bit)
			json_text(w, NULL, score_filter_name(names[i].filter));
	json_close_array(w);
}

/* What a filter says may quote what an agent wrote, cut anywhere. */
static void add_parts(struct json_writer *w, const struct score *score)
{
	json_open_array(w, "parts");
	for (size_t i = 0; i < score->n_parts; i++) {
		const struct score_part *part = &score->parts[i];

		json_open(w, NULL);
		json_text(w, "filter", score_filter_name(part->filter));
		json_hundredths(w, "score", part->score);
		json_text(w, "why", part->why);
		json_close(w);
	}
	json_close_array(w);
}

/* A path may be cut at its beginning, and hold any bytes. */
static void add_bytes(struct json_writer *w, const char *name, const char *bytes)
{
	if (bytes)
		json_bytes(w, name, bytes, strlen(bytes));
}

static void add_gap(struct json_writer *w, const char *what)
{
	json_open(w, NULL);
	json_text(w, "what", what);
	json_close(w);
}

static void add_chain(struct json_writer *w, const struct event_head *head,
		      const struct flow_chain *chain)
{
	json_open_array(w, "chain");
	if (chain->forgotten)
		add_gap(w, "forgotten");
	for (size_t i = 0; i < chain->n_steps; i++) {
		const struct flow_step *step = &chain->steps[i];
		char time[JSON_TIME_SIZE];

		json_format_time(step->time + (head->time - head->mono), time);
		json_open(w, NULL);
		json_text(w, "time", time);
		json_text(w, "what", flow_how_name(step->how));
		add_bytes(w, "object", step->object);
		add_bytes(w, "program", step->program);
		json_u64(w, "pid", step->pid);
		json_close(w);
		if (i == 0 && chain->omitted)
			add_gap(w, "omitted");
	}
	json_close_array(w);
}

static void add_why(struct json_writer *w, const struct event_operation *event)
{
	const struct grith_record *head = &event->record->head;
	char rule[NAME_MAX + 16];

	if (event->rule_file)
		snprintf(rule, sizeof(rule), "%s:%u", event->rule_file, event->rule_line);
	else
		snprintf(rule, sizeof(rule), "default");
	json_text(w, "rule", rule);
	json_text(w, "reason", event->reason);
	json_hundredths(w, "score", event->score ? event->score->total : head->score);
	if (head->context)
		json_hundredths(w, "context", head->context);
	if (head->filters)
		add_filters(w, head->filters);
	if (event->score)
		add_parts(w, event->score);
	if (event->chain)
		add_chain(w, &event->head, event->chain);
	if (head->review)
		json_u64(w, "review", head->review);
}

static void add_flags(struct json_writer *w, unsigned int flags)
{
	json_open_array(w, "flags");
	for (unsigned int bit = 1; bit <= UINT16_MAX; bit <<= 1)
		if (flags & bit)
			json_text(w, NULL, record_flag_name(bit));
	json_close_array(w);
}

static void add_inode(struct json_writer *w, const struct record *record)
{
	if (!record->inode)
		return;
	json_u64_text(w, "inode", record->inode);
	add_device(w, record->device);
}

/* An exit and the result of a connect are facts: there is no rule that could have refused them. */
static bool was_decided(const struct record *record)
{
	return record->head.kind != GRITH_KIND_EXIT && record->head.kind != GRITH_KIND_RESULT;
}

static int finish(struct json_writer *w, size_t start)
{
	json_close(w);
	if (w->r == 0)
		w->r = text_add(w->text, "\n", 1);
	if (w->r < 0 && w->text->data) {
		w->text->length = start;
		w->text->data[start] = '\0';
	}
	return w->r;
}

int event_add_operation(struct text *out, const struct event_operation *event)
{
	struct json_writer w = { .text = out };
	const struct record *record = event->record;
	const struct grith_record *head = &record->head;
	size_t start = out->length;

	add_head(&w, &event->head, &head->sequence);
	json_text(&w, "kind", kind_name(record));
	json_text(&w, "op", op_name(head->op));
	if (was_decided(record))
		json_text(&w, "verdict", verdict_name(head->verdict));
	/* What a held call is undone with is the kernel's own, and no program ever sees it. */
	if (head->kind != GRITH_KIND_EXIT && head->error < 0 && !(head->flags & GRITH_RECORD_HELD))
		add_number_or_name(&w, "errno", errno_name(-head->error), -head->error);
	add_object(&w, event);
	if (was_decided(record))
		add_why(&w, event);
	json_u64(&w, "pid", head->pid);
	json_u64(&w, "tid", head->tid);
	json_u64(&w, "ppid", head->ppid);
	json_u64(&w, "uid", head->uid);
	json_text(&w, "comm", record->comm);
	json_text(&w, "program", event->program);
	json_text(&w, "parent", event->parent);
	json_text(&w, "attach", event->attach);
	if (head->flags & ~GRITH_RECORD_MORE)
		add_flags(&w, head->flags & ~GRITH_RECORD_MORE);
	add_inode(&w, record);
	return finish(&w, start);
}

static void add_review(struct json_writer *w, const struct event_review *review)
{
	json_text(w, "kind", "review");
	json_text(w, "op", review->op);
	json_text(w, "state", review->state);
	json_u64(w, "review", review->review);
	json_text(w, "verdict", review->verdict);
	add_path(w, "path", review->object);
	add_path(w, "path2", review->second);
	json_text(w, "for", review->scope);
	json_text(w, "by", review->by);
	json_text(w, "directory", review->directory);
	json_text(w, "rule", review->rule ? review->rule : "default");
	json_text(w, "reason", review->reason);
	json_hundredths(w, "score", review->score->total);
	add_parts(w, review->score);
	json_u64(w, "pid", review->pid);
	json_text(w, "program", review->program);
}

/* Left out where it is empty. */
static void add_strings(struct json_writer *w, const char *name, const char *const *strings,
			size_t count)
{
	if (!count)
		return;
	json_open_array(w, name);
	for (size_t i = 0; i < count; i++)
		json_text(w, NULL, strings[i]);
	json_close_array(w);
}

int event_add_session(struct text *out, const struct event_session *event)
{
	struct json_writer w = { .text = out };
	size_t start = out->length;

	if (event->review) {
		add_head(&w, &event->head, NULL);
		add_review(&w, event->review);
		return finish(&w, start);
	}
	add_head(&w, &event->head, NULL);
	json_text(&w, "kind", "session");
	json_text(&w, "op", event_change_name(event->change));
	json_text(&w, "reason", event->reason);
	json_u64(&w, "uid", event->uid);
	json_text(&w, "name", event->name);
	json_text(&w, "user", event->user);
	json_text(&w, "profile", event->profile);
	json_text(&w, "mode", event->mode);
	json_text(&w, "project", event->project);
	add_strings(&w, "worktrees", event->worktrees, event->n_worktrees);
	add_strings(&w, "command", event->command, event->n_command);
	return finish(&w, start);
}

int event_add_gap(struct text *out, const struct event_gap *event)
{
	struct json_writer w = { .text = out };
	size_t start = out->length;

	add_head(&w, &event->head, NULL);
	json_text(&w, "kind", "gap");
	json_u64(&w, "lost", event->lost);
	json_text(&w, "reason", event->reason);
	return finish(&w, start);
}
