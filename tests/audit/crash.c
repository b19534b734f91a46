/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The audit log through whatever may interrupt it. A child writes lines with the real code and
 * tells which ones it was told are written; at each of its calls that change files it is killed, or
 * the call fails. Then the log must verify, have every such line, and go on.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grithd/audit/audit.h"
#include "grithd/base/base.h"
#include "lib/audit/audit.h"
#include "faults.h"

#define LINES 18
#define FILE_BYTES 2500 /* so that there are many segments */
#define RANDOM_ROUNDS 12

struct place {
	char path[40]; /* of the directories "log" and "state" */
	int log, state;
};

/* Shared with the child. */
static volatile uint64_t *acknowledged;

static _Noreturn void fail(const char *what, const char *about, unsigned int k)
{
	printf("crash: FAILED: %s (%s at call %u)\n", what, about, k);
	exit(1);
}

static const char *const kinds[FAULT_KINDS] = {
	[FAULT_NONE] = "no fault",
	[FAULT_KILL_BEFORE] = "killed before",
	[FAULT_KILL_WITHIN] = "killed within",
	[FAULT_SHORT] = "short write",
	[FAULT_NO_SPACE] = "no space from",
	[FAULT_IO] = "input/output error",
};

static struct place make_place(void)
{
	struct place place = { .path = "/dev/shm/grith-crash.XXXXXX" };
	char name[64];

	if (!mkdtemp(place.path))
		fail("mkdtemp", strerror(errno), 0);
	snprintf(name, sizeof(name), "%s/log", place.path);
	mkdir(name, 0700);
	place.log = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	snprintf(name, sizeof(name), "%s/state", place.path);
	mkdir(name, 0700);
	place.state = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return place;
}

static void empty(int directory)
{
	OWNED_FD int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	OWNED_DIR DIR *listing = fdopendir(dup(fd));

	for (struct dirent *entry; listing && (entry = readdir(listing));)
		if (entry->d_name[0] != '.')
			unlinkat(directory, entry->d_name, 0);
}

static void remove_place(struct place *place)
{
	char name[64];

	empty(place->log);
	empty(place->state);
	snprintf(name, sizeof(name), "%s/log", place->path);
	rmdir(name);
	snprintf(name, sizeof(name), "%s/state", place->path);
	rmdir(name);
	rmdir(place->path);
	close(place->log);
	close(place->state);
}

/* --- the program that is interrupted */

static struct audit_log *open_log(const struct place *place, uint64_t keep,
				  struct audit_found *ret_found)
{
	struct audit_settings settings = { .state = place->state,
					   .size = FILE_BYTES,
					   .keep = keep };
	struct audit_log *log;
	char name[64];

	snprintf(name, sizeof(name), "%s/log", place->path);
	settings.directory = name;
	/* A full disk at the start is grithd's end; it is started again. */
	for (int i = 0; i < 40; i++)
		if (audit_log_open(&settings, &log, ret_found) == 0)
			return log;
	return NULL;
}

/* The number of an entry is its number of lost records. */
static void add(struct audit_log *log, uint64_t number)
{
	static const char reason[] =
		"as long as an ordinary line, which has paths and rules and times in it, and the "
		"names of programs, so that some of them fill a file and what is cut is within";
	struct event_gap gap = { .head = event_now(NULL), .lost = number, .reason = reason };

	audit_log_gap(log, &gap);
}

static void write_lines(const struct place *place, uint64_t keep, uint64_t from, uint64_t count)
{
	struct audit_found found;
	struct audit_log *log = open_log(place, keep, &found);
	const char *what;
	bool grew;

	if (!log)
		_exit(2);
	for (uint64_t i = from; i < from + count; i++) {
		add(log, i);
		if (i % 3 == 0 && audit_log_flush(log, &grew) == 0)
			*acknowledged = i + 1;
		if (i % 7 == 0)
			audit_log_checkpoint(log);
		if (i % 2 == 0)
			audit_log_work(log, &what);
		if (i % 20 == 0)
			audit_log_look_again(log);
	}
	for (int i = 0; i < 40 && audit_log_finish(log) < 0; i++)
		;
	for (int i = 0; i < 40 && audit_log_work(log, &what) != 0; i++)
		audit_log_flush(log, &grew);
	audit_log_free(log);
	*acknowledged = from + count;
}

/* --- what must be true afterwards */

