/* SPDX-License-Identifier: MPL-2.0 */
/*
 * `grith review` as a whole, on a terminal of the test's own and with a server that plays grithd:
 * keys go in, answers come out, and nothing that an agent chose moves the cursor.
 */
#include <criterion/criterion.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "grith/review/review.h"
#include "lib/base/base.h"
#include "child.h"

#define REVIEW(id, state)                                                                   \
	"{\"id\":" #id ",\"state\":\"" state "\",\"held\":true,\"session_name\":\"blue\","  \
	"\"op\":\"write\",\"object\":\"/evil\\u001b[2J\\u001b]0;x\\u0007\\n/name" #id "\"," \
	"\"program\":\"/bin/sh\",\"pid\":7,\"score\":5.0,\"processes\":1,"                  \
	"\"covers\":{\"once\":\"c1\",\"session\":\"c2\",\"always\":\"c3\",\"directory\":\"/d\"}}"
#define FIRST "{\"v\":1,\"ok\":true,\"reviews\":[" REVIEW(1, "waiting") "]}\n"

static char directory[] = "/tmp/grith-screen.XXXXXX";
static char path[64];
static int listener = -1;
static int terminal = -1;
static pid_t client = -1;
static struct text seen; /* what came out of the terminal */

static void set_up(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	alarm(50);
	cr_assert(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/socket", directory);
	memcpy(address.sun_path, path, strlen(path) + 1);
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	cr_assert_eq(bind(listener, (struct sockaddr *)&address, sizeof(address)), 0);
	cr_assert_eq(listen(listener, 8), 0);
}

static void tear_down(void)
{
	if (client > 0)
		kill(client, SIGKILL);
	close(listener);
	unlink(path);
	rmdir(directory);
	text_free(&seen);
}

TestSuite(cli_screen, .init = set_up, .fini = tear_down);

static void start(void)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };

	client = forkpty(&terminal, NULL, NULL, &size);
	cr_assert_geq(client, 0);
	if (client == 0) {
		setenv("TERM", "xterm", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		_exit(review_screen_run(path, NULL));
	}
}

static int accept_client(void)
{
	int fd = accept(listener, NULL, NULL);

	cr_assert_geq(fd, 0);
	return fd;
}

static void expect_request(int fd, const char *expected)
{
	char line[512] = "";

	for (size_t i = 0; i < sizeof(line) - 1; i++) {
		cr_assert_eq(read(fd, line + i, 1), 1);
		if (line[i] == '\n') {
			line[i] = '\0';
			break;
		}
	}
	cr_expect_str_eq(line, expected);
}

