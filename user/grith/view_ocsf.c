/* SPDX-License-Identifier: MPL-2.0 */
/*
 * First what every event has, then the objects of its class. Attributes that are not known are left
 * out, but for those that the schema requires.
 */
#include <string.h>

#include "json_write.h"
#include "line.h"
#include "names.h"
#include "shown.h"
#include "view_ocsf.h"

#define PRODUCT "{\"name\":\"grith\",\"vendor_name\":\"grith\",\"version\":\"" GRITH_VERSION "\"}"

/* The schema has no attribute for bytes: what is not text is escaped. */
static void add_text(struct json_writer *w, const char *name, struct record_bytes text)
{
	OWNED_TEXT struct text escaped = { 0 };

	if (!text.length)
		return;
	if (json_bytes_exact(text.data, text.length)) {
		json_bytes(w, name, text.data, text.length);
		return;
	}
	if (w->r == 0)
		w->r = text_add_escaped(&escaped, text.data, text.length);
	json_text(w, name, escaped.data);
}

static struct record_bytes base_name(struct record_bytes path)
{
	const char *slash = path.length ? memrchr(path.data, '/', path.length) : NULL;

	if (!slash || slash + 1 == path.data + path.length)
		return path;
	return (struct record_bytes) { slash + 1, path.length - (slash + 1 - path.data) };
}

/* type_id 0 is "unknown", 1 a regular file, 2 a folder. */
static void add_file(struct json_writer *w, const char *name, struct record_bytes path,
		     unsigned int type)
{
	static const struct record_bytes unknown = { "unknown", 7 };

	json_open(w, name);
	add_text(w, "name", path.length ? base_name(path) : unknown);
	add_text(w, "path", path);
	json_u64(w, "type_id", type);
	json_close(w);
}

static unsigned int file_type(const struct log_event *event)
{
	return event->flags & GRITH_RECORD_DIRECTORY || event->op == GRITH_OP_OPENDIR ||
			       event->op == GRITH_OP_LIST
		       ? 2
		       : 0;
}

static void add_uid(struct json_writer *w, uint32_t uid)
{
	json_open(w, "user");
	json_u64_text(w, "uid", uid);
	json_close(w);
}

/* The process that asked. */
static void add_actor(struct json_writer *w, const struct log_event *event)
{
	struct record_bytes name = event->program.length ? base_name(event->program) : event->comm;

	json_open(w, "actor");
	json_open(w, "process");
	json_u64(w, "pid", event->pid);
	json_u64(w, "tid", event->tid);
	add_text(w, "name", name);
	if (event->program.length)
		add_file(w, "file", event->program, 1);
	add_uid(w, event->uid);
	json_open(w, "parent_process");
	json_u64(w, "pid", event->ppid);
	if (event->parent.length)
		add_file(w, "file", event->parent, 1);
	json_close(w);
	json_close(w);
	add_uid(w, event->uid);
	if (event->session.length) {
		json_open(w, "session");
		add_text(w, "uid", event->session);
		json_close(w);
	}
	json_close(w);
}

static void add_device(struct json_writer *w, const char *host)
{
	json_open(w, "device");
	json_text(w, "hostname", host);
	json_u64(w, "type_id", 0);
	json_close(w);
}

/* "abcdefghij:17", as `grith why` calls it. */
static void add_metadata(struct json_writer *w, const struct log_event *event)
{
	OWNED_TEXT struct text uid = { 0 };
	struct line line = { .out = &uid };
	char time[JSON_TIME_SIZE];

	json_format_time(event->time, time);
	json_open(w, "metadata");
	json_text(w, "version", OCSF_VERSION);
	json_raw(w, "product", PRODUCT);
	json_raw(w, "profiles", "[\"security_control\"]");
	json_text(w, "log_name", "audit.jsonl");
	json_text(w, "original_time", time);
	if (event->session.length && event->sequence != LOG_NO_NUMBER) {
		line_add_bytes(&line, event->session);
		line_add(&line, ":");
		line_add_u64(&line, event->sequence);
		json_text(w, "uid", uid.data);
		json_u64(w, "sequence", event->sequence);
	}
	json_close(w);
}

/* Whether it was done. A verdict that was not applied is "detected", one that waits "delayed". */
static void add_disposition(struct json_writer *w, const struct log_event *event)
{
	static const struct {
		unsigned int action, disposition;
		const char *action_name, *name;
	} allowed = { 1, 1, "Allowed", "Allowed" }, detected = { 1, 15, "Allowed", "Detected" },
	  delayed = { 0, 14, "Unknown", "Delayed" }, blocked = { 2, 2, "Denied", "Blocked" },
	  *is = &blocked;

	if (event->verdict == GRITH_ALLOW)
		is = &allowed;
	else if (event->flags & GRITH_RECORD_OBSERVED)
		is = &detected;
	else if (event->flags & GRITH_RECORD_HELD)
		is = &delayed;
	json_u64(w, "action_id", is->action);
	json_text(w, "action", is->action_name);
	json_u64(w, "disposition_id", is->disposition);
	json_text(w, "disposition", is->name);
	if (event->rule.length) {
		json_open(w, "policy");
		add_text(w, "uid", event->rule);
		add_text(w, "desc", event->reason);
		json_close(w);
	}
}

