/* SPDX-License-Identifier: MPL-2.0 */
/*
 * `grith top` as a whole, on a terminal of the test's own and with a server that plays grithd: what
 * comes is shown, keys are answered, nothing is lost, and the terminal is as it was at the end.
 */
#include <criterion/criterion.h>
#include <jansson.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#include "text.h"
#include "top_batch.h"
#include "top_feed.h"
#include "top_screen.h"

#define LOG "{\"do\":\"log\",\"follow\":true,\"last\":1000,\"v\":1}"
#define REVIEWS "{\"do\":\"reviews\",\"follow\":true,\"v\":1}"
#define LIST "{\"do\":\"list\",\"v\":1}"
#define SESSIONS                                                                            \
	"{\"v\":1,\"ok\":true,\"sessions\":[{\"id\":\"abcdefghij\",\"name\":\"blue\","      \
	"\"state\":\"running\",\"project\":\"/p\\u001b[2J\",\"counts\":{\"operations\":5}," \
	"\"processes\":[{\"pid\":7,\"ppid\":1,\"command\":\"agent \\u001b]0;x\\u0007\"}]}]}\n"
#define HELD                                                                 \
	"{\"v\":1,\"review\":{\"id\":1,\"state\":\"waiting\",\"held\":true," \
	"\"session_name\":\"blue\",\"op\":\"write\",\"object\":\"/held-one\",\"score\":5.0}}\n"
#define ALLOWED                                                              \
	"{\"v\":1,\"review\":{\"id\":1,\"state\":\"allowed\",\"held\":true," \
	"\"session_name\":\"blue\",\"op\":\"write\",\"object\":\"/held-one\",\"score\":5.0}}\n"
#define OK "{\"v\":1,\"ok\":true}\n"
#define LEAVES "\033[?1049l" /* xterm's other screen is left */

static char directory[] = "/tmp/grith-top.XXXXXX";
static char path[64];
static int listener = -1, terminal = -1;
static int log_fd = -1, reviews_fd = -1, list_fd = -1;
static pid_t client = -1;
static time_t began;
static struct text seen; /* what came out of the terminal */

