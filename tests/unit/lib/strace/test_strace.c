/* SPDX-License-Identifier: MPL-2.0 */
/*
 * strace's logs as events. The samples are of one program under different options of strace: all of
 * them must tell the same.
 */
#include <fcntl.h>

#include <criterion/criterion.h>

#include "lib/base/base.h"
#include "lib/strace/strace.h"

#define TASKS_MAX 8

/* What came out of a log: a line for each event. */
struct told {
	struct text text;
	uint32_t tasks[TASKS_MAX]; /* in the order in which they appear */
	size_t n_tasks;
	bool programs; /* tell them as well */
	uint64_t last; /* time of the last event */
};

static void told_clear(struct told *told)
{
	text_free(&told->text);
}

#define OWNED_TOLD CLEANUP(told_clear)

static size_t number_of(struct told *told, uint32_t task)
{
	for (size_t i = 0; i < told->n_tasks; i++)
		if (told->tasks[i] == task)
			return i;
	cr_assert_lt(told->n_tasks, TASKS_MAX);
	told->tasks[told->n_tasks] = task;
	return told->n_tasks++;
}

static void add(struct text *text, const char *before, struct record_bytes bytes)
{
	if (!bytes.length)
		return;
	text_addf(text, "%s", before);
	text_add_escaped(text, bytes.data, bytes.length);
}

static int tell(void *arg, struct log_event *event)
{
	struct told *told = arg;
	struct text *text = &told->text;
	size_t process = number_of(told, event->pid), task = number_of(told, event->tid);

	text_addf(text, "%zu", process);
	if (task != process)
		text_addf(text, ".%zu", task);
	text_addf(text, " %s", op_name(event->op));
	add(text, " ", event->path);
	add(text, " -> ", event->second);
	add(text, " ", event->address);
	if (event->port)
		text_addf(text, " port %u", event->port);
	for (unsigned int bit = 1; bit <= UINT16_MAX; bit <<= 1)
		if (event->flags & bit)
			text_addf(text, " %s", record_flag_name(bit));
	add(text, " argv ", event->argv);
	if (event->error)
		text_addf(text, " %s", errno_name(event->error));
	if (event->op == GRITH_OP_EXIT)
		text_addf(text, " %d", event->status);
	if (told->programs)
		add(text, " by ", event->program);
	text_addf(text, "\n");
	told->last = event->mono;
	return 0;
}

static struct strace_log *new_log(struct told *told)
{
	const struct strace_options options = { .cwd = "/home/anna/p" };
	struct strace_log *log;

	cr_assert_eq(strace_log_new(&options, tell, told, &log), 0);
	text_add(&told->text, "", 0);
	return log;
}

/* Every line of a text. */
static struct strace_notes feed(struct strace_log *log, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		cr_assert_eq(strace_log_line(log, text, length), 0);
		text += length + (text[length] == '\n');
	}
	return strace_log_notes(log);
}

static void expect(const char *log_text, const char *wanted)
{
	OWNED_TOLD struct told told = { 0 };
	CLEANUP(strace_log_freep) struct strace_log *log = new_log(&told);

	feed(log, log_text);
	cr_assert_str_eq(told.text.data, wanted, "got:\n%s", told.text.data);
}

static void read_file(const char *path, struct text *out)
{
	OWNED_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	char chunk[4096];
	ssize_t n;

	cr_assert_geq(fd, 0, "%s", path);
	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		cr_assert_eq(text_add(out, chunk, (size_t)n), 0);
}

