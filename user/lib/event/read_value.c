/* SPDX-License-Identifier: MPL-2.0 */
/* What a value means, by its field's type. */
#include "lib/base/base.h"
#include "read_internal.h"

static const char *const kinds[] = { LOG_KIND_TABLE(WORD_OF) };

const char *log_kind_name(enum log_kind kind)
{
	return WORDS_NAME(kinds, kind);
}

static int take_verdict(struct log_event *event, struct record_bytes text)
{
	int verdict = verdict_find(text.data, text.length);

	if (verdict < 0) /* to pass over it would change what the line means */
		return -EBADMSG;
	event->verdict = (enum grith_verdict)verdict;
	event->decided = true;
	return 0;
}

static int take_digits(struct record_bytes text, uint64_t *ret_value)
{
	struct log_json digits = { .p = text.data, .end = text.data + text.length };
	uint64_t value;

	if (log_json_u64(&digits, UINT64_MAX, &value) < 0 || digits.p != digits.end)
		return -EBADMSG;
	*ret_value = value;
	return 0;
}

/* A text that is more than its bytes. */
static int take_meaning(struct reading *reading, const struct field *field)
{
	struct log_event *event = &reading->event;
	struct record_bytes text;
	int r = log_json_text(&reading->json, &text), kind;

	if (r < 0)
		return r;
	switch (field->type) {
	case FIELD_TIME:
		return log_time_parse(text.data, text.length, &event->time) < 0 ? -EBADMSG : 0;
	case FIELD_KIND:
		kind = WORDS_FIND(kinds, text.data, text.length);
		event->kind = kind < 0 ? LOG_OTHER : (enum log_kind)kind;
		return 0;
	case FIELD_VERDICT:
		return take_verdict(event, text);
	case FIELD_ERRNO:
		event->error = errno_find(text.data, text.length);
		return event->error ? 0 : -EBADMSG;
	default:
		return take_digits(text, (uint64_t *)(void *)((char *)event + field->offset));
	}
}

static int take_flags(struct reading *reading)
{
	struct record_bytes text;

	if (!log_json_skip(&reading->json, '['))
		return -EBADMSG;
	if (log_json_skip(&reading->json, ']'))
		return 0;
	do {
		if (log_json_text(&reading->json, &text) < 0)
			return -EBADMSG;
		reading->event.flags |= record_flag_find(text.data, text.length);
	} while (log_json_skip(&reading->json, ','));
	return log_json_skip(&reading->json, ']') ? 0 : -EBADMSG;
}

static int take_u32(struct log_json *json, uint64_t max, uint32_t *ret_value)
{
	uint64_t value;
	int r = log_json_u64(json, max, &value);

	if (r == 0)
		*ret_value = (uint32_t)value;
	return r;
}

static int take_mode(struct reading *reading)
{
	return log_json_is_text(&reading->json)
		       ? log_json_text(&reading->json, &reading->event.session_mode)
		       : take_u32(&reading->json, UINT32_MAX, &reading->event.mode);
}

static int take_word(struct log_json *json, struct record_bytes *ret_word)
{
	const char *start = json->p;
	uint64_t number;
	int r;

	if (log_json_is_text(json))
		return log_json_text(json, ret_word);
	r = log_json_u64(json, UINT64_MAX, &number);
	if (r == 0)
		*ret_word = (struct record_bytes) { start, json->p - start };
	return r;
}

static int take_version(struct log_json *json)
{
	uint64_t version;

	if (log_json_u64(json, UINT64_MAX, &version) < 0 || version != EVENT_VERSION)
		return -EBADMSG;
	return 0;
}

/* A name, or a number that has none. */
static int take_errno(struct reading *reading, const struct field *field)
{
	uint32_t number;
	int r;

	if (log_json_is_text(&reading->json))
		return take_meaning(reading, field);
	r = take_u32(&reading->json, 4095, &number);
	if (r == 0)
		reading->event.error = (int)number;
	return r;
}

static int take_u16(struct log_json *json, uint16_t *ret_value)
{
	uint32_t value;
	int r = take_u32(json, UINT16_MAX, &value);

	if (r == 0)
		*ret_value = (uint16_t)value;
	return r;
}

int log_event_value(struct reading *reading, const struct field *field)
{
	struct log_json *json = &reading->json;
	struct log_event *event = &reading->event;
	void *member = (char *)event + field->offset;
	struct record_bytes passed;

	switch (field->type) {
	case FIELD_TEXT:
		return log_json_text(json, member);
	case FIELD_WORD:
		return take_word(json, member);
	case FIELD_RAW:
		return log_json_raw(json, member);
	case FIELD_U64:
		return log_json_u64(json, UINT64_MAX, member);
	case FIELD_U32:
		return take_u32(json, UINT32_MAX, member);
	case FIELD_U16:
		return take_u16(json, member);
	case FIELD_INT:
		return log_json_int(json, member);
	case FIELD_HUNDREDTHS:
		return log_json_hundredths(json, member);
	case FIELD_VERSION:
		return take_version(json);
	case FIELD_TIME:
	case FIELD_KIND:
	case FIELD_VERDICT:
	case FIELD_DIGITS:
		return take_meaning(reading, field);
	case FIELD_OP:
		return log_json_text(json, &reading->op);
	case FIELD_ERRNO:
		return take_errno(reading, field);
	case FIELD_FLAGS:
		return take_flags(reading);
	case FIELD_ARGV:
	case FIELD_ARGV_HEX:
		return log_json_texts(json, field->type == FIELD_ARGV_HEX, &event->argv);
	case FIELD_MODE:
		return take_mode(reading);
	case FIELD_TARGET:
		return log_event_target(reading);
	case FIELD_PASS:
		break;
	}
	return log_json_raw(json, &passed);
}
