/* SPDX-License-Identifier: MPL-2.0 */
/*
 * An answer stands in several places: in the list that it is kept in, in the kernel, in what is
 * remembered of its review for those who ask again at once, and in what was learned from it. To
 * take it back is to take it out of all of them.
 */
#include "review.h"

struct revoking {
	struct reviews *reviews;
	uint32_t *numbers; /* of reviews */
	size_t count;
	char **trust; /* keys */
	size_t n_trust;
	int r;
};

static bool is_of(const struct standing_scope *scope, const struct session *session)
{
	return scope->session ? scope->session == session
			      : !scope->uid || scope->uid == session->info.uid;
}

/* --- list */

static json_t *describe(const struct kept_answer *answer, const struct session *session,
			uint32_t uid)
{
	json_t *json = kept_answer_to_json(answer);
	char time[JSON_TIME_SIZE];

	json_format_time(answer->time, time);
	json_object_del(json, "trust");
	json_object_del(json, "trust_hex");
	json_object_set_new(json, "time", json_string(time));
	json_object_set_new(json, "uid", json_integer(uid));
	json_object_set_new(json, "for",
			    json_string(proto_scope_name(session ? PROTO_SESSION : PROTO_ALWAYS)));
	if (!session)
		return json;
	json_object_set_new(json, "session", json_string(session->info.id));
	json_object_set_new(json, "session_name", json_string(session->info.name));
	json_object_set_new(json, "project", json_string(session->info.project));
	return json;
}

static void add_all(json_t *array, const struct answers *answers, const struct session *session,
		    uint32_t uid, size_t *left)
{
	for (size_t i = 0; i < answers->count; i++) {
		json_t *json = describe(&answers->list[i], session, uid);
		size_t size = json ? json_dumpb(json, NULL, 0, JSON_COMPACT) + 1 : 0;

		if (size >= *left) {
			json_decref(json);
			return;
		}
		*left -= size;
		json_array_append_new(array, json);
	}
}

json_t *standing_to_json(struct reviews *reviews, const struct standing_scope *scope)
{
	const struct sessions *sessions = reviews->sessions;
	size_t left = PROTO_REPLY_MAX - 256; /* for what is around the list */
	const struct answers *answers;
	json_t *array = json_array();
	uint32_t uid;

	for (size_t i = 0; i < sessions->count; i++) {
		const struct session *session = sessions->list[i];

		if (is_of(scope, session))
			add_all(array, &session->review->answers, session, session->info.uid,
				&left);
	}
	for (size_t i = 0; !scope->session; i++) {
		answers = remembered_at(&reviews->remembered, i, &uid);
		if (!answers)
			break;
		if (!scope->uid || scope->uid == uid)
			add_all(array, answers, NULL, uid, &left);
	}
	return array;
}

/* --- revoke */

static void on_revoked(void *arg, const struct kept_answer *answer)
{
	struct revoking *revoking = arg;
	struct review *review = reviews_find(revoking->reviews, answer->review);

	if (review)
		review->revoked = true;
	if (ARRAY_GROW(revoking->numbers, revoking->count) < 0) {
		revoking->r = -ENOMEM;
		return;
	}
	revoking->numbers[revoking->count++] = answer->review;
	if (!answer->trust.length || answer->verdict != GRITH_ALLOW)
		return;
	if (ARRAY_GROW(revoking->trust, revoking->n_trust) < 0 ||
	    text_copy(answer->trust.data, &revoking->trust[revoking->n_trust]) < 0)
		revoking->r = -ENOMEM;
	else
		revoking->n_trust++;
}

/* What was said for a burst holds for all operations of its kind, and shortly. */
static void revoke_of_sessions(struct revoking *revoking, const struct standing_scope *scope,
			       uint32_t review)
{
	const struct sessions *sessions = revoking->reviews->sessions;

	for (size_t i = 0; i < sessions->count; i++) {
		struct session *session = sessions->list[i];
		struct review_session *own = session->review;
		int r = 0;

		if (!is_of(scope, session))
			continue;
		if (answers_revoke(&own->answers, review, on_revoked, revoking))
			r = remembered_save_session(&revoking->reviews->remembered,
						    session->info.id, &own->answers);
		if (r < 0)
			revoking->r = r;
		memset(own->bursts, 0, sizeof(own->bursts));
	}
}

static int compare_numbers(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

int standing_revoke(struct reviews *reviews, const struct standing_scope *scope, uint32_t review)
{
	struct revoking revoking = { .reviews = reviews };
	size_t always = 0;
	int r = 0, in_kernel = 0, in_trust = 0;

	revoke_of_sessions(&revoking, scope, review);
	if (!scope->session)
		r = remembered_revoke(&reviews->remembered, scope->uid, review, on_revoked,
				      &revoking, &always);
	if (!r)
		r = revoking.r;
	if (revoking.count) {
		qsort(revoking.numbers, revoking.count, sizeof(*revoking.numbers), compare_numbers);
		in_kernel =
			kernel_answers_revoke(reviews->kernel, revoking.numbers, revoking.count);
	}
	if (revoking.n_trust)
		in_trust = trust_store_forget(&reviews->trust, (const char **)revoking.trust,
					      revoking.n_trust);
	r = r ?: in_kernel ?: in_trust; /* each is tried, whatever became of the others */
	while (revoking.n_trust)
		free(revoking.trust[--revoking.n_trust]);
	free(revoking.trust);
	free(revoking.numbers);
	return r < 0 ? r : (int)revoking.count;
}
