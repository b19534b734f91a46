/* SPDX-License-Identifier: MPL-2.0 */
/*
 * `grith top` as a whole, on a terminal of the test's own and with a server that plays grithd: what
 * comes is shown, keys are answered, and the terminal is as it was at the end.
 */
#include <criterion/criterion.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "grith/top/feed.h"
#include "grith/top/top.h"
#include "lib/base/base.h"
#include "child.h"
#include "top_server.h"

#define HELD                                                                 \
	"{\"v\":1,\"review\":{\"id\":1,\"state\":\"waiting\",\"held\":true," \
	"\"session_name\":\"blue\",\"op\":\"write\",\"object\":\"/held-one\",\"score\":5.0}}\n"
#define ALLOWED                                                              \
	"{\"v\":1,\"review\":{\"id\":1,\"state\":\"allowed\",\"held\":true," \
	"\"session_name\":\"blue\",\"op\":\"write\",\"object\":\"/held-one\",\"score\":5.0}}\n"
#define LEAVES "\033[?1049l" /* xterm's other screen is left */

static int terminal = -1;
static pid_t client = -1;
static struct text seen; /* what came out of the terminal */

static void set_up(void)
{
	alarm(50);
	server_set_up();
}

static void tear_down(void)
{
	if (client > 0)
		kill(client, SIGKILL);
	server_tear_down();
	text_free(&seen);
}

TestSuite(top_screen, .init = set_up, .fini = tear_down);

static int run(void)
{
	return top_screen_run(server.path, NULL);
}

/* The child on a terminal, which does this. */
static void start(int (*child)(void))
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };

	client = forkpty(&terminal, NULL, NULL, &size);
	cr_assert_geq(client, 0);
	if (client == 0) {
		setenv("TERM", "xterm", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		_exit(child());
	}
}

static void read_terminal(void)
{
	char bytes[4096];
	ssize_t n = read(terminal, bytes, sizeof(bytes));

	cr_assert_gt(n, 0);
	cr_assert_eq(text_add(&seen, bytes, n), 0);
}

/* Until the terminal has been sent the text, which has to differ from what was there before. */
static void await_shown_from(size_t from, const char *text)
{
	while (seen.length <= from ||
	       !memmem(seen.data + from, seen.length - from, text, strlen(text)))
		read_terminal();
}

static void await_shown(const char *text)
{
	await_shown_from(0, text);
}

static void type(const char *keys)
{
	cr_assert_eq(write(terminal, keys, strlen(keys)), (ssize_t)strlen(keys));
}

static int status_of_client(void)
{
	char bytes[4096];
	ssize_t n;
	int status;

	while ((n = read(terminal, bytes, sizeof(bytes))) > 0)
		cr_assert_eq(text_add(&seen, bytes, n), 0);
	cr_assert_eq(waitpid(client, &status, 0), client);
	client = -1;
	cr_assert(WIFEXITED(status), "it ended by signal %d", WTERMSIG(status));
	return WEXITSTATUS(status);
}

Test(top_screen, shows_and_answers)
{
	struct pollfd poller = { .fd = server.listener, .events = POLLIN };
	int answer;

	start(run);
	server_accept_all(SERVER_LOG);
	await_shown("agent \\e]0;x\\x07");
	server_send_events(1, 1, "/secret");
	await_shown("/secret-1\\e[2J\\n");
	server_send(server.reviews, HELD);
	await_shown("/held-one");
	/* keys of another pane, which answer nothing; then those of the holds */
	type("adsx");
	type("h");
	await_shown("a allow");
	do
		type("s");
	while (poll(&poller, 1, 100) == 0);
	answer = server_accept(
		"{\"do\":\"answer\",\"review\":1,\"verdict\":\"allow\",\"for\":\"session\","
		"\"v\":1}",
		SERVER_OK);
	close(answer);
	/* what was typed before the next thing is there is forgotten */
	server_send(server.reviews, ALLOWED);
	await_shown("allowed");
	type("q");
	cr_expect_eq(status_of_client(), 0);
	cr_expect_null(strstr(seen.data, "\033[2J\\n"), "an escape sequence got through");
	cr_expect_null(strstr(seen.data, "\033]0;x"), "an escape sequence got through");
	cr_expect(strstr(seen.data, LEAVES));
}

#define SENT_AT_ONCE 1000
/*
 * Events between a key and what it shows: those of two frames and of what the socket holds. In
 * events and not in time, so that a slow machine is not taken for a fault.
 */
#define EVENTS_MAX (64 * TOP_TAKE)