static void reply(int fd, const char *text)
{
	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

/*
 * Until the terminal has been sent the text: what differs from what was there before, since curses
 * sends nothing else.
 */
static void await_shown(const char *text)
{
	char bytes[4096];

	while (!seen.data || !memmem(seen.data, seen.length, text, strlen(text))) {
		ssize_t n = read(terminal, bytes, sizeof(bytes));

		cr_assert_gt(n, 0, "%s was not shown", text);
		cr_assert_eq(text_add(&seen, bytes, n), 0);
	}
}

static void type(const char *keys)
{
	cr_assert_eq(write(terminal, keys, strlen(keys)), (ssize_t)strlen(keys));
}

/*
 * Types until somebody connects: for a moment after a review has appeared by itself, keys are not
 * taken for an answer.
 */
static int type_until_accepted(const char *key)
{
	struct pollfd poller = { .fd = listener, .events = POLLIN };

	do
		type(key);
	while (poll(&poller, 1, 100) == 0);
	return accept_client();
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
	cr_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

Test(cli_screen, answers)
{
	int stream, answer;

	start();
	stream = accept_client();
	expect_request(stream, "{\"do\":\"reviews\",\"follow\":true,\"v\":1}");
	reply(stream, FIRST);
	await_shown("1 waits for an answer");
	await_shown("/name1");
	/* a new one is shown, and changes nothing about which one is chosen */
	reply(stream, "{\"v\":1,\"review\":" REVIEW(2, "waiting") "}\n");
	await_shown("/name2");
	answer = type_until_accepted("s");
	expect_request(answer, "{\"do\":\"answer\",\"review\":1,\"verdict\":\"allow\","
			       "\"for\":\"session\",\"v\":1}");
	reply(answer, "{\"v\":1,\"ok\":true}\n");
	close(answer);
	reply(stream, "{\"v\":1,\"review\":" REVIEW(1, "allowed") "}\n");
	/* the next one; one that somebody else answered at that moment */
	answer = type_until_accepted("x");
	expect_request(answer, "{\"do\":\"answer\",\"review\":2,\"verdict\":\"deny\","
			       "\"for\":\"session\",\"v\":1}");
	reply(answer, "{\"v\":1,\"ok\":false,\"error\":{\"code\":\"bad_request\","
		      "\"message\":\"uid-5-was-first\"}}\n");
	close(answer);
	await_shown("uid-5-was-first");
	type("q");
	cr_expect_eq(status_of_client(), 0);
	cr_expect_null(strstr(seen.data, "\033[2J\033]0"), "an escape sequence got through");
	cr_expect_null(strstr(seen.data, "\033]0;"), "an escape sequence got through");
	cr_expect(strstr(seen.data, "/evil\\e[2J\\e]0;x\\x07\\n/name"));
	close(stream);
}

/* When grithd goes, the screen stays; when it is back, what waits is there again. */
Test(cli_screen, grithd_restarts)
{
	int stream;

	start();
	stream = accept_client();
	expect_request(stream, "{\"do\":\"reviews\",\"follow\":true,\"v\":1}");
	reply(stream, FIRST);
	await_shown("/name1");
	close(stream);
	await_shown("grithd ended the connection");
	stream = accept_client();
	expect_request(stream, "{\"do\":\"reviews\",\"follow\":true,\"v\":1}");
	reply(stream, "{\"v\":1,\"ok\":true,\"reviews\":[" REVIEW(9, "waiting") "]}\n");
	await_shown("/name9");
	type("q");
	cr_expect_eq(status_of_client(), 0);
	close(stream);
}

Test(cli_screen, a_terminal_that_goes_away)
{
	int stream, status;

	start();
	stream = accept_client();
	expect_request(stream, "{\"do\":\"reviews\",\"follow\":true,\"v\":1}");
	reply(stream, FIRST);
	await_shown("/name1");
	close(terminal);
	cr_assert_eq(waitpid(client, &status, 0), client);
	client = -1;
	close(stream);
}

/* --watch: each waiting review is told once, whatever changes about it. */
Test(cli_screen, watch)
{
	const struct review_watch watch = { .socket = path };
	char bytes[4096] = "";
	size_t length = 0;
	int ends[2], stream, status;
	ssize_t n;

	cr_assert_eq(pipe(ends), 0);
	client = child_fork();
	if (client == 0) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		_exit(review_watch_run(&watch));
	}
	close(ends[1]);
	stream = accept_client();
	expect_request(stream, "{\"do\":\"reviews\",\"follow\":true,\"v\":1}");
	reply(stream, FIRST);
	reply(stream, "{\"v\":1,\"review\":" REVIEW(1, "waiting") "}\n");
	reply(stream, "{\"v\":1,\"review\":" REVIEW(1, "allowed") "}\n");
	reply(stream, "{\"v\":1,\"review\":" REVIEW(2, "denied") "}\n");
	reply(stream, "{\"v\":1,\"review\":" REVIEW(3, "waiting") "}\n{\"v\":1,\"new\":{}}\n");
	close(stream);
	while ((n = read(ends[0], bytes + length, sizeof(bytes) - 1 - length)) > 0)
		length += n;
	close(ends[0]);
	cr_assert_eq(waitpid(client, &status, 0), client);
	client = -1;
	cr_expect_eq(WEXITSTATUS(status), 1, "grithd has ended");
	cr_expect_str_eq(
		bytes,
		"1  blue  sh[7]  write /evil\\e[2J\\e]0;x\\x07\\n/name1  score 5.00  waits -\n"
		"3  blue  sh[7]  write /evil\\e[2J\\e]0;x\\x07\\n/name3  score 5.00  waits -\n");
}

/* Nobody reads any more: it ends although nothing comes. */
Test(cli_screen, watch_without_a_reader)
{
	const struct review_watch watch = { .socket = path };
	int ends[2], stream, status;

	cr_assert_eq(pipe(ends), 0);
	client = child_fork();
	if (client == 0) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		_exit(review_watch_run(&watch));
	}
	close(ends[1]);
	stream = accept_client();
	expect_request(stream, "{\"do\":\"reviews\",\"follow\":true,\"v\":1}");
	reply(stream, "{\"v\":1,\"ok\":true,\"reviews\":[]}\n");
	close(ends[0]);
	cr_assert_eq(waitpid(client, &status, 0), client);
	client = -1;
	cr_expect_eq(WEXITSTATUS(status), 0);
	close(stream);
}