Test(strace_log, all_forms_tell_the_same)
{
	static const char *const samples[] = {
		"epoch", "annotated", "sockets", "relative-hex", "plain", "terminal",
	};
	OWNED_TEXT struct text wanted = { 0 };

	read_file("tests/golden/strace/events", &wanted);
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		OWNED_TOLD struct told told = { 0 };
		CLEANUP(strace_log_freep) struct strace_log *log = new_log(&told);
		OWNED_TEXT struct text text = { 0 };
		struct strace_notes notes;
		char path[64];

		snprintf(path, sizeof(path), "tests/golden/strace/%s.strace", samples[i]);
		read_file(path, &text);
		notes = feed(log, text.data);
		cr_expect_str_eq(told.text.data, wanted.data, "%s:\n%s", samples[i],
				 told.text.data);
		cr_expect_eq(notes.unreadable, 0, "%s", samples[i]);
		cr_expect_eq(notes.n_unknown, 1, "%s", samples[i]);
		cr_expect_str_eq(notes.unknown[0].name, "kill");
		cr_expect_eq(notes.has_times, strcmp(samples[i], "plain") != 0);
	}
}

Test(strace_log, what_is_opened)
{
	expect("1 openat(AT_FDCWD, \"/a\", O_RDONLY|O_CLOEXEC) = 3\n", "0 read /a\n");
	expect("1 open(\"/a\", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3\n", "0 write /a\n");
	expect("1 open(\"/a\", O_RDONLY|O_TRUNC) = 3\n", "0 write /a read_too\n");
	expect("1 openat(AT_FDCWD, \"/a\", O_RDONLY|O_DIRECTORY) = 3\n",
	       "0 opendir /a directory\n");
	expect("1 openat(AT_FDCWD, \"/a\", O_RDONLY|O_PATH) = 3\n", "");
	expect("1 creat(\"/a\", 0600) = 3\n", "0 write /a\n");
	expect("1 openat(AT_FDCWD, \"/a\", O_RDONLY) = -1 EACCES (Permission denied)\n",
	       "0 read /a EACCES\n");
	/* The kernel's own word for "make the call again": nothing happened. */
	expect("1 openat(AT_FDCWD, \"/a\", O_RDONLY) = ? ERESTARTSYS (To be restarted)\n", "");
	/* A name with a flag in it is not a flag. */
	expect("1 openat(AT_FDCWD, \"/O_PATH|O_RDWR\", O_RDONLY) = 3\n", "0 read /O_PATH|O_RDWR\n");
}

Test(strace_log, strings_are_unescaped)
{
	expect("1 unlink(\"/a\\\"b\\\\c\\td\\303\\251\\x41\\7\") = 0\n",
	       "0 delete /a\"b\\\\c\\tdéA\\x07\n");
	expect("1 unlink(\"/a, b) = 3\") = 0\n", "0 delete /a, b) = 3\n");
	expect("1 unlink(\"/long\"...) = 0\n", "0 delete /long unknown\n");
	expect("1 execve(\"/x\", [\"x\", \"lo\"..., ...], 0x7 /* 3 vars */) = 0\n",
	       "0 exec /x truncated argv x\\x00lo\\x00\n");
	expect("1 execve(\"/x\", 0x7f /* 2 vars */, NULL) = 0\n", "0 exec /x truncated\n");
}

Test(strace_log, relative_paths)
{
	expect("1 unlink(\"a\") = 0\n", "0 delete /home/anna/p/a\n");
	expect("1 unlink(\".././b//c/.\") = 0\n", "0 delete /home/anna/b/c\n");
	expect("1 unlink(\"../../../../..\") = 0\n", "0 delete /\n");
	expect("1 unlinkat(4</tmp>, \"a\", 0) = 0\n", "0 delete /tmp/a\n");
	expect("1 openat(AT_FDCWD</srv/x\\76y>, \"a\", O_RDONLY) = 3</srv/x\\76y/a>\n"
	       "1 unlink(\"b\") = 0\n",
	       "0 read /srv/x>y/a\n0 delete /srv/x>y/b\n");
	/* A descriptor that the log saw opened. */
	expect("1 openat(AT_FDCWD, \"/tmp\", O_RDONLY|O_DIRECTORY) = 5\n"
	       "1 getdents64(5, 0x55 /* 2 entries */, 32768) = 48\n"
	       "1 renameat2(5, \"a\", 5, \"b\", RENAME_NOREPLACE) = 0\n"
	       "1 fchdir(5) = 0\n1 rmdir(\"c\") = 0\n",
	       "0 opendir /tmp directory\n0 list /tmp directory\n0 rename /tmp/a -> /tmp/b\n"
	       "0 delete /tmp/c directory\n");
	/* In the child of a process that has moved. */
	expect("1 chdir(\"/srv\") = 0\n1 vfork( <unfinished ...>\n2 unlink(\"a\") = 0\n"
	       "1 <... vfork resumed>) = 2\n2 chdir(\"/\") = 0\n1 unlink(\"b\") = 0\n",
	       "0 delete /srv/a\n1 delete /srv/b\n");
}