static void set_up(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	alarm(50);
	began = time(NULL);
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

TestSuite(top_screen, .init = set_up, .fini = tear_down);

static int run(void)
{
	return top_screen_run(path, NULL);
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

/* The next connection, which asks this, and is told that. */
static int serve(const char *expected, const char *told)
{
	int fd = accept(listener, NULL, NULL);
	char line[512] = "";

	cr_assert_geq(fd, 0);
	for (size_t i = 0; i < sizeof(line) - 1; i++) {
		cr_assert_eq(read(fd, line + i, 1), 1);
		if (line[i] == '\n') {
			line[i] = '\0';
			break;
		}
	}
	if (expected)
		cr_expect_str_eq(line, expected);
	cr_assert_eq(write(fd, told, strlen(told)), (ssize_t)strlen(told));
	return fd;
}

static void serve_all(const char *log)
{
	log_fd = serve(log, OK);
	reviews_fd = serve(REVIEWS, "{\"v\":1,\"ok\":true,\"reviews\":[]}\n");
	list_fd = serve(LIST, SESSIONS);
}

static void send_text(int fd, const char *text)
{
	size_t length = strlen(text);

	while (length) {
		ssize_t n = write(fd, text, length);

		cr_assert_gt(n, 0);
		text += n;
		length -= n;
	}
}

/* Events of when the test began, with these numbers. */
static void send_events(unsigned int first, unsigned int count, const char *name)
{
	OWNED_TEXT struct text lines = { 0 };
	char now[32];

	strftime(now, sizeof(now), "%Y-%m-%dT%H:%M:%S", gmtime(&began));
	for (unsigned int i = first; i < first + count; i++)
		cr_assert_eq(
			text_addf(&lines,
				  "{\"v\":1,\"event\":{\"v\":1,\"time\":\"%s.%09uZ\",\"mono\":1,"
				  "\"seq\":%u,\"session\":\"abcdefghij\",\"kind\":\"file\","
				  "\"op\":\"read\",\"verdict\":\"deny\",\"errno\":\"EACCES\","
				  "\"path\":\"%s-%u\\u001b[2J\\n\",\"pid\":7,\"ppid\":1,"
				  "\"comm\":\"cat\"}}\n",
				  now, i, i, name, i),
			0);
	send_text(log_fd, lines.data);
}

static void read_terminal(void)
{
	char bytes[4096];
	ssize_t n = read(terminal, bytes, sizeof(bytes));

	cr_assert_gt(n, 0);
	cr_assert_eq(text_add(&seen, bytes, n), 0);
}

/* Until the terminal has been sent the text, which has to differ from what was there before. */
static void await_shown(const char *text)
{
	while (!seen.data || !memmem(seen.data, seen.length, text, strlen(text)))
		read_terminal();
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
	struct pollfd poller = { .fd = listener, .events = POLLIN };
	int answer;

	start(run);
	serve_all(LOG);
	await_shown("agent \\e]0;x\\x07");
	send_events(1, 1, "/secret");
	await_shown("/secret-1\\e[2J\\n");
	send_text(reviews_fd, HELD);
	await_shown("/held-one");
	/* keys of another pane, which answer nothing; then those of the holds */
	type("adsx");
	type("h");
	await_shown("a allow");
	do
		type("s");
	while (poll(&poller, 1, 100) == 0);
	answer = serve("{\"do\":\"answer\",\"review\":1,\"verdict\":\"allow\",\"for\":\"session\","
		       "\"v\":1}",
		       OK);
	close(answer);
	/* what was typed before the next thing is there is forgotten */
	send_text(reviews_fd, ALLOWED);
	await_shown("allowed");
	type("q");
	cr_expect_eq(status_of_client(), 0);
	cr_expect_null(strstr(seen.data, "\033[2J\\n"), "an escape sequence got through");
	cr_expect_null(strstr(seen.data, "\033]0;x"), "an escape sequence got through");
	cr_expect(strstr(seen.data, LEAVES));
}

/* They come as fast as they can be sent, and keys are answered all the same. */
Test(top_screen, keys_while_events_come)
{
	pid_t sender;

	start(run);
	serve_all(LOG);
	await_shown("agent");
	sender = fork();
	if (sender == 0)
		for (unsigned int i = 0;; i++)
			send_events(1 + i * 1000, 1000, "/many");
	await_shown("/many");
	type("?");
	await_shown("Shift-Tab");
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
	serve_all(LOG);
	await_shown("agent");
	poller.fd = terminal;
	while (poll(&poller, 1, 300) > 0)
		read_terminal();
	cr_expect_eq(poll(&poller, 1, 3000), 0, "something was drawn");
	type("q");
	cr_expect_eq(status_of_client(), 0);
	cr_expect_lt(processor_seconds(), 1.5);
}

static void take_until(struct top_feed *feed, uint64_t operations)
{
	OWNED_TEXT struct text error = { 0 };
	int r = 1;

	while (r >= 0 && feed->model->operations < operations) {
		struct pollfd pollers[TOP_FEED_FDS];
		bool readable[TOP_FEED_FDS];
		int fds[TOP_FEED_FDS];

		top_feed_fds(feed, fds);
		for (size_t i = 0; i < TOP_FEED_FDS; i++)
			pollers[i] = (struct pollfd) { .fd = fds[i], .events = POLLIN };
		cr_assert_geq(poll(pollers, TOP_FEED_FDS, r > 0 ? 0 : -1), 0);
		for (size_t i = 0; i < TOP_FEED_FDS; i++)
			readable[i] = pollers[i].revents;
		r = top_feed_take(feed, readable, top_now(), &error);
	}
	cr_assert_geq(r, 0, "%s", error.data);
}

/* After a loss of the connection it goes on where it was: no event twice, none left out. */
Test(top_screen, grithd_restarts)
{
	struct top_model model;
	struct top_feed feed = { .socket = path, .model = &model };
	OWNED_TEXT struct text error = { 0 };

	cr_assert_eq(top_model_init(&model, true), 0);
	client = fork();
	if (client == 0) {
		for (unsigned int i = 1; i <= 2; i++) {
			serve_all(i == 1 ? LOG : NULL);
			send_events(1, 20000, "/before");
			if (i == 2)
				send_events(20001, 5, "/after");
		}
		pause();
	}
	cr_assert_eq(top_feed_open(&feed, &error), 0, "%s", error.data);
	take_until(&feed, 20000);
	cr_expect_eq(model.operations, 20000);
	cr_expect_eq(model.refused, 20000);
	top_feed_close(&feed);
	cr_expect_eq(model.sessions.count, 0);
	cr_assert_eq(top_feed_open(&feed, &error), 0, "%s", error.data);
	take_until(&feed, 20005);
	cr_expect_eq(top_events_next(model.events), 20005);
	top_feed_close(&feed);
	top_model_free(&model);
}

/* Whatever ends it, the terminal is as before. */
Test(top_screen, signals)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		start(run);
		serve_all(LOG);
		await_shown("agent");
		cr_expect_null(strstr(seen.data, LEAVES));
		kill(client, signals[i]);
		cr_expect_eq(status_of_client(), 0);
		cr_expect(strstr(seen.data, LEAVES), "signal %d", signals[i]);
		seen.length = 0;
		seen.data[0] = '\0';
		close(terminal);
		close(log_fd);
		close(reviews_fd);
		close(list_fd);
	}
}