/* 1 is informational, 2 low, 3 medium. */
static unsigned int severity_of(const struct log_event *event)
{
	if (event->kind == LOG_GAP)
		return 3;
	if (!event->decided || event->verdict == GRITH_ALLOW)
		return 1;
	return log_event_is_refused(event) ? 3 : 2;
}

static void add_head(struct json_writer *w, const struct log_event *event,
		     const struct ocsf_activity *activity, const char *host)
{
	json_u64(w, "class_uid", activity->class);
	json_u64(w, "category_uid", activity->class / 1000);
	json_u64(w, "activity_id", activity->id);
	json_text(w, "activity_name", activity->name);
	json_u64(w, "type_uid", (uint64_t)activity->class * 100 + activity->id);
	json_u64(w, "time", event->time / 1000000);
	json_u64(w, "severity_id", severity_of(event));
	add_metadata(w, event);
	add_device(w, host);
	if (event->decided || event->kind == LOG_RESULT) {
		json_u64(w, "status_id", event->error ? 2 : 1);
		json_text(w, "status", event->error ? "Failure" : "Success");
	}
	if (event->error)
		json_text(w, "status_code", errno_name(event->error));
	if (event->decided)
		add_disposition(w, event);
}

static void add_command(struct json_writer *w, struct record_bytes argv)
{
	OWNED_TEXT struct text command = { 0 };
	const char *p = argv.data, *end = p + argv.length;

	while (p < end && w->r == 0) {
		size_t length = strnlen(p, end - p);

		if (p != argv.data)
			w->r = text_add(&command, " ", 1);
		if (w->r == 0)
			w->r = shown_add_word(&command, p, length);
		p += length + 1;
	}
	json_text(w, "cmd_line", command.data);
}

/* What was started, ended or touched. */
static void add_process(struct json_writer *w, const struct log_event *event)
{
	bool other = event->kind == LOG_PROCESS;
	struct record_bytes path = event->path.length ? event->path : event->program;

	json_open(w, "process");
	json_u64(w, "pid", other ? event->target : event->pid);
	if (other) {
		add_text(w, "name", event->target_comm);
	} else {
		add_text(w, "name", path.length ? base_name(path) : event->comm);
		if (path.length)
			add_file(w, "file", path, 1);
		add_command(w, event->argv);
	}
	json_close(w);
	if (event->kind == LOG_EXIT)
		json_i64(w, "exit_code", event->status);
}

static void add_endpoint(struct json_writer *w, const char *name, const struct log_event *event)
{
	json_open(w, name);
	if (event->address.length) {
		add_text(w, "ip", event->address);
		json_u64(w, "port", event->port);
	} else {
		add_text(w, "name", event->path);
	}
	json_close(w);
}

/* direction_id: 1 is inbound, 2 outbound; protocol_ver_id: 4, 6, or 0 for neither. */
static void add_connection(struct json_writer *w, const struct log_event *event)
{
	bool inbound = event->op == GRITH_OP_LISTEN || event->op == GRITH_OP_BIND;
	bool colon =
		event->address.length && memchr(event->address.data, ':', event->address.length);

	/* The class demands a destination; of what listens, that is its own address. */
	add_endpoint(w, "dst_endpoint", event);
	json_open(w, "connection_info");
	json_u64(w, "direction_id", inbound ? 1 : 2);
	json_u64(w, "protocol_ver_id", !event->address.length ? 0 : colon ? 6 : 4);
	json_close(w);
}

/* What the schema has no place for, under the names that the log has for it. */
static void add_unmapped(struct json_writer *w, const struct log_event *event)
{
	json_open(w, "unmapped");
	if (event->change.length)
		add_text(w, "op", event->change);
	else if (event->op != GRITH_OP_NONE)
		json_text(w, "op", op_name(event->op));
	if (event->decided) {
		json_text(w, "verdict", verdict_name(event->verdict));
		json_hundredths(w, "score", event->score);
	}
	if (event->review)
		json_u64(w, "review", event->review);
	add_text(w, "state", event->state);
	add_text(w, "by", event->by);
	add_text(w, "profile", event->profile);
	if (event->kind == LOG_GAP)
		json_u64(w, "lost", event->lost);
	if (event->kind == LOG_PROCESS)
		json_u64(w, event->op == GRITH_OP_SIGNAL ? "signal" : "mode", event->mode);
	if (event->flags) {
		json_open_array(w, "flags");
		for (unsigned int bit = 1; bit <= UINT16_MAX; bit <<= 1)
			if (event->flags & bit)
				json_text(w, NULL, record_flag_name(bit));
		json_close_array(w);
	}
	json_close(w);
}

int view_ocsf(const struct log_event *event, const char *host, struct text *out)
{
	const struct ocsf_activity activity = ocsf_activity_of(event);
	struct json_writer w = { .text = out };

	json_open(&w, NULL);
	add_head(&w, event, &activity, host);
	if (activity.class != OCSF_BASE || event->pid)
		add_actor(&w, event);
	switch (activity.class) {
	case OCSF_FILE:
		add_file(&w, "file", event->path, file_type(event));
		if (event->second.length)
			add_file(&w, "file_result", event->second, file_type(event));
		break;
	case OCSF_PROCESS:
		add_process(&w, event);
		break;
	case OCSF_NETWORK:
		add_connection(&w, event);
		break;
	case OCSF_BASE:
		add_text(&w, "message", event->reason);
		break;
	}
	add_unmapped(&w, event);
	json_close(&w);
	return w.r < 0 ? w.r : text_add(out, "\n", 1);
}
