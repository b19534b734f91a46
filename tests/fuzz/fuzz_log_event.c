/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Any bytes as a line of the audit log: refused, or JSON for another reader too, with every text
 * whole. The reader is used again and again, as for a file.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "lib/event/event.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads each byte, for the sanitizer to see. */
static unsigned int touch(struct record_bytes bytes)
{
	unsigned int sum = 0;

	for (size_t i = 0; i < bytes.length; i++)
		sum += (unsigned char)bytes.data[i];
	return sum;
}

static unsigned int touch_all(const struct log_event *event)
{
	const struct record_bytes texts[] = {
		event->session,	     event->path,	    event->second,
		event->address,	     event->family,	    event->type,
		event->argv,	     event->device,	    event->rule,
		event->target_comm,  event->target_session, event->reason,
		event->parts,	     event->comm,	    event->program,
		event->parent,	     event->change,	    event->name,
		event->user,	     event->profile,	    event->project,
		event->session_mode, event->command,	    event->state,
		event->directory,    event->scope,	    event->by,
	};
	unsigned int sum = 0;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		sum += touch(texts[i]);
	return sum;
}

static void check_event(const struct log_event *event)
{
	if (event->kind >= LOG_KINDS || event->op >= GRITH_OPS ||
	    event->verdict >= GRITH_VERDICTS || event->error < 0 || event->error > 4095)
		abort();
	if (event->argv.length && event->argv.data[event->argv.length - 1])
		abort();
	log_event_is_refused(event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct log_event_reader reader;
	static volatile unsigned int sum;
	struct log_event event;
	json_error_t error;
	json_t *read;

	if (log_event_read(&reader, (const char *)data, size, &event) < 0)
		return 0;
	check_event(&event);
	sum += touch_all(&event);
	read = json_loadb((const char *)data, size, JSON_DECODE_INT_AS_REAL, &error);
	if (!read && json_error_code(&error) != json_error_numeric_overflow)
		abort();
	json_decref(read);
	return 0;
}