Test(strace_log, addresses)
{
	expect("1 connect(3, {sa_family=AF_INET, sin_port=htons(443), "
	       "sin_addr=inet_addr(\"192.0.2.1\")}, 16) = -1 EINPROGRESS (Operation now in "
	       "progress)\n",
	       "0 connect 192.0.2.1 port 443 EINPROGRESS\n");
	expect("1 connect(3, {sa_family=AF_UNIX, sun_path=\"/run/x\"}, 110) = 0\n",
	       "0 connect /run/x unix\n");
	expect("1 connect(3, {sa_family=AF_UNIX, sun_path=@\"x\\0y\"}, 110) = 0\n",
	       "0 connect @x\\x00y abstract unix\n");
	expect("1 connect(3, {sa_family=AF_INET, sin_port=htons(9), "
	       "sin_addr=inet_addr(\"0.0.0.0\")}, 16) = 0\n",
	       "0 connect 127.0.0.1 port 9\n");
	expect("1 connect(3, {sa_family=AF_UNSPEC, sa_data=\"\\0\"}, 16) = 0\n"
	       "1 sendto(3, \"x\", 1, 0, NULL, 0) = 1\n"
	       "1 sendmsg(3, {msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base=\"x\", "
	       "iov_len=1}], msg_iovlen=1}, 0) = 1\n"
	       "1 connect(3, {sa_family=AF_NETLINK, nl_pid=0, nl_groups=00000000}, 12) = 0\n",
	       "");
}

Test(strace_log, threads_and_programs)
{
	OWNED_TOLD struct told told = { .programs = true };
	CLEANUP(strace_log_freep) struct strace_log *log = new_log(&told);

	feed(log,
	     "1 execve(\"/a\", [\"a\"], 0x7 /* 1 var */) = 0\n"
	     "1 clone3({flags=CLONE_VM|CLONE_THREAD, exit_signal=0} => {parent_tid=[2]}, 88) = 2\n"
	     "1 clone(child_stack=NULL, flags=SIGCHLD) = 3\n"
	     "2 unlink(\"/x\") = 0\n3 unlink(\"/y\") = 0\n"
	     /* a thread's exec ends the others, and it goes on as the process */
	     "2 execve(\"/b\", [\"b\"], 0x7 /* 1 var */ <unfinished ...>\n"
	     "1 +++ superseded by execve in pid 2 +++\n1 <... execve resumed>) = 0\n"
	     "1 unlink(\"/z\") = 0\n3 +++ killed by SIGKILL +++\n1 +++ exited with 1 +++\n");
	cr_assert_str_eq(told.text.data, "0 exec /a argv a\\x00 by /a\n"
					 "0.1 delete /x by /a\n2 delete /y by /a\n"
					 "0 exec /b argv b\\x00 by /b\n0 delete /z by /b\n"
					 "2 exit 9 by /a\n0 exit 256 by /b\n");
}

