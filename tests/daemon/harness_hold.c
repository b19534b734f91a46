/* SPDX-License-Identifier: MPL-2.0 */
/* Children that stop, files that say that they are held, and the records of it. */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "harness_hold.h"
#include "harness_internal.h"

void session_start(uid_t uid, const char *more, struct test_session *ret_session)
{
	char request[256];
	json_t *reply, *state;

	snprintf(request, sizeof(request), "{\"v\":1,\"do\":\"start\",\"command\":[\"agent\"]%s}",
		 more);
	*ret_session = (struct test_session) { .agent = agent_start(uid, request, &reply) };
	cr_assert(is_ok(reply), "%s", json_dumps(reply, 0));
	snprintf(ret_session->id, sizeof(ret_session->id), "%s", string_of(reply, "session"));
	state = session_state(ret_session->id);
	ret_session->cgroup = json_integer_value(json_object_get(state, "cgroup"));
	json_decref(state);
	json_decref(reply);
}

pid_t waiter_start(void)
{
	pid_t pid = fork();
	int status;

	cr_assert_geq(pid, 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		raise(SIGSTOP);
		for (;;)
			pause();
	}
	cr_assert_eq(waitpid(pid, &status, WUNTRACED), pid);
	cr_assert(WIFSTOPPED(status));
	return pid;
}

void waiter_expect_continued(pid_t pid)
{
	int status;

	cr_assert_eq(waitpid(pid, &status, WCONTINUED), pid);
	cr_assert(WIFCONTINUED(status), "it has ended");
}

void waiter_expect_stopped(pid_t pid)
{
	int status;

	cr_assert_eq(waitpid(pid, &status, WCONTINUED | WNOHANG), 0);
}

int process_watch(pid_t pid)
{
	int fd = pidfd_open(pid, 0);

	cr_assert_geq(fd, 0);
	return fd;
}

void process_expect_end(int fd)
{
	wait_readable(fd, "a process to end");
	close(fd);
}

static bool is_judged(const struct test_hold *hold)
{
	return hold->flags & GRITH_RECORD_INSPECT_ARGV;
}

static const char *hold_path(const struct test_hold *hold)
{
	char name[64];

	snprintf(name, sizeof(name), "bpf/holds/%d-%d", hold->pid, is_judged(hold) ? 0 : hold->pid);
	return at(name);
}

void hold_enter(const struct test_session *session, const struct test_hold *hold)
{
	struct timespec now;
	char text[96];

	clock_gettime(CLOCK_MONOTONIC, &now);
	mkdir(at("bpf/holds"), 0700);
	snprintf(text, sizeof(text), "%llx %llx %u %llu", (unsigned long long)session->cgroup,
		 (unsigned long long)hold->object, hold->op,
		 (now.tv_sec - hold->age) * 1000000000ull + now.tv_nsec);
	write_file(hold_path(hold), text);
}

static struct grith_record head_of(struct test_session *session, const struct test_hold *hold)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (struct grith_record) {
		.version = GRITH_ABI_VERSION,
		.kind = hold->address	  ? GRITH_KIND_NET
			: is_judged(hold) ? GRITH_KIND_EXEC
					  : GRITH_KIND_PATH,
		.time = now.tv_sec * UINT64_C(1000000000) + now.tv_nsec,
		.session = session->cgroup,
		.sequence = session->sequence++,
		.pid = hold->pid,
		.tid = hold->pid,
		.ppid = getpid(),
		.op = hold->op,
		.verdict = GRITH_HOLD,
		.flags = hold->flags ? hold->flags : GRITH_RECORD_HELD,
		.object = hold->object,
		.rule = hold->rule,
		.score = hold->score,
		.context = hold->context,
		.filters = hold->filters,
		.comm = "agent",
	};
}

static void send_bytes(const void *record, size_t length)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	static int fd = -1;

	if (fd < 0)
		fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	strcpy(address.sun_path, at("bpf/ring"));
	cr_assert_eq(sendto(fd, record, length, 0, (struct sockaddr *)&address, sizeof(address)),
		     (ssize_t)length, "%s", strerror(errno));
}

static void send_exec(const struct grith_record *head, const struct test_hold *hold)
{
	struct {
		struct grith_exec_record exec;
		char bytes[1024];
	} record = { .exec = { .head = *head, .argv_total = hold->argv_length } };
	size_t length = strlen(hold->path);

	record.exec.path_at = sizeof(record.exec);
	record.exec.path_length = length;
	record.exec.argv_at = sizeof(record.exec) + length;
	record.exec.argv_length = hold->argv_length;
	record.exec.head.length = sizeof(record.exec) + length + hold->argv_length;
	memcpy(record.bytes, hold->path, length);
	memcpy(record.bytes + length, hold->argv, hold->argv_length);
	send_bytes(&record, record.exec.head.length);
}

