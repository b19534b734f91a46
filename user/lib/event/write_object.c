/* SPDX-License-Identifier: MPL-2.0 */
/* What an operation was done to, in its line of the log. */
#include <sys/socket.h>
#include <sys/stat.h>

#include "lib/base/base.h"
#include "write_internal.h"

void event_add_number_or_name(struct json_writer *w, const char *field, const char *name,
			      unsigned int number)
{
	if (name)
		json_text(w, field, name);
	else
		json_u64(w, field, number);
}

void event_add_path(struct json_writer *w, const char *name, struct record_bytes path)
{
	if (path.length)
		json_bytes(w, name, path.data, path.length);
}

static void add_address(struct json_writer *w, const struct record *record)
{
	static const uint8_t none[16];
	char text[ADDRESS_TEXT_SIZE];

	if (!record->family)
		return;
	if (memcmp(record->address, none, sizeof(none)) || record->port) {
		address_format(record->address, text);
		json_text(w, "address", text);
		json_u64(w, "port", record->port);
	}
	event_add_number_or_name(w, "family", family_name(record->family), record->family);
	event_add_number_or_name(w, "type", socket_type_name(record->type), record->type);
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

static void add_arguments(struct json_writer *w, const char *name, struct record_bytes argv,
			  void (*add)(struct json_writer *, const char *, const char *, size_t))
{
	bool exact = true;

	json_open_array(w, name);
	for (size_t at = 0, length; at < argv.length; at += length + 1) {
		length = strnlen(argv.data + at, argv.length - at);
		add(w, NULL, argv.data + at, length);
		exact = exact && text_is_utf8(argv.data + at, length);
	}
	json_close_array(w);
	if (!exact && add != json_hex)
		add_arguments(w, "argv_hex", argv, json_hex);
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

/* The program's standard streams: two programs with one inode number share a pipe. */
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

void event_add_object(struct json_writer *w, const struct event_operation *event)
{
	const struct record *record = event->record;

	event_add_path(w, "path", record->path);
	event_add_path(w, "path2", record->second);
	event_add_path(w, "known_as", record->view);
	add_address(w, record);
	if (record->head.kind == GRITH_KIND_PROCESS)
		add_target(w, event);
	if (record->head.kind == GRITH_KIND_EXEC) {
		add_arguments(w, "argv", event->argv, json_bytes);
		add_streams(w, record);
	}
	if (record->head.kind == GRITH_KIND_EXIT)
		json_i64(w, "status", record->head.error);
}

void event_add_inode(struct json_writer *w, const struct record *record)
{
	if (!record->inode)
		return;
	json_u64_text(w, "inode", record->inode);
	add_device(w, record->device);
}
