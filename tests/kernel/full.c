/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Tables of the kernel side that are full, with processes that there are not: what does not fit is
 * refused, and what is not known is not resumed.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "stage.h"

#define NOBODY 0x40000000u /* above every number of a process */
#define MAPS STAGE_BPFFS "/maps/"

static const char zero[256]; /* a value of any map here */

/* So that there is room for no other; false: the map is not there, or has no end. */
static bool fill(struct stage *s, int map, unsigned int entries)
{
	unsigned int i = 0, key = NOBODY;

	while (i <= entries && bpf_map_update_elem(map, &key, zero, BPF_NOEXIST) == 0) {
		i++;
		key++;
	}
	return check(s->tally, i == entries && errno == E2BIG, "%u of %u entries: %s", i, entries,
		     strerror(errno));
}

static void drain(int map, unsigned int entries)
{
	for (unsigned int i = 0; i < entries; i++) {
		unsigned int key = NOBODY + i;

		bpf_map_delete_elem(map, &key);
	}
}

static uint64_t counted(const struct stage *s, enum grith_counter counter)
{
	uint64_t counters[GRITH_COUNTERS] = { 0 };

	kernel_counters(s->kernel, counters);
	return counters[counter];
}

static int try_program(void)
{
	execl(HELD "/true", "true", (char *)NULL);
	return errno;
}

static void check_notes(struct stage *s)
{
	int map = bpf_obj_get(MAPS "exec_answers"), status;
	uint64_t before = counted(s, GRITH_COUNT_NO_NOTES);

	make_objects();
	status = run_answered(s, try_program, GRITH_ALLOW, true);
	check(s->tally, status == 0, "with room: %s", strerror(status));
	if (!fill(s, map, GRITH_MAX_EXEC_ANSWERS))
		return;
	stage_reset(s);
	status = run_answered(s, try_program, GRITH_ALLOW, true);
	check(s->tally, status == EACCES && s->holds == 1, "no room for notes: %s, %u holds",
	      strerror(status), s->holds);
	check(s->tally, counted(s, GRITH_COUNT_NO_NOTES) > before, "it is not counted");
	drain(map, GRITH_MAX_EXEC_ANSWERS);
	stage_reset(s);
	status = run_answered(s, try_program, GRITH_ALLOW, true);
	check(s->tally, status == 0, "with room again: %s", strerror(status));
	close(map);
}

static int try_open_held(void)
{
	execl("/bin/cat", "cat", HELD "/file", (char *)NULL);
	return errno;
}

static void check_stops(struct stage *s)
{
	int map = bpf_obj_get(MAPS "stopped_by_user");
	pid_t pid;

	make_objects();
	stage_reset(s);
	if (!fill(s, map, GRITH_MAX_STOPPED_BY_USER))
		return;
	pid = start(s, try_open_held);
	wait_stopped(s, pid);
	check(s->tally, kernel_continue(s->kernel, pid, -1) == 0, "our own stop needs an entry");
	wait_stopped(s, pid);
	kill(pid, SIGSTOP);
	check(s->tally, kernel_continue(s->kernel, pid, -1) == -EBUSY,
	      "what a user stopped is continued");
	check(s->tally, counted(s, GRITH_COUNT_NO_STOP) > 0, "it is not counted");
	drain(map, GRITH_MAX_STOPPED_BY_USER);
	check(s->tally, kernel_continue(s->kernel, pid, -1) == -EBUSY,
	      "what a user stopped is continued once there is room");
	kill(pid, SIGKILL);
	wait_ended(s, pid);
	close(map);
}

void test_full(struct tally *tally)
{
	struct stage s;
	int r = stage_open(&s, tally);

	if (check(tally, r == 0, "no session: %s", strerror(-r))) {
		check_notes(&s);
		check_stops(&s);
		check_no_holds(&s);
	}
	stage_close(&s);
}
