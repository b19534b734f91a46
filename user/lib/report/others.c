/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What was done to other processes: their environment, memory and the like, and signals.
 *
 * The kernel sends two records of it: that /proc/N/environ is opened, and, where N is not of the
 * session, its ptrace access check, which may refuse the open. Where the kernel itself has refused
 * before that check, there is no second record: so the open waits for the thread's next event, and
 * only then counts as read or not.
 */
#include "internal.h"

enum { TRIED, DONE, REFUSED, TARGETS };

uint32_t report_guarded_process(struct record_bytes path, struct record_bytes *ret_file)
{
	static const char *const guarded[] = {
		"environ", "mem", "maps", "smaps", "smaps_rollup", "numa_maps", "auxv", "pagemap",
	};
	size_t at = strlen("/proc/");
	uint64_t pid = 0;
	struct record_bytes file;

	if (!bytes_start(path, "/proc/"))
		return 0;
	for (; at < path.length && path.data[at] >= '0' && path.data[at] <= '9'; at++) {
		pid = pid * 10 + (path.data[at] - '0');
		if (pid > INT32_MAX)
			return 0;
	}
	if (at + 1 >= path.length || path.data[at] != '/')
		return 0;
	file = (struct record_bytes) { path.data + at + 1, path.length - at - 1 };
	for (size_t i = 0; i < ARRAY_SIZE(guarded); i++)
		if (bytes_are(file, guarded[i])) {
			*ret_file = file;
			return pid;
		}
	return 0;
}

/* A look at another process, or a signal to it. */
struct access {
	struct record_bytes what, comm;
	uint32_t target;
	bool done, refused;
};

static int count(struct report *report, const struct report_event *event,
		 const struct access *access)
{
	const struct tally *targets = &report->tallies[TALLY_TARGETS];
	uint32_t what, comm, before = targets->keys.count;
	struct tally_entry *row, *target;
	int r = report_name_add(report, access->what, &what);

	if (r == 0)
		r = report_name_add(report, access->comm, &comm);
	if (r == 0)
		r = report_row(
			report, event, TALLY_TARGETS,
			(struct tally_key) { .a = access->target, .b = what, .c = event->program },
			&target);
	if (r == 0)
		r = report_row(report, event, TALLY_OTHERS,
			       (struct tally_key) { .a = what, .b = event->program, .c = comm },
			       &row);
	if (r < 0)
		return r;
	row->n[TRIED]++;
	row->n[DONE] += access->done;
	row->n[REFUSED] += access->refused;
	row->n[TARGETS] += targets->keys.count - before;
	if (bytes_are(access->what, "environ")) {
		report->counts[REPORT_ENVIRON_TRIED]++;
		report->counts[REPORT_ENVIRON_READ] += access->done;
	}
	return 0;
}

/* Of access to the session's own processes nothing is recorded. */
static int is_of_session(struct report *report, uint32_t target, bool *ret_is)
{
	uint32_t process;
	int r = report_look_up(report, target, &process);

	if (r == 0)
		*ret_is = report_process(report, process)->alive;
	return r;
}

static int add_file(struct report *report, struct report_event *event)
{
	struct record_bytes path = report_name(&report->names, event->path);
	struct access access = { .refused = event->refused };
	bool known = true;
	int r = 0;

	access.target = report_guarded_process(path, &access.what);
	if (!access.target || access.target == event->log->pid || event->log->op != GRITH_OP_READ ||
	    event->log->flags & GRITH_RECORD_HELD)
		return 0;
	if (report->source == REPORT_RECORDS && event->happened)
		r = is_of_session(report, access.target, &known);
	if (r < 0)
		return r;
	if (!known) {
		struct report_process *thread = report_process(report, event->thread);

		event->happened = false;
		thread->target = access.target;
		thread->target_path = event->path;
		return 0;
	}
	access.done = event->happened;
	return count(report, event, &access);
}

