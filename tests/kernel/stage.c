/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Makes the session, its policy and the objects in it, and follows its processes and records.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "lib/policy/policy.h"
#include "stage.h"

#define PATIENCE_MS 20000
#define UNDONE 513 /* ERESTARTNOINTR, which no program sees */
#define TAINT_SECONDS 3600
#define POINTS 400 /* of a tainted session that sends; held above */
#define HOLD_ABOVE 300
#define DENY_ABOVE 800

static const char policy_text[] =
	"grith: 1\n"
	"name: held\n"
	"files:\n"
	"  - {allow: all, path: \"/**\"}\n"
	"  - {allow: all, path: \"{pipefs,sockfs,anon_inodefs,tmpfs}:*\"}\n"
	"  - {allow: all, path: \"" SECRET "\", class: credential}\n"
	"  - {hold: all, path: \"" HELD "/**\"}\n"
	"exec:\n"
	"  - {judge: argv, path: \"" JUDGED "\"}\n"
	"network:\n"
	"  - {hold: all, cidr: 127.0.0.0/8}\n"
	"  - {allow: all, cidr: 198.51.100.0/24}\n"
	"unix:\n"
	"  - {hold: all, path: \"" HELD "/**\"}\n"
	"sockets:\n"
	"  - {allow: socket, family: [unix, inet]}\n";

int status_of(int result)
{
	return result < 0 ? errno : 0;
}

void make_file(const char *path, mode_t mode, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	if (fd < 0 || write(fd, text, strlen(text)) < 0 || fchmod(fd, mode) < 0)
		abort();
	close(fd);
}

void copy_program(const char *from, const char *to)
{
	char command[256];

	snprintf(command, sizeof(command), "cp -f %s %s", from, to);
	if (system(command))
		abort();
}

void make_objects(void)
{
	if (system("rm -rf " HELD) || mkdir(HELD, 0700))
		abort();
	make_file(HELD "/file", 0600, "text");
	copy_program("/bin/true", HELD "/true");
	make_file(HELD "/script", 0755, "#!" HELD "/true\n");
}

pid_t start(struct stage *stage, attempt_fn *attempt)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid)
		return pid;
	/* Not inherited: what a held process has open does not matter. */
	if (cgroup_write(stage->session, "cgroup.procs", "0") < 0)
		_exit(TIMES_OUT);
	_exit(attempt());
}

static int on_record(void *arg, const void *data, size_t size)
{
	struct stage *stage = arg;
	struct record record;

	if (record_decode(data, size, &record) < 0 || record.head.session != stage->id)
		return 0;
	stage->undone += record.head.kind == GRITH_KIND_RESULT && record.head.error == -UNDONE;
	if (record.head.verdict == GRITH_HOLD) {
		stage->record = record;
		stage->holds += !!(record.head.flags & GRITH_RECORD_HELD);
		stage->refused += !!(record.head.flags & GRITH_RECORD_HOLD_REFUSED);
	} else if (record.head.object && !(record.head.flags & GRITH_RECORD_ANSWERED)) {
		stage->stray++;
	}
	return 0;
}

void read_records(struct stage *stage)
{
	kernel_ring_consume(stage->kernel, on_record, stage);
}

char state_of(pid_t pid)
{
	char path[64], text[512] = "", *end;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = 0;
	close(fd);
	end = strrchr(text, ')');
	return end ? end[2] : 0;
}

bool wait_stopped(struct stage *stage, pid_t pid)
{
	for (int i = 0; i < PATIENCE_MS; i++) {
		char state = state_of(pid);

		read_records(stage);
		if (state == 'T')
			return true;
		if (state == 'Z' || !state)
			return false;
		poll(NULL, 0, 1);
	}
	return false;
}

