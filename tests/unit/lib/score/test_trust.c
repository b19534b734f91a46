/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Learned trust, with numbers worked out by hand from filters.md: approve +1, approve always +1.5,
 * deny +3, deny and stop +5; 0.98 an hour; allow from a + b >= 8, a / (a + b) >= 0.92, with a score
 * of at most 7.0, no filter >= 5.0, no secret, no credential path; else at most 4.0 either way.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "lib/score/score.h"
#include "test_score_table.h"

#define HOUR 3600

static const struct trust_key key = {
	.profile = "codex",
	.op = GRITH_OP_CONNECT,
	.program = "/usr/bin/curl",
	.object = "example.com:443",
};

/* A table and the weights. */
struct fixture {
	struct score_weights *weights;
	struct trust *trust;
};

static struct fixture start(void)
{
	struct fixture f = { table_weights(), trust_new() };

	cr_assert(f.trust);
	return f;
}

static void end(struct fixture *f)
{
	trust_free(f->trust);
	score_weights_free(f->weights);
}

static void answer(const struct fixture *f, enum trust_answer given, unsigned int times,
		   uint64_t now)
{
	while (times--)
		cr_assert_eq(trust_note(f->weights, f->trust, &key, given, now), 0);
}

static void expect_row(const struct fixture *f, uint64_t now, double approved, double denied)
{
	struct trust_row row;

	cr_assert_eq(trust_count(f->trust), 1);
	trust_at(f->weights, f->trust, 0, now, &row);
	cr_expect_lt(fabs(row.approved - approved), 1e-9, "%f", row.approved);
	cr_expect_lt(fabs(row.denied - denied), 1e-9, "%f", row.denied);
}

/* Applies trust to a score of one part. */
static bool apply(const struct fixture *f, enum filter_id filter, int points, uint64_t now,
		  bool credential, int *ret_total)
{
	struct score score = { 0 };
	bool allow;

	score_add(&score, filter, points, "a part");
	allow = trust_apply(f->weights, f->trust, &key, now, credential, &score);
	*ret_total = score.total;
	return allow;
}

Test(score_trust, steps_and_decay)
{
	struct fixture f = start();

	answer(&f, TRUST_APPROVE, 2, 1000);
	answer(&f, TRUST_APPROVE_ALWAYS, 1, 1000);
	expect_row(&f, 1000, 3.5, 0);
	answer(&f, TRUST_DENY, 1, 1000);
	answer(&f, TRUST_DENY_STOP, 1, 1000);
	expect_row(&f, 1000, 3.5, 8);
	/* An hour: 3.5 * 0.98, 8 * 0.98. Two: 3.5 * 0.9604, 8 * 0.9604. */
	expect_row(&f, 1000 + HOUR, 3.43, 7.84);
	expect_row(&f, 1000 + 2 * HOUR, 3.3614, 7.6832);
	/* What is added later is added to what is left. */
	answer(&f, TRUST_APPROVE, 1, 1000 + HOUR);
	expect_row(&f, 1000 + HOUR, 4.43, 7.84);
	/* A clock that was set back takes nothing away. */
	expect_row(&f, 0, 4.43, 7.84);
	cr_expect_eq(trust_note(f.weights, f.trust, &key, TRUST_ANSWERS, 0), -EINVAL);
	end(&f);
}

Test(score_trust, allows)
{
	struct fixture f = start();
	int total = 0;

	cr_expect_not(apply(&f, FILTER_REPUTATION, 400, 0, false, &total));
	cr_expect_eq(total, 400, "an unknown key moves nothing");
	answer(&f, TRUST_APPROVE, 7, 0);
	/* a + b is 7: not yet. It moves by 4.0 * 7 / 8 = 3.5. */
	cr_expect_not(apply(&f, FILTER_REPUTATION, 400, 0, false, &total));
	cr_expect_eq(total, 50);
	answer(&f, TRUST_APPROVE, 1, 0);
	cr_expect(apply(&f, FILTER_REPUTATION, 400, 0, false, &total));
	cr_expect_eq(total, 0);
	/* An hour later a + b is 7.84, so it moves by 4.0 * 7.84 / 8 = 3.92. */
	cr_expect_not(apply(&f, FILTER_REPUTATION, 400, HOUR, false, &total));
	cr_expect_eq(total, 8);
	end(&f);
}

