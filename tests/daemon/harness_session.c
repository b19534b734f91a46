/* SPDX-License-Identifier: MPL-2.0 */
/* What grithd keeps of sessions, and what the kernel would tell it of them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "harness.h"
#include "harness_internal.h"

json_t *session_state(const char *id)
{
	char name[64];
	json_t *state;

	snprintf(name, sizeof(name), "state/sessions/%s.json", id);
	state = json_load_file(at(name), 0, NULL);
	cr_assert_not_null(state, "%s", name);
	return state;
}

struct audit_verify verify_log(void)
{
	struct audit_verify found = { 0 };
	struct audit_range range = { 0 };
	OWNED_FD int log = open(at("log"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	OWNED_FD int state = open(at("state"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	static struct audit_key key;

	cr_assert_eq(audit_key_init(), 0);
	cr_assert_eq(audit_key_read_secret(state, AUDIT_KEY_FILE, &key), 0);
	cr_assert_eq(audit_head_read(state, &key, &found.head), 0);
	found.key = &key;
	cr_assert_eq(audit_verify_directory(&found, log, &range), 0);
	return found;
}

void wait_for_end(const char *id)
{
	int fd = inotify_init1(IN_CLOEXEC);
	char name[64], event[4096];

	cr_assert_geq(inotify_add_watch(fd, at("state/sessions"), IN_DELETE), 0);
	snprintf(name, sizeof(name), "state/sessions/%s.json", id);
	while (access(at(name), F_OK) == 0) {
		wait_readable(fd, "a session to end");
		cr_assert_gt(read(fd, event, sizeof(event)), 0);
	}
	close(fd);
}

static bool send_to_ring(const void *data, size_t size)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	static int fd = -1;

	if (fd < 0)
		fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	strcpy(address.sun_path, at("bpf/ring"));
	return sendto(fd, data, size, 0, (struct sockaddr *)&address, sizeof(address)) ==
	       (ssize_t)size;
}

void send_made(uint64_t cgroup, uint64_t sequence)
{
	const struct fake_made made = { cgroup, sequence };

	cr_assert(send_to_ring(&made, sizeof(made)), "%s", strerror(errno));
}

bool try_send_record(uint64_t cgroup, uint64_t sequence, pid_t pid, const char *path,
		     enum grith_verdict verdict)
{
	struct {
		struct grith_path_record path;
		char bytes[256];
	} record = { 0 };
	struct timespec now;
	size_t length = strlen(path);

	clock_gettime(CLOCK_MONOTONIC, &now);
	record.path = (struct grith_path_record){
		.head = {
			.version = GRITH_ABI_VERSION, .kind = GRITH_KIND_PATH,
			.length = sizeof(record.path) + length,
			.time = now.tv_sec * UINT64_C(1000000000) + now.tv_nsec, .session = cgroup,
			.sequence = sequence, .pid = pid, .tid = pid, .op = GRITH_OP_READ,
			.verdict = verdict, .error = verdict == GRITH_ALLOW ? 0 : -EACCES,
			.rule = verdict == GRITH_ALLOW ? 1 : 3, .comm = "agent",
		},
		.path_at = sizeof(record.path), .path_length = length,
	};
	memcpy(record.bytes, path, length);
	return send_to_ring(&record, record.path.head.length);
}

void send_record(uint64_t cgroup, uint64_t sequence, pid_t pid, const char *path,
		 enum grith_verdict verdict)
{
	cr_assert(try_send_record(cgroup, sequence, pid, path, verdict), "%s", strerror(errno));
}

bool has_true(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	return json_is_true(value);
}

bool is_ok(json_t *reply)
{
	return has_true(reply, "ok");
}

const char *string_of(json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	cr_assert_not_null(value, "no %s", key);
	return value;
}

const char *error_of(json_t *reply)
{
	cr_assert_not(is_ok(reply));
	return string_of(json_object_get(reply, "error"), "code");
}
