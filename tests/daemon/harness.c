/* SPDX-License-Identifier: MPL-2.0 */
/* One test is one process, so there is one of everything. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "lib/base/base.h"
#include "harness.h"
#include "harness_internal.h"

#define FDS_MAX 256

static struct {
	char directory[64];
	char *cgroup_root;
	pid_t daemon; /* 0: not running */
	int notify;
	struct lines input[FDS_MAX]; /* by descriptor: what was read and not yet taken */
} h;

/* --- the directory */

const char *at(const char *name)
{
	static char paths[8][256];
	static unsigned int next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof(paths[0]), "%s/%s", h.directory, name);
	return path;
}

const char *cgroup_root(void)
{
	return h.cgroup_root;
}

void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	cr_assert_not_null(file, "%s", path);
	cr_assert_eq(fputs(text, file) < 0, false);
	cr_assert_eq(fclose(file), 0);
}

char *read_file(const char *path)
{
	FILE *file = fopen(path, "re");
	struct text text = { 0 };
	char chunk[4096];
	size_t n;

	cr_assert_not_null(file, "%s", path);
	cr_assert_eq(text_add(&text, "", 0), 0);
	while ((n = fread(chunk, 1, sizeof(chunk), file)))
		cr_assert_eq(text_add(&text, chunk, n), 0);
	fclose(file);
	return text.data;
}

static void skip(const char *why)
{
	if (getenv("GRITH_MUST_RUN"))
		cr_assert_fail("cannot be run: %s", why);
	cr_skip_test("%s", why);
}

static void make_policies(void)
{
	mkdir(at("policy"), 0755);
	write_file(at("policy/base.yaml"), "grith: 1\n"
					   "name: base\n"
					   "files:\n"
					   "  - {allow: [read, list], path: \"/usr/**\"}\n");
	write_file(at("policy/generic.yaml"),
		   "grith: 1\n"
		   "name: generic\n"
		   "extends: base\n"
		   "files:\n"
		   "  - {allow: [read, write], path: \"${PROJECT}/**\"}\n"
		   "  - {deny: read, path: \"/etc/shadow\", reason: passwords}\n");
}

void harness_set_up(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char *mount;
	int fd;

	signal(SIGPIPE, SIG_IGN);
	if (geteuid() != 0)
		skip("needs root");
	if (cgroup_find_mount(&mount) < 0)
		skip("cgroup2 is not mounted");
	cr_assert_gt(asprintf(&h.cgroup_root, "%s/grith-test-%d", mount, getpid()), 0);
	if (mkdir(h.cgroup_root, 0755) < 0)
		skip("cgroup2 cannot be written to");
	strcpy(h.directory, "/tmp/grith-daemon.XXXXXX");
	cr_assert_not_null(mkdtemp(h.directory));
	chmod(h.directory, 0755);
	mkdir(at("project"), 0777);
	make_policies();

	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	strcpy(address.sun_path, at("notify"));
	cr_assert_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	h.notify = fd;
}

void harness_tear_down(void)
{
	char command[256];
	int fd;

	if (!h.directory[0])
		return;
	if (h.daemon) {
		kill(h.daemon, SIGKILL);
		waitpid(h.daemon, NULL, 0);
	}
	fd = open(h.cgroup_root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cgroup_kill(fd);
	agents_end();
	close(fd);
	while (cgroup_remove(AT_FDCWD, h.cgroup_root) == -EBUSY)
		poll(NULL, 0, 1); /* the killed ones are leaving */
	snprintf(command, sizeof(command), "umount -q %s/log 2>/dev/null; rm -rf %s", h.directory,
		 h.directory);
	cr_assert_eq(system(command), 0);
}

/* --- grithd */

static _Noreturn void exec_daemon(const char *option)
{
	const char *program = getenv("GRITHD_TEST");
	const char *arguments[] = {
		"grithd",      "--socket",	at("run/socket"), "--policy-dir", at("policy"),
		"--state-dir", at("state"),	"--log-dir",	  at("log"),	  "--bpffs",
		at("bpf"),     "--cgroup-root", h.cgroup_root,	  option,	  NULL,
	};
	int err = open(at("err"), O_WRONLY | O_CREAT | O_APPEND, 0600);

	dup2(err, STDERR_FILENO);
	dup2(err, STDOUT_FILENO);
	setenv("NOTIFY_SOCKET", at("notify"), 1);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execv(program ? program : "build/grithd-test", (char **)arguments);
	_exit(126);
}

void wait_readable(int fd, const char *for_what)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	cr_assert_eq(poll(&p, 1, WAIT_MS), 1, "waited too long for %s", for_what);
}

void daemon_start(void)
{
	daemon_start_with(NULL);
}

void daemon_start_with(const char *option)
{
	char message[512];
	ssize_t n;

	h.daemon = fork();
	cr_assert_geq(h.daemon, 0);
	if (h.daemon == 0)
		exec_daemon(option);
	do {
		wait_readable(h.notify, "grithd to be ready");
		n = recv(h.notify, message, sizeof(message) - 1, 0);
		cr_assert_gt(n, 0);
		message[n] = '\0';
	} while (!strstr(message, "READY=1"));
}

int wait_for(pid_t pid)
{
	int pidfd = pidfd_open(pid, 0), status;

	cr_assert_geq(pidfd, 0);
	wait_readable(pidfd, "a process to end");
	close(pidfd);
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int daemon_fails(const char *option)
{
	pid_t pid;

	unlink(at("err"));
	pid = fork();
	cr_assert_geq(pid, 0);
	if (pid == 0)
		exec_daemon(option);
	return wait_for(pid);
}

void daemon_signal(int signal)
{
	cr_assert_eq(kill(h.daemon, signal), 0);
}

int daemon_wait(void)
{
	int status = wait_for(h.daemon);

	h.daemon = 0;
	return status;
}

pid_t daemon_pid(void)
{
	return h.daemon;
}

/* --- talking to it */

int connect_daemon(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	forget_input(fd);
	strcpy(address.sun_path, at("run/socket"));
	cr_assert_eq(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0, "%s",
		     strerror(errno));
	return fd;
}

void send_text(int fd, const char *text)
{
	size_t left = strlen(text);

	while (left) {
		ssize_t n = write(fd, text, left);

		if (n < 0) /* an answer that came before the question is in the buffer */
			return;
		text += n;
		left -= n;
	}
}

void forget_input(int fd)
{
	cr_assert_lt(fd, FDS_MAX);
	lines_free(&h.input[fd]);
}

char *read_line(int fd)
{
	struct lines *lines = &h.input[fd];
	size_t length;
	char *line;

	while (!lines_next(lines, &line, &length)) {
		wait_readable(fd, "a reply");
		if (lines_read(lines, fd, 1u << 24) <= 0)
			return NULL;
	}
	return strdup(line);
}

json_t *read_reply(int fd)
{
	char *line = read_line(fd);
	json_t *reply = line ? json_loads(line, JSON_REJECT_DUPLICATES, NULL) : NULL;

	cr_assert(!line || reply, "no JSON: %s", line);
	free(line);
	return reply;
}

json_t *ask(const char *request)
{
	int fd = connect_daemon();
	json_t *reply;

	send_text(fd, request);
	send_text(fd, "\n");
	reply = read_reply(fd);
	close(fd);
	return reply;
}