Test(score_trust, gates)
{
	struct fixture f = start();
	struct score score = { 0 };
	int total = 0;

	answer(&f, TRUST_APPROVE, 40, 0);
	cr_expect(apply(&f, FILTER_REPUTATION, 499, 0, false, &total));
	cr_expect_not(apply(&f, FILTER_REPUTATION, 500, 0, false, &total), "a part of 5.0");
	cr_expect_eq(total, 100, "and still it moves");
	cr_expect_not(apply(&f, FILTER_REPUTATION, 400, 0, true, &total), "a credential");
	cr_expect_not(apply(&f, FILTER_SECRET_SCAN, 300, 0, false, &total), "a secret");
	cr_expect_eq(total, 300, "which nothing is taken off");
	cr_expect_not(apply(&f, FILTER_CANARY, 400, 0, false, &total), "a canary");
	cr_expect_not(apply(&f, FILTER_DLP_GATE, 400, 0, false, &total), "a credential on its way");
	cr_expect_not(apply(&f, FILTER_MASS, 0, 0, false, &total), "mass destruction");

	score_add(&score, FILTER_REPUTATION, 400, "a part");
	score_add(&score, FILTER_COMMAND, 300, "another");
	cr_expect(trust_apply(f.weights, f.trust, &key, 0, false, &score), "7.0");
	score = (struct score) { 0 };
	score_add(&score, FILTER_REPUTATION, 400, "a part");
	score_add(&score, FILTER_COMMAND, 301, "another");
	cr_expect_not(trust_apply(f.weights, f.trust, &key, 0, false, &score), "7.01");
	cr_expect_eq(score.total, 301);
	score = (struct score) { .failed = true };
	score_add(&score, FILTER_COMMAND, 0, "cannot be understood");
	cr_expect_not(trust_apply(f.weights, f.trust, &key, 0, false, &score), "a failure");
	end(&f);
}

Test(score_trust, share)
{
	struct fixture f = start();
	int total = 0;

	/* 34 and 3: 34 / 37 = 0.9189, below 0.92. The move is 4.0 * (1 - 2 * 0.9189) = -3.35. */
	answer(&f, TRUST_DENY, 1, 0);
	answer(&f, TRUST_APPROVE, 34, 0);
	cr_expect_not(apply(&f, FILTER_REPUTATION, 400, 0, false, &total));
	cr_expect_eq(total, 65);
	/* 35 / 38 = 0.9211. */
	answer(&f, TRUST_APPROVE, 1, 0);
	cr_expect(apply(&f, FILTER_REPUTATION, 400, 0, false, &total));
	end(&f);
}

Test(score_trust, distrust)
{
	struct fixture f = start();
	int total = 0;

	/* b is 3: 4.0 * 3 / 8 = 1.5 up. Then 8: all of 4.0. */
	answer(&f, TRUST_DENY, 1, 0);
	cr_expect_not(apply(&f, FILTER_REPUTATION, 200, 0, false, &total));
	cr_expect_eq(total, 350);
	answer(&f, TRUST_DENY_STOP, 1, 0);
	cr_expect_not(apply(&f, FILTER_REPUTATION, 200, 0, false, &total));
	cr_expect_eq(total, 600);
	/* Also where a secret is in it. */
	cr_expect_not(apply(&f, FILTER_SECRET_SCAN, 300, 0, false, &total));
	cr_expect_eq(total, 700);
	end(&f);
}

