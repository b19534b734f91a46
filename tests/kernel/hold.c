/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Hold and replay without grithd: a process in a session tries something that is held, is found
 * stopped, is continued by strangers without getting anywhere, and is answered.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup.h"
#include "kernel.h"
#include "policy.h"
#include "record.h"
#include "tests.h"

#define BPFFS "/sys/fs/bpf/grith-hold"
#define HELD "/tmp/grith-held" /* everything below it is held */
#define STRAY 20 /* signals of strangers */
#define PATIENCE_MS 20000
#define TIMES_OUT 99

static const char policy_text[] =
	"grith: 1\n"
	"name: held\n"
	"files:\n"
	"  - {allow: all, path: \"/**\"}\n"
	"  - {allow: all, path: \"{pipefs,sockfs,anon_inodefs,tmpfs}:*\"}\n"
	"  - {hold: all, path: \"" HELD "/**\"}\n"
	"exec:\n"
	"  - {judge: argv, path: \"/tmp/grith-judged\"}\n"
	"network:\n"
	"  - {hold: all, cidr: 127.0.0.0/8}\n"
	"unix:\n"
	"  - {hold: all, path: \"" HELD "/**\"}\n"
	"sockets:\n"
	"  - {allow: socket, family: [unix, inet]}\n";

struct bench {
	struct tally *tally;
	struct kernel *kernel;
	int root, session; /* directories of the cgroups */
	uint64_t id; /* of the session's */
	struct record record; /* the last one with verdict hold; its texts are gone */
	unsigned int holds; /* records with flag HELD */
};

/* What the held process does; its exit status is 0 or the errno. */
typedef int attempt_fn(void);

static int status_of(int result)
{
	return result < 0 ? errno : 0;
}

static int try_open(void)
{
	char byte;
	int fd = open(HELD "/file", O_RDONLY);

	return fd < 0 ? errno : status_of(read(fd, &byte, 1) == 1 ? 0 : -1);
}

static int try_create(void)
{
	return status_of(open(HELD "/new", O_WRONLY | O_CREAT | O_EXCL, 0600));
}

static int try_overwrite(void)
{
	return status_of(open(HELD "/file", O_WRONLY | O_TRUNC));
}

static int try_unlink(void)
{
	return status_of(unlink(HELD "/file"));
}

static int try_rename(void)
{
	return status_of(rename(HELD "/file", HELD "/renamed"));
}

static int try_mkdir(void)
{
	return status_of(mkdir(HELD "/directory", 0700));
}

static int try_exec(void)
{
	execl(HELD "/true", "true", (char *)NULL);
	return errno;
}

static int try_script(void)
{
	execl(HELD "/script", "script", (char *)NULL);
	return errno;
}

static struct sockaddr_in loopback(int port)
{
	return (struct sockaddr_in) {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr = { htonl(INADDR_LOOPBACK) },
	};
}

static int try_bind(void)
{
	struct sockaddr_in address = loopback(4711);

	return status_of(bind(socket(AF_INET, SOCK_STREAM, 0), (void *)&address, sizeof(address)));
}

static int try_connect(void) /* nobody listens: allowed is ECONNREFUSED */
{
	struct sockaddr_in address = loopback(4712);
	int r = connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&address, sizeof(address));

	return r < 0 && errno == ECONNREFUSED ? 0 : status_of(r);
}

static int try_sendto(void)
{
	struct sockaddr_in address = loopback(4713);

	return status_of(sendto(socket(AF_INET, SOCK_DGRAM, 0), "x", 1, 0, (void *)&address,
				sizeof(address)));
}

static void make_file(const char *path, mode_t mode, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	if (fd < 0 || write(fd, text, strlen(text)) < 0 || fchmod(fd, mode) < 0)
		abort();
	close(fd);
}

static void copy_program(const char *from, const char *to)
{
	char command[256];

	snprintf(command, sizeof(command), "cp -f %s %s", from, to);
	if (system(command))
		abort();
}

