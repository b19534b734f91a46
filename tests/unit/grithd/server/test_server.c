/* SPDX-License-Identifier: MPL-2.0 */
/* The server room by itself: connections, lines and replies, with requests that mean nothing. */
#include <sys/socket.h>
#include <sys/un.h>

#include <criterion/criterion.h>

#include "grithd/server/server.h"

#define HOUR_NS (3600 * UINT64_C(1000000000))

static char directory[] = "/tmp/grith-server-XXXXXX";
static char path[64];
static struct server server = { .fd = -1, .root = "/no/such/cgroup" };
static unsigned int steps, freed;

/* A job that replies with its third step. */
static int on_step(struct client *client, void *job)
{
	cr_assert_eq(job, &steps);
	if (++steps < 3)
		return 0;
	client_reply(client, json_pack("{s:i}", "steps", 3));
	client_end_job(client);
	return 0;
}

static void on_free(void *job)
{
	cr_assert_eq(job, &steps);
	freed++;
}

static const struct job_ops job_ops = { .step = on_step, .free = on_free, .follows_log = true };

/* "job" starts a job, "wait" one that waits for the log; all else is sent back. */
static void on_request(void *arg, struct client *client, const char *line, size_t length)
{
	cr_assert_eq(arg, &server);
	if (!strcmp(line, "job") || !strcmp(line, "wait"))
		client_start_job(client, &job_ops, &steps, line[0] == 'j');
	else
		client_reply(client, json_pack("{s:s%}", "said", line, length));
}

static void set_up(void)
{
	cr_assert_not_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/socket", directory);
	server.request = on_request;
	server.arg = &server;
	cr_assert_geq(sd_event_new(&server.event), 0);
	cr_assert_eq(server_start(&server, path), 0);
}

static void tear_down(void)
{
	server_stop(&server);
	sd_event_unref(server.event);
	cr_assert_neq(access(path, F_OK), 0, "the socket is removed");
	rmdir(directory);
}

TestSuite(server, .init = set_up, .fini = tear_down, .timeout = 20);

static int connect_to(const char *socket_path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", socket_path);
	cr_assert_eq(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

static int connect_client(void)
{
	size_t before = server.count;
	int fd = connect_to(path);

	while (server.count == before)
		cr_assert_geq(sd_event_run(server.event, UINT64_MAX), 0);
	return fd;
}

static void say(int fd, const char *text)
{
	cr_assert_eq(send(fd, text, strlen(text), 0), (ssize_t)strlen(text));
}

/* Runs the server until so much has come, and expects it to be that. "": the end. */
static void expect(int fd, const char *text)
{
	char found[256] = "";
	size_t length = strlen(text), size = length ? length : 1;
	ssize_t n;

	while ((n = recv(fd, found, size, MSG_PEEK | MSG_DONTWAIT)) < (ssize_t)length ||
	       (!length && n < 0))
		cr_assert_geq(sd_event_run(server.event, UINT64_MAX), 0);
	cr_assert_eq(recv(fd, found, size, 0), (ssize_t)length);
	cr_assert_str_eq(found, text);
}

Test(server, each_line_has_its_reply)
{
	OWNED_FD int fd = connect_client();

	say(fd, "one\n");
	expect(fd, "{\"said\":\"one\"}\n");
	say(fd, "two\nthr");
	expect(fd, "{\"said\":\"two\"}\n");
	say(fd, "ee\n");
	expect(fd, "{\"said\":\"three\"}\n");
}

Test(server, a_job_is_done_in_steps_and_the_next_request_waits_for_it)
{
	OWNED_FD int fd = connect_client();

	say(fd, "job\nnext\n");
	expect(fd, "{\"steps\":3}\n");
	expect(fd, "{\"said\":\"next\"}\n");
	cr_assert_eq(freed, 1);
}

Test(server, a_job_that_waits_for_the_log_goes_on_when_it_grew)
{
	OWNED_FD int fd = connect_client();

	say(fd, "wait\n");
	while (!server.clients[0]->job)
		cr_assert_geq(sd_event_run(server.event, UINT64_MAX), 0);
	cr_assert_eq(steps, 0);
	server_log_grew(&server);
	expect(fd, "{\"steps\":3}\n");
}

Test(server, a_connection_that_ends_takes_its_job_with_it)
{
	int fd = connect_client();

	say(fd, "wait\n");
	while (!server.clients[0]->job)
		cr_assert_geq(sd_event_run(server.event, UINT64_MAX), 0);
	close(fd);
	while (server.count)
		cr_assert_geq(sd_event_run(server.event, UINT64_MAX), 0);
	cr_assert_eq(freed, 1);
}

Test(server, a_silent_client_is_ended_and_a_busy_one_is_not)
{
	OWNED_FD int silent = connect_client();
	OWNED_FD int busy = connect_client();

	say(busy, "wait\n");
	while (!server.clients[1]->job)
		cr_assert_geq(sd_event_run(server.event, UINT64_MAX), 0);
	server_sweep(&server, clock_mono());
	cr_assert_eq(server.count, 2);
	server_sweep(&server, clock_mono() + HOUR_NS);
	cr_assert_eq(server.count, 1);
	expect(silent, "");
	cr_assert_not_null(server.clients[0]->job);
}

Test(server, one_too_many_of_a_user_is_told_so)
{
	int fds[SERVER_CLIENTS_MAX];
	OWNED_FD int one_more = -1;

	if (geteuid() != 0)
		cr_skip_test("the number of root's clients is not that of a user");
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		fds[i] = connect_client();
	one_more = connect_to(path);
	expect(one_more, "{\"v\":1,\"ok\":false,\"error\":{\"code\":\"no_space\","
			 "\"message\":\"too many connections to grithd\"}}\n");
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		close(fds[i]);
}

Test(server, a_socket_that_is_served_is_not_taken_over)
{
	struct server other = server;

	other.fd = -1;
	other.path = NULL;
	cr_assert_eq(server_start(&other, path), -EADDRINUSE);
}
