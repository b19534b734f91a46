/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What an earlier grithd left: state files, cgroups, and entries in the kernel. A session goes on
 * where all three are there; where the state file is missing, with what the kernel knows. Where the
 * kernel's entry is missing its processes would run unsupervised, so they are killed.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "sessions.h"

/* Its cgroup, if it is the one that the state file means. */
static int open_cgroup(struct sessions *sessions, const struct session_info *info, int *ret_fd)
{
	OWNED_FD int fd = openat(sessions->root->fd, info->id,
				 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	uint64_t id;
	int r;

	if (fd < 0)
		return -errno;
	r = cgroup_id(fd, &id);
	if (r < 0)
		return r;
	if (id != info->cgroup)
		return -ENOENT;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

/* A session of which there is nothing left but its state. */
static void bury(struct sessions *sessions, struct session_info *info, const char *reason)
{
	struct event_session event = {
		.head = event_now(info->id),
		.change = EVENT_END,
		.uid = info->uid,
		.reason = reason,
	};
	int r;

	audit_log_session(sessions->audit->log, &event);
	sessions->ops->ended(sessions->arg, info, NULL);
	info->ended = event.head.time;
	r = session_store_end(&sessions->store, info);
	if (r < 0)
		log_line(LOG_ERR, "session %s: cannot file its state: %s", info->id, strerror(-r));
	log_line(LOG_NOTICE, "session %s (%s) of %s ended: %s", info->id, info->name, info->user,
		 reason);
}

static void kill_unsupervised(struct sessions *sessions, struct session_info *info, int cgroup)
{
	static const char reason[] =
		"the kernel no longer supervised it, its processes were killed";
	int r = cgroup_kill(cgroup);

	if (r < 0)
		log_line(LOG_CRIT, "session %s runs unsupervised and cannot be killed: %s",
			 info->id, strerror(-r));
	bury(sessions, info, reason);
}

/* In order of their start. */
static void sort_in(struct sessions *sessions)
{
	size_t i = sessions->count - 1;
	struct session *session = sessions->list[i];

	for (; i && sessions->list[i - 1]->info.started > session->info.started; i--)
		sessions->list[i] = sessions->list[i - 1];
	sessions->list[i] = session;
}

static int adopt(struct sessions *sessions, struct session_info *info, int *cgroup)
{
	struct session *session;
	int r = images_adopt(&sessions->images, sessions->kernel, info->image)
			?: sessions_add(sessions, info, cgroup, true, &session);

	if (r < 0)
		return r;
	sort_in(sessions);
	session_note(session, EVENT_ADOPTED, session->info.uid, NULL);
	return 0;
}

static int on_state(void *arg, const char *id, int r, struct session_info *info)
{
	struct sessions *sessions = arg;
	struct grith_session kernel;
	OWNED_FD int cgroup = -1;

	if (r < 0) {
		log_line(LOG_ERR, "session %s: its state cannot be read: %s", id, strerror(-r));
		return 0;
	}
	if (open_cgroup(sessions, info, &cgroup) < 0) {
		bury(sessions, info, "grithd was not running when it ended");
		return 0;
	}
	if (kernel_session_get(sessions->kernel, info->cgroup, &kernel) < 0) {
		kill_unsupervised(sessions, info, cgroup);
		return 0;
	}
	info->image = kernel.image;
	info->mode = kernel.mode;
	return adopt(sessions, info, &cgroup);
}

/* All that is known of a session without its state file. */
static int make_info(const char *id, uint64_t cgroup, const struct grith_session *kernel,
		     struct session_info *info)
{
	memcpy(info->id, id, sizeof(info->id));
	info->uid = kernel->uid;
	info->mode = kernel->mode;
	info->image = kernel->image;
	info->cgroup = cgroup;
	info->started = clock_real();
	info->name = strdup(id);
	info->user = strdup("unknown");
	info->profile = strdup("unknown");
	info->project = strdup("unknown");
	return info->name && info->user && info->profile && info->project ? 0 : -ENOMEM;
}

/* A cgroup that no state file led to. */
static int adopt_stray(struct sessions *sessions, const char *id)
{
	OWNED_SESSION_INFO struct session_info info = { 0 };
	OWNED_FD int fd = openat(sessions->root->fd, id, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct grith_session kernel;
	bool populated;
	uint64_t cgroup;
	int r;

	if (fd < 0 || cgroup_id(fd, &cgroup) < 0)
		return 0;
	if (kernel_session_get(sessions->kernel, cgroup, &kernel) < 0) {
		if (cgroup_is_populated(fd, &populated) == 0 && populated)
			log_line(LOG_WARNING, "%s/%s has processes, and is no session",
				 sessions->root->directory, id);
		else
			cgroup_remove(sessions->root->fd, id);
		return 0;
	}
	r = make_info(id, cgroup, &kernel, &info);
	if (r < 0)
		return r;
	log_line(LOG_WARNING, "session %s: its state file is missing, it goes on without", id);
	return adopt(sessions, &info, &fd)
		       ?: session_store_save(&sessions->store,
					     &sessions_find_id(sessions, id)->info);
}

static int adopt_strays(struct sessions *sessions)
{
	OWNED_DIR DIR *dir = opendir(sessions->root->directory);
	int r;

	if (!dir)
		return -errno;
	for (struct dirent *entry; (entry = readdir(dir));) {
		if (entry->d_type != DT_DIR || !session_id_valid(entry->d_name) ||
		    sessions_find_id(sessions, entry->d_name))
			continue;
		r = adopt_stray(sessions, entry->d_name);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Entries in the kernel whose cgroups are gone. */
static int remove_dead_entries(struct sessions *sessions)
{
	OWNED_MEM uint64_t *cgroups = NULL;
	size_t count = 0;
	int r = kernel_sessions(sessions->kernel, &cgroups, &count);

	if (r < 0)
		return r;
	for (size_t i = 0; i < count; i++)
		if (!sessions_find_cgroup(sessions, cgroups[i]))
			kernel_session_remove(sessions->kernel, cgroups[i]);
	return 0;
}

int sessions_adopt(struct sessions *sessions)
{
	return session_store_load(&sessions->store, on_state, sessions)
		?: adopt_strays(sessions)
		?: remove_dead_entries(sessions);
}
