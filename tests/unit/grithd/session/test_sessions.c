/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The session room by itself: a directory takes the place of a cgroup, since all that is asked of
 * one is whether its cgroup.events says that it has processes.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include <criterion/criterion.h>

#include "grithd/session/session.h"
#include "../fake_audit.h"
#include "../fake_kernel.h"

#define ID "abcde23456"
#define CGROUP 77

static char directory[] = "/tmp/grith-sessions-XXXXXX";
static struct kernel kernel;
static struct root_cgroup root = { .fd = -1 };
static struct audit audit;
static struct sessions sessions;

/* What the callbacks were told, a letter for each. */
static char told[16];

static void tell(const char *letter)
{
	strncat(told, letter, sizeof(told) - strlen(told) - 1);
}

static int on_added(void *arg, struct session *session, bool adopted)
{
	(void)session;
	tell(adopted ? "A" : "a");
	return arg ? -ENOMEM : 0;
}

static void on_removed(void *arg, struct session *session)
{
	(void)arg;
	(void)session;
	tell("r");
}

static void on_ending(void *arg, struct session *session)
{
	(void)arg;
	(void)session;
	cr_assert_null(strstr(fake_audit_text(), "\"end\""), "its last records come first");
	tell("e");
}

static void on_ended(void *arg, const struct session_info *info, struct session *session)
{
	(void)arg;
	(void)session;
	cr_assert_str_eq(info->id, ID);
	cr_assert_not_null(strstr(fake_audit_text(), "\"end\""));
	tell("E");
}

static const struct session_ops ops = { on_added, on_removed, on_ending, on_ended };

static void set_up(void)
{
	cr_assert_not_null(mkdtemp(directory));
	root.directory = root.path = directory;
	root.fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	sessions = (struct sessions) {
		.ops = &ops,
		.kernel = &kernel,
		.root = &root,
		.audit = &audit,
		.store = SESSION_STORE_CLOSED,
	};
	cr_assert_geq(sd_event_new(&sessions.event), 0);
	cr_assert_eq(session_store_open(&sessions.store, directory), 0);
}

static void remove_in(const char *name)
{
	OWNED_TEXT struct text command = { 0 };

	text_addf(&command, "rm -rf '%s'", name);
	cr_assert_eq(system(command.data), 0);
}

static void tear_down(void)
{
	sd_event *event = sessions.event;

	sessions_free(&sessions);
	sd_event_unref(event);
	close(root.fd);
	remove_in(directory);
	fake_audit_clear();
}

TestSuite(sessions, .init = set_up, .fini = tear_down, .timeout = 20);

static void set_populated(int cgroup, bool populated)
{
	OWNED_FD int fd = openat(cgroup, "cgroup.events", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	const char *text = populated ? "populated 1\nfrozen 0\n" : "populated 0\nfrozen 0\n";

	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

static struct session_info make_info(void)
{
	struct session_info info = { .id = ID, .uid = 1000, .cgroup = CGROUP };

	info.name = strdup("agent");
	info.user = strdup("somebody");
	info.profile = strdup("generic");
	info.project = strdup("/src");
	return info;
}

static int make_cgroup(bool populated)
{
	int fd;

	cr_assert_eq(mkdirat(root.fd, ID, 0700), 0);
	fd = openat(root.fd, ID, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	set_populated(fd, populated);
	return fd;
}

static struct session *add(bool populated)
{
	OWNED_SESSION_INFO struct session_info info = make_info();
	int cgroup = make_cgroup(populated);
	struct session *session;

	kernel_session_set(&kernel, CGROUP, NULL);
	cr_assert_eq(session_store_save(&sessions.store, &info), 0);
	cr_assert_eq(sessions_add(&sessions, &info, &cgroup, false, &session), 0);
	return session;
}

Test(sessions, one_ends_when_its_cgroup_is_empty)
{
	struct session *session = add(true);

	cr_assert_not(session_end_if_empty(session));
	set_populated(session->cgroup, false);
	while (sessions.count)
		cr_assert_geq(sd_event_run(sessions.event, UINT64_MAX), 0);
	cr_assert_str_eq(told, "aeEr");
	cr_assert_not(fake_has_session(&kernel, CGROUP));
}

Test(sessions, what_has_ended_is_found_by_its_name)
{
	OWNED_SESSION_INFO struct session_info info = { 0 };

	session_end_if_empty(add(false));
	cr_assert_eq(sessions.count, 0);
	cr_assert_eq(session_store_find_ended_name(&sessions.store, "agent", 1000, &info), 0);
	cr_assert_str_eq(info.id, ID);
	cr_assert_gt(info.ended, 0);
}

Test(sessions, what_cannot_be_attached_leaves_no_session_behind)
{
	OWNED_SESSION_INFO struct session_info info = make_info();
	int cgroup = make_cgroup(true);
	struct session *session;

	sessions.arg = &sessions; /* has on_added() fail */
	cr_assert_eq(sessions_add(&sessions, &info, &cgroup, false, &session), -ENOMEM);
	cr_assert_eq(sessions.count, 0);
	cr_assert_str_eq(told, "ar");
	cr_assert_str_eq(info.name, "agent");
	cr_assert_geq(cgroup, 0);
	close(cgroup);
}

Test(sessions, an_adopted_session_without_its_cgroup_is_buried)
{
	OWNED_SESSION_INFO struct session_info info = make_info();

	cr_assert_eq(session_store_save(&sessions.store, &info), 0);
	cr_assert_eq(sessions_adopt(&sessions), 0);
	cr_assert_eq(sessions.count, 0);
	cr_assert_str_eq(told, "E");
	cr_assert_not_null(strstr(fake_audit_text(), "grithd was not running when it ended"));
}

Test(sessions, what_the_kernel_has_and_nobody_else_is_removed_from_it)
{
	kernel_session_set(&kernel, 4711, NULL);
	cr_assert_eq(sessions_adopt(&sessions), 0);
	cr_assert_not(fake_has_session(&kernel, 4711));
}