static void make_objects(void)
{
	if (system("rm -rf " HELD) || mkdir(HELD, 0700))
		abort();
	make_file(HELD "/file", 0600, "text");
	copy_program("/bin/true", HELD "/true");
	make_file(HELD "/script", 0755, "#!" HELD "/true\n");
}

static pid_t start(struct bench *b, attempt_fn *attempt)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid)
		return pid;
	/* Not inherited: what a held process has open does not matter. */
	if (cgroup_write(b->session, "cgroup.procs", "0") < 0)
		_exit(TIMES_OUT);
	_exit(attempt());
}

static int on_record(void *arg, const void *data, size_t size)
{
	struct bench *b = arg;
	struct record record;

	if (record_decode(data, size, &record) < 0 || record.head.session != b->id)
		return 0;
	if (record.head.verdict == GRITH_HOLD) {
		b->record = record;
		b->holds += !!(record.head.flags & GRITH_RECORD_HELD);
	}
	return 0;
}

static char state_of(pid_t pid)
{
	char path[64], text[512] = "", *end;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = 0;
	close(fd);
	end = strrchr(text, ')');
	return end ? end[2] : 0;
}

/* Until the process is stopped or over, and the ring was read. */
static bool wait_stopped(struct bench *b, pid_t pid)
{
	for (int i = 0; i < PATIENCE_MS; i++) {
		char state = state_of(pid);

		kernel_ring_consume(b->kernel, on_record, b);
		if (state == 'T')
			return true;
		if (state == 'Z' || !state)
			return false;
		poll(NULL, 0, 1);
	}
	return false;
}

static int wait_ended(struct bench *b, pid_t pid)
{
	int status;

	for (int i = 0; i < PATIENCE_MS; i++) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		kernel_ring_consume(b->kernel, on_record, b);
		poll(NULL, 0, 1);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return TIMES_OUT;
}

static void answer(struct bench *b, enum grith_verdict verdict, bool once)
{
	const struct grith_answer_key key = {
		.session = b->id,
		.object = b->record.head.object,
		.pid = once ? b->record.head.pid : 0,
	};
	const struct grith_answer value = { .verdict = verdict, .once = once, .review = 7 };

	check(b->tally, kernel_answer_set(b->kernel, &key, &value) == 0, "no answer can be given");
}

/* Strangers continue it, and it gets nowhere and says nothing new. */
static void pester(struct bench *b, pid_t pid, const char *name)
{
	unsigned int holds = b->holds;

	for (int i = 0; i < STRAY; i++) {
		kill(pid, SIGCONT);
		if (!check(b->tally, wait_stopped(b, pid), "%s: a stranger let it go", name))
			return;
	}
	check(b->tally, b->holds == holds, "%s: %u records of one hold", name,
	      b->holds - holds + 1);
}

/* Until the process ends; `wanted` holds are answered alike. Its exit status. */
static int run_held(struct bench *b, const char *name, attempt_fn *attempt,
		    enum grith_verdict verdict, unsigned int wanted)
{
	pid_t pid;

	make_objects();
	b->holds = 0;
	pid = start(b, attempt);
	for (unsigned int i = 0; i < wanted; i++) {
		if (!check(b->tally, wait_stopped(b, pid), "%s: not held", name))
			break;
		check(b->tally,
		      b->holds == i + 1 && b->record.head.object &&
			      b->record.head.pid == (uint32_t)pid,
		      "%s: %u records of holds", name, b->holds);
		if (!i)
			pester(b, pid, name);
		answer(b, verdict, true);
		kill(pid, SIGCONT);
	}
	return wait_ended(b, pid);
}