int wait_ended(struct stage *stage, pid_t pid)
{
	int status;

	for (int i = 0; i < PATIENCE_MS; i++) {
		if (waitpid(pid, &status, WNOHANG) == pid) {
			read_records(stage);
			return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		}
		read_records(stage);
		poll(NULL, 0, 1);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return TIMES_OUT;
}

void answer(struct stage *stage, enum grith_verdict verdict, bool once)
{
	const struct grith_answer_key key = {
		.session = stage->id,
		.object = stage->record.head.object,
		.pid = once ? stage->record.head.pid : 0,
	};
	const struct grith_answer value = { .verdict = verdict, .once = once, .review = 7 };

	check(stage->tally, kernel_answer_set(stage->kernel, &key, &value) == 0,
	      "no answer can be given");
}

int run_answered(struct stage *stage, attempt_fn *attempt, enum grith_verdict verdict, bool once)
{
	pid_t pid;

	stage->holds = stage->refused = 0;
	pid = start(stage, attempt);
	for (int i = 0; i < 10 && wait_stopped(stage, pid); i++) {
		answer(stage, verdict, once);
		kill(pid, SIGCONT);
	}
	return wait_ended(stage, pid);
}

void stage_reset(struct stage *stage)
{
	kernel_answers_forget(stage->kernel, stage->id);
	kernel_session_remove(stage->kernel, stage->id);
	check(stage->tally, kernel_session_set(stage->kernel, stage->id, &stage->fresh) == 0,
	      "no session can be made");
}

/* Everything weighs nothing, but for sending in a session that has read a secret. */
static int make_session(struct stage *stage)
{
	const struct policy_context context = {
		.project = "/tmp/grith-project",
		.home = "/root",
		.user = "root",
		.directory = "policy",
	};
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(policy_image_freep) struct policy_image *image = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	int r = policy_read_text("held.yaml", policy_text, strlen(policy_text), &context, &diag,
				 &policy);

	if (r < 0)
		return r;
	policy->weights = (struct grith_context_weights) {
		.taint_high = POINTS,
		.taint_other = POINTS,
		.taint_seconds = TAINT_SECONDS,
	};
	r = policy_compile(policy, NULL, 0, &diag, &image);
	if (r == 0)
		r = kernel_image_add(stage->kernel, image, &stage->fresh.image);
	stage->fresh.threshold_hold = HOLD_ABOVE;
	stage->fresh.threshold_deny = DENY_ABOVE;
	return r;
}

int stage_open(struct stage *stage, struct tally *tally)
{
	struct kernel_options options = {
		.attach = wanted_attach(),
		.bpffs = STAGE_BPFFS,
		.root_level = 1,
	};
	OWNED_MEM char *mount = NULL, *directory = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	int r = cgroup_find_mount(&mount);

	*stage = (struct stage) { .tally = tally, .root = -1, .session = -1 };
	if (r < 0 || asprintf(&directory, "%s/grith-hold/s", mount) < 0)
		return -ENOENT;
	*strrchr(directory, '/') = 0;
	mkdir(directory, 0755);
	stage->root = open(directory, O_DIRECTORY | O_CLOEXEC);
	r = stage->root < 0 ? -errno : cgroup_id(stage->root, &options.root_cgroup);
	if (r < 0)
		return r;
	mkdirat(stage->root, "s", 0755);
	stage->session = openat(stage->root, "s", O_DIRECTORY | O_CLOEXEC);
	r = stage->session < 0 ? -errno : cgroup_id(stage->session, &stage->id);
	if (r == 0)
		r = kernel_open(&options, &diag, &stage->kernel);
	if (r == 0)
		r = make_session(stage);
	if (r == 0)
		stage_reset(stage);
	return r;
}

void stage_close(struct stage *stage)
{
	if (stage->kernel) {
		kernel_session_remove(stage->kernel, stage->id);
		kernel_image_remove(stage->kernel, stage->fresh.image);
	}
	kernel_free(stage->kernel);
	cleanup_close(&stage->session);
	cgroup_remove(stage->root, "s");
	cleanup_close(&stage->root);
}

void stage_unload(void)
{
	kernel_unload(STAGE_BPFFS);
}

/* What was killed leaves nothing behind. */
void check_no_holds(struct stage *stage)
{
	OWNED_MEM struct kernel_hold *list = NULL;
	size_t count = 1;

	check(stage->tally, kernel_holds(stage->kernel, &list, &count) == 0 && !count,
	      "%zu holds left", count);
}
