/* SPDX-License-Identifier: MPL-2.0 */
/* Which class and activity an entry is of: the numbers are the schema's, schema.ocsf.io/1.3.0. */
#include "ocsf_activity.h"

#define OTHER 99 /* of every class: none of its activities; then the name says what it is */

static struct ocsf_activity file_activity(enum grith_op op)
{
	switch (op) {
	case GRITH_OP_READ:
	case GRITH_OP_OPENDIR:
	case GRITH_OP_LIST:
		return (struct ocsf_activity) { OCSF_FILE, 2, "Read" };
	case GRITH_OP_WRITE:
	case GRITH_OP_TRUNCATE:
		return (struct ocsf_activity) { OCSF_FILE, 3, "Update" };
	case GRITH_OP_CREATE:
		return (struct ocsf_activity) { OCSF_FILE, 1, "Create" };
	case GRITH_OP_DELETE:
		return (struct ocsf_activity) { OCSF_FILE, 4, "Delete" };
	case GRITH_OP_RENAME:
		return (struct ocsf_activity) { OCSF_FILE, 5, "Rename" };
	case GRITH_OP_METADATA:
		return (struct ocsf_activity) { OCSF_FILE, 6, "Set Attributes" };
	case GRITH_OP_STAT:
		return (struct ocsf_activity) { OCSF_FILE, 8, "Get Attributes" };
	case GRITH_OP_MAP:
	case GRITH_OP_EXEC:
	case GRITH_OP_RECEIVE:
		return (struct ocsf_activity) { OCSF_FILE, 14, "Open" };
	case GRITH_OP_LINK:
		return (struct ocsf_activity) { OCSF_FILE, OTHER, "Link" };
	default:
		return (struct ocsf_activity) { OCSF_FILE, 0, "Unknown" };
	}
}

static struct ocsf_activity network_activity(const struct log_event *event)
{
	switch (event->op) {
	case GRITH_OP_CONNECT:
		if (event->kind == LOG_RESULT && event->error)
			return (struct ocsf_activity) { OCSF_NETWORK, 4, "Fail" };
		if (log_event_is_refused(event))
			return (struct ocsf_activity) { OCSF_NETWORK, 5, "Refuse" };
		return (struct ocsf_activity) { OCSF_NETWORK, 1, "Open" };
	case GRITH_OP_LISTEN:
		return (struct ocsf_activity) { OCSF_NETWORK, 7, "Listen" };
	case GRITH_OP_SEND:
		return (struct ocsf_activity) { OCSF_NETWORK, 6, "Traffic" };
	case GRITH_OP_BIND:
		return (struct ocsf_activity) { OCSF_NETWORK, OTHER, "Bind" };
	default:
		return (struct ocsf_activity) { OCSF_NETWORK, 0, "Unknown" };
	}
}

static bool is_socket_op(enum grith_op op)
{
	return op == GRITH_OP_CONNECT || op == GRITH_OP_BIND || op == GRITH_OP_LISTEN ||
	       op == GRITH_OP_SEND;
}

/*
 * A program that may start becomes an entry of its own once it did; of one that may not, there is
 * only the decision about its file.
 */
static struct ocsf_activity exec_activity(const struct log_event *event)
{
	if (event->decided && event->verdict != GRITH_ALLOW)
		return (struct ocsf_activity) { OCSF_PROCESS, 1, "Launch" };
	return file_activity(event->op);
}

struct ocsf_activity ocsf_activity_of(const struct log_event *event)
{
	const char *kind = log_kind_name(event->kind);
	const struct ocsf_activity base = { OCSF_BASE, OTHER, kind ? kind : "unknown" };

	switch (event->kind) {
	case LOG_FILE:
		return event->op == GRITH_OP_EXEC ? exec_activity(event) : file_activity(event->op);
	case LOG_UNIX:
		if (is_socket_op(event->op))
			return network_activity(event);
		return file_activity(event->op);
	case LOG_EXEC:
		return (struct ocsf_activity) { OCSF_PROCESS, 1, "Launch" };
	case LOG_EXIT:
		return (struct ocsf_activity) { OCSF_PROCESS, 2, "Terminate" };
	case LOG_PROCESS:
		if (event->op == GRITH_OP_SIGNAL)
			return (struct ocsf_activity) { OCSF_PROCESS, OTHER, "Signal" };
		return (struct ocsf_activity) { OCSF_PROCESS, 3, "Open" };
	case LOG_NET:
	case LOG_RESULT:
		/* A socket without an address has no end point, which the class demands. */
		return event->address.length ? network_activity(event) : base;
	default:
		return base;
	}
}
