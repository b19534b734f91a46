/* SPDX-License-Identifier: MPL-2.0 */
/* The only part of the audit log that knows of time and of other things to do. */
#include "grithd/base/base.h"
#include "writer.h"

void audit_write(struct audit *audit)
{
	bool grew = false;
	int r = audit_log_flush(audit->log, &grew);

	if (r < 0 && !audit->failing)
		log_line(LOG_CRIT, "the audit log cannot be written to: %s (enforcement goes on)",
			 strerror(-r));
	else if (r == 0 && audit->failing)
		log_line(LOG_NOTICE, "the audit log can be written to again, %llu lines were lost",
			 (unsigned long long)audit_log_lost(audit->log));
	audit->failing = r < 0;
	audit->ops->written(audit->arg, r, grew);
	if (audit_log_has_work(audit->log))
		sd_event_source_set_enabled(audit->compressor, SD_EVENT_ON);
}

/* A piece of the work, so that records wait for no longer than that. */
static int on_idle(sd_event_source *source, void *arg)
{
	struct audit *audit = arg;
	const char *what;
	int r = audit_log_work(audit->log, &what);

	if (r < 0)
		log_line(LOG_ERR, "cannot %s, and will try again: %s", what,
			 r == -EBADMSG ? "it has something else than lines in it" : strerror(-r));
	if (r <= 0)
		sd_event_source_set_enabled(source, SD_EVENT_OFF);
	audit_write(audit);
	return 0;
}

static int on_timer(sd_event_source *source, uint64_t time, void *arg)
{
	struct audit *audit = arg;
	int r;

	(void)time;
	audit_log_checkpoint(audit->log);
	audit_log_look_again(audit->log);
	audit_write(audit);
	r = sd_event_source_set_time_relative(source, AUDIT_CHECKPOINT_USEC);
	return r < 0 ? r : sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

int audit_start(struct audit *audit, sd_event *event, struct audit_log *log)
{
	int r = sd_event_add_time_relative(event, &audit->timer, CLOCK_MONOTONIC,
					   AUDIT_CHECKPOINT_USEC, 0, on_timer, audit);

	if (r >= 0)
		r = sd_event_add_defer(event, &audit->compressor, on_idle, audit);
	if (r >= 0)
		r = sd_event_source_set_priority(audit->compressor, PRIORITY_LOG);
	if (r >= 0)
		r = sd_event_source_set_enabled(audit->compressor, SD_EVENT_ON);
	if (r >= 0)
		audit->log = log;
	return r < 0 ? r : 0;
}

void audit_free(struct audit *audit)
{
	int r = audit->log ? audit_log_finish(audit->log) : 0;

	if (r < 0)
		log_line(LOG_ERR, "cannot end the audit log with a checkpoint: %s", strerror(-r));
	sd_event_source_disable_unref(audit->timer);
	sd_event_source_disable_unref(audit->compressor);
	audit_log_free(TAKE_PTR(audit->log));
}