static void check_attempts(struct bench *b)
{
	static const struct {
		const char *name;
		attempt_fn *attempt;
		unsigned int holds; /* an answer for each */
	} attempts[] = {
		{ "open", try_open, 1 },	   { "create", try_create, 1 },
		{ "overwrite", try_overwrite, 1 }, { "unlink", try_unlink, 1 },
		{ "rename", try_rename, 1 },	   { "mkdir", try_mkdir, 1 },
		{ "exec", try_exec, 1 },	   { "script", try_script, 2 },
		{ "bind", try_bind, 1 },	   { "connect", try_connect, 1 },
		{ "sendto", try_sendto, 1 },
	};
	int status;

	for (size_t i = 0; i < sizeof(attempts) / sizeof(*attempts); i++) {
		status = run_held(b, attempts[i].name, attempts[i].attempt, GRITH_ALLOW,
				  attempts[i].holds);
		check(b->tally, status == 0, "%s allowed: %s", attempts[i].name, strerror(status));
		status = run_held(b, attempts[i].name, attempts[i].attempt, GRITH_DENY, 1);
		check(b->tally, status == EACCES, "%s denied: %s", attempts[i].name,
		      strerror(status));
	}
}

/* The second open of the same file is held again. */
static int try_open_twice(void)
{
	int r = try_open();

	return r ? r : try_open();
}

static void check_once(struct bench *b)
{
	int status = run_held(b, "twice", try_open_twice, GRITH_ALLOW, 2);

	check(b->tally, status == 0, "twice, two answers: %s", strerror(status));
}

/* An answer for one process is none for another, nor for another object. */
static void check_bound(struct bench *b)
{
	struct grith_answer_key key;
	pid_t first, second;

	make_objects();
	first = start(b, try_open);
	check(b->tally, wait_stopped(b, first), "bound: the first is not held");
	answer(b, GRITH_ALLOW, true);
	second = start(b, try_open);
	check(b->tally, wait_stopped(b, second), "bound: another process used the answer");
	kill(second, SIGKILL);
	wait_ended(b, second);
	kill(first, SIGCONT);
	check(b->tally, wait_ended(b, first) == 0, "bound: the answer is gone");
	key = (struct grith_answer_key) { b->id, b->record.head.object, first, 0 };
	check(b->tally, kernel_answer_remove(b->kernel, &key) == -ENOENT,
	      "bound: the answer was not used up");
}

/* For the whole session, as often as it likes. */
static void check_session_answer(struct bench *b)
{
	pid_t pid;

	make_objects();
	pid = start(b, try_open);
	check(b->tally, wait_stopped(b, pid), "session: not held");
	answer(b, GRITH_ALLOW, false);
	kill(pid, SIGCONT);
	check(b->tally, wait_ended(b, pid) == 0, "session: refused");
	for (int i = 0; i < 2; i++) {
		pid = start(b, try_open_twice);
		check(b->tally, wait_ended(b, pid) == 0, "session: refused the next time");
	}
	check(b->tally, kernel_answers_forget(b->kernel, b->id) == 0, "cannot forget");
	pid = start(b, try_open);
	check(b->tally, wait_stopped(b, pid), "session: not forgotten");
	kill(pid, SIGKILL);
	check(b->tally, wait_ended(b, pid) == 128 + SIGKILL, "a held process cannot be killed");
}

/* What was killed leaves nothing behind. */
static void check_clean(struct bench *b)
{
	OWNED_MEM struct kernel_hold *list = NULL;
	size_t count = 1;

	check(b->tally, kernel_holds(b->kernel, &list, &count) == 0 && !count, "%zu holds left",
	      count);
}

/* The record comes once more when it was asked for. */
static void check_tell(struct bench *b)
{
	struct grith_hold_key key;
	unsigned int holds;
	pid_t pid;

	make_objects();
	pid = start(b, try_open);
	wait_stopped(b, pid);
	holds = b->holds;
	key = (struct grith_hold_key) { pid, pid };
	check(b->tally, kernel_hold_tell(b->kernel, &key) == 0, "no hold to tell of");
	kill(pid, SIGCONT);
	check(b->tally, wait_stopped(b, pid) && b->holds == holds + 1, "was not told again");
	kill(pid, SIGKILL);
	wait_ended(b, pid);
	check(b->tally, kernel_hold_tell(b->kernel, &key) == -ENOENT, "a hold of a dead process");
}

static int try_judged(void)
{
	execl("/tmp/grith-judged", "judged", "an argument", (char *)NULL);
	return errno;
}