/* The numbers of the entries that are there; 0: none. */
static void find_numbers(const struct place *place, uint64_t *ret_first, uint64_t *ret_next,
			 const char *about, unsigned int k)
{
	CLEANUP(log_files_freep) struct log_files *files = NULL;
	uint64_t next = 0, first = 0;
	const char *block;
	size_t length;

	if (log_files_open(place->log, NULL, &files) < 0)
		fail("log_files_open", about, k);
	while (log_files_read(files, &block, &length) == 1)
		for (const char *p = block, *end = block + length;
		     (p = memmem(p, end - p, "\"lost\":", 7));) {
			uint64_t number = strtoull(p += 7, NULL, 10);

			if (number != next && next)
				fail("a line is missing or doubled", about, k);
			first = next ? first : number;
			next = number + 1;
		}
	*ret_first = first;
	*ret_next = next;
}

static void verify(const struct place *place, const char *about, unsigned int k)
{
	struct audit_verify found = { 0 };
	struct audit_range range = { 0 };
	struct audit_key key;

	if (audit_key_read_secret(place->state, AUDIT_KEY_FILE, &key) == -ENOENT)
		return; /* it had not come that far */
	found.key = &key;
	audit_head_read(place->state, &key, &found.head);
	if (audit_verify_directory(&found, place->log, &range) < 0)
		fail("cannot verify", about, k);
	if (found.fault) {
		printf("crash: %s:%llu: %s: %s\n", found.at.file, (unsigned long long)found.at.line,
		       audit_fault_name(found.fault), found.detail);
		fail("the log does not verify", about, k);
	}
}

static void check(const struct place *place, uint64_t keep, const char *about, unsigned int k)
{
	uint64_t first, next;
	struct audit_found found;
	struct audit_log *log;

	verify(place, about, k);
	find_numbers(place, &first, &next, about, k);
	if (next < *acknowledged)
		fail("a line that was written is not there", about, k);
	if (!keep && next && first != 1)
		fail("the first lines are not there", about, k);

	log = open_log(place, keep, &found);
	if (!log)
		fail("the log cannot be opened again", about, k);
	if (found.missing || found.changed || found.no_head)
		fail("the log is said to be incomplete", about, k);
	audit_log_free(log);
	write_lines(place, keep, next ? next : 1, 5);
	verify(place, about, k);
	find_numbers(place, &first, &next, about, k);
	if (next != *acknowledged)
		fail("it did not go on", about, k);
}

/* --- the ways of interruption */

/* Whether it came to call k. */
static bool interrupt(uint64_t keep, enum fault_kind kind, unsigned int k)
{
	struct place place = make_place();
	pid_t child;
	int status;

	*acknowledged = 0;
	child = fork();
	if (child == 0) {
		faults_set(kind, k);
		write_lines(&place, keep, 1, LINES);
		_exit(faults_calls() < k);
	}
	if (waitpid(child, &status, 0) != child)
		fail("waitpid", kinds[kind], k);
	if (WIFEXITED(status) && WEXITSTATUS(status) > 1)
		fail("the log could not be opened", kinds[kind], k);
	if (WIFEXITED(status) && *acknowledged != LINES + 1)
		fail("not all lines were written", kinds[kind], k);
	check(&place, keep, kinds[kind], k);
	remove_place(&place);
	return !WIFEXITED(status) || WEXITSTATUS(status) == 0;
}

static unsigned int every_call(uint64_t keep, enum fault_kind kind)
{
	unsigned int k = 1;

	while (interrupt(keep, kind, k))
		k++;
	if (k < LINES)
		fail("there were too few calls", kinds[kind], k);
	return k - 1;
}

/* From outside, and the same log goes on each time. */
static void at_random(void)
{
	struct place place = make_place();
	uint64_t next = 1, first;

	*acknowledged = 1;
	srandom(1);
	for (unsigned int i = 0; i < RANDOM_ROUNDS; i++) {
		uint64_t until = *acknowledged + (uint64_t)(random() % 100);
		pid_t child = fork();

		if (child == 0) {
			write_lines(&place, 5, next, 100000);
			_exit(0);
		}
		while (*acknowledged < until)
			if (waitpid(child, NULL, WNOHANG) != 0)
				fail("it ended by itself", "killed at random", i);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		verify(&place, "killed at random", i);
		find_numbers(&place, &first, &next, "killed at random", i);
		if (next < *acknowledged)
			fail("a line that was written is not there", "killed at random", i);
	}
	remove_place(&place);
}

/* The number that the first line of a segment has. */
static uint64_t first_of(const struct place *place, uint64_t segment)
{
	OWNED_AUDIT_BUFFER struct audit_buffer block = { 0 };
	struct log_cursor file = LOG_CURSOR_CLOSED;
	const char *number = NULL;

	if (log_cursor_open_segment(place->log, segment, &file) == 0 &&
	    log_cursor_read(&file, NULL, &block) == 1)
		number = memmem(block.data, block.length, "\"n\":", 4);
	log_cursor_close(&file);
	return number ? strtoull(number + 4, NULL, 10) : 0;
}

