/* SPDX-License-Identifier: MPL-2.0 */
/* There are as many as sessions, times a few reasons: a list is enough. */
#include "lost.h"

static struct audit_loss *find(struct audit_losses *losses, const char *session, const char *reason)
{
	for (size_t i = 0; i < losses->count; i++)
		if (!strcmp(losses->list[i].session, session) &&
		    !strcmp(losses->list[i].reason, reason))
			return &losses->list[i];
	return NULL;
}

void audit_losses_add(struct audit_losses *losses, const char *session, const char *reason,
		      uint64_t lost)
{
	struct audit_loss loss = { .lost = lost }, *known;

	snprintf(loss.session, sizeof(loss.session), "%s", session ? session : "");
	snprintf(loss.reason, sizeof(loss.reason), "%s", reason);
	known = find(losses, loss.session, loss.reason);
	if (known)
		known->lost += lost;
	else if (ARRAY_GROW(losses->list, losses->count) < 0)
		losses->unnamed += lost;
	else
		losses->list[losses->count++] = loss;
}

bool audit_losses_next(const struct audit_losses *losses, struct event_gap *ret_gap)
{
	const struct audit_loss *last;

	if (losses->count) {
		last = &losses->list[losses->count - 1];
		*ret_gap = (struct event_gap) {
			.head = event_now(last->session[0] ? last->session : NULL),
			.lost = last->lost,
			.reason = last->reason,
		};
		return true;
	}
	if (losses->unnamed)
		*ret_gap = (struct event_gap) {
			.head = event_now(NULL),
			.lost = losses->unnamed,
			.reason =
				"there was no memory for more of them, nor to say of what session",
		};
	return losses->unnamed;
}

void audit_losses_logged(struct audit_losses *losses)
{
	if (losses->count)
		losses->count--;
	else
		losses->unnamed = 0;
}

void audit_losses_free(struct audit_losses *losses)
{
	free(losses->list);
	*losses = (struct audit_losses) { 0 };
}
