/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What was done to other processes: their environment, memory and the like, and signals.
 *
 * The kernel's records tell it in two: that /proc/N/environ is opened, and, where N is not of the
 * session, that the process is touched, by which it may be refused. Before the second one the
 * kernel may have refused by itself, and then there is none: the first one waits for the thread's
 * next event, and only then counts as read or not.
 */
#include "internal.h"

enum { TRIED, READ, REFUSED, TARGETS };

/* Files of /proc/N whose open is refused unless the process may be traced. */
static const char *const guarded[] = {
	"environ", "mem", "maps", "smaps", "smaps_rollup", "numa_maps", "auxv", "pagemap",
};

/* The process that /proc/N/NAME is of, and NAME; 0: it is no such file. */
static uint32_t parse_proc(struct record_bytes path, struct record_bytes *ret_what)
{
	static const char proc[] = "/proc/";
	size_t at = strlen(proc);
	uint64_t pid = 0;

	if (path.length <= at || memcmp(path.data, proc, at) != 0)
		return 0;
	for (; at < path.length && path.data[at] >= '0' && path.data[at] <= '9'; at++) {
		pid = pid * 10 + (path.data[at] - '0');
		if (pid > INT32_MAX)
			return 0;
	}
	if (at + 1 >= path.length || path.data[at] != '/')
		return 0;
	*ret_what = (struct record_bytes) { path.data + at + 1, path.length - at - 1 };
	return pid;
}

static bool is_guarded(struct record_bytes what)
{
	for (size_t i = 0; i < ARRAY_SIZE(guarded); i++)
		if (strlen(guarded[i]) == what.length &&
		    !memcmp(guarded[i], what.data, what.length))
			return true;
	return false;
}

static bool is_environ(struct record_bytes what)
{
	return what.length == strlen("environ") && !memcmp(what.data, "environ", what.length);
}

struct touch {
	struct record_bytes what, comm;
	uint32_t target;
	bool read, refused;
};

static int tally_touch(struct report *report, const struct report_event *event,
		       const struct touch *touch)
{
	uint32_t what, comm, before = report->targets.keys.count;
	struct tally_entry *entry, *target;
	int r;

	r = report_name_add(report, touch->what, &what);
	if (r == 0)
		r = report_name_add(report, touch->comm, &comm);
	if (r == 0)
		r = tally_at(
			&report->targets,
			&(struct tally_key) { .a = touch->target, .b = what, .c = event->program },
			event->log->time, &target, NULL);
	if (r == 0)
		r = tally_at(&report->others,
			     &(struct tally_key) { .a = what, .b = event->program, .c = comm },
			     event->log->time, &entry, NULL);
	if (r < 0)
		return r;
	entry->n[TRIED]++;
	entry->n[READ] += touch->read;
	entry->n[REFUSED] += touch->refused;
	entry->n[TARGETS] += report->targets.keys.count - before;
	if (is_environ(touch->what)) {
		report->counts[REPORT_ENVIRON_TRIED]++;
		report->counts[REPORT_ENVIRON_READ] += touch->read;
	}
	return 0;
}

/* Its own processes a session may touch, and nothing is recorded of it. */
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
	struct touch touch = { .refused = event->refused };
	bool known = true;
	int r = 0;

	touch.target = parse_proc(path, &touch.what);
	if (!touch.target || touch.target == event->log->pid || event->log->op != GRITH_OP_READ ||
	    !is_guarded(touch.what) || event->log->flags & GRITH_RECORD_HELD)
		return 0;
	if (report->source == REPORT_RECORDS && event->happened)
		r = is_of_session(report, touch.target, &known);
	if (r < 0)
		return r;
	if (!known) {
		struct report_process *thread = report_process(report, event->thread);

		event->happened = false;
		thread->target = touch.target;
		thread->target_path = event->path;
		return 0;
	}
	touch.read = event->happened;
	return tally_touch(report, event, &touch);
}

/* Of what waited: it is this event, or the kernel has refused it without us. */
static int settle(struct report *report, const struct report_event *event, bool by_this)
{
	struct report_process *thread = report_process(report, event->thread);
	struct record_bytes path = report_name(&report->names, thread->target_path);
	struct touch touch = { .target = thread->target };
	uint32_t name = thread->target_path;

	parse_proc(path, &touch.what);
	if (by_this) {
		touch.comm = event->log->target_comm;
		touch.read = event->happened;
		touch.refused = event->refused;
	}
	thread->target = 0;
	if (touch.read) {
		if (!report_path(report, name))
			return -ENOMEM;
		report_count_read(report, name);
	}
	return tally_touch(report, event, &touch);
}

