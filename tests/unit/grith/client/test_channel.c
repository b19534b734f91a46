/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The client's side of the control socket, against a server that answers as it is told: rightly,
 * wrongly, too much, or not at all.
 */
#include <criterion/criterion.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "grith/client/client.h"
#include "grith/exec/exec.h"
#include "grith/log/log.h"
#include "lib/proto/proto.h"
#include "child.h"

#define OK_REPLY "{\"v\":1,\"ok\":true}\n"

static char directory[] = "/tmp/grith-cli.XXXXXX";
static char *path;
static pid_t server = -1;
static bool stays; /* the server keeps its connections open */

static void set_up(void)
{
	cr_assert(mkdtemp(directory));
	cr_assert(asprintf(&path, "%s/socket", directory) > 0);
}

static void tear_down(void)
{
	if (server > 0) {
		kill(server, SIGKILL);
		waitpid(server, NULL, 0);
	}
	unlink(path);
	rmdir(directory);
	free(path);
}

TestSuite(cli_channel, .init = set_up, .fini = tear_down, .timeout = 60);

static void send_all(int fd, const char *data, size_t length)
{
	while (length) {
		ssize_t n = send(fd, data, length, MSG_NOSIGNAL);

		if (n < 0)
			_exit(0);
		data += n;
		length -= n;
	}
}

static void read_request(int fd)
{
	char byte;

	while (read(fd, &byte, 1) == 1 && byte != '\n')
		;
}

/* Answers each connection's first line with `reply`, `times` over, and closes it. */
static void serve(const char *reply, size_t length, unsigned int times)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, path);
	cr_assert_eq(bind(listener, (struct sockaddr *)&address, sizeof(address)), 0);
	cr_assert_eq(listen(listener, 8), 0);
	server = child_fork();
	cr_assert_geq(server, 0);
	if (server > 0) {
		close(listener);
		return;
	}
	for (;;) {
		int fd = accept(listener, NULL, NULL);

		read_request(fd);
		for (unsigned int i = 0; i < times; i++)
			send_all(fd, reply, length);
		if (stays)
			pause();
		close(fd);
	}
}

static void serve_text(const char *reply)
{
	serve(reply, strlen(reply), 1);
}

/* Asks, and expects the failure and what a person is told. */
static void expect_failure(int expected, const char *words)
{
	json_auto_t *request = json_pack("{s:s}", "do", "list");
	OWNED_TEXT struct text error = { 0 };
	json_t *reply = NULL;

	cr_expect_eq(channel_ask(path, getuid(), request, &reply, &error), expected, "%s",
		     error.data);
	cr_expect_null(reply);
	cr_assert(error.data);
	cr_expect(strstr(error.data, words), "'%s' is not in: %s", words, error.data);
}

Test(cli_channel, answer)
{
	json_auto_t *request = json_pack("{s:s}", "do", "list");
	OWNED_TEXT struct text error = { 0 };
	json_auto_t *reply = NULL;

	serve_text("{\"v\":1,\"ok\":true,\"sessions\":[]}\n");
	cr_expect_eq(channel_ask(path, getuid(), request, &reply, &error), 0, "%s", error.data);
	cr_expect(json_is_array(json_object_get(reply, "sessions")));
	cr_expect_eq(json_integer_value(json_object_get(request, "v")), PROTO_VERSION);
}

Test(cli_channel, nobody_there)
{
	OWNED_MEM char *expected = NULL;

	cr_assert(asprintf(&expected, "grithd is not running (socket %s): ", path) > 0);
	expect_failure(-ENOENT, expected);
	/* A socket that nobody listens on any more says the same. */
	serve_text(OK_REPLY);
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	server = -1;
	expect_failure(-ECONNREFUSED, expected);
}

