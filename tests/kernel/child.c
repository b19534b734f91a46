/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Children that work on a user's files with that user's rights: the callback gets what the work
 * returned; one that hangs does not block the event loop, is killed at its time-out and reaped. In
 * the guest, since only root can become another user.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grithd/base/base.h"
#include "tests.h"

#define UID 4123
#define GID 4124

struct called {
	int r;
	unsigned int times;
	struct user_child *child; /* freed by the callback */
	unsigned int turns; /* of the event loop meanwhile */
};

static void on_done(void *arg, int r)
{
	struct called *called = arg;

	called->r = r;
	called->times++;
	user_child_free(called->child);
	called->child = NULL;
}

static int on_turn(sd_event_source *source, uint64_t time, void *arg)
{
	struct called *called = arg;

	called->turns++;
	sd_event_source_set_time(source, time + 10000);
	return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

static int identity(const void *arg)
{
	gid_t groups[1];

	return getuid() == UID && geteuid() == UID && getgid() == GID && !getgroups(1, groups) &&
			       access((const char *)arg, R_OK) < 0 && errno == EACCES
		       ? 0
		       : -ERANGE;
}

static int complain(const void *arg)
{
	(void)arg;
	return -ESTALE;
}

static int hang(const void *arg)
{
	(void)arg;
	signal(SIGTERM, SIG_IGN);
	for (;;)
		pause();
	return 0;
}

static bool has_no_child(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD;
}

/* Runs the event loop until the callback, at most 3,000 turns of 10 ms, and until it is reaped. */
static void run(user_work_fn *work, const void *arg, uint64_t timeout_ms, struct called *called)
{
	CLEANUP(sd_event_unrefp) sd_event *event = NULL;
	CLEANUP(sd_event_source_unrefp) sd_event_source *timer = NULL;
	OWNED_FD int mounts = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
	const struct user_rights rights = { mounts, UID, GID };
	uint64_t now;

	*called = (struct called) { .r = 1 };
	if (sd_event_new(&event) < 0 || sd_event_now(event, CLOCK_MONOTONIC, &now) < 0 ||
	    sd_event_add_time(event, &timer, CLOCK_MONOTONIC, now, 1, on_turn, called) < 0 ||
	    user_child_start(event, &rights, work, arg, timeout_ms, on_done, called,
			     &called->child) < 0)
		return;
	while (!called->times && called->turns < 3000 && sd_event_run(event, UINT64_MAX) >= 0)
		;
	/* A killed child is reaped after its owner has freed it. */
	for (int i = 0; i < 3000 && !has_no_child(); i++)
		sd_event_run(event, 10000);
}

void test_child(struct tally *tally)
{
	const char secret[] = "/tmp/grith-test-root-only";
	struct called called;

	close(open(secret, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	run(identity, secret, 30000, &called);
	check(tally, called.r == 0, "a child has the rights of the user: %d", called.r);
	check(tally, called.times == 1, "the callback comes once: %u", called.times);
	check(tally, has_no_child(), "one that ended is reaped");
	run(complain, NULL, 30000, &called);
	check(tally, called.r == -ESTALE, "the callback gets what the work returned: %d", called.r);
	run(hang, NULL, 2000, &called);
	check(tally, called.r == -ETIMEDOUT, "one that hangs is a time-out: %d", called.r);
	check(tally, called.times == 1, "its callback comes once: %u", called.times);
	check(tally, called.turns > 3, "the loop goes on meanwhile: %u turns", called.turns);
	check(tally, has_no_child(), "one that was killed is reaped");
	unlink(secret);
}