/* They come as fast as they can be sent, and keys are answered all the same. */
Test(top_screen, keys_while_events_come)
{
	_Atomic unsigned int *sent = mmap(NULL, sizeof(*sent), PROT_READ | PROT_WRITE,
					  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned int before;
	pid_t sender;

	cr_assert_neq(sent, MAP_FAILED);

	start(run);
	server_accept_all(SERVER_LOG);
	await_shown("agent");
	sender = child_fork();
	cr_assert_geq(sender, 0);
	if (sender == 0)
		for (;; *sent += SENT_AT_ONCE)
			server_send_events(1 + *sent, SENT_AT_ONCE, "/many");
	await_shown("/many");
	before = *sent;
	type("?");
	await_shown("Shift-Tab");
	cr_expect_leq(*sent - before, EVENTS_MAX);
	munmap((void *)sent, sizeof(*sent));
	kill(sender, SIGKILL);
	waitpid(sender, NULL, 0);
	type("qq");
	cr_expect_eq(status_of_client(), 0);
}

static double processor_seconds(void)
{
	struct rusage usage;

	cr_assert_eq(getrusage(RUSAGE_CHILDREN, &usage), 0);
	return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* While nothing happens nothing is drawn. */
Test(top_screen, idle)
{
	struct pollfd poller = { .events = POLLIN };

	start(run);
	server_accept_all(SERVER_LOG);
	await_shown("agent");
	poller.fd = terminal;
	while (poll(&poller, 1, 300) > 0)
		read_terminal();
	cr_expect_eq(poll(&poller, 1, 3000), 0, "something was drawn");
	type("q");
	cr_expect_eq(status_of_client(), 0);
	cr_expect_lt(processor_seconds(), 1.5);
}

/* Whatever ends it, the terminal is as before. */
Test(top_screen, signals)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		start(run);
		server_accept_all(SERVER_LOG);
		await_shown("agent");
		cr_expect_null(strstr(seen.data, LEAVES));
		kill(client, signals[i]);
		cr_expect_eq(status_of_client(), 0);
		cr_expect(strstr(seen.data, LEAVES), "signal %d", signals[i]);
		seen.length = 0;
		seen.data[0] = '\0';
		close(terminal);
		close(server.log);
		close(server.reviews);
		close(server.list);
	}
}

/* What a shell does with its job: when that stops, it is continued in the foreground. */
static int run_as_job(void)
{
	pid_t job;
	int status;

	signal(SIGTTOU, SIG_IGN);
	signal(SIGTSTP, SIG_DFL); /* whatever the tests were started with */
	job = fork();
	if (job < 0)
		return 1;
	if (job == 0) {
		setpgid(0, 0);
		tcsetpgrp(STDIN_FILENO, getpid());
		signal(SIGTTOU, SIG_DFL);
		_exit(top_screen_run(server.path, NULL));
	}
	while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status)) {
		tcsetpgrp(STDIN_FILENO, getpid());
		printf("it-has-stopped\n");
		fflush(stdout);
		tcsetpgrp(STDIN_FILENO, job);
		kill(-job, SIGCONT);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

Test(top_screen, stopped_and_continued)
{
	const char *left;

	start(run_as_job);
	server_accept_all(SERVER_LOG);
	await_shown("agent");
	type("\x1a");
	await_shown("it-has-stopped");
	left = strstr(seen.data, LEAVES);
	cr_expect(left && left < strstr(seen.data, "it-has-stopped"));
	await_shown_from(strstr(seen.data, "it-has-stopped") - seen.data, "agent");
	type("q");
	cr_expect_eq(status_of_client(), 0);
}

Test(top_screen, resize)
{
	struct winsize small = { .ws_row = 10, .ws_col = 40 },
		       large = { .ws_row = 50, .ws_col = 200 };
	size_t before;

	start(run);
	server_accept_all(SERVER_LOG);
	await_shown("agent");
	cr_assert_eq(ioctl(terminal, TIOCSWINSZ, &small), 0);
	await_shown("grith top needs 60 columns");
	before = seen.length;
	cr_assert_eq(ioctl(terminal, TIOCSWINSZ, &large), 0);
	await_shown_from(before, "DESTINATIONS");
	type("q");
	cr_expect_eq(status_of_client(), 0);
}

Test(top_screen, a_terminal_that_goes_away)
{
	int status;

	start(run);
	server_accept_all(SERVER_LOG);
	await_shown("agent");
	close(terminal);
	cr_assert_eq(waitpid(client, &status, 0), client);
	client = -1;
	cr_assert(WIFEXITED(status));
	cr_expect_eq(WEXITSTATUS(status), 0);
}