Test(cli_channel, refusal_with_hostile_text)
{
	serve_text(
		"{\"v\":1,\"ok\":false,\"error\":{\"code\":\"policy\",\"message\":\"no\\u001b[1m\","
		"\"details\":[\"a.yaml:1:2: \\u202e\",5,\"a.yaml:2:3: x\"]}}\n");
	expect_failure(-EREMOTE, "no\\e[1m\na.yaml:1:2: \\xe2\\x80\\xae\n\na.yaml:2:3: x");
}

Test(cli_channel, refusal_without_text)
{
	serve_text("{\"v\":1,\"ok\":\"yes\"}\n");
	expect_failure(-EREMOTE, "without giving a reason");
}

Test(cli_channel, not_json)
{
	serve_text("220 mail.example.org ESMTP\n");
	expect_failure(-EBADMSG, "not one of grithd's");
}

Test(cli_channel, not_an_object)
{
	serve_text("[{\"v\":1,\"ok\":true}]\n");
	expect_failure(-EBADMSG, "not one of grithd's");
}

Test(cli_channel, two_truths)
{
	serve_text("{\"v\":1,\"ok\":false,\"ok\":true}\n");
	expect_failure(-EBADMSG, "not one of grithd's");
}

Test(cli_channel, another_version)
{
	serve_text("{\"v\":2,\"ok\":true}\n");
	expect_failure(-EPROTONOSUPPORT, "another version");
}

Test(cli_channel, torn)
{
	serve_text("{\"v\":1,\"ok\":tr");
	expect_failure(-ECONNRESET, "ended the connection");
}

Test(cli_channel, silent)
{
	serve_text("");
	expect_failure(-ECONNRESET, "ended the connection");
}

/* A line without an end stops at the limit, not when memory does. */
Test(cli_channel, too_long)
{
	static char block[1 << 20];

	memset(block, ' ', sizeof(block));
	serve(block, sizeof(block), UINT_MAX);
	expect_failure(-EMSGSIZE, "longer than 16 MiB");
}

Test(cli_channel, long_but_right)
{
	json_auto_t *request = json_pack("{s:s}", "do", "list");
	OWNED_TEXT struct text error = { 0 }, reply = { 0 };
	OWNED_MEM char *filling = malloc(4 << 20);
	json_auto_t *json = NULL;

	memset(filling, 'x', 4 << 20);
	text_addf(&reply, "{\"v\":1,\"ok\":true,\"s\":\"%.*s\"}\n", 4 << 20, filling);
	serve(reply.data, reply.length, 1);
	cr_expect_eq(channel_ask(path, getuid(), request, &json, &error), 0, "%s", error.data);
	cr_expect_eq(json_string_length(json_object_get(json, "s")), 4 << 20);
}

Test(cli_channel, server_of_somebody_else)
{
	struct channel *channel = NULL;
	int r;

	serve_text(OK_REPLY);
	r = channel_open(path, getuid() + 1, &channel);
	/* As root every server is our own or root's: only another user can show the refusal. */
	if (getuid() == 0) {
		cr_expect_eq(r, 0);
		channel_free(channel);
		cr_assert_eq(chmod(directory, 0777), 0);
		cr_assert_eq(chmod(path, 0777), 0);
		kill(server, SIGKILL);
		waitpid(server, NULL, 0);
		unlink(path);
		cr_assert_eq(seteuid(65534), 0);
		serve_text(OK_REPLY);
		cr_assert_eq(seteuid(0), 0);
		r = channel_open(path, 0, &channel);
	}
	cr_expect_eq(r, -EUSERS, "%s", strerror(-r));
}

Test(cli_channel, path_too_long)
{
	OWNED_TEXT struct text name = { 0 };
	struct channel *channel = NULL;

	text_addf(&name, "/%0200d", 0);
	cr_expect_eq(channel_open(name.data, 0, &channel), -ENAMETOOLONG);
	cr_expect_null(channel);
}

struct seen {
	int lines, idle;
};

static int count_event(void *arg, const struct log_event *event)
{
	struct seen *seen = arg;

	seen->lines++;
	return event->kind == LOG_GAP ? -ECANCELED : 0;
}