/* Of what waited: the check is this event, or the kernel has refused before it. */
static int resolve(struct report *report, const struct report_event *event, bool by_this)
{
	struct report_process *thread = report_process(report, event->thread);
	struct record_bytes path = report_name(&report->names, thread->target_path);
	struct access access = { .target = thread->target };
	uint32_t name = thread->target_path;
	struct path_facts *facts;

	report_guarded_process(path, &access.what);
	if (by_this) {
		access.comm = event->log->target_comm;
		access.done = event->happened;
		access.refused = event->refused;
	}
	thread->target = 0;
	if (access.done) {
		facts = report_path(report, name);
		if (!facts)
			return -ENOMEM;
		facts->reads++;
	}
	return count(report, event, &access);
}

static int add_process(struct report *report, const struct report_event *event)
{
	const struct log_event *log = event->log;
	struct access access = {
		.what = bytes_of(log->op == GRITH_OP_SIGNAL ? "signal" : "touch"),
		.comm = log->target_comm,
		.target = log->target,
		.done = event->happened,
		.refused = event->refused,
	};

	return count(report, event, &access);
}

int report_add_others(struct report *report, struct report_event *event)
{
	const struct log_event *log = event->log;
	uint32_t waiting = report_process(report, event->thread)->target;
	bool by_this = log->kind == LOG_PROCESS && log->op == GRITH_OP_PTRACE_ACCESS &&
		       waiting == log->target;
	int r = 0;

	if (waiting)
		r = resolve(report, event, by_this);
	if (r < 0 || by_this)
		return r;
	if (log->kind == LOG_PROCESS)
		return add_process(report, event);
	return log->kind == LOG_FILE && event->path ? add_file(report, event) : 0;
}

/* By the kernel's name of a process, which has 15 bytes at most. */
static const struct {
	const char *kind, *comms[10];
} kinds[] = {
	{ "keyring daemon",
	  { "gnome-keyring-d", "kwalletd5", "kwalletd6", "ssh-agent", "gpg-agent" } },
	{ "password manager", { "keepassxc", "1password", "bitwarden" } },
	{ "browser",
	  { "firefox", "firefox-esr", "chrome", "chromium", "brave", "msedge", "Web Content",
	    "Isolated Web Co" } },
	{ "editor", { "code", "codium", "cursor", "vim", "nvim", "emacs", "idea" } },
	{ "virtual machine", { "java" } },
	{ "mail", { "thunderbird", "evolution" } },
	{ "desktop",
	  { "gnome-shell", "plasmashell", "kwin_wayland", "Xorg", "Xwayland", "pulseaudio",
	    "pipewire" } },
	{ "system", { "dbus-daemon", "dbus-broker", "systemd", "sshd" } },
	{ "containers", { "dockerd" } },
	{ "shell", { "bash", "zsh", "sh", "tmux: server" } },
};

static const char *kind_of(const struct report *report, const struct tally_key *key)
{
	struct record_bytes comm = report_name(&report->names, key->c);

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		for (const char *const *known = kinds[i].comms; *known; known++)
			if (bytes_are(comm, *known))
				return kinds[i].kind;
	return comm.length ? "other" : "not known";
}

const struct report_section report_others = {
	.key = "processes",
	.title = "Other processes",
	.about = "Environments, memory and signals, by the target program.",
	.columns = {
		{ "what", "what", REPORT_WORD, ROW_A },
		{ "kind", "kind", REPORT_WORD, ROW_WORD(0) },
		{ "target", "target", REPORT_TEXT, ROW_C },
		{ "program", "program", REPORT_PROGRAM, ROW_B },
		{ "tried", "tried", REPORT_NUMBER, ROW_COUNT(TRIED) },
		{ "done", "done", REPORT_NUMBER, ROW_COUNT(DONE) },
		{ "refused", "refused", REPORT_NUMBER, ROW_COUNT(REFUSED) },
		{ "processes", "processes", REPORT_NUMBER, ROW_COUNT(TARGETS) },
	},
	.words = { kind_of },
	.sort = 4,
	.tally = TALLY_OTHERS,
};