Test(score_trust, keys_do_not_mix)
{
	struct fixture f = start();
	struct trust_key other = key;
	struct score score = { 0 };

	answer(&f, TRUST_APPROVE, 10, 0);
	for (int i = 0; i < 4; i++) {
		other = key;
		if (i == 0)
			other.profile = "aider";
		else if (i == 1)
			other.op = GRITH_OP_SEND;
		else if (i == 2)
			other.program = "/usr/bin/wget";
		else
			other.object = "example.com:80";
		cr_expect_not(trust_apply(f.weights, f.trust, &other, 0, false, &score), "%d", i);
		cr_assert_eq(trust_note(f.weights, f.trust, &other, TRUST_DENY, 0), 0);
	}
	cr_expect_eq(score.n_parts, 0);
	cr_expect_eq(trust_count(f.trust), 5);
	cr_expect(trust_apply(f.weights, f.trust, &key, 0, false, &score));
	cr_expect_eq(trust_reset(f.trust, "aider"), 1);
	cr_expect_eq(trust_reset(f.trust, "nobody"), 0);
	cr_expect_eq(trust_count(f.trust), 4);
	cr_expect_eq(trust_reset(f.trust, NULL), 4);
	cr_expect_eq(trust_count(f.trust), 0);
	end(&f);
}

Test(score_trust, one_is_forgotten)
{
	static const char *const objects[] = { "a:1", "b:1", "c:1" };
	struct fixture f = start();
	struct trust_key other = key;
	struct score score = { 0 };
	struct trust_row row;

	for (size_t i = 0; i < ARRAY_SIZE(objects); i++) {
		other.object = objects[i];
		cr_assert_eq(trust_note(f.weights, f.trust, &other, TRUST_DENY, 0), 0);
	}
	cr_expect_not(trust_forget(f.trust, &key), "nothing is known of it");
	cr_expect_eq(trust_count(f.trust), 3);

	/* by the strings of the table itself */
	trust_at(f.weights, f.trust, 1, 0, &row);
	cr_assert_str_eq(row.key.object, "b:1");
	cr_expect(trust_forget(f.trust, &row.key));
	other.object = "b:1";
	cr_expect_not(trust_forget(f.trust, &other), "it is forgotten once");
	trust_apply(f.weights, f.trust, &other, 0, false, &score);
	cr_expect_eq(score.n_parts, 0);

	cr_assert_eq(trust_count(f.trust), 2);
	for (size_t i = 0; i < 2; i++) {
		trust_at(f.weights, f.trust, i, 0, &row);
		cr_expect_str_eq(row.key.object, objects[i * 2]);
		cr_expect_eq(row.denied, 3);
	}
	end(&f);
}

Test(score_trust, weakest_is_forgotten)
{
	struct fixture f = start();
	struct trust_key other = key;
	char object[16];

	answer(&f, TRUST_APPROVE, 1, 0);
	for (int i = 0; i < TRUST_KEYS_MAX; i++) {
		snprintf(object, sizeof(object), "h%d:1", i);
		other.object = object;
		cr_assert_eq(trust_note(f.weights, f.trust, &other, TRUST_DENY, 0), 0);
	}
	cr_expect_eq(trust_count(f.trust), TRUST_KEYS_MAX);
	for (size_t i = 0; i < trust_count(f.trust); i++) {
		struct trust_row row;

		trust_at(f.weights, f.trust, i, 0, &row);
		cr_assert_str_neq(row.key.object, key.object);
	}
	end(&f);
}

Test(score_trust, saved_and_loaded)
{
	struct fixture f = start();
	json_t *json = NULL, *again = NULL;
	struct trust *loaded = NULL;

	answer(&f, TRUST_APPROVE_ALWAYS, 3, 1000);
	answer(&f, TRUST_DENY, 1, 1000 + HOUR);
	cr_assert_eq(trust_save(f.trust, &json), 0);
	cr_assert_eq(trust_load(json, &loaded), 0);
	trust_free(f.trust);
	f.trust = loaded;
	/* 4.5 * 0.98 and 3. */
	expect_row(&f, 1000 + HOUR, 4.41, 3);
	cr_assert_eq(trust_save(loaded, &again), 0);
	cr_expect(json_equal(json, again));
	json_decref(json);
	json_decref(again);
	end(&f);
}

