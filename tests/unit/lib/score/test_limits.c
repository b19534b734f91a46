/* SPDX-License-Identifier: MPL-2.0 */
/* Hostile input: whatever the bytes are, there is a score, in bounded time and memory. */
#include <sys/socket.h>
#include <time.h>

#include <criterion/criterion.h>

#include "lib/base/base.h"
#include "test_score_table.h"

#define SECOND UINT64_C(1000000000)
#define ROUNDS 3000

/* xorshift (Marsaglia 2003): the same numbers in each run. */
static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static void check_sum(const struct score *score)
{
	int sum = 0;

	cr_assert_leq(score->n_parts, N_FILTERS);
	for (size_t i = 0; i < score->n_parts; i++) {
		sum += score->parts[i].score;
		cr_assert(memchr(score->parts[i].why, '\0', SCORE_WHY_MAX));
		for (size_t j = 0; j < i; j++)
			cr_assert_neq(score->parts[j].filter, score->parts[i].filter);
	}
	cr_assert_eq(sum, score->total);
	cr_assert(!score->failed || score->hold);
}

/* Pieces that the filters look for, so that random texts get beyond the first comparison. */
static size_t add_piece(char *to, uint32_t *state)
{
	static const char *const pieces[] = {
		"rm",
		"-rf",
		"/",
		"~",
		"$HOME",
		"|",
		"curl",
		"\0",
		"\0",
		"\0",
		"sh\0-c",
		"'",
		"\"",
		"://",
		"@",
		"ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
		"psql",
		"-c",
		"drop table x",
		"docker",
		"run",
		"--privileged",
		"-v",
		"/:/x",
		"--mount",
		"source=",
		"prod",
		"$(",
		")",
		"`",
		";",
		"&&",
		"<<E\n",
		"\n",
		"E\n",
		"base64",
		"-d",
		"chmod",
		"4755",
		"+s",
		"kubectl",
		"delete",
		"ns",
		"=",
		"A=",
		".bashrc",
		">>",
		"dd",
		"of=",
		"/dev/sda",
		"password: ",
		"a1b2c3d4e5f6a7b8c9d0e1",
		"[",
		"]",
		"{",
		"}",
		"if",
		"then",
		"fi",
		"find",
		"-exec",
		"\\;",
		"xargs",
		"env",
		"sudo",
		"busybox",
		"token=",
		"#(",
	};
	const char *piece = pieces[next_random(state) % ARRAY_SIZE(pieces)];
	size_t length = !strcmp(piece, "sh") ? 5 : *piece ? strlen(piece) : 1;

	for (size_t i = 0; i < length; i++)
		to[i] = piece[i];
	if (next_random(state) % 3 == 0)
		to[length++] = ' ';
	return length;
}

static size_t fill(char *argv, size_t size, uint32_t *state)
{
	size_t length = 0, wanted = next_random(state) % size;

	if (next_random(state) % 2) {
		memcpy(argv, "sh\0-c", 6);
		length = 6;
	}
	while (length + 64 < wanted)
		if (next_random(state) % 8)
			length += add_piece(argv + length, state);
		else
			argv[length++] = (char)next_random(state);
	return length;
}

Test(score_limits, random_bytes, .timeout = 300)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = table_weights();
	CLEANUP(score_session_freep) struct score_session *session = score_session_new();
	uint32_t state = 2463534242;

	cr_assert_eq(score_session_add_canary(session, "c", "canary-of-the-test"), 0);
	for (int i = 0; i < ROUNDS; i++) {
		size_t size = i % 100 ? 512 : 4096, length;
		OWNED_MEM char *argv = malloc(size), *path = malloc(64), *exact = NULL;
		struct score_operation o = {
			.op = i % 4 ? GRITH_OP_EXEC : next_random(&state) % (GRITH_OPS + 2),
			.flags = (uint32_t)next_random(&state) & 0xffff,
			.time = (uint64_t)i * SECOND,
			.home = "/home/dev",
			.project = i % 3 ? "/home/dev/app" : NULL,
			.program = i % 5 ? "/usr/bin/node" : NULL,
			.classes = (uint16_t)next_random(&state),
			.source = { 1, 2, 4 },
			.static_score = (int16_t)next_random(&state),
			.context = (int16_t)next_random(&state),
			.context_filters = next_random(&state),
		};
		struct score score;

		cr_assert(argv && path);
		for (size_t b = 0; b < 64; b++)
			path[b] = (char)(next_random(&state) % 255 + 1);
		length = fill(argv, size, &state);
		/* The exact size, so that a byte read behind it is seen. */
		exact = malloc(length ? length : 1);
		cr_assert(exact);
		for (size_t b = 0; b < length; b++)
			exact[b] = argv[b];
		o.argv = (struct record_bytes) { exact, length };
		o.path = (struct record_bytes) { path, next_random(&state) % 65 };
		score_evaluate(weights, session, &o, &score);
		check_sum(&score);
		score_track(weights, session, &o, &score);
		check_sum(&score);
	}
}

/* Judges an exec and returns how long it took, in milliseconds. */
static double judge_exec(const struct score_weights *weights, const char *argv, size_t length,
			 struct score *ret_score)
{
	CLEANUP(score_session_freep) struct score_session *session = score_session_new();
	struct score_operation o = {
		.op = GRITH_OP_EXEC,
		.path = { "/bin/sh", 7 },
		.argv = { argv, length },
		.home = "/home/dev",
		.project = "/home/dev/app",
		.time = SECOND,
	};
	struct timespec from, to;

