/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Prints what one open and close of a file takes, in nanoseconds of CLOCK_MONOTONIC: the median of
 * many short rounds, most of which no tick of the timer and no batch of the kernel's deferred work
 * falls into. In a guest whose clock counts instructions that is instructions.
 *
 * usage: openclose [--refused | --held | --continued] [--go FIFO] FILE
 *
 * With --refused the open must fail with EACCES. With --held each open is a round of its own: it
 * waits for grithd's answer, which takes longer than all else. With --continued as well, and what
 * is printed is when the program was continued, a line for each open: what it does first then is
 * to handle SIGCONT. With --go it says "ready" and waits for a line from FIFO before it measures.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Few enough for the records of all of them to stay in a quarter of the ring buffer. */
#define ROUNDS 321
#define PAIRS 50

static volatile uint64_t continued_at;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void on_continue(int signal)
{
	(void)signal;
	continued_at = now();
}

/* 0, or -1 when an open did not go as expected. */
static int round_of(const char *path, int pairs, bool refused, uint64_t *ret_elapsed)
{
	uint64_t begin = now();

	for (int i = 0; i < pairs; i++) {
		int fd = open(path, O_RDONLY);

		if ((fd < 0) != refused || (fd < 0 && errno != EACCES)) {
			fprintf(stderr, "%s: %s\n", path, fd < 0 ? strerror(errno) : "opened");
			return -1;
		}
		if (fd >= 0)
			close(fd);
	}
	*ret_elapsed = now() - begin;
	return 0;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static int wait_for_go(const char *fifo)
{
	char byte;
	int fd;

	puts("ready");
	fflush(stdout);
	fd = open(fifo, O_RDONLY);
	if (fd < 0 || read(fd, &byte, 1) != 1) {
		fprintf(stderr, "%s: %s\n", fifo, strerror(errno));
		return -1;
	}
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "refused", no_argument, NULL, 'r' },
		{ "held", no_argument, NULL, 'h' },
		{ "continued", no_argument, NULL, 'c' },
		{ "go", required_argument, NULL, 'g' },
		{ 0 },
	};
	uint64_t elapsed[ROUNDS];
	const char *fifo = NULL;
	bool refused = false, continued = false;
	int option, pairs = PAIRS;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'r':
			refused = true;
			break;
		case 'c':
			signal(SIGCONT, on_continue);
			continued = true;
			pairs = 1;
			break;
		case 'h':
			pairs = 1;
			break;
		case 'g':
			fifo = optarg;
			break;
		default:
			return 2;
		}
	}
	if (optind + 1 != argc) {
		fputs("usage: openclose [--refused | --held | --continued] [--go FIFO] FILE\n",
		      stderr);
		return 2;
	}
	if (fifo && wait_for_go(fifo) < 0)
		return 1;
	for (int i = 0; i < ROUNDS; i++) {
		if (pairs == 1) /* what grithd still has to do for the last one is not this one's */
			nanosleep(&(struct timespec) { .tv_nsec = 10000000 }, NULL);
		if (round_of(argv[optind], pairs, refused, &elapsed[i]) < 0)
			return 1;
		if (continued)
			printf("%llu\n", (unsigned long long)continued_at);
	}
	if (continued)
		return 0;
	qsort(elapsed, ROUNDS, sizeof(*elapsed), compare);
	printf("%llu\n", (unsigned long long)(elapsed[ROUNDS / 2] / pairs));
	return 0;
}
