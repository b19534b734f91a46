/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Settings of git are read before their review is decided. A file system that does not answer is
 * not asked again soon, and a session that asks about many files has some of them read: what was
 * not read is left to a person.
 */
#include "review.h"
#include "settings_file.h"

#define SLOW_NS (60 * 1000000000ull) /* without reading, after a file system did not answer */
#define READS_MAX 4 /* at once, of one user */

static struct settings_user *user_of(const struct review *review)
{
	return &review->reviews->settings_users[review->uid % SETTINGS_USERS];
}

void review_stop_reading(struct review *review)
{
	if (!review->reading)
		return;
	settings_read_free(TAKE_PTR(review->reading));
	user_of(review)->reads--;
}

static void on_read(void *arg, int r, const struct text *fresh, const struct text *old)
{
	struct review *review = arg;
	struct reviews *reviews = review->reviews;
	const struct settings settings = {
		{ fresh->data, fresh->length },
		{ old->data, old->length },
	};
	struct settings_user *user = user_of(review);

	review_stop_reading(review);
	if (r == -ETIMEDOUT) {
		user->uid = review->uid;
		user->until = clock_mono() + SLOW_NS;
	}
	review_ask(review, r == 0 ? &settings : NULL);
	review_announce(review);
	audit_write(reviews->audit);
}

bool review_read_settings(struct review *review)
{
	const struct score_operation operation =
		subject_operation(&review->subject, review->session);
	struct settings_user *user = user_of(review);

	if (!review->reviews->weights || !score_wants_settings(&operation) ||
	    user->reads >= READS_MAX || (user->uid == review->uid && clock_mono() < user->until))
		return false;
	if (settings_read_start(review->reviews->event, &review->subject, &review->session->info,
				on_read, review, &review->reading) < 0)
		return false;
	user->reads++;
	return true;
}
