/* SPDX-License-Identifier: MPL-2.0 */
/* Which class and activity an entry is of: the numbers are the schema's, schema.ocsf.io/1.3.0. */
#include "ocsf_activity.h"

#define OTHER 99 /* of every class: none of its activities; then the name says what it is */

/* The operation's own activity, if it is one of that class. */
static struct ocsf_activity activity_of(const struct log_event *event, enum op_object object,
					enum ocsf_class class)
{
	const struct op *op = op_info(event->op);

	if (op->object != object)
		return (struct ocsf_activity) { class, 0, "Unknown" };
	return (struct ocsf_activity) { class, op->activity, op->activity_name };
}

static struct ocsf_activity file_activity(const struct log_event *event)
{
	return activity_of(event, OP_ON_FILE, OCSF_FILE);
}

static struct ocsf_activity network_activity(const struct log_event *event)
{
	if (event->op == GRITH_OP_CONNECT && event->kind == LOG_RESULT && event->error)
		return (struct ocsf_activity) { OCSF_NETWORK, 4, "Fail" };
	if (event->op == GRITH_OP_CONNECT && log_event_is_refused(event))
		return (struct ocsf_activity) { OCSF_NETWORK, 5, "Refuse" };
	return activity_of(event, OP_ON_SOCKET, OCSF_NETWORK);
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

struct ocsf_activity ocsf_activity_of(const struct log_event *event)
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
		return activity_of(event, OP_ON_PROCESS, OCSF_PROCESS);
	case LOG_NET:
	case LOG_RESULT:
		/* A socket without an address has no end point, which the class demands. */
		return event->address.length ? network_activity(event) : base;
	default:
		return base;
	}
}
