/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Hold and replay: a process in a session tries something that is held, is found stopped, is
 * continued by strangers without getting anywhere, and is answered.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stage.h"

#define STRAY 20 /* signals of strangers */

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

/* Strangers continue it, and it gets nowhere and says nothing new. */
static void pester(struct stage *b, pid_t pid, const char *name)
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
static int run_held(struct stage *b, const char *name, attempt_fn *attempt,
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

static void check_attempts(struct stage *b)
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

static void check_once(struct stage *b)
{
	int status = run_held(b, "twice", try_open_twice, GRITH_ALLOW, 2);

	check(b->tally, status == 0, "twice, two answers: %s", strerror(status));
}

/* An answer for one process is none for another, nor for another object. */
static void check_bound(struct stage *b)
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
static void check_session_answer(struct stage *b)
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

/* The record comes once more when it was asked for. */
static void check_tell(struct stage *b)
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

/* An answer that its process did not live to use is gone with it. */
static void check_unused(struct stage *b)
{
	struct grith_answer_key key;
	pid_t pid;

	make_objects();
	pid = start(b, try_open);
	check(b->tally, wait_stopped(b, pid), "unused: not held");
	answer(b, GRITH_ALLOW, true);
	kill(pid, SIGKILL);
	wait_ended(b, pid);
	key = (struct grith_answer_key) { b->id, b->record.head.object, pid, 0 };
	check(b->tally, kernel_answer_remove(b->kernel, &key) == -ENOENT,
	      "unused: the answer outlives its process");
}

static int try_garbage(void)
{
	execl(HELD "/garbage", "garbage", (char *)NULL);
	return errno;
}

/* The same for an exec that was allowed and could not happen. */
static void check_unused_exec(struct stage *b)
{
	struct grith_answer_key key;
	int status;

	make_objects();
	make_file(HELD "/garbage", 0755, "not a program");
	status = run_answered(b, try_garbage, GRITH_ALLOW, true);
	check(b->tally, status == ENOEXEC && b->holds == 1, "garbage: %s, %u holds",
	      strerror(status), b->holds);
	key = (struct grith_answer_key) { b->id, b->record.head.object, b->record.head.pid, 0 };
	check(b->tally, kernel_answer_remove(b->kernel, &key) == -ENOENT,
	      "garbage: the answer outlives its process");
}

void test_hold(struct tally *tally)
{
	struct stage b;
	int r = stage_open(&b, tally);

	if (check(tally, r == 0, "no session: %s", strerror(-r))) {
		check_attempts(&b);
		check_once(&b);
		check_bound(&b);
		check_session_answer(&b);
		check_tell(&b);
		check_unused(&b);
		check_unused_exec(&b);
		check_no_holds(&b);
	}
	stage_close(&b);
}
