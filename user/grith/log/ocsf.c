/* SPDX-License-Identifier: MPL-2.0 */
/*
 * First what every event has, then the objects of its class. Attributes that are not known are left
 * out, but for those that the schema requires.
 */
#include "grith/base/base.h"
#include "installed.h"
#include "object.h"
#include "ocsf.h"

#define OCSF_VERSION "1.3.0"
#define PRODUCT "{\"name\":\"grith\",\"vendor_name\":\"grith\",\"version\":\"" GRITH_VERSION "\"}"

/* What every event begins its metadata with. */
#define METADATA                                                              \
	"\"metadata\":{\"version\":\"" OCSF_VERSION "\",\"product\":" PRODUCT \
	",\"profiles\":[\"security_control\"]"

struct ocsf_activity {
	enum ocsf_class class;
	unsigned int id; /* of the class */
	const char *name;
};

#define OTHER 99 /* of every class: none of its activities; then the name says what it is */

/* The operation's own activity, if it is one of that class. */
static struct ocsf_activity own_activity(const struct log_event *event, enum op_object object,
					 enum ocsf_class class)
{
	const struct op *op = op_info(event->op);

	if (op->object != object)
		return (struct ocsf_activity) { class, 0, "Unknown" };
	return (struct ocsf_activity) { class, op->activity, op->activity_name };
}

static struct ocsf_activity file_activity(const struct log_event *event)
{
	return own_activity(event, OP_ON_FILE, OCSF_FILE);
}

static struct ocsf_activity network_activity(const struct log_event *event)
{
	if (event->op == GRITH_OP_CONNECT && event->kind == LOG_RESULT && event->error)
		return (struct ocsf_activity) { OCSF_NETWORK, 4, "Fail" };
	if (event->op == GRITH_OP_CONNECT && log_event_is_refused(event))
		return (struct ocsf_activity) { OCSF_NETWORK, 5, "Refuse" };
	return own_activity(event, OP_ON_SOCKET, OCSF_NETWORK);
}

/*
 * A program that may start becomes an entry of its own once it did; of one that may not, there is
 * only the decision about its file.
 */
static struct ocsf_activity exec_activity(const struct log_event *event)
{
	if (event->decided && event->verdict != GRITH_ALLOW)
		return (struct ocsf_activity) { OCSF_PROCESS, 1, "Launch" };
	return file_activity(event);
}

static struct ocsf_activity activity_of(const struct log_event *event)
{
	const char *kind = log_kind_name(event->kind);
	const struct ocsf_activity base = { OCSF_BASE, OTHER, kind ? kind : "unknown" };

	switch (event->kind) {
	case LOG_FILE:
		return event->op == GRITH_OP_EXEC ? exec_activity(event) : file_activity(event);
	case LOG_UNIX:
		if (op_info(event->op)->object == OP_ON_SOCKET)
			return network_activity(event);
		return file_activity(event);
	case LOG_EXEC:
		return (struct ocsf_activity) { OCSF_PROCESS, 1, "Launch" };
	case LOG_EXIT:
		return (struct ocsf_activity) { OCSF_PROCESS, 2, "Terminate" };
	case LOG_PROCESS:
		return own_activity(event, OP_ON_PROCESS, OCSF_PROCESS);
	case LOG_NET:
	case LOG_RESULT:
		/* A socket without an address has no end point, which the class demands. */
		return event->address.length ? network_activity(event) : base;
	default:
		return base;
	}
}

static enum ocsf_file file_type(const struct log_event *event)
{
	return event->flags & GRITH_RECORD_DIRECTORY || event->op == GRITH_OP_OPENDIR ||
			       event->op == GRITH_OP_LIST
		       ? OCSF_FILE_FOLDER
		       : OCSF_FILE_UNKNOWN;
}

/* "abcdefghij:17", as `grith why` calls it. */
static void add_metadata(struct json_writer *w, const struct log_event *event, struct text *uid)
{
	struct line line = { .out = uid };
	char time[JSON_TIME_SIZE];

	json_format_time(event->time, time);
	json_raw(w, NULL, METADATA);
	json_text(w, "original_time", time);
	if (event->session.length && event->sequence != LOG_NO_NUMBER) {
		uid->length = 0;
		line_add_bytes(&line, event->session);
		line_add(&line, ":");
		line_add_u64(&line, event->sequence);
		if (w->r == 0)
			w->r = line.r;
		json_text(w, "uid", uid->data);
		json_u64(w, "sequence", event->sequence);
	}
	json_close(w);
}

#define DISPOSITION(action, number, name) \
	"\"action_id\":" #action ",\"disposition_id\":" #number ",\"disposition\":\"" name "\""

/* Whether it was done. A verdict that was not applied is "detected", one that waits "delayed". */
static const char *disposition_of(const struct log_event *event)
{
	if (event->verdict == GRITH_ALLOW)
		return DISPOSITION(1, 1, "Allowed");
	if (event->flags & GRITH_RECORD_OBSERVED)
		return DISPOSITION(1, 15, "Detected");
	if (event->flags & GRITH_RECORD_HELD)
		return DISPOSITION(0, 14, "Delayed");
	return DISPOSITION(2, 2, "Blocked");
}