/* Stopped before the first instruction; another user's or our own SIGCONT is refused. */
static void check_judged(struct bench *b)
{
	pid_t pid, stranger;
	int status;

	copy_program("/bin/true", "/tmp/grith-judged");
	pid = start(b, try_judged);
	check(b->tally, wait_stopped(b, pid), "judged: not stopped");
	check(b->tally, b->record.head.flags & GRITH_RECORD_JUDGED, "judged: no record");
	stranger = fork();
	if (!stranger)
		_exit(kill(pid, SIGCONT) < 0 && errno == EPERM ? 0 : 1);
	waitpid(stranger, &status, 0);
	check(b->tally, status == 0, "judged: a stranger may continue it");
	check(b->tally, state_of(pid) == 'T', "judged: it runs");
	check(b->tally, kernel_judged(b->kernel, pid) == 0, "judged: not among the holds");
	kill(pid, SIGCONT);
	check(b->tally, wait_ended(b, pid) == 0, "judged: it failed");
}

/* Its user stopped it: that is known, until somebody continues it. */
static void check_user_stop(struct bench *b)
{
	pid_t pid;

	make_objects();
	pid = start(b, try_open);
	wait_stopped(b, pid);
	check(b->tally, !kernel_is_stopped(b->kernel, pid), "our own stop is taken for a user's");
	kill(pid, SIGSTOP);
	check(b->tally, kernel_is_stopped(b->kernel, pid), "a user's stop is not seen");
	kill(pid, SIGCONT);
	check(b->tally, !kernel_is_stopped(b->kernel, pid), "is still taken for stopped");
	kill(pid, SIGKILL);
	wait_ended(b, pid);
}

static int open_session(struct bench *b)
{
	const struct policy_context context = {
		.project = "/tmp/grith-project",
		.home = "/root",
		.user = "root",
		.directory = "policy",
	};
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(policy_image_freep) struct policy_image *image = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	struct grith_session session = { 0 };
	int r = policy_read_text("held.yaml", policy_text, strlen(policy_text), &context, &diag,
				 &policy);

	if (r == 0)
		r = policy_compile(policy, NULL, 0, &diag, &image);
	if (r == 0)
		r = kernel_image_add(b->kernel, image, &session.image);
	return r < 0 ? r : kernel_session_set(b->kernel, b->id, &session);
}

static int open_bench(struct bench *b, enum kernel_attach attach)
{
	struct kernel_options options = { .attach = attach, .bpffs = BPFFS, .root_level = 1 };
	OWNED_MEM char *mount = NULL, *directory = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	int r = cgroup_find_mount(&mount);

	if (r < 0 || asprintf(&directory, "%s/grith-hold/s", mount) < 0)
		return -ENOENT;
	*strrchr(directory, '/') = 0;
	mkdir(directory, 0755);
	b->root = open(directory, O_DIRECTORY | O_CLOEXEC);
	r = b->root < 0 ? -errno : cgroup_id(b->root, &options.root_cgroup);
	if (r < 0)
		return r;
	mkdirat(b->root, "s", 0755);
	b->session = openat(b->root, "s", O_DIRECTORY | O_CLOEXEC);
	r = b->session < 0 ? -errno : cgroup_id(b->session, &b->id);
	if (r == 0)
		r = kernel_open(&options, &diag, &b->kernel);
	return r < 0 ? r : open_session(b);
}

void test_hold(struct tally *tally)
{
	struct bench b = { .tally = tally, .root = -1, .session = -1 };
	int r = open_bench(&b, wanted_attach());

	if (check(tally, r == 0, "no session: %s", strerror(-r))) {
		check_attempts(&b);
		check_once(&b);
		check_bound(&b);
		check_session_answer(&b);
		check_tell(&b);
		check_judged(&b);
		check_user_stop(&b);
		check_clean(&b);
	}
	kernel_free(b.kernel);
	kernel_unload(BPFFS);
	cleanup_close(&b.session);
	cgroup_remove(b.root, "s");
	cleanup_close(&b.root);
}