static void send_path(const struct grith_record *head, const struct test_hold *hold)
{
	struct {
		struct grith_path_record path;
		char bytes[1024];
	} record = { .path = { .head = *head } };
	size_t length = strlen(hold->path);

	record.path.path_at = sizeof(record.path);
	record.path.path_length = length;
	record.path.head.length = sizeof(record.path) + length;
	memcpy(record.bytes, hold->path, length);
	send_bytes(&record, record.path.head.length);
}

static void send_net(const struct grith_record *head, const struct test_hold *hold)
{
	struct grith_net_record record = {
		.head = *head,
		.address = { [10] = 0xff, 0xff },
		.port = hold->port,
		.family = AF_INET,
		.type = SOCK_STREAM,
	};

	cr_assert_eq(inet_pton(AF_INET, hold->address, record.address + 12), 1);
	record.head.length = sizeof(record);
	send_bytes(&record, sizeof(record));
}

void hold_send(struct test_session *session, const struct test_hold *hold)
{
	struct grith_record head = head_of(session, hold);

	if (head.flags & GRITH_RECORD_HELD)
		hold_enter(session, hold);
	else
		head.error = -EACCES;
	if (hold->address)
		send_net(&head, hold);
	else if (is_judged(hold))
		send_exec(&head, hold);
	else
		send_path(&head, hold);
}

void hold_expect_let_go(struct test_session *session, const struct test_hold *hold,
			enum grith_verdict verdict)
{
	hold_send(session, hold);
	waiter_expect_continued(hold->pid);
	cr_assert(answer_is(session, hold->object, hold->pid, verdict, true));
}

void hold_replay(struct test_session *session, const struct test_hold *hold,
		 enum grith_verdict verdict)
{
	struct grith_record head = head_of(session, hold);

	unlink(hold_path(hold));
	head.flags = GRITH_RECORD_ANSWERED;
	head.verdict = verdict;
	head.error = verdict == GRITH_ALLOW ? 0 : -EACCES;
	send_path(&head, hold);
}

bool hold_is_there(const struct test_hold *hold)
{
	return access(hold_path(hold), F_OK) == 0;
}

bool hold_was_told(const struct test_hold *hold)
{
	char *text = read_file(hold_path(hold));
	bool told = strstr(text, " tell");

	free(text);
	return told;
}

char *answer_text(const struct test_session *session, uint64_t object, pid_t pid)
{
	char name[128];

	snprintf(name, sizeof(name), "bpf/answers/%llx-%llx-%d",
		 (unsigned long long)session->cgroup, (unsigned long long)object, pid);
	return access(at(name), F_OK) == 0 ? read_file(at(name)) : NULL;
}

bool answer_is(const struct test_session *session, uint64_t object, pid_t pid,
	       enum grith_verdict verdict, bool once)
{
	char *text = answer_text(session, object, pid), start[16];
	bool is;

	snprintf(start, sizeof(start), "%u %u ", verdict, once);
	is = text && !strncmp(text, start, strlen(start));
	free(text);
	return is;
}

json_t *reviews_of(const struct test_session *session, bool all)
{
	char request[128];
	json_t *reply;

	snprintf(request, sizeof(request),
		 "{\"v\":1,\"do\":\"reviews\",\"session\":\"%s\",\"all\":%s}", session->id,
		 all ? "true" : "false");
	reply = ask(request);
	cr_assert(is_ok(reply), "%s", json_dumps(reply, 0));
	return json_object_get(reply, "reviews");
}

json_t *only_review(const struct test_session *session)
{
	json_t *reviews = reviews_of(session, false);

	cr_assert_eq(json_array_size(reviews), 1, "%s", json_dumps(reviews, JSON_INDENT(1)));
	return json_array_get(reviews, 0);
}

json_t *answer(json_t *review, const char *verdict, const char *more)
{
	char request[512];

	snprintf(request, sizeof(request),
		 "{\"v\":1,\"do\":\"answer\",\"review\":%lld,\"verdict\":\"%s\"%s}",
		 (long long)json_integer_value(json_object_get(review, "id")), verdict, more);
	return ask(request);
}