Test(score_trust, damaged_files)
{
#define ROW "\"profile\":\"p\",\"op\":\"read\",\"program\":\"/p\",\"object\":\"o\""
	static const char *const texts[] = {
		"[]",
		"{}",
		"{\"trust\":2,\"keys\":[]}",
		"{\"trust\":1,\"keys\":{}}",
		"{\"trust\":1,\"keys\":[],\"more\":1}",
		"{\"trust\":1,\"keys\":[1]}",
		"{\"trust\":1,\"keys\":[{" ROW ",\"approved\":-1,\"denied\":0,\"time\":1}]}",
		"{\"trust\":1,\"keys\":[{" ROW ",\"approved\":1e300,\"denied\":0,\"time\":1}]}",
		"{\"trust\":1,\"keys\":[{" ROW ",\"approved\":1,\"denied\":0,\"time\":-1}]}",
		"{\"trust\":1,\"keys\":[{" ROW ",\"approved\":1,\"denied\":0}]}",
		"{\"trust\":1,\"keys\":[{" ROW ",\"approved\":1,\"denied\":0,\"time\":1,\"x\":1}]}",
		"{\"trust\":1,\"keys\":[{\"profile\":\"p\",\"op\":\"fly\",\"program\":\"/p\",\"object\":"
		"\"o\",\"approved\":1,\"denied\":0,\"time\":1}]}",
		"{\"trust\":1,\"keys\":[{" ROW ",\"approved\":1,\"denied\":0,\"time\":1},{" ROW
		",\"approved\":1,\"denied\":0,\"time\":1}]}",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct trust *trust = NULL;
		json_t *json = json_loads(texts[i], 0, NULL);

		cr_assert(json, "%zu", i);
		cr_expect_eq(trust_load(json, &trust), -EINVAL, "%zu", i);
		cr_expect_null(trust);
		json_decref(json);
	}
}

static void expect_object(const char *text, const char *object)
{
	char got[TRUST_OBJECT_MAX] = "";
	struct table_operation o;
	int r;

	table_read(text, text, &o);
	r = trust_object(&o.operation, got);
	cr_expect_eq(r, object ? 0 : -ENOENT, "%s", text);
	cr_expect_str_eq(got, object ? object : "", "%s", text);
}

Test(score_trust, objects)
{
	expect_object("connect example.com 443", "example.com:443");
	expect_object("connect 203.0.113.9 80", "203.0.113.9:80");
	expect_object("read /home/dev/app/src/x.c", "${PROJECT}");
	expect_object("read /home/dev/app", "${PROJECT}");
	expect_object("read /home/dev/application/x", "~/application");
	expect_object("read /home/dev/.config/a/b", "~/.config");
	expect_object("read /home/dev/.bashrc", "~");
	expect_object("read /usr/share/doc/x/y", "/usr/share");
	expect_object("read /etc/passwd", "/etc");
	expect_object("read /x", "/");
	expect_object("! /usr/bin/git status", "/usr/bin/git");
	expect_object("socket inet", NULL);
}

Test(score_trust, wrong_keys)
{
	struct fixture f = start();
	struct trust_key wrong = key;

	wrong.profile = "";
	cr_expect_eq(trust_note(f.weights, f.trust, &wrong, TRUST_APPROVE, 0), -EINVAL);
	wrong = key;
	wrong.object = "\xff";
	cr_expect_eq(trust_note(f.weights, f.trust, &wrong, TRUST_APPROVE, 0), -EINVAL);
	wrong = key;
	wrong.op = GRITH_OPS;
	cr_expect_eq(trust_note(f.weights, f.trust, &wrong, TRUST_APPROVE, 0), -EINVAL);
	cr_expect_eq(trust_count(f.trust), 0);
	end(&f);
}
