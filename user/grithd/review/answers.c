/* SPDX-License-Identifier: MPL-2.0 */
/* The list of kept answers and its order of precedence. It is short, and read once for a hold. */
#include "answers.h"

static bool same_text(const struct text *text, const char *bytes, size_t length)
{
	return text->length == length && (!length || !memcmp(text->data, bytes, length));
}

static bool is_strictly_below(struct record_bytes path, const char *directory)
{
	return path.length > strlen(directory) && path_is_below(path.data, path.length, directory);
}

bool subject_is_below(const struct subject *subject, const char *directory)
{
	const struct record *record = &subject->record;

	if (subject_kind(subject) != SUBJECT_PATH || (record->head.flags & GRITH_RECORD_ABSTRACT) ||
	    !is_strictly_below(record->path, directory))
		return false;
	return !record->second.length || is_strictly_below(record->second, directory);
}

static bool same_profile(const char *left, const char *right)
{
	return left && right ? !strcmp(left, right) : left == right;
}

static void kept_answer_free(struct kept_answer *answer)
{
	free(answer->profile);
	text_free(&answer->object);
	text_free(&answer->second);
	text_free(&answer->trust);
}

static int make_object(const struct subject *subject, const char *directory,
		       struct kept_answer *answer)
{
	struct record_bytes second = subject->record.second;

	if (directory)
		return text_add(&answer->object, directory, strlen(directory));
	if (second.length && text_add(&answer->second, second.data, second.length) < 0)
		return -ENOMEM;
	if (answer->kind == SUBJECT_OTHER)
		return text_addf(&answer->object, "(an object without a lasting name)");
	return subject_add_object(subject, &answer->object);
}

static bool same_question(const struct kept_answer *left, const struct kept_answer *right)
{
	return left->kind != SUBJECT_OTHER && left->op == right->op && left->kind == right->kind &&
	       left->directory == right->directory && same_profile(left->profile, right->profile) &&
	       same_text(&left->object, right->object.data, right->object.length) &&
	       same_text(&left->second, right->second.data, right->second.length);
}

static int put(struct answers *answers, struct kept_answer *answer)
{
	for (size_t i = 0; i < answers->count; i++)
		if (same_question(&answers->list[i], answer)) {
			kept_answer_free(&answers->list[i]);
			answers->list[i] = *answer;
			return 0;
		}
	if (answers->count >= ANSWERS_MAX)
		return -E2BIG;
	if (ARRAY_GROW(answers->list, answers->count) < 0)
		return -ENOMEM;
	answers->list[answers->count++] = *answer;
	return 0;
}

int answers_put(struct answers *answers, struct kept_answer *answer, int r)
{
	r = r ?: put(answers, answer);
	if (r < 0)
		kept_answer_free(answer);
	return r;
}

int answers_keep(struct answers *answers, const struct subject *subject,
		 const struct keeping *keeping)
{
	struct kept_answer answer = {
		.op = subject->record.head.op,
		.kind = subject_kind(subject),
		.directory = keeping->directory,
		.verdict = keeping->verdict,
		.time = keeping->time,
		.review = keeping->review,
	};
	int r;

	if (answer.kind == SUBJECT_OTHER && (keeping->profile || subject_is_inspected(subject)))
		return -ENOTSUP;
	r = text_copy(keeping->profile, &answer.profile)
		    ?: text_add(&answer.trust, keeping->trust, strlen(keeping->trust))
		    ?: make_object(subject, keeping->directory, &answer);
	return answers_put(answers, &answer, r);
}

const struct kept_answer *answers_find(const struct answers *answers, const char *profile,
				       const struct subject *subject)
{
	OWNED_TEXT struct text object = { 0 };
	OWNED_TEXT struct text address = { 0 };
	enum subject_kind kind = subject_kind(subject);
	struct record_bytes second = subject->record.second;
	const struct kept_answer *best = NULL;

	if (!answers->count || kind == SUBJECT_OTHER || subject_add_object(subject, &object) < 0 ||
	    (kind == SUBJECT_ADDRESS && subject_add_address(subject, &address) < 0))
		return NULL;
	for (size_t i = 0; i < answers->count; i++) {
		const struct kept_answer *answer = &answers->list[i];

		if (answer->op != subject->record.head.op || answer->kind != kind ||
		    !same_profile(answer->profile, profile))
			continue;
		if (!answer->directory && same_text(&answer->object, object.data, object.length) &&
		    same_text(&answer->second, second.data, second.length))
			return answer;
		/* It may have been answered before the address had a name. */
		if (kind == SUBJECT_ADDRESS &&
		    same_text(&answer->object, address.data, address.length))
			best = answer;
		if (answer->directory && subject_is_below(subject, answer->object.data) &&
		    (!best || best->object.length < answer->object.length))
			best = answer;
	}
	return best;
}

size_t answers_revoke(struct answers *answers, uint32_t review, answers_fn *fn, void *arg)
{
	size_t left = 0, count = answers->count;

	for (size_t i = 0; i < count; i++) {
		struct kept_answer *answer = &answers->list[i];

		if (review && answer->review != review) {
			answers->list[left++] = *answer;
			continue;
		}
		fn(arg, answer);
		kept_answer_free(answer);
	}
	answers->count = left;
	return count - left;
}

void answers_free(struct answers *answers)
{
	for (size_t i = 0; i < answers->count; i++)
		kept_answer_free(&answers->list[i]);
	free(answers->list);
	*answers = (struct answers) { 0 };
}
