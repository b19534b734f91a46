/* SPDX-License-Identifier: MPL-2.0 */
/* trust.json: {"v":1,"users":{"UID":TABLE}}, where a table is what trust_save() makes. */
#include <time.h>

#include "trust_store.h"

#define FILE_NAME "trust.json"

struct user_trust {
	uint32_t uid;
	struct trust *trust;
};

static int add_user(struct trust_store *store, uint32_t uid, struct trust *trust)
{
	if (!trust || ARRAY_GROW(store->users, store->count) < 0) {
		trust_free(trust);
		return -ENOMEM;
	}
	store->users[store->count++] = (struct user_trust) { uid, trust };
	return 0;
}

static struct trust *find_user(const struct trust_store *store, uint32_t uid)
{
	for (size_t i = 0; i < store->count; i++)
		if (store->users[i].uid == uid)
			return store->users[i].trust;
	return NULL;
}

static int load(struct trust_store *store, json_t *users)
{
	const char *name;
	json_t *table;

	json_object_foreach (users, name, table) {
		struct trust *trust;
		uint64_t uid;
		int r = text_parse_u64(name, UINT32_MAX, &uid)
			?: trust_load(table, &trust)
			?: add_user(store, (uint32_t)uid, trust);

		if (r < 0)
			return r == -ENOMEM ? r : -EBADMSG;
	}
	return 0;
}

int trust_store_open(struct trust_store *store, const char *state_directory)
{
	json_t *users = NULL;
	int r = state_open(state_directory, NULL, &store->directory)
			?: state_load_field(store->directory, FILE_NAME, "users", &users);

	if (users)
		r = json_is_object(users) ? load(store, users) : -EBADMSG;
	json_decref(users);
	return r;
}

void trust_store_free(struct trust_store *store)
{
	for (size_t i = 0; i < store->count; i++)
		trust_free(store->users[i].trust);
	free(store->users);
	cleanup_close(&store->directory);
	*store = TRUST_STORE_CLOSED;
}

static int save(const struct trust_store *store)
{
	json_t *users = json_object(), *table;
	char name[16];
	int r = users ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < store->count; i++) {
		snprintf(name, sizeof(name), "%u", store->users[i].uid);
		r = trust_save(store->users[i].trust, &table);
		if (r == 0 && json_object_set_new(users, name, table) < 0)
			r = -ENOMEM;
	}
	if (r == 0)
		return state_save_field(store->directory, FILE_NAME, "users", users);
	json_decref(users);
	return r;
}

/* What is asked, as a key; `ret_object` is room for a part of it. */
static int make_key(const struct session *session, const struct subject *subject,
		    char ret_object[TRUST_OBJECT_MAX], struct trust_key *ret_key)
{
	const struct score_operation operation = subject_operation(subject, session);
	int r = trust_object(&operation, ret_object);

	if (r < 0 || !subject->program)
		return r < 0 ? r : -ENOENT;
	*ret_key = (struct trust_key) {
		.profile = session->info.profile,
		.op = operation.op,
		.program = subject->program,
		.object = ret_object,
	};
	return 0;
}

static bool is_credential(const struct session *session, const struct subject *subject)
{
	uint16_t classes = 0;

	for (size_t i = 0; i < GRITH_SOURCES; i++)
		classes |= session->info.sources[i];
	return subject->record.head.labels & classes;
}

bool trust_store_apply(struct trust_store *store, const struct score_weights *weights,
		       const struct session *session, const struct subject *subject,
		       struct score *score)
{
	const struct trust *trust = find_user(store, session->info.uid);
	char object[TRUST_OBJECT_MAX];
	struct trust_key key;

	if (!trust || make_key(session, subject, object, &key) < 0)
		return false;
	return trust_apply(weights, trust, &key, (uint64_t)time(NULL),
			   is_credential(session, subject), score);
}

int trust_store_note(struct trust_store *store, const struct score_weights *weights,
		     const struct session *session, const struct subject *subject,
		     enum trust_answer answer)
{
	uint32_t uid = session->info.uid;
	char object[TRUST_OBJECT_MAX];
	struct trust_key key;
	int r = make_key(session, subject, object, &key);

	if (r < 0)
		return r == -ENOENT ? 0 : r; /* of a kind that nothing is learned about */
	r = find_user(store, uid) ? 0 : add_user(store, uid, trust_new());
	if (r < 0)
		return r;
	r = trust_note(weights, find_user(store, uid), &key, answer, (uint64_t)time(NULL));
	return r == -EINVAL ? 0 : r ?: save(store);
}