static int count_idle(void *arg)
{
	((struct seen *)arg)->idle++;
	return 0;
}

#define EVENT(kind)                                                                                \
	"{\"v\":1,\"event\":{\"v\":1,\"time\":\"2026-01-02T03:04:05.123456789Z\",\"kind\":\"" kind \
	"\"}}\n"
#define END "{\"v\":1,\"end\":true}\n"

static struct log_source *open_stream(void)
{
	json_auto_t *request = json_pack("{s:s}", "do", "log");
	OWNED_TEXT struct text error = { 0 };
	struct log_source *source;

	cr_assert_eq(log_source_ask(path, getuid(), request, &error, &source), 0, "%s", error.data);
	return source;
}

static int follow_stream(int out, struct seen *seen)
{
	CLEANUP(log_source_freep) struct log_source *source = open_stream();

	return follow(source, out, count_event, count_idle, seen);
}

Test(cli_channel, stream_to_its_end)
{
	CLEANUP(log_source_freep) struct log_source *source = NULL;
	struct seen seen = { 0 };

	serve_text(OK_REPLY EVENT("file") "{\"v\":1,\"lost\":3}\n"
					  "{\"v\":1,\"event\":{\"v\":1}}\n"
					  "{\"v\":1,\"later\":{}}\n"
					  "{\"v\":1,\"damaged\":4}\n" EVENT("exit") END);
	source = open_stream();
	cr_expect_eq(follow(source, STDERR_FILENO, count_event, count_idle, &seen), 0);
	cr_expect_eq(seen.lines, 2);
	cr_expect_eq(log_source_lost(source), 3);
	cr_expect_eq(log_source_damaged(source), 5);
}

Test(cli_channel, stream_cut_off)
{
	struct seen seen = { 0 };

	serve_text(OK_REPLY EVENT("file"));
	cr_expect_eq(follow_stream(STDERR_FILENO, &seen), -ECONNRESET);
	cr_expect_eq(seen.lines, 1);
}

Test(cli_channel, stream_stopped_by_its_reader)
{
	struct seen seen = { 0 };

	serve_text(OK_REPLY EVENT("gap") EVENT("file") END);
	cr_expect_eq(follow_stream(STDERR_FILENO, &seen), -ECANCELED);
	cr_expect_eq(seen.lines, 1);
}

Test(cli_channel, stream_of_something_else)
{
	struct seen seen = { 0 };

	serve_text(OK_REPLY "hello\n");
	cr_expect_eq(follow_stream(STDERR_FILENO, &seen), -EBADMSG);
}

Test(cli_channel, stream_of_another_version)
{
	struct seen seen = { 0 };

	serve_text(OK_REPLY "{\"v\":2,\"end\":true}\n");
	cr_expect_eq(follow_stream(STDERR_FILENO, &seen), -EPROTONOSUPPORT);
}

/* Nobody reads the output any more, and nothing more comes: it must end all the same. */
Test(cli_channel, stream_without_a_reader)
{
	struct seen seen = { 0 };
	int ends[2];

	stays = true;
	serve_text(OK_REPLY EVENT("file"));
	cr_assert_eq(pipe(ends), 0);
	close(ends[0]);
	cr_expect_eq(follow_stream(ends[1], &seen), 0);
	cr_expect_leq(seen.lines, 1);
	cr_expect_gt(seen.idle, 0);
	close(ends[1]);
}

Test(cli_channel, session_id_must_be_one)
{
	char *argv[] = { "true", NULL };
	struct launch launch = { .socket = path, .trusted = getuid(), .argv = argv };
	json_auto_t *request = launch_request(&launch);
	OWNED_TEXT struct text error = { 0 };
	json_t *reply = NULL;

	serve_text("{\"v\":1,\"ok\":true,\"session\":\"a\\nLD_PRELOAD=x\"}\n");
	cr_expect_eq(launch_ask(&launch, request, &reply, &error), -EBADMSG);
	cr_expect_null(reply);
}