static int add_process(struct report *report, const struct report_event *event)
{
	const struct log_event *log = event->log;
	struct touch touch = {
		.what = report_bytes(log->op == GRITH_OP_SIGNAL ? "signal" : "touch"),
		.comm = log->target_comm,
		.target = log->target,
		.read = event->happened,
		.refused = event->refused,
	};

	return tally_touch(report, event, &touch);
}

int report_add_others(struct report *report, struct report_event *event)
{
	const struct log_event *log = event->log;
	bool is_touch = log->kind == LOG_PROCESS && log->op == GRITH_OP_TOUCH;
	uint32_t waiting = report_process(report, event->thread)->target;
	bool by_this = is_touch && waiting == log->target;
	int r = 0;

	if (waiting)
		r = settle(report, event, by_this);
	if (r < 0 || by_this)
		return r;
	if (log->kind == LOG_PROCESS)
		return add_process(report, event);
	return log->kind == LOG_FILE && event->path ? add_file(report, event) : 0;
}

/* By the kernel's name of a process, which has 15 bytes at most. */
static const struct {
	const char *comm, *kind;
} kinds[] = {
	{ "gnome-keyring-d", "keyring daemon" },
	{ "kwalletd5", "keyring daemon" },
	{ "kwalletd6", "keyring daemon" },
	{ "ssh-agent", "keyring daemon" },
	{ "gpg-agent", "keyring daemon" },
	{ "keepassxc", "password manager" },
	{ "1password", "password manager" },
	{ "bitwarden", "password manager" },
	{ "firefox", "browser" },
	{ "firefox-esr", "browser" },
	{ "chrome", "browser" },
	{ "chromium", "browser" },
	{ "brave", "browser" },
	{ "msedge", "browser" },
	{ "Web Content", "browser" },
	{ "Isolated Web Co", "browser" },
	{ "code", "editor" },
	{ "codium", "editor" },
	{ "cursor", "editor" },
	{ "vim", "editor" },
	{ "nvim", "editor" },
	{ "emacs", "editor" },
	{ "idea", "editor" },
	{ "java", "virtual machine" },
	{ "thunderbird", "mail" },
	{ "evolution", "mail" },
	{ "gnome-shell", "desktop" },
	{ "plasmashell", "desktop" },
	{ "kwin_wayland", "desktop" },
	{ "Xorg", "desktop" },
	{ "Xwayland", "desktop" },
	{ "dbus-daemon", "system" },
	{ "dbus-broker", "system" },
	{ "systemd", "system" },
	{ "sshd", "system" },
	{ "pulseaudio", "desktop" },
	{ "pipewire", "desktop" },
	{ "dockerd", "containers" },
	{ "bash", "shell" },
	{ "zsh", "shell" },
	{ "sh", "shell" },
	{ "tmux: server", "shell" },
};

static const char *kind_of(struct record_bytes comm)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strlen(kinds[i].comm) == comm.length &&
		    !memcmp(kinds[i].comm, comm.data, comm.length))
			return kinds[i].kind;
	return comm.length ? "other" : "not known";
}

void report_table_others(struct table_writer *w)
{
	static const struct report_column columns[] = {
		{ "what", "what", REPORT_TEXT },
		{ "kind", "kind", REPORT_TEXT },
		{ "target", "target", REPORT_TEXT },
		{ "program", "program", REPORT_TEXT },
		{ "tried", "tried", REPORT_NUMBER },
		{ "done", "done", REPORT_NUMBER },
		{ "refused", "refused", REPORT_NUMBER },
		{ "processes", "processes", REPORT_NUMBER },
	};
	const struct tally *others = &w->report->others;

	TABLE_COLUMNS_SET(w->table, columns);
	w->table->beyond = others->beyond;
	for (uint32_t i = 0; i < others->keys.count; i++) {
		const struct tally_key *key = tally_key(others, i);

		table_name(w, key->a);
		table_string(w, kind_of(report_name(&w->report->names, key->c)));
		table_name(w, key->c);
		table_name(w, key->b);
		for (size_t n = TRIED; n <= TARGETS; n++)
			table_number(w, others->entries[i].n[n]);
	}
	table_finish(w, 4);
}
