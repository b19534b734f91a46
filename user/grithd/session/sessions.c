/* SPDX-License-Identifier: MPL-2.0 */
/* The list of sessions, and the end of one. */
#include <sys/inotify.h>

#include "grithd/audit/audit.h"
#include "grithd/base/base.h"
#include "grithd/daemon.h"
#include "grithd/intake/intake.h"
#include "grithd/review/canaries.h"
#include "lib/base/base.h"
#include "store.h"

struct session *sessions_find_id(const struct sessions *sessions, const char *id)
{
	for (size_t i = 0; i < sessions->count; i++)
		if (!strcmp(sessions->list[i]->info.id, id))
			return sessions->list[i];
	return NULL;
}

struct session *sessions_find_cgroup(const struct sessions *sessions, uint64_t cgroup)
{
	for (size_t i = 0; i < sessions->count; i++)
		if (sessions->list[i]->info.cgroup == cgroup)
			return sessions->list[i];
	return NULL;
}

int sessions_find(const struct sessions *sessions, const char *name, uint32_t uid,
		  struct session **ret_session)
{
	struct session *found = NULL;

	for (size_t i = 0; i < sessions->count; i++) {
		struct session *session = sessions->list[i];

		if (uid && session->info.uid != uid)
			continue;
		if (!strcmp(session->info.id, name)) {
			*ret_session = session;
			return 0;
		}
		if (strcmp(session->info.name, name))
			continue;
		if (found)
			return -ENOTUNIQ;
		found = session;
	}
	if (!found)
		return -ENOENT;
	*ret_session = found;
	return 0;
}

size_t sessions_of_user(const struct sessions *sessions, uint32_t uid)
{
	size_t count = 0;

	for (size_t i = 0; i < sessions->count; i++)
		count += sessions->list[i]->info.uid == uid;
	return count;
}

static void session_free(struct session *session)
{
	if (!session)
		return;
	sd_event_source_disable_unref(session->watch);
	cleanup_close(&session->cgroup);
	process_table_free(&session->processes);
	exec_join_free(&session->joins);
	answers_free(&session->answers);
	score_session_free(session->score);
	recent_free(session->recent);
	flow_free(session->flow);
	session_info_free(&session->info);
	free(session);
}
DEFINE_CLEANUP(struct session, session_free)

static int on_cgroup_event(sd_event_source *source, const struct inotify_event *event, void *arg)
{
	struct session *session = arg;

	(void)source;
	(void)event;
	if (!session_end_if_empty(session))
		cgroup_is_frozen(session->cgroup, &session->frozen);
	return 0;
}