Test(strace_log, a_task_that_nobody_told_of)
{
	OWNED_TOLD struct told told = { .programs = true };
	CLEANUP(strace_log_freep) struct strace_log *log = new_log(&told);

	feed(log, "1 execve(\"/a\", [\"a\"], 0x7 /* 1 var */) = 0\n2 unlink(\"/x\") = 0\n"
		  "2 execve(\"/b\", [\"b\"], 0x7 /* 1 var */) = 0\n"
		  /* of /a or of /b: not known */
		  "3 unlink(\"/y\") = 0\n");
	cr_assert_str_eq(told.text.data, "0 exec /a argv a\\x00 by /a\n1 delete /x by /a\n"
					 "1 exec /b argv b\\x00 by /b\n2 delete /y\n");
}

Test(strace_log, what_is_not_known_is_counted)
{
	OWNED_TOLD struct told told = { 0 };
	CLEANUP(strace_log_freep) struct strace_log *log = new_log(&told);
	struct strace_notes notes;

	notes = feed(log,
		     "hello\n\n12 \n1 read(3, \"x\", 1) = 1\n1 read(3, \"\", 1) = 0\n"
		     "1 openat(AT_FDCWD, \"/x\n1 openat(AT_FDCWD, \"/x\", O_RDONLY) 3\n"
		     "1 <... openat resumed>) = 3\n[pid  x] y\n1 futex(0x7, FUTEX_WAIT) = ?\n");
	cr_assert_str_eq(told.text.data, "");
	cr_assert_eq(notes.lines, 10);
	cr_assert_eq(notes.unreadable, 6);
	cr_assert_eq(notes.n_unknown, 2);
	cr_assert_str_eq(notes.unknown[0].name, "read");
	cr_assert_eq(notes.unknown[0].count, 2);
}

/*
 * The longest line, of what opens and never closes: in minutes where each is looked for from its
 * own place to the end of the line.
 */
Test(strace_log, lines_that_never_end, .timeout = 20)
{
	static const char *const pieces[] = { "a<", "a<b<>", "a<->", "\"a<", "/*", "a<[{(", "\\" };

	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		OWNED_TOLD struct told told = { 0 };
		CLEANUP(strace_log_freep) struct strace_log *log = new_log(&told);
		OWNED_TEXT struct text line = { 0 };

		text_addf(&line, "1 openat(3<");
		while (line.length < STRACE_LINE_MAX)
			text_addf(&line, "%s", pieces[i]);
		feed(log, line.data);
		cr_expect_str_eq(told.text.data, "");
	}
}

