/* SPDX-License-Identifier: MPL-2.0 */
/* Counts the sessions by their state files: those of which a cgroup with processes is left. */
#include <fcntl.h>

#include "grithd/session/session.h"
#include "check.h"

struct counting {
	const struct root_cgroup *root;
	size_t sessions;
};

static int count_session(void *arg, const char *id, int r, struct session_info *info)
{
	struct counting *counting = arg;
	OWNED_FD int fd = openat(counting->root->fd, id, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool populated = false;

	(void)r;
	(void)info;
	if (fd >= 0 && cgroup_is_populated(fd, &populated) == 0 && populated)
		counting->sessions++;
	return 0;
}

int unload_run(const struct options *options)
{
	OWNED_SESSION_STORE struct session_store store = SESSION_STORE_CLOSED;
	OWNED_ROOT_CGROUP struct root_cgroup root = { .fd = -1 };
	OWNED_DIAG struct diag diag = { 0 };
	struct counting counting = { &root, 0 };
	const char *state = options->value[SETTING_STATE_DIR];
	int r = session_store_open(&store, state);

	if (r < 0) {
		log_line(LOG_ERR,
			 r == -EBUSY ? "a grithd is running: stop it first (state in %s)"
				     : "cannot use the state directory %s",
			 state);
		return 1;
	}
	r = root_cgroup_open(options->value[SETTING_CGROUP_ROOT], &diag, &root);
	if (r < 0) {
		log_diag(LOG_ERR, &diag);
		return 1;
	}
	r = session_store_load(&store, count_session, &counting);
	if (r < 0) {
		log_line(LOG_ERR, "cannot read the sessions in %s: %s", state, strerror(-r));
		return 1;
	}
	if (counting.sessions && !options->force) {
		log_line(LOG_ERR,
			 "%zu sessions are running: end them, or leave them unsupervised "
			 "with --force",
			 counting.sessions);
		return 1;
	}
	r = kernel_unload(options->value[SETTING_BPFFS]);
	if (r < 0 && r != -ENOENT) {
		log_line(LOG_ERR, "cannot remove the pins in %s: %s", options->value[SETTING_BPFFS],
			 strerror(-r));
		return 1;
	}
	if (counting.sessions)
		log_line(LOG_WARNING, "%zu sessions run on unsupervised", counting.sessions);
	return 0;
}