static void add_policy(struct json_writer *w, const struct log_event *event)
{
	if (!event->rule.length)
		return;
	json_open(w, "policy");
	ocsf_add_text(w, "uid", event->rule);
	ocsf_add_text(w, "desc", event->reason);
	json_close(w);
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

static const char *class_of(const struct ocsf_activity *activity)
{
	switch (activity->class) {
	case OCSF_FILE:
		return "\"class_uid\":1001,\"category_uid\":1";
	case OCSF_PROCESS:
		return "\"class_uid\":1007,\"category_uid\":1";
	case OCSF_NETWORK:
		return "\"class_uid\":4001,\"category_uid\":4";
	default:
		return "\"class_uid\":0,\"category_uid\":0";
	}
}

/*
 * Of the names that the schema has beside its numbers, those of the activity and the disposition
 * are there, for people; the others would be redundant.
 */
static void add_head(struct json_writer *w, const struct log_event *event,
		     const struct ocsf_activity *activity, struct ocsf_memory *memory)
{
	json_raw(w, NULL, class_of(activity));
	json_u64(w, "activity_id", activity->id);
	json_text(w, "activity_name", activity->name);
	json_u64(w, "type_uid", (uint64_t)activity->class * 100 + activity->id);
	json_u64(w, "time", event->time / 1000000);
	json_u64(w, "severity_id", severity_of(event));
	add_metadata(w, event, &memory->scratch);
	ocsf_add_device(w, memory);
	if (event->decided || event->kind == LOG_RESULT)
		json_raw(w, NULL, event->error ? "\"status_id\":2" : "\"status_id\":1");
	if (event->error)
		json_text(w, "status_code", errno_name(event->error));
	if (event->decided) {
		json_raw(w, NULL, disposition_of(event));
		add_policy(w, event);
	}
}

/* What was started, ended or touched. */
static void add_process(struct json_writer *w, const struct log_event *event)
{
	bool other = event->kind == LOG_PROCESS;
	OWNED_LINE struct line command = { .out = &command.own };
	struct record_bytes path = event->path.length ? event->path : event->program;

	json_open(w, "process");
	json_u64(w, "pid", other ? event->target : event->pid);
	if (other) {
		ocsf_add_text(w, "name", event->target_comm);
	} else {
		ocsf_add_text(w, "name", path.length ? view_base_name(path) : event->comm);
		if (path.length)
			ocsf_add_file(w, "file", path, OCSF_FILE_REGULAR);
		line_add_argv(&command, event->argv);
		if (w->r == 0)
			w->r = command.r;
		json_text(w, "cmd_line", command.own.data);
	}
	json_close(w);
	if (event->kind == LOG_EXIT)
		json_i64(w, "exit_code", event->status);
}

static void add_endpoint(struct json_writer *w, const char *name, const struct log_event *event)
{
	json_open(w, name);
	if (event->address.length) {
		ocsf_add_text(w, "ip", event->address);
		json_u64(w, "port", event->port);
	} else {
		ocsf_add_text(w, "name", event->path);
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

/* What the schema has no attribute for, under the names that the log has for it. */
static void add_unmapped(struct json_writer *w, const struct log_event *event)
{
	json_open(w, "unmapped");
	if (event->change.length)
		ocsf_add_text(w, "op", event->change);
	else if (event->op != GRITH_OP_NONE)
		json_text(w, "op", op_name(event->op));
	if (event->decided) {
		json_text(w, "verdict", verdict_name(event->verdict));
		if (event->score)
			json_hundredths(w, "score", event->score);
	}
	if (event->review)
		json_u64(w, "review", event->review);
	ocsf_add_text(w, "state", event->state);
	ocsf_add_text(w, "by", event->by);
	ocsf_add_text(w, "profile", event->profile);
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

int view_ocsf(const struct log_event *event, struct ocsf_memory *memory, struct text *out)
{
	const struct ocsf_activity activity = activity_of(event);
	struct json_writer w = { .text = out };

	json_open(&w, NULL);
	add_head(&w, event, &activity, memory);
	if (activity.class != OCSF_BASE || event->pid)
		ocsf_add_actor(&w, event, memory);
	switch (activity.class) {
	case OCSF_FILE:
		ocsf_add_file(&w, "file", event->path, file_type(event));
		if (event->second.length)
			ocsf_add_file(&w, "file_result", event->second, file_type(event));
		break;
	case OCSF_PROCESS:
		add_process(&w, event);
		break;
	case OCSF_NETWORK:
		add_connection(&w, event);
		break;
	case OCSF_BASE:
		ocsf_add_text(&w, "message", event->reason);
		break;
	}
	add_unmapped(&w, event);
	json_close(&w);
	return w.r < 0 ? w.r : text_add(out, "\n", 1);
}