/* Times that are added up never come to their end and begin anew. */
Test(strace_log, times_that_are_too_much)
{
	static const char *const lines[][2] = {
		{ "1 86399.0 unlink(\"/a\") = 0", "1 86399.0 unlink(\"/a\") = 0" },
		{ "1 23:59:59 unlink(\"/a\") = 0", "1 00:00:00 unlink(\"/a\") = 0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		OWNED_TOLD struct told told = { 0 };
		CLEANUP(strace_log_freep) struct strace_log *log = new_log(&told);

		for (unsigned int k = 0; k < 500000; k++) {
			told.text.length = 0;
			feed(log, lines[i][k % 2]);
			cr_assert_leq(told.last, (uint64_t)INT64_MAX);
		}
	}
}

static int tell_nothing(void *arg, struct log_event *event)
{
	(void)arg;
	(void)event;
	return 0;
}

/*
 * All the descriptors there can be, with the longest names, and a short line for each child that
 * inherits them: in hours where each gets names of its own. The last child knows all of them.
 */
Test(strace_log, children_inherit_in_no_time, .timeout = 20)
{
	const struct strace_options options = { .cwd = "/" };
	CLEANUP(strace_log_freep) struct strace_log *log = NULL;
	OWNED_TEXT struct text name = { 0 }, line = { 0 };
	struct strace_notes notes;

	cr_assert_eq(strace_log_new(&options, tell_nothing, NULL, &log), 0);
	while (name.length < 4000)
		text_addf(&name, "/directory");
	for (int fd = 0; fd < STRACE_FD_MAX; fd++) {
		line.length = 0;
		text_addf(&line, "1 openat(AT_FDCWD, \"%s%d\", O_RDONLY) = %d", name.data, fd, fd);
		cr_assert_eq(strace_log_line(log, line.data, line.length), 0);
	}
	for (int child = 2; child < 20000; child++) {
		line.length = 0;
		text_addf(&line, "1 fork() = %d\n%d +++ exited with 0 +++\n", child, child);
		feed(log, line.data);
	}
	/* What is said to be made by one call that never returns is not looked for in all of it. */
	line.length = 0;
	text_addf(&line, "1 clone(");
	while (line.length < STRACE_LINE_MAX / 2)
		text_addf(&line, "%s", name.data);
	text_addf(&line, " <unfinished ...>");
	cr_assert_eq(strace_log_line(log, line.data, line.length), 0);
	for (int child = 30000; child < 50000; child++) {
		line.length = 0;
		text_addf(&line, "%d +++ exited with 0 +++\n", child);
		feed(log, line.data);
	}
	notes = feed(log, "50000 fchmod(1023, 0644) = 0\n");
	cr_assert_eq(notes.dropped, 0);
	cr_assert_eq(notes.unreadable, 0);
	cr_assert_eq(notes.events, STRACE_FD_MAX + 19998 + 20000 + 1);
}

Test(strace_log, what_is_inherited_is_ones_own)
{
	expect("1 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
	       "1 openat(AT_FDCWD, \"/b\", O_RDONLY) = 4\n"
	       "1 fork() = 2\n2 openat(AT_FDCWD, \"/c\", O_RDONLY) = 3\n"
	       "1 fchmod(3, 0644) = 0\n2 fchmod(3, 0644) = 0\n1 +++ exited with 0 +++\n"
	       "2 fchmod(4, 0644) = 0\n2 fork() = 3\n2 +++ exited with 0 +++\n"
	       "3 fchmod(3, 0644) = 0\n3 fchmod(4, 0644) = 0\n3 fchmod(5, 0644) = 0\n",
	       "0 read /a\n0 read /b\n1 read /c\n0 metadata /a\n1 metadata /c\n0 exit 0\n"
	       "1 metadata /b\n1 exit 0\n2 metadata /c\n2 metadata /b\n2 metadata unknown\n");
}

/* Nothing that strace writes; and what comes after it counts. */
Test(strace_log, arguments_that_are_no_strings)
{
	expect("1 execve(\"/a\", [a<\">], 0x7) = 0\n1 execve(\"/b\", [\"x\", 0x7], 0x7) = 0\n"
	       "1 execve(\"/c\", a<\">, 0x7) = 0\n1 unlink(\"/d\") = 0\n",
	       "0 exec /a truncated\n0 exec /b argv x\\x00\n0 exec /c truncated\n0 delete /d\n");
}

Test(strace_log, times)
{
	static const struct {
		const char *log;
		uint64_t time;
	} cases[] = {
		{ "1 1700000000.000000500 unlink(\"/a\") = 0", 1700000000000000500 },
		{ "1 23:59:59.5 unlink(\"/a\") = 0\n1 00:00:01 unlink(\"/a\") = 0",
		  86402000000000 },
		{ "1      1.000000 unlink(\"/a\") = 0\n1      0.250000 unlink(\"/a\") = 0",
		  2250000000 },
		{ "unlink(\"/a\") = 0", 1000001000 },
		{ "1 1700000000.1 (+     0.25) unlink(\"/a\") = 0 <0.000031>",
		  1700000000100000000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		OWNED_TOLD struct told told = { 0 };
		CLEANUP(strace_log_freep) struct strace_log *log = new_log(&told);

		feed(log, cases[i].log);
		cr_expect_eq(told.last, cases[i].time, "%s: %lu", cases[i].log, told.last);
	}
}
