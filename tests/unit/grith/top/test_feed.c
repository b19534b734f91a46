/* SPDX-License-Identifier: MPL-2.0 */
/* What `grith top` has from grithd, without a terminal: over a restart, and for programs. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "grith/top/feed.h"
#include "grith/top/top.h"
#include "child.h"
#include "top_server.h"

static pid_t client = -1; /* the other side, whichever it is */

static struct top_model model;
static struct top_feed feed;

static void set_up(void)
{
	alarm(50);
	server_set_up();
	cr_assert_eq(top_model_init(&model, true), 0);
	feed = (struct top_feed) { .socket = server.path, .model = &model };
}

static void tear_down(void)
{
	top_feed_close(&feed);
	top_model_free(&model);
	if (client > 0)
		kill(client, SIGKILL);
	server_tear_down();
}

TestSuite(top_feed, .init = set_up, .fini = tear_down);

static void open_feed(void)
{
	OWNED_TEXT struct text error = { 0 };

	cr_assert_eq(top_feed_open(&feed, &error), 0, "%s", error.data);
}

static void take_until(uint64_t operations)
{
	OWNED_TEXT struct text error = { 0 };
	uint64_t before;
	int r = 1;

	while (r >= 0 && model.operations < operations) {
		struct pollfd pollers[TOP_FEED_FDS];
		bool readable[TOP_FEED_FDS];
		int fds[TOP_FEED_FDS];

		top_feed_fds(&feed, fds);
		for (size_t i = 0; i < TOP_FEED_FDS; i++)
			pollers[i] = (struct pollfd) { .fd = fds[i], .events = POLLIN };
		cr_assert_geq(poll(pollers, TOP_FEED_FDS, r > 0 ? 0 : -1), 0);
		for (size_t i = 0; i < TOP_FEED_FDS; i++)
			readable[i] = pollers[i].revents;
		before = model.operations;
		r = top_feed_take(&feed, readable, top_now(), &error);
		/* So that keys, which are looked at in between, do not wait. */
		cr_assert_leq(model.operations - before, TOP_TAKE);
	}
	cr_assert_geq(r, 0, "%s", error.data);
}

/* Written last, but older than what was written before. */
static const char late[] =
	"{\"v\":1,\"event\":{\"v\":1,\"time\":\"2020-01-01T00:00:00.000000001Z\","
	"\"seq\":20006,\"session\":\"abcdefghij\",\"kind\":\"file\",\"op\":\"read\","
	"\"verdict\":\"allow\",\"path\":\"/late\",\"pid\":7,\"n\":20006}}\n";

/* After a loss of the connection it goes on where it was: no event twice, none left out. */
Test(top_feed, grithd_restarts)
{
	client = child_fork();
	if (client == 0) {
		for (unsigned int i = 1; i <= 2; i++) {
			server_accept_all(i == 1 ? SERVER_LOG : NULL);
			server_send_events(1, 20000, "/before");
			if (i == 1)
				continue;
			server_send_events(20001, 5, "/after");
			server_send(server.log, late);
		}
		pause();
	}
	open_feed();
	take_until(20000);
	cr_expect_eq(model.operations, 20000);
	cr_expect_eq(model.refused, 20000);
	top_feed_close(&feed);
	cr_expect_eq(model.sessions.count, 0);
	open_feed();
	take_until(20006);
	cr_expect_eq(top_events_next(model.events), 20006);
}

/*
 * However many come, each is counted, or it is said that it is missing; what grithd could not write
 * becomes a gap of the log, and counts when that comes.
 */
Test(top_feed, nothing_is_lost_silently)
{
	client = child_fork();
	if (client == 0) {
		server_accept_all(SERVER_LOG);
		server_send_events(1, 50000, "/many");
		server_send(server.log, "{\"v\":1,\"lost\":700}\n"
					"{\"v\":1,\"event\":{\"v\":1,\"time\":\"never\"}}\n"
					"{\"v\":1,\"damaged\":2}\n");
		server_send_events(50001, 10, "/after");
		pause();
	}
	open_feed();
	take_until(50010);
	cr_expect_eq(model.operations, 50010);
	cr_expect_eq(model.missed, 3);
	cr_expect_eq(model.lost, 0);
}

/* Events that come late are said to, until grithd has no more. */
Test(top_feed, behind)
{
	const bool none[TOP_FEED_FDS] = { false };
	struct top_now later;
	OWNED_TEXT struct text error = { 0 };
	int go[2];

	cr_assert_eq(pipe(go), 0);
	client = child_fork();
	if (client == 0) {
		char byte;

		server_accept_all(SERVER_LOG);
		server_send_events(1, 10, "/late");
		cr_assert_eq(read(go[0], &byte, 1), 1);
		server_send(server.log, "{\"v\":1,\"current\":true}\n");
		cr_assert_eq(read(go[0], &byte, 1), 1);
		server_send(server.log,
			    "{\"v\":1,\"event\":{\"v\":1,\"n\":11,\"kind\":\"gap\",\"lost\":7,"
			    "\"time\":\"2100-01-01T00:00:00.000000001Z\"}}\n");
		server_send_events(12, 10, "/written-late");
		pause();
	}
	open_feed();
	take_until(10);
	later = top_now();
	later.real += 100000;
	cr_assert_geq(top_feed_take(&feed, none, later, &error), 0, "%s", error.data);
	cr_expect_geq(model.behind, 98000);
	cr_expect_leq(top_model_at(&model, later.real), later.real - 98000);
	cr_assert_eq(write(go[1], "", 1), 1);
	while (model.behind)
		cr_assert_geq(top_feed_take(&feed, none, later, &error), 0, "%s", error.data);
	/* grithd writes late; what is no record of an operation has the time of its writing. */
	cr_assert_eq(write(go[1], "", 1), 1);
	while (model.operations < 20)
		cr_assert_geq(top_feed_take(&feed, none, later, &error), 0, "%s", error.data);
	cr_expect_geq(model.behind, 98000);
}

/* -b: what a pipe gets, and that it ends with its reader. */
Test(top_feed, batch)
{
	struct top_batch batch = { .socket = server.path, .looks = 2, .delay = 500, .json = true };
	char bytes[16384] = "";
	size_t length = 0;
	int ends[2], status;
	json_t *json;
	ssize_t n;

	cr_assert_eq(pipe(ends), 0);
	client = child_fork();
	if (client == 0) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		_exit(top_batch_run(&batch));
	}
	close(ends[1]);
	server_accept_all(SERVER_LOG);
	server_send_events(1, 3, "/x");
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
