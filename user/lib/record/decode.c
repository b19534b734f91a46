/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The fixed parts are copied out, since the data need not be aligned; the variable parts stay where
 * they are.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "decode.h"

/* Finds `length` bytes at `at`, which lie behind the fixed part of the record. */
static int find_bytes(const char *data, const struct grith_record *head, size_t fixed,
		      unsigned int at, unsigned int length, struct record_bytes *ret_bytes)
{
	if (!length) {
		*ret_bytes = (struct record_bytes) { 0 };
		return 0;
	}
	if (at < fixed || at > head->length || length > head->length - at)
		return -EBADMSG;
	*ret_bytes = (struct record_bytes) { data + at, length };
	return 0;
}

static int take_fixed(const char *data, const struct record *record, void *ret_raw, size_t size)
{
	if (record->head.length < size)
		return -EBADMSG;
	memcpy(ret_raw, data, size);
	return 0;
}

static bool is_path(struct record_bytes path, unsigned int flags)
{
	if (path.length > GRITH_PATH_MAX)
		return false;
	return !path.length || (flags & GRITH_RECORD_ABSTRACT) ||
	       !memchr(path.data, '\0', path.length);
}

static int decode_path(const char *data, struct record *record)
{
	struct grith_path_record raw;
	int r = take_fixed(data, record, &raw, sizeof(raw));

	if (r < 0)
		return r;
	record->inode = raw.inode;
	record->device = raw.device;
	record->open_flags = raw.open_flags;
	r = find_bytes(data, &raw.head, sizeof(raw), raw.path_at, raw.path_length, &record->path)
		    ?: find_bytes(data, &raw.head, sizeof(raw), raw.second_at, raw.second_length,
				  &record->second);
	if (r == 0 &&
	    (!is_path(record->path, raw.head.flags) || !is_path(record->second, raw.head.flags)))
		r = -EBADMSG;
	if (raw.head.flags & GRITH_RECORD_OTHER_NAME) { /* no second object */
		record->view = record->second;
		record->second = (struct record_bytes) { 0 };
	}
	return r;
}

static int decode_exec(const char *data, struct record *record)
{
	struct grith_exec_record raw;
	int r = take_fixed(data, record, &raw, sizeof(raw));

	if (r < 0)
		return r;
	record->argv_total = raw.argv_total;
	record->origin = raw.origin;
	r = find_bytes(data, &raw.head, sizeof(raw), raw.path_at, raw.path_length, &record->path)
		    ?: find_bytes(data, &raw.head, sizeof(raw), raw.argv_at, raw.argv_length,
				  &record->argv);
	if (r == 0 && (!is_path(record->path, 0) || record->argv.length > GRITH_ARGV_CHUNK))
		r = -EBADMSG;
	return r;
}

static int decode_net(const char *data, struct record *record)
{
	struct grith_net_record raw;
	int r = take_fixed(data, record, &raw, sizeof(raw));

	if (r < 0)
		return r;
	record->family = raw.family;
	record->type = raw.type;
	record->protocol = raw.protocol;
	record->port = raw.port;
	memcpy(record->address, raw.address, sizeof(record->address));
	return 0;
}

static int decode_process(const char *data, struct record *record)
{
	struct grith_process_record raw;
	int r = take_fixed(data, record, &raw, sizeof(raw));

	if (r < 0)
		return r;
	record->target = raw.target;
	record->mode = raw.mode;
	record->target_session = raw.target_session;
	memcpy(record->target_comm, raw.target_comm, sizeof(raw.target_comm));
	return 0;
}

static int decode_kind(const char *data, struct record *record)
{
	switch (record->head.kind) {
	case GRITH_KIND_PATH:
		return decode_path(data, record);
	case GRITH_KIND_EXEC:
	case GRITH_KIND_ARGV:
		return decode_exec(data, record);
	case GRITH_KIND_NET:
		return decode_net(data, record);
	case GRITH_KIND_PROCESS:
		return decode_process(data, record);
	case GRITH_KIND_RING:
	case GRITH_KIND_EXIT:
		return 0;
	case GRITH_KIND_RESULT:
		/* May carry the address it is about. */
		return record->head.length >= sizeof(struct grith_net_record)
			       ? decode_net(data, record)
			       : 0;
	default:
		return -EBADMSG;
	}
}

int record_decode(const void *data, size_t size, struct record *ret_record)
{
	struct record record = { 0 };
	const struct grith_record *head = &record.head;
	int r;

	if (size < sizeof(record.head))
		return -EBADMSG;
	memcpy(&record.head, data, sizeof(record.head));
	if (head->version != GRITH_ABI_VERSION)
		return -EPROTO;
	if (head->length < sizeof(*head) || head->length > size)
		return -EBADMSG;
	if (head->op >= GRITH_OPS || head->verdict >= GRITH_VERDICTS)
		return -EBADMSG;
	if (head->kind != GRITH_KIND_EXIT && (head->error > 0 || head->error < -4095))
		return -EBADMSG;
	memcpy(record.comm, head->comm, sizeof(head->comm));

	r = decode_kind(data, &record);
	if (r == 0)
		*ret_record = record;
	return r;
}
