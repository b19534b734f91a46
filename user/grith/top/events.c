/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Two rings: the events, and the bytes that their texts point to. The bytes of one event are
 * together, and never go across the end of their ring.
 */
#include "events.h"

struct slot {
	struct log_event event;
	uint64_t at; /* of its bytes, counted from the first one ever */
};

struct top_events {
	uint64_t first, next; /* numbers */
	uint64_t bytes_next;
	struct slot slots[TOP_EVENTS];
	char bytes[TOP_EVENT_BYTES];
};

#define TEXT(member) offsetof(struct log_event, member)

/* All texts of an event. */
static const size_t texts[] = {
	TEXT(session),	    TEXT(path),	   TEXT(second),    TEXT(address),
	TEXT(family),	    TEXT(type),	   TEXT(argv),	    TEXT(device),
	TEXT(target_comm),  TEXT(rule),	   TEXT(reason),    TEXT(parts),
	TEXT(comm),	    TEXT(program), TEXT(parent),    TEXT(target_session),
	TEXT(change),	    TEXT(name),	   TEXT(user),	    TEXT(profile),
	TEXT(session_mode), TEXT(project), TEXT(command),   TEXT(state),
	TEXT(scope),	    TEXT(by),	   TEXT(directory), TEXT(view),
	TEXT(home),
};
_Static_assert(ARRAY_SIZE(texts) * TOP_EVENT_TEXT < TOP_EVENT_BYTES, "one event always fits");

static struct record_bytes *text_of(struct log_event *event, size_t i)
{
	return (struct record_bytes *)((char *)event + texts[i]);
}

struct top_events *top_events_new(void)
{
	return calloc(1, sizeof(struct top_events));
}

void top_events_free(struct top_events *events)
{
	free(events);
}

/* Pushes out whatever has bytes that are overwritten, or the slot that is needed. */
static void make_room(struct top_events *events, uint64_t end)
{
	while (events->first < events->next) {
		const struct slot *oldest = &events->slots[events->first % TOP_EVENTS];

		if (events->next - events->first < TOP_EVENTS &&
		    oldest->at + TOP_EVENT_BYTES >= end)
			return;
		events->first++;
	}
}

static size_t length_of(struct record_bytes text)
{
	return text.length < TOP_EVENT_TEXT ? text.length : TOP_EVENT_TEXT;
}

uint64_t top_events_add(struct top_events *events, const struct log_event *event)
{
	size_t offset = events->bytes_next % TOP_EVENT_BYTES, size = 0;
	struct log_event *copy;
	struct slot *slot;
	char *to;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		size += length_of(*text_of((struct log_event *)event, i));
	if (offset + size > TOP_EVENT_BYTES) {
		events->bytes_next += TOP_EVENT_BYTES - offset;
		offset = 0;
	}
	make_room(events, events->bytes_next + size);
	slot = &events->slots[events->next % TOP_EVENTS];
	*slot = (struct slot) { .event = *event, .at = events->bytes_next };
	copy = &slot->event;
	events->bytes_next += size;
	to = events->bytes + offset;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct record_bytes *text = text_of(copy, i);

		text->length = length_of(*text);
		if (!text->length)
			continue;
		memcpy(to, text->data, text->length);
		text->data = to;
		to += text->length;
	}
	return events->next++;
}

uint64_t top_events_first(const struct top_events *events)
{
	return events->first;
}

uint64_t top_events_next(const struct top_events *events)
{
	return events->next;
}

const struct log_event *top_events_get(const struct top_events *events, uint64_t number)
{
	return &events->slots[number % TOP_EVENTS].event;
}
