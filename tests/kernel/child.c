/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Work on a user's files, done by a child with that user's rights: what it returned is told, and
 * one that does not end costs the event loop nothing and is gone in the end. Here, since only root
 * can become another user.
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

struct told {
	int r;
	unsigned int times;
	struct user_child *child; /* freed when it is told */
	unsigned int turns; /* of the event loop meanwhile */
};

static void on_done(void *arg, int r)
{
	struct told *told = arg;

	told->r = r;
	told->times++;
	user_child_free(told->child);
	told->child = NULL;
}

static int on_turn(sd_event_source *source, uint64_t time, void *arg)
{
	struct told *told = arg;

	told->turns++;
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

/* Runs the loop until it is told, or for so many turns of 10 ms. */
static void run(user_work_fn *work, const void *arg, uint64_t timeout_ms, struct told *told)
{
	CLEANUP(sd_event_unrefp) sd_event *event = NULL;
	CLEANUP(sd_event_source_unrefp) sd_event_source *timer = NULL;
	OWNED_FD int mounts = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
	const struct user_rights rights = { mounts, UID, GID };
	uint64_t now;

	*told = (struct told) { .r = 1 };
	if (sd_event_new(&event) < 0 || sd_event_now(event, CLOCK_MONOTONIC, &now) < 0 ||
	    sd_event_add_time(event, &timer, CLOCK_MONOTONIC, now, 1, on_turn, told) < 0 ||
	    user_child_start(event, &rights, work, arg, timeout_ms, on_done, told, &told->child) <
		    0)
		return;
	while (!told->times && told->turns < 3000 && sd_event_run(event, UINT64_MAX) >= 0)
		;
	/* What was killed is collected, though nobody waits for it any more. */
	for (int i = 0; i < 3000 && !has_no_child(); i++)
		sd_event_run(event, 10000);
}

void test_child(struct tally *tally)
{
	const char secret[] = "/tmp/grith-test-root-only";
	struct told told;

	close(open(secret, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	run(identity, secret, 30000, &told);
	check(tally, told.r == 0, "a child has the rights of the user: %d", told.r);
	check(tally, told.times == 1, "it is told once: %u", told.times);
	check(tally, has_no_child(), "one that ended is collected");
	run(complain, NULL, 30000, &told);
	check(tally, told.r == -ESTALE, "what the work returned is told: %d", told.r);
	run(hang, NULL, 2000, &told);
	check(tally, told.r == -ETIMEDOUT, "one that does not end is given up: %d", told.r);
	check(tally, told.times == 1, "that is told once: %u", told.times);
	check(tally, told.turns > 3, "the loop goes on meanwhile: %u turns", told.turns);
	check(tally, has_no_child(), "one that was killed is collected");
	unlink(secret);
}
