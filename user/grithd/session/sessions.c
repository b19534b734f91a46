/* SPDX-License-Identifier: MPL-2.0 */
/* The list of sessions, and the end of one. */
#include <sys/inotify.h>

#include "sessions.h"

struct session *sessions_find_id(const struct sessions *sessions, const char *id)
{
	for (size_t i = 0; i < sessions->count; i++)
		if (!strcmp(sessions->list[i]->info.id, id))
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
	if (found)
		*ret_session = found;
	return found ? 0 : -ENOENT;
}

size_t sessions_of_user(const struct sessions *sessions, uint32_t uid)
{
	size_t count = 0;

	for (size_t i = 0; i < sessions->count; i++)
		count += sessions->list[i]->info.uid == uid;
	return count;
}

/* Not in a list. */
static void session_free(struct session *session)
{
	if (!session)
		return;
	session->sessions->ops->removed(session->sessions->arg, session);
	sd_event_source_disable_unref(session->watch);
	cleanup_close(&session->cgroup);
	process_table_free(&session->processes);
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

static int watch(struct session *session, const char *id)
{
	const struct sessions *sessions = session->sessions;
	OWNED_TEXT struct text path = { 0 };
	int r = text_addf(&path, "%s/%s/cgroup.events", sessions->root->directory, id);

	if (r < 0)
		return r;
	r = sd_event_add_inotify(sessions->event, &session->watch, path.data, IN_MODIFY,
				 on_cgroup_event, session);
	return r < 0 ? r : sd_event_source_set_priority(session->watch, PRIORITY_SESSIONS);
}

int sessions_add(struct sessions *sessions, struct session_info *info, int *cgroup, bool adopted,
		 struct session **ret_session)
{
	CLEANUP(session_freep) struct session *session = calloc(1, sizeof(*session));
	int r;

	if (!session)
		return -ENOMEM;
	session->sessions = sessions;
	session->cgroup = -1;
	r = watch(session, info->id);
	r = r ?: ARRAY_GROW(sessions->list, sessions->count);
	if (r < 0)
		return r;
	session->info = *info;
	r = sessions->ops->added(sessions->arg, session, adopted);
	if (r < 0) {
		session->info = (struct session_info) { 0 }; /* stays the caller's */
		return r;
	}
	*info = (struct session_info) { 0 };
	session->cgroup = TAKE_FD(*cgroup);
	cgroup_is_frozen(session->cgroup, &session->frozen);
	*ret_session = sessions->list[sessions->count++] = TAKE_PTR(session);
	return 0;
}

void session_remove(struct session *session)
{
	struct sessions *sessions = session->sessions;
	size_t i = 0;

	while (sessions->list[i] != session)
		i++;
	memmove(sessions->list + i, sessions->list + i + 1,
		(--sessions->count - i) * sizeof(struct session *));
	session_free(session);
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
		event.home = info->home;
		event.worktrees = (const char *const *)info->worktrees;
		event.n_worktrees = info->n_worktrees;
		event.command = (const char *const *)info->command;
		event.n_command = info->n_command;
	}
	audit_log_session(session->sessions->audit->log, &event);
}

static void report(const struct session_info *info, const char *what, int r)
{
	if (r < 0)
		log_line(LOG_ERR, "session %s: cannot %s: %s", info->id, what, strerror(-r));
}

/* Everything that can fail on the way out; each part is tried. */
static void release(struct session *session)
{
	struct sessions *sessions = session->sessions;
	const struct session_info *info = &session->info;
	int r;

	sessions->ops->ended(sessions->arg, info, session);
	r = kernel_session_remove(sessions->kernel, info->cgroup);
	report(info, "take it out of the kernel", r == -ENOENT ? 0 : r);
	r = images_release(&sessions->images, sessions->kernel, info->image);
	report(info, "take its policy out of the kernel", r == -ENOENT ? 0 : r);
	report(info, "remove its cgroup", cgroup_remove(sessions->root->fd, info->id));
	report(info, "file its state", session_store_end(&sessions->store, info));
}

static void end(struct session *session, const char *reason)
{
	struct sessions *sessions = session->sessions;
	struct session_info *info = &session->info;

	sessions->ops->ending(sessions->arg, session);
	session_note(session, EVENT_END, info->uid, reason);
	info->ended = clock_real();
	release(session);
	log_line(LOG_INFO, "session %s (%s) of %s ended%s%s", info->id, info->name, info->user,
		 reason ? ": " : "", reason ? reason : "");
	session_remove(session);
	audit_write(sessions->audit);
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

void sessions_end_empty(struct sessions *sessions)
{
	for (size_t i = sessions->count; i-- > 0;)
		session_end_if_empty(sessions->list[i]);
}

int session_change(struct session *session, enum event_change change, uint32_t uid)
{
	int r = change == EVENT_KILL ? cgroup_kill(session->cgroup)
				     : cgroup_freeze(session->cgroup, change == EVENT_FREEZE);

	if (r < 0)
		return r;
	if (change != EVENT_KILL)
		session->frozen_for_log = false; /* it is a person's decision now */
	session_note(session, change, uid, NULL);
	audit_write(session->sessions->audit);
	return 0;
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

void sessions_freeze_for_log(struct sessions *sessions, bool freeze)
{
	for (size_t i = 0; i < sessions->count; i++)
		freeze_for_log(sessions->list[i], freeze);
}

void sessions_free(struct sessions *sessions)
{
	while (sessions->count)
		session_free(sessions->list[--sessions->count]);
	free(TAKE_PTR(sessions->list));
	images_free(&sessions->images);
	session_store_close(&sessions->store);
}