/* Lines that are written one by one. */
static void add_written(struct audit_log *log, uint64_t from, uint64_t to, const char *about)
{
	bool grew;

	for (uint64_t i = from; i <= to; i++) {
		add(log, i);
		if (audit_log_flush(log, &grew) < 0)
			fail("a line cannot be written", about, (unsigned int)i);
	}
}

/* The disk is full within some lines, and somebody makes room by removing the file. */
static void removed_when_full(void)
{
	static const char about[] = "removed when full";
	const struct rlimit little = { 700, RLIM_INFINITY }, all = { RLIM_INFINITY, RLIM_INFINITY };
	OWNED_AUDIT_SEGMENTS struct audit_segments segments = { 0 };
	struct place place = make_place();
	struct audit_found found;
	struct audit_log *log = open_log(&place, 0, &found);
	bool grew;

	if (!log)
		fail("the log cannot be opened", about, 0);
	for (uint64_t i = 1; i <= 6; i++)
		add(log, i);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &little);
	if (audit_log_flush(log, &grew) == 0 || !grew)
		fail("it was not written in part", about, 0);
	setrlimit(RLIMIT_FSIZE, &all);
	unlinkat(place.log, AUDIT_FILE, 0);
	add_written(log, 7, 30, about);
	audit_log_free(log);
	if (audit_segments_list(place.log, &segments) < 0 || !segments.count)
		fail("nothing was sealed", about, 0);
	for (size_t i = 0; i < segments.count; i++)
		if (first_of(&place, segments.list[i].first) != segments.list[i].first)
			fail("a segment has the wrong name", about, (unsigned int)i);
	remove_place(&place);
}

/* Errors of the work that there is. */
static unsigned int work_errors(struct audit_log *log, int expected)
{
	unsigned int errors = 0;
	const char *what;
	bool grew;
	int r;

	audit_log_look_again(log);
	while (audit_log_has_work(log)) {
		r = audit_log_work(log, &what);
		if (r < 0 && r != expected)
			fail(what, strerror(-r), 0);
		errors += r < 0;
		audit_log_flush(log, &grew);
	}
	return errors;
}

/* A segment that is damaged is told of once, one that the disk had no room for is tried again. */
static void damaged_and_full(void)
{
	static const char about[] = "damaged and full", junk[] = "no line";
	const struct rlimit little = { 8, RLIM_INFINITY }, all = { RLIM_INFINITY, RLIM_INFINITY };
	OWNED_AUDIT_SEGMENTS struct audit_segments segments = { 0 };
	OWNED_FD int fd = -1;
	struct place place = make_place();
	struct audit_found found;
	struct audit_log *log = open_log(&place, 0, &found);

	if (!log)
		fail("the log cannot be opened", about, 0);
	add_written(log, 1, 30, about);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &little);
	if (!work_errors(log, -EFBIG) || !work_errors(log, -EFBIG))
		fail("it is not tried again", about, 0);
	setrlimit(RLIMIT_FSIZE, &all);
	if (audit_segments_list(place.log, &segments) < 0 || segments.count < 2)
		fail("nothing was sealed", about, 0);
	fd = openat(place.log, audit_segment_name(segments.list[0].first, AUDIT_PLAIN).text,
		    O_WRONLY | O_TRUNC);
	if (fd < 0 || write(fd, junk, sizeof(junk)) != sizeof(junk))
		fail("cannot damage a segment", about, 0);
	if (work_errors(log, -EBADMSG) != 1 || work_errors(log, -EBADMSG) != 0)
		fail("the damage is not told of once", about, 0);
	audit_log_free(log);
	remove_place(&place);
}

int main(void)
{
	unsigned int kept = 0, removed = 0;

	acknowledged = mmap(NULL, sizeof(*acknowledged), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (acknowledged == MAP_FAILED || audit_key_init() < 0)
		fail("set up", strerror(errno), 0);
	for (enum fault_kind kind = FAULT_KILL_BEFORE; kind < FAULT_KINDS; kind++)
		kept += every_call(0, kind);
	removed += every_call(2, FAULT_KILL_BEFORE);
	removed += every_call(2, FAULT_NO_SPACE);
	removed_when_full();
	damaged_and_full();
	at_random();
	printf("crash: ok: %u interruptions at every call, %u with segments removed, %u at "
	       "random\n",
	       kept, removed, RANDOM_ROUNDS);
	return 0;
}
