/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How fast events go into a report, and how much memory it takes: makes N events as a session of
 * many processes would, in memory, and says how long taking them in and making the result took.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "lib/report/report.h"

#define PROGRAMS 40
#define PROCESSES 3000

/* Seconds of the processor, so that it does not matter what else the machine does. */
static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

/* xorshift64: the same events every time. */
static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

struct texts {
	char path[160], program[40], rule[32], address[32];
};

static struct record_bytes bytes(const char *text)
{
	return (struct record_bytes) { text, strlen(text) };
}

static void make(uint64_t i, uint64_t n_paths, uint64_t *state, struct texts *t,
		 struct log_event *event)
{
	uint64_t random = next(state), path = random % n_paths;
	uint32_t process = 1000 + i / 64 % PROCESSES;

	snprintf(t->path, sizeof(t->path), "%s/node_modules/package-%llu/lib/file-%llu.js",
		 path % 3 ? "/home/anna/project" : "/home/anna/.cache/tool",
		 (unsigned long long)path / 50, (unsigned long long)path);
	snprintf(t->program, sizeof(t->program), "/usr/bin/program-%u", process % PROGRAMS);
	snprintf(t->rule, sizeof(t->rule), "base.yaml:%llu", (unsigned long long)random % 60);
	*event = (struct log_event) {
		.kind = LOG_FILE,
		.time = 1767323045000000000 + i * 1000,
		.mono = 1000000000 + i * 1000,
		.sequence = i,
		.op = GRITH_OP_READ,
		.decided = true,
		.path = bytes(t->path),
		.rule = bytes(t->rule),
		.program = bytes(t->program),
		.pid = process,
		.tid = process + (random >> 20) % 3,
		.ppid = 999,
	};
	if (random >> 32 & 1 && i % 5 == 0)
		event->op = GRITH_OP_WRITE;
	if (i % 11 == 0)
		event->op = GRITH_OP_LIST;
	if (i % 97 == 0) {
		event->verdict = GRITH_DENY;
		event->error = EACCES;
	}
	if (i % 53 == 0) {
		snprintf(t->address, sizeof(t->address), "10.0.%u.%u", (unsigned)(random >> 8) % 4,
			 (unsigned)(random >> 12) % 200);
		event->kind = LOG_NET;
		event->op = GRITH_OP_CONNECT;
		event->path = (struct record_bytes) { 0 };
		event->address = bytes(t->address);
		event->port = 443;
	}
}

int main(int argc, char **argv)
{
	const struct report_options options = { .project = "/home/anna/project",
						.home = "/home/anna" };
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	CLEANUP(report_freep) struct report *report = NULL;
	uint64_t events = 10000000, paths = 200000, state = 88172645463325252;
	struct log_event event;
	struct rusage usage;
	struct texts texts;
	double start, making, adding, finishing;

	if (argc > 3 || (argc > 1 && text_parse_u64(argv[1], UINT32_MAX, &events) < 0) ||
	    (argc > 2 && text_parse_u64(argv[2], UINT32_MAX, &paths) < 0) || !paths) {
		fputs("usage: report-bench [EVENTS [PATHS]]\n", stderr);
		return 2;
	}
	start = now();
	for (uint64_t i = 0; i < events; i++)
		make(i, paths, &state, &texts, &event);
	making = now() - start;
	if (report_new(&options, &report) < 0)
		return 1;
	start = now();
	for (uint64_t i = 0; i < events; i++) {
		make(i, paths, &state, &texts, &event);
		if (report_add(report, &event) < 0)
			return 1;
	}
	adding = now() - start - making;
	start = now();
	if (report_result_make(report, &result) < 0)
		return 1;
	finishing = now() - start;
	getrusage(RUSAGE_SELF, &usage);
	printf("%llu events, %llu paths: %.2f s taken in (%.2f us an event), result %.2f s, "
	       "%ld MiB\n",
	       (unsigned long long)events, (unsigned long long)paths, adding, adding * 1e6 / events,
	       finishing, usage.ru_maxrss / 1024);
	return 0;
}
