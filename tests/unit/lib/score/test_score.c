/* SPDX-License-Identifier: MPL-2.0 */
/* Operations and what the filters say of them, through the weights as they are shipped. */

#include <criterion/criterion.h>

#include "lib/base/base.h"
#include "test_score_table.h"

#define SECOND UINT64_C(1000000000)
#define HOUR (3600 * SECOND)
#define EXEC_STATIC 100 /* operation-risk of a program that no rule allows */

/* One line after the other, without comments and empty ones. NULL: no more. */
static char *next_line(char **text, unsigned int *number)
{
	while (*text && **text) {
		char *line = *text, *end = strchr(line, '\n');

		*text = end ? end + 1 : NULL;
		if (end)
			*end = '\0';
		(*number)++;
		if (*line && *line != '#')
			return line;
	}
	return NULL;
}

/* Splits "LEFT => RIGHT". */
static char *split(const char *place, char *line)
{
	char *arrow = strstr(line, " => ");

	cr_assert(arrow, "%s: no => in it", place);
	*arrow = '\0';
	return arrow + 4;
}

Test(score, ordinary_work_is_not_asked_about)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = table_weights();
	static const char file[] = "tests/golden/score-ordinary";
	unsigned int number = 0, count = 0;
	size_t length = 0;
	OWNED_MEM char *text = table_file(file, &length);
	char *rest = text, *line, place[64];

	while ((line = next_line(&rest, &number))) {
		CLEANUP(score_session_freep) struct score_session *session = score_session_new();
		struct table_operation o;
		struct score score;
		OWNED_MEM char *parts = NULL;

		snprintf(place, sizeof(place), "%s:%u", file, number);
		table_read(place, line, &o);
		o.operation.time = HOUR;
		if (o.operation.op == GRITH_OP_EXEC)
			o.operation.static_score = EXEC_STATIC;
		score_evaluate(weights, session, &o.operation, &score);
		parts = table_parts(&score);
		cr_expect(score.total <= SCORE_HOLD_DEFAULT && !score.hold, "%s: %s: %.2f: %s",
			  place, line, score.total / 100.0, parts);
		count++;
	}
	cr_assert_geq(count, 300);
}

Test(score, cases)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = table_weights();
	static const char file[] = "tests/golden/score-cases";
	unsigned int number = 0, count = 0;
	size_t length = 0;
	OWNED_MEM char *text = table_file(file, &length);
	char *rest = text, *line, place[64];

	while ((line = next_line(&rest, &number))) {
		CLEANUP(score_session_freep) struct score_session *session = score_session_new();
		struct table_operation o;
		struct score score;
		char *parts;
		int sum = 0;

		snprintf(place, sizeof(place), "%s:%u", file, number);
		parts = split(place, line);
		table_read(place, line, &o);
		o.operation.time = HOUR;
		score_evaluate(weights, session, &o.operation, &score);
		table_expect(place, &score, parts);
		for (size_t i = 0; i < score.n_parts; i++)
			sum += score.parts[i].score;
		cr_expect_eq(sum, score.total, "%s", place);
		count++;
	}
	cr_assert_geq(count, 150);
}

/* A session of a table of sequences. */
struct play {
	const struct score_weights *weights;
	struct score_session *session;
	uint64_t now;
};

static void play_note(const struct play *play, const char *place, char *line)
{
	char *expected = strstr(line, " => ");
	struct table_operation o;
	struct score score;
	bool tighter;

	if (expected)
		*expected = '\0';
	table_read(place, line, &o);
	o.operation.time = play->now;
	tighter = score_track(play->weights, play->session, &o.operation, &score);
	if (!expected)
		return;
	cr_expect_eq(tighter, strstr(expected + 4, "tighter") != NULL, "%s: %s", place, line);
}

static void play_judge(const struct play *play, const char *place, char *line)
{
	char *parts = split(place, line);
	struct table_operation o;
	struct score score;

	table_read(place, line, &o);
	o.operation.time = play->now;
	score_evaluate(play->weights, play->session, &o.operation, &score);
	table_expect(place, &score, parts);
}

static void play_line(struct play *play, const char *place, char *line)
{
	uint64_t number = 0;
	char *value;

	if (!strncmp(line, "== ", 3)) {
		score_session_free(play->session);
		play->session = score_session_new();
		cr_assert(play->session);
	} else if (!strncmp(line, "wait ", 5)) {
		cr_assert_eq(text_parse_u64(line + 5, 1000000, &number), 0, "%s", place);
		play->now += number * SECOND;
	} else if (!strncmp(line, "canary ", 7)) {
		value = strchr(line + 7, ' ');
		cr_assert(value, "%s", place);
		*value++ = '\0';
		cr_assert_eq(score_session_add_canary(play->session, line + 7, value), 0, "%s",
			     place);
	} else if (!strncmp(line, "note ", 5)) {
		play_note(play, place, line + 5);
	} else if (!strncmp(line, "200 ", 4)) {
		for (size_t i = 0; i < 200; i++)
			play_note(play, place, line + 4);
	} else {
		cr_assert(!strncmp(line, "judge ", 6), "%s: %s", place, line);
		play_judge(play, place, line + 6);
	}
}

Test(score, sequences)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = table_weights();
	static const char file[] = "tests/golden/score-sequences";
	struct play play = { .weights = weights, .session = NULL, .now = HOUR };
	unsigned int number = 0, judged = 0;
	size_t length = 0;
	OWNED_MEM char *text = table_file(file, &length);
	char *rest = text, *line, place[64];

	while ((line = next_line(&rest, &number))) {
		snprintf(place, sizeof(place), "%s:%u", file, number);
		judged += !strncmp(line, "judge ", 6);
		play_line(&play, place, line);
	}
	cr_assert_geq(judged, 40);
	score_session_free(play.session);
}
