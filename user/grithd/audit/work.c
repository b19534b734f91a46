/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Work on sealed files waits until nothing else is ready, and is done a piece at a time. With
 * `audit = strict` all sessions are frozen while the log cannot be written to, but those that a
 * person had frozen before are not thawed afterwards.
 */

#include "grithd/base/base.h"
#include "grithd/daemon.h"
#include "lib/base/base.h"
#include "log.h"
#include "work.h"

#define CHECKPOINT_USEC UINT64_C(60000000) /* without a signature, at most, where lines came */
#define FROZEN_REASON "the audit log cannot be written to"
#define THAWED_REASON "the audit log can be written to again"

struct audit_work {
	struct daemon *daemon;
	sd_event_source *timer;
	sd_event_source *piece;
};

static int on_piece(sd_event_source *source, void *arg)
{
	struct audit_work *work = arg;
	struct daemon *daemon = work->daemon;
	const char *what;
	int r = audit_log_work(daemon->audit, &what);

	if (r < 0)
		log_line(LOG_ERR, "cannot %s, and will try again: %s", what,
			 r == -EBADMSG ? "it has something else than lines in it" : strerror(-r));
	if (r <= 0)
		sd_event_source_set_enabled(source, SD_EVENT_OFF);
	daemon_write_log(daemon);
	return 0;
}

static int on_timer(sd_event_source *source, uint64_t time, void *arg)
{
	struct audit_work *work = arg;
	int r;

	(void)time;
	audit_log_checkpoint(work->daemon->audit);
	audit_log_look_again(work->daemon->audit);
	daemon_write_log(work->daemon);
	r = sd_event_source_set_time_relative(source, CHECKPOINT_USEC);
	return r < 0 ? r : sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

static int add_sources(struct audit_work *work)
{
	sd_event *event = work->daemon->event;
	int r = sd_event_add_time_relative(event, &work->timer, CLOCK_MONOTONIC, CHECKPOINT_USEC, 0,
					   on_timer, work);

	if (r >= 0)
		r = sd_event_add_defer(event, &work->piece, on_piece, work);
	if (r >= 0)
		r = sd_event_source_set_priority(work->piece, PRIORITY_LOG);
	return r < 0 ? r : sd_event_source_set_enabled(work->piece, SD_EVENT_ON);
}

int audit_work_new(struct daemon *daemon, struct audit_work **ret_work)
{
	struct audit_work *work = calloc(1, sizeof(*work));
	int r;

	if (!work)
		return -ENOMEM;
	work->daemon = daemon;
	r = add_sources(work);
	if (r < 0) {
		audit_work_free(work);
		return r;
	}
	*ret_work = work;
	return 0;
}

void audit_work_free(struct audit_work *work)
{
	int r;

	if (!work)
		return;
	r = audit_log_finish(work->daemon->audit);
	if (r < 0)
		log_line(LOG_ERR, "cannot end the audit log with a checkpoint: %s", strerror(-r));
	sd_event_source_disable_unref(work->timer);
	sd_event_source_disable_unref(work->piece);
	free(work);
}

static void freeze(struct session *session)
{
	int r;

	if (session->frozen || session->frozen_for_log)
		return;
	r = cgroup_freeze(session->cgroup, true);
	if (r < 0) {
		log_line(LOG_ERR, "cannot freeze session %s: %s", session->info.id, strerror(-r));
		return;
	}
	session->frozen_for_log = true;
	session_note(session, EVENT_FREEZE, 0, FROZEN_REASON);
}

static void thaw(struct session *session)
{
	int r;

	if (!session->frozen_for_log)
		return;
	r = cgroup_freeze(session->cgroup, false);
	if (r < 0) {
		log_line(LOG_ERR, "cannot thaw session %s: %s", session->info.id, strerror(-r));
		return;
	}
	session->frozen_for_log = false;
	session_note(session, EVENT_THAW, 0, THAWED_REASON);
}

void audit_work_written(struct audit_work *work, int r)
{
	const struct sessions *sessions;

	if (!work)
		return;
	sessions = &work->daemon->sessions;
	for (size_t i = 0; work->daemon->options->audit_strict && i < sessions->count; i++)
		if (r < 0)
			freeze(sessions->list[i]);
		else
			thaw(sessions->list[i]);
	if (audit_log_has_work(work->daemon->audit))
		sd_event_source_set_enabled(work->piece, SD_EVENT_ON);
}
