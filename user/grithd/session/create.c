/* SPDX-License-Identifier: MPL-2.0 */
/* Each step that has been taken is on record in `made`, so that a failure undoes just those. */
#include <fcntl.h>
#include <sys/stat.h>

#include "sessions.h"

#define NO_ROOM "there is room for no more than 1024 sessions at once"
_Static_assert(GRITH_MAX_SESSIONS == 1024, "the message has the limit");

/* A session that is being made: undone in reverse order on failure. */
struct making {
	struct sessions *sessions;
	char id[SESSION_ID_LENGTH + 1];
	bool image, directory, state, entry;
	uint32_t slot;
	uint64_t cgroup;
	int fd;
	struct session *session;
};

static void undo(struct making *m)
{
	struct sessions *sessions = m->sessions;

	if (!sessions)
		return;
	if (m->session)
		session_remove(m->session);
	if (m->entry)
		kernel_session_remove(sessions->kernel, m->cgroup);
	if (m->state)
		session_store_drop(&sessions->store, m->id);
	if (m->directory)
		cgroup_remove(sessions->root->fd, m->id);
	if (m->image)
		images_release(&sessions->images, sessions->kernel, m->slot);
	cleanup_close(&m->fd);
}

/* A fork bomb ends at the limit, with EAGAIN for the session alone. */
static int limit_pids(const struct making *m)
{
	char limit[24];

	if (!m->sessions->pids)
		return 0;
	snprintf(limit, sizeof(limit), "%" PRIu64, m->sessions->pids);
	return cgroup_write(m->fd, "pids.max", limit);
}

static int make_cgroup(struct making *m)
{
	int root = m->sessions->root->fd;

	/* An id that was given before fails here and is not given again. */
	if (mkdirat(root, m->id, 0755) < 0)
		return -errno;
	m->directory = true;
	m->fd = openat(root, m->id, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (m->fd < 0)
		return -errno;
	return cgroup_id(m->fd, &m->cgroup) ?: limit_pids(m);
}

static int make_entry(struct making *m, const struct session_info *info)
{
	struct grith_session entry = {
		.image = m->slot,
		.mode = info->mode,
		.uid = info->uid,
		.threshold_hold = info->threshold_hold,
		.threshold_deny = info->threshold_deny,
	};
	int r = kernel_session_set(m->sessions->kernel, m->cgroup, &entry);

	m->entry = r == 0;
	return r;
}

static void fill_in(const struct making *m, struct session_info *info)
{
	struct event_head now = event_now(NULL);

	memcpy(info->id, m->id, sizeof(info->id));
	info->image = m->slot;
	info->cgroup = m->cgroup;
	info->started = now.time;
	info->started_mono = now.mono;
}

/* The name of its program is that of the first records: it has made none that tells. */
static void know_process(struct session *session, const struct peer *peer)
{
	OWNED_MEM char *program = NULL;
	struct process_entry *entry;
	bool is_new;

	entry = process_table_see(&session->processes, peer->pid, 0, &is_new);
	if (entry && peer_link(peer, "exe", &program) == 0)
		process_entry_set_program(entry, program, strlen(program));
}

static int place(struct making *m, const struct peer *peer)
{
	char pid[16];
	int r;

	know_process(m->session, peer);
	snprintf(pid, sizeof(pid), "%d", (int)peer->pid);
	r = cgroup_write(m->session->cgroup, "cgroup.procs", pid);
	if (r < 0)
		return r;
	/* Alive after it was placed by its number: then that was its number all along. */
	return peer_is_alive(peer) ? 0 : -ESRCH;
}

int session_create(struct sessions *sessions, struct session_info *info, struct policy_image *image,
		   const struct peer *peer, const char **ret_what, struct session **ret_session)
{
	CLEANUP(undo) struct making m = { .sessions = sessions, .fd = -1 };
	int r;

	*ret_what = "cannot put the policy into the kernel";
	r = images_add(&sessions->images, sessions->kernel, image, &m.slot);
	if (r < 0)
		return r;
	m.image = true;

	*ret_what = "cannot make a cgroup";
	r = session_id_make(m.id) ?: make_cgroup(&m);
	if (r < 0)
		return r;
	fill_in(&m, info);

	*ret_what = "cannot write the session's state";
	r = session_store_save(&sessions->store, info);
	if (r < 0)
		return r;
	m.state = true;

	*ret_what = "cannot tell the kernel of the session";
	r = make_entry(&m, info);
	if (r == -E2BIG) {
		*ret_what = NO_ROOM;
		return -ENOSPC;
	}
	if (r < 0)
		return r;

	*ret_what = "cannot watch the session";
	r = sessions_add(sessions, info, &m.fd, false, &m.session);
	if (r < 0)
		return r;

	*ret_what = "cannot place the process in the session";
	r = place(&m, peer);
	if (r < 0)
		return r;
	session_note(m.session, EVENT_START, peer->uid, NULL);
	*ret_session = m.session;
	m.sessions = NULL;
	return 0;
}