/* What a key is called by; a long one by its hash. */
static void name_key(uint32_t uid, const struct trust_key *key, char ret_name[PROTO_KEY_MAX + 1])
{
	uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
	OWNED_TEXT struct text all = { 0 };

	*ret_name = '\0';
	if (text_addf(&all, "%u %s %s %s %s", uid, key->profile, op_name(key->op), key->program,
		      key->object) < 0)
		return;
	for (size_t i = 0; i < all.length; i++)
		hash = (hash ^ (unsigned char)all.data[i]) * UINT64_C(1099511628211);
	if (all.length <= PROTO_KEY_MAX)
		memcpy(ret_name, all.data, all.length + 1);
	else
		snprintf(ret_name, PROTO_KEY_MAX + 1, "%u #%016llx", uid, (unsigned long long)hash);
}

void trust_store_name(const struct session *session, const struct subject *subject,
		      char ret_name[PROTO_KEY_MAX + 1])
{
	char object[TRUST_OBJECT_MAX];
	struct trust_key key;

	*ret_name = '\0';
	if (make_key(session, subject, object, &key) == 0)
		name_key(session->info.uid, &key, ret_name);
}

static double effect_of(const struct trust *trust, const struct score_weights *weights,
			const struct trust_key *key)
{
	struct score score = { 0 };

	trust_apply(weights, trust, key, (uint64_t)time(NULL), false, &score);
	return score.n_parts ? score.parts[0].score / 100.0 : 0;
}

static json_t *row_to_json(const struct user_trust *user, const struct score_weights *weights,
			   size_t index)
{
	char name[PROTO_KEY_MAX + 1];
	struct trust_row row;
	double sum;

	trust_at(weights, user->trust, index, (uint64_t)time(NULL), &row);
	name_key(user->uid, &row.key, name);
	sum = row.approved + row.denied;
	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:f, s:f, s:f}", "key", name, "profile",
			 row.key.profile, "op", op_name(row.key.op), "program",
			 json_of_bytes(row.key.program, strlen(row.key.program)), "object",
			 json_of_bytes(row.key.object, strlen(row.key.object)), "trust",
			 sum > 0 ? row.approved / sum : 0.0, "answers", sum, "effect",
			 effect_of(user->trust, weights, &row.key));
}

json_t *trust_store_to_json(struct trust_store *store, const struct score_weights *weights,
			    uint32_t uid)
{
	json_t *array = json_array();

	for (size_t i = 0; i < store->count; i++) {
		const struct user_trust *user = &store->users[i];

		for (size_t k = 0; (!uid || uid == user->uid) && k < trust_count(user->trust); k++)
			json_array_append_new(array, row_to_json(user, weights, k));
	}
	return array;
}

static int find_and_forget(struct user_trust *user, const char *name)
{
	char other[PROTO_KEY_MAX + 1];

	for (size_t i = 0; i < trust_count(user->trust); i++) {
		const struct trust_key key = trust_key_at(user->trust, i);

		name_key(user->uid, &key, other);
		if (!strcmp(name, other))
			return trust_forget(user->trust, &key) ? 0 : -ENOENT;
	}
	return -ENOENT;
}

static int compare_names(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

int trust_store_forget(struct trust_store *store, const char **names, size_t count)
{
	char name[PROTO_KEY_MAX + 1], *key = name;
	bool changed = false;

	qsort(names, count, sizeof(*names), compare_names);
	for (size_t i = 0; i < store->count; i++) {
		struct user_trust *user = &store->users[i];

		for (size_t k = trust_count(user->trust); k-- > 0;) {
			const struct trust_key known = trust_key_at(user->trust, k);

			name_key(user->uid, &known, name);
			if (bsearch(&key, names, count, sizeof(*names), compare_names))
				changed |= trust_forget(user->trust, &known);
		}
	}
	return changed ? save(store) : 0;
}

int trust_store_reset(struct trust_store *store, uint32_t uid, const char *key)
{
	int r = key ? -ENOENT : 0;

	for (size_t i = 0; i < store->count; i++) {
		struct user_trust *user = &store->users[i];

		if (uid && uid != user->uid)
			continue;
		if (!key)
			trust_reset(user->trust, NULL);
		else if (r == -ENOENT)
			r = find_and_forget(user, key);
	}
	return r < 0 ? r : save(store);
}
