/* SPDX-License-Identifier: MPL-2.0 */
/* Processes that ask to be supervised, and do what the test tells them through a pipe. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "harness.h"
#include "harness_internal.h"

#define AGENTS_MAX 64
#define LIFE 300 /* seconds */

static struct agent {
	pid_t pid, child;
	int orders, replies;
} agents[AGENTS_MAX];
static size_t n_agents;

void agents_end(void)
{
	for (size_t i = 0; i < n_agents; i++) {
		kill(agents[i].pid, SIGKILL);
		waitpid(agents[i].pid, NULL, 0);
		if (agents[i].child > 0)
			kill(agents[i].child, SIGKILL);
	}
}

static void tell(int fd, const char *line)
{
	dprintf(fd, "%s\n", line ? line : "{\"closed\":true}");
}

/* NULL at the end. However long the test takes: a failure here would not be the test's. */
static char *next_order(int orders)
{
	struct pollfd p = { .fd = orders, .events = POLLIN };

	return poll(&p, 1, -1) == 1 ? read_line(orders) : NULL;
}

/* Orders are "o REQUEST" (old connection), "n REQUEST" (new one), or the end. */
static _Noreturn void run_agent(uid_t uid, const char *request, int orders, int replies)
{
	int fd, again;
	char *line;
	pid_t child;

	if (chdir(at("project")) < 0 || setresgid(uid, uid, uid) < 0 ||
	    setresuid(uid, uid, uid) < 0)
		_exit(1);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* after the change of user, which takes it back */
	fd = connect_daemon();
	dprintf(fd, "%s\n", request);
	line = read_line(fd);
	child = fork();
	if (child == 0) {
		close_range(0, ~0U, 0); /* nobody who reads the test's output waits for its end */
		alarm(LIFE); /* where a test is interrupted and nobody ends it */
		for (;;)
			pause();
	}
	dprintf(replies, "%d\n", (int)child);
	tell(replies, line);
	while ((line = next_order(orders))) {
		if (line[0] == 'n') {
			again = connect_daemon();
			send_text(again, line + 2);
			send_text(again, "\n");
			tell(replies, read_line(again));
			close(again);
		} else {
			send_text(fd, line + 2);
			send_text(fd, "\n");
			tell(replies, read_line(fd));
		}
	}
	_exit(0);
}

static struct agent *find_agent(pid_t pid)
{
	size_t i = 0;

	while (i < n_agents && agents[i].pid != pid)
		i++;
	cr_assert_lt(i, n_agents, "no such agent");
	return &agents[i];
}

pid_t agent_start(uid_t uid, const char *request, json_t **ret_reply)
{
	struct agent *agent = &agents[n_agents++];
	int orders[2], replies[2];
	char *child;

	cr_assert_leq(n_agents, AGENTS_MAX);
	cr_assert_eq(pipe2(orders, O_CLOEXEC), 0);
	cr_assert_eq(pipe2(replies, O_CLOEXEC), 0);
	agent->pid = fork();
	cr_assert_geq(agent->pid, 0);
	if (agent->pid == 0) {
		close(orders[1]);
		close(replies[0]);
		run_agent(uid, request, orders[0], replies[1]);
	}
	close(orders[0]);
	close(replies[1]);
	agent->orders = orders[1];
	agent->replies = replies[0];
	forget_input(agent->replies);
	child = read_line(agent->replies);
	cr_assert_not_null(child);
	agent->child = atoi(child);
	free(child);
	*ret_reply = read_reply(agent->replies);
	return agent->pid;
}

json_t *agent_ask(pid_t pid, bool new_connection, const char *request)
{
	struct agent *agent = find_agent(pid);

	dprintf(agent->orders, "%c %s\n", new_connection ? 'n' : 'o', request);
	return read_reply(agent->replies);
}

void agent_leave(pid_t pid)
{
	close(find_agent(pid)->orders);
	cr_assert_eq(wait_for(pid), 0);
}

pid_t agent_child(pid_t pid)
{
	return find_agent(pid)->child;
}

void agent_kill_child(pid_t agent)
{
	struct pollfd ended = { .fd = pidfd_open(agent_child(agent), 0), .events = POLLIN };

	cr_assert_geq(ended.fd, 0);
	cr_assert_eq(pidfd_send_signal(ended.fd, SIGKILL, NULL, 0), 0);
	cr_assert_eq(poll(&ended, 1, LIFE * 1000), 1);
	close(ended.fd);
}
