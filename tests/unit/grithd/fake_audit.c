/* SPDX-License-Identifier: MPL-2.0 */
/* The same lines as in the log, without their chain. */
#include "fake_audit.h"

static struct text lines;

const char *fake_audit_text(void)
{
	return lines.data ? lines.data : "";
}

void fake_audit_clear(void)
{
	text_free(&lines);
	lines = (struct text) { 0 };
}

int audit_log_operation(struct audit_log *log, const struct event_operation *event)
{
	(void)log;
	return event_add_operation(&lines, event);
}

bool audit_log_is_full(const struct audit_log *log)
{
	(void)log;
	return false;
}

void audit_log_session(struct audit_log *log, const struct event_session *event)
{
	(void)log;
	event_add_session(&lines, event);
}

void audit_log_gap(struct audit_log *log, const struct event_gap *event)
{
	(void)log;
	event_add_gap(&lines, event);
}

void audit_write(struct audit *audit)
{
	(void)audit;
}