static int watch(struct daemon *daemon, struct session *session)
{
	OWNED_MEM char *path = NULL;
	int r;

	if (asprintf(&path, "%s/%s/cgroup.events", daemon->root.directory, session->info.id) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	r = sd_event_add_inotify(daemon->event, &session->watch, path, IN_MODIFY, on_cgroup_event,
				 session);
	if (r < 0)
		return r;
	return sd_event_source_set_priority(session->watch, PRIORITY_SESSIONS);
}

int sessions_add(struct daemon *daemon, struct session_info *info, int *cgroup,
		 struct session **ret_session)
{
	CLEANUP(session_freep) struct session *session = calloc(1, sizeof(*session));
	struct sessions *sessions = &daemon->sessions;
	struct session **larger;
	int r;

	if (!session)
		return -ENOMEM;
	session->daemon = daemon;
	session->cgroup = -1;
	session->recent = recent_new();
	session->score = score_session_new();
	session->flow = flow_new(info->sources);
	if (!session->recent || !session->score || !session->flow)
		return -ENOMEM;
	memcpy(session->info.id, info->id, sizeof(info->id));
	r = watch(daemon, session);
	if (r < 0)
		return r;
	larger = realloc(sessions->list, (sessions->count + 1) * sizeof(struct session *));
	if (!larger)
		return -ENOMEM;
	sessions->list = larger;

	session->info = *info;
	*info = (struct session_info) { 0 };
	session->cgroup = TAKE_FD(*cgroup);
	cgroup_is_frozen(session->cgroup, &session->frozen);
	canaries_arm(daemon->canaries, session);
	*ret_session = sessions->list[sessions->count++] = TAKE_PTR(session);
	daemon_update_poll(daemon);
	return 0;
}

void sessions_remove(struct daemon *daemon, struct session *session)
{
	struct sessions *sessions = &daemon->sessions;

	for (size_t i = 0; i < sessions->count; i++)
		if (sessions->list[i] == session) {
			memmove(sessions->list + i, sessions->list + i + 1,
				(--sessions->count - i) * sizeof(struct session *));
			break;
		}
	session_free(session);
	daemon_update_poll(daemon);
}

void session_note(struct session *session, enum event_change change, uint32_t uid,
		  const char *reason)
{
	const struct session_info *info = &session->info;
	struct event_session event = {
		.head = event_now(info->id),
		.change = change,
		.uid = uid,
		.reason = reason,
	};

	if (change == EVENT_START || change == EVENT_ADOPTED) {
		event.name = info->name;
		event.user = info->user;
		event.profile = info->profile;
		event.mode = mode_name(info->mode);
		event.project = info->project;
		event.worktrees = (const char *const *)info->worktrees;
		event.n_worktrees = info->n_worktrees;
		event.command = (const char *const *)info->command;
		event.n_command = info->n_command;
	}
	audit_log_session(session->daemon->audit.log, &event);
}

/* Everything that can fail on the way out; each part is tried. */
static void release(struct daemon *daemon, struct session *session)
{
	const struct session_info *info = &session->info;
	int r;

	reviews_end_session(session);
	remembered_drop_session(daemon->remembered, info->id);
	r = kernel_session_remove(daemon->kernel, info->cgroup);
	if (r < 0 && r != -ENOENT)
		log_line(LOG_ERR, "session %s: cannot take it out of the kernel: %s", info->id,
			 strerror(-r));
	r = images_release(&daemon->images, daemon->kernel, info->image);
	if (r < 0 && r != -ENOENT)
		log_line(LOG_ERR, "session %s: cannot take its policy out of the kernel: %s",
			 info->id, strerror(-r));
	r = cgroup_remove(daemon->root.fd, info->id);
	if (r < 0)
		log_line(LOG_ERR, "session %s: cannot remove its cgroup: %s", info->id,
			 strerror(-r));
	r = session_store_end(daemon->store, info);
	if (r < 0)
		log_line(LOG_ERR, "session %s: cannot file its state: %s", info->id, strerror(-r));
}

/*
 * Takes in its last records, writes them and the end into the log, removes its cgroup, its place in
 * the kernel, and its state.
 */
static void end(struct session *session, const char *reason)
{
	struct daemon *daemon = session->daemon;

	daemon_catch_up(daemon);
	intake_finish(session);
	session_note(session, EVENT_END, session->info.uid, reason);
	session->info.ended = clock_real();
	release(daemon, session);
	log_line(LOG_INFO, "session %s (%s) of %s ended%s%s", session->info.id, session->info.name,
		 session->info.user, reason ? ": " : "", reason ? reason : "");
	sessions_remove(daemon, session);
	audit_write(&daemon->audit);
}

bool session_end_if_empty(struct session *session)
{
	bool populated;
	int r = cgroup_is_populated(session->cgroup, &populated);

	if (r < 0 && r != -ENODEV && r != -ENOENT) {
		log_line(LOG_ERR, "session %s: cannot look at its cgroup: %s", session->info.id,
			 strerror(-r));
		return false;
	}
	if (r == 0 && populated)
		return false;
	end(session, r < 0 ? "somebody removed its cgroup" : NULL);
	return true;
}

static void freeze_for_log(struct session *session, bool freeze)
{
	int r;

	if (session->frozen_for_log == freeze || (freeze && session->frozen))
		return;
	r = cgroup_freeze(session->cgroup, freeze);
	if (r < 0) {
		log_line(LOG_ERR, "cannot %s session %s: %s", freeze ? "freeze" : "thaw",
			 session->info.id, strerror(-r));
		return;
	}
	session->frozen_for_log = freeze;
	session_note(session, freeze ? EVENT_FREEZE : EVENT_THAW, 0,
		     freeze ? "the audit log cannot be written to"
			    : "the audit log can be written to again");
}

void sessions_freeze_for_log(struct daemon *daemon, bool freeze)
{
	for (size_t i = 0; i < daemon->sessions.count; i++)
		freeze_for_log(daemon->sessions.list[i], freeze);
}

void sessions_free(struct daemon *daemon)
{
	for (size_t i = 0; i < daemon->sessions.count; i++)
		session_free(daemon->sessions.list[i]);
	free(daemon->sessions.list);
	daemon->sessions = (struct sessions) { 0 };
}
