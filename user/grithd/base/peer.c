/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A process number is only as good as the proof that its owner still lives: after anything was read
 * by number, the descriptor of the process is asked. Linux 6.5 and later give that descriptor for
 * the process that connected; before, there is a moment between the connection and pidfd_open() in
 * which the process may have died and another one got its number. That one must at least have the
 * same user, so a user can at most have a process of their own placed, and gains no right.
 */
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "peer.h"
#include "proc.h"

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

/* The owner of /proc/PID is its effective user. */
static int check_user(const struct peer *peer)
{
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d", (int)peer->pid);
	return stat(path, &st) == 0 && st.st_uid == peer->uid ? 0 : -ESRCH;
}

static int open_by_number(struct peer *peer)
{
	peer->pidfd = pidfd_open(peer->pid, 0);
	if (peer->pidfd < 0)
		return -errno;
	return check_user(peer);
}

static int open_pidfd(int socket, struct peer *peer)
{
	socklen_t size = sizeof(peer->pidfd);
	int fd;

	if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &fd, &size) == 0) {
		peer->pidfd = fd;
		return 0;
	}
	if (errno == ENOPROTOOPT)
		return open_by_number(peer);
	return errno == EINVAL ? -ESRCH : -errno;
}

int peer_of(int socket, struct peer *ret_peer)
{
	OWNED_PEER struct peer peer = { .pidfd = -1 };
	struct ucred credentials;
	socklen_t size = sizeof(credentials);
	int r;

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0)
		return -errno;
	if (credentials.pid <= 0) /* of another pid namespace, which has no number here */
		return -ESRCH;
	peer.pid = credentials.pid;
	peer.uid = credentials.uid;
	r = open_pidfd(socket, &peer);
	if (r < 0)
		return r;
	if (!peer_is_alive(&peer))
		return -ESRCH;
	*ret_peer = peer;
	peer.pidfd = -1;
	return 0;
}

bool peer_is_alive(const struct peer *peer)
{
	struct pollfd poll_fd = { .fd = peer->pidfd, .events = POLLIN };

	/* Readable once the process has ended, before its number is given away. */
	return poll(&poll_fd, 1, 0) == 0;
}

/* True of this very process, or it is not handed out. */
static int checked(const struct peer *peer, int r, char *path, char **ret_path)
{
	if (r == 0 && !peer_is_alive(peer)) {
		free(path);
		r = -ESRCH;
	}
	if (r == 0)
		*ret_path = path;
	return r;
}

int peer_cgroup(const struct peer *peer, char **ret_path)
{
	char *path = NULL;
	int r = cgroup_of(peer->pid, &path);

	return checked(peer, r, path, ret_path);
}

int peer_link(const struct peer *peer, const char *link, char **ret_path)
{
	char *path = NULL;
	int r = proc_link((uint32_t)peer->pid, link, &path);

	return checked(peer, r, path, ret_path);
}

void peer_close(struct peer *peer)
{
	cleanup_close(&peer->pidfd);
	peer->pidfd = -1;
}