	cr_assert_eq(score_session_add_canary(session, "c", "canary-of-the-test"), 0);
	clock_gettime(CLOCK_MONOTONIC, &from);
	score_evaluate(weights, session, &o, ret_score);
	clock_gettime(CLOCK_MONOTONIC, &to);
	check_sum(ret_score);
	return (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6;
}

/* A shell's text made of one piece again and again, as long as an argument vector can be. */
static void repeat(const struct score_weights *weights, const char *start, const char *piece)
{
	OWNED_TEXT struct text t = { 0 };
	struct score score;
	double spent;

	cr_assert_eq(text_add(&t, "sh\0-c", 6), 0);
	cr_assert_eq(text_addf(&t, "%s", start), 0);
	while (t.length + strlen(piece) + 1 < GRITH_ARGV_MAX)
		cr_assert_eq(text_addf(&t, "%s", piece), 0);
	spent = judge_exec(weights, t.data, t.length + 1, &score);
	/* With sanitizers on a slow machine; a tenth of it is more than it takes without. */
	cr_expect_lt(spent, 20000, "%s: %.0f ms", piece, spent);
}

Test(score_limits, long_texts, .timeout = 300)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = table_weights();
	static const char *const pieces[] = {
		"$(",
		"(",
		"{ ",
		"`",
		"a|",
		"curl|",
		"a;",
		"rm -rf / ;",
		"'a' ",
		"\"",
		"ghp_",
		"prod ",
		"drop table x;",
		"://a:b@",
		"password=a1",
		"if a; then ",
		"<<E ",
		"a.b ",
		"sh -c ",
		"eval ",
		"A=1 ",
		"/../",
		"~ ",
		"${",
		"echo prod|psql -c 'drop table x'\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		repeat(weights, "", pieces[i]);
		repeat(weights, "curl ", pieces[i]);
	}
}

Test(score_limits, long_arguments)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = table_weights();
	OWNED_TEXT struct text t = { 0 };
	struct score score;

	/* filters.md, argument: command over 8192 bytes 2.0, URL over 2048 1.0 */
	cr_assert_eq(text_add(&t, "tool", 5), 0);
	while (t.length <= 8192)
		cr_assert_eq(text_add(&t, "a", 2), 0);
	judge_exec(weights, t.data, 8192, &score);
	table_expect("8192", &score, "-");
	judge_exec(weights, t.data, t.length, &score);
	table_expect("8193", &score, "argument=2");

	text_free(&t);
	cr_assert_eq(text_add(&t, "tool\0https://example.com/", 25), 0);
	while (t.length < 5 + 2049)
		cr_assert_eq(text_add(&t, "a", 1), 0);
	judge_exec(weights, t.data, t.length, &score);
	table_expect("URL", &score, "argument=1");
}

/* What was cut cannot be judged: what runs may be behind it. */
Test(score_limits, cut_arguments)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = table_weights();
	CLEANUP(score_session_freep) struct score_session *session = score_session_new();
	struct table_operation o;
	struct score score;

	table_read("", "$ ls", &o);
	o.operation.flags = GRITH_RECORD_TRUNCATED;
	score_evaluate(weights, session, &o.operation, &score);
	table_expect("a shell", &score, "command=0 hold failed");
	table_read("", "! /usr/bin/git add a b", &o);
	o.operation.flags = GRITH_RECORD_TRUNCATED;
	score_evaluate(weights, session, &o.operation, &score);
	table_expect("no shell", &score, "-");
}

Test(score_limits, canaries)
{
	CLEANUP(score_session_freep) struct score_session *session = score_session_new();
	char value[600];
	int r = 0;

	memset(value, 'v', sizeof(value));
	value[599] = '\0';
	cr_expect_eq(score_session_add_canary(session, "long", value), -E2BIG);
	cr_expect_eq(score_session_add_canary(session, "short", "1234567"), -EINVAL);
	/* The same one over and over again takes no more room. */
	for (int i = 0; i < 1000; i++)
		cr_expect_eq(score_session_add_canary(session, "one", "12345678"), 0);
	for (int i = 0; i < 1000 && r == 0; i++) {
		snprintf(value, sizeof(value), "value-%d-of-many", i);
		r = score_session_add_canary(session, "many", value);
	}
	cr_expect_eq(r, -E2BIG);
}

/* One part for a filter, its highest; a failure keeps its words. */
Test(score_limits, parts)
{
	struct score score = { 0 };

	score_add(&score, FILTER_COMMAND, 200, "two");
	score_add(&score, FILTER_COMMAND, 100, "one");
	score_add(&score, FILTER_COMMAND, 300, "three");
	score_add(&score, FILTER_REPUTATION, -100, "good");
	cr_expect_eq(score.n_parts, 2);
	cr_expect_eq(score.total, 200);
	cr_expect_str_eq(score.parts[0].why, "three");
	score_add(&score, FILTER_TAINT, 1000000, "%0200d", 1);
	cr_expect_eq(score.parts[2].score, INT16_MAX);
	cr_expect_eq(strlen(score.parts[2].why), SCORE_WHY_MAX - 1);
	check_sum(&score);
}