/* What a shell does with its job: when that stops, it is continued in the foreground. */
static int run_as_job(void)
{
	pid_t job = fork();
	int status;

	signal(SIGTTOU, SIG_IGN);
	if (job == 0) {
		setpgid(0, 0);
		tcsetpgrp(STDIN_FILENO, getpid());
		signal(SIGTTOU, SIG_DFL);
		_exit(top_screen_run(path, NULL));
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
	serve_all(LOG);
	await_shown("agent");
	type("\x1a");
	await_shown("it-has-stopped");
	left = strstr(seen.data, LEAVES);
	cr_expect(left && left < strstr(seen.data, "it-has-stopped"));
	seen.length = 0;
	await_shown("agent");
	type("q");
	cr_expect_eq(status_of_client(), 0);
}

Test(top_screen, resize)
{
	struct winsize small = { .ws_row = 10, .ws_col = 40 },
		       large = { .ws_row = 50, .ws_col = 200 };

	start(run);
	serve_all(LOG);
	await_shown("agent");
	cr_assert_eq(ioctl(terminal, TIOCSWINSZ, &small), 0);
	await_shown("grith top needs 60 columns");
	cr_assert_eq(ioctl(terminal, TIOCSWINSZ, &large), 0);
	seen.length = 0;
	await_shown("DESTINATIONS");
	type("q");
	cr_expect_eq(status_of_client(), 0);
}

Test(top_screen, a_terminal_that_goes_away)
{
	int status;

	start(run);
	serve_all(LOG);
	await_shown("agent");
	close(terminal);
	cr_assert_eq(waitpid(client, &status, 0), client);
	client = -1;
	cr_assert(WIFEXITED(status));
	cr_expect_eq(WEXITSTATUS(status), 0);
}

/* -b: what a pipe gets, and that it ends with its reader. */
Test(top_screen, batch)
{
	struct top_batch batch = { .socket = path, .looks = 2, .delay = 500, .json = true };
	char bytes[16384] = "";
	size_t length = 0;
	int ends[2], status;
	json_t *json;
	ssize_t n;

	cr_assert_eq(pipe(ends), 0);
	client = fork();
	if (client == 0) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		_exit(top_batch_run(&batch));
	}
	close(ends[1]);
	serve_all(LOG);
	send_events(1, 3, "/x");
	while ((n = read(ends[0], bytes + length, sizeof(bytes) - 1 - length)) > 0)
		length += n;
	cr_assert_eq(waitpid(client, &status, 0), client);
	client = -1;
	cr_expect_eq(WEXITSTATUS(status), 0);
	cr_assert(strchr(bytes, '\n'));
	*strchr(bytes, '\n') = '\0';
	json = json_loads(bytes, 0, NULL);
	cr_assert(json, "%s", bytes);
	cr_expect_eq(json_integer_value(json_object_get(json, "refused")), 3);
	cr_expect_eq(json_array_size(json_object_get(json, "paths")), 3);
	cr_expect_str_eq(json_string_value(json_object_get(
				 json_array_get(json_object_get(json, "sessions"), 0), "name")),
			 "blue");
	json_decref(json);
}
