/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What was lost and is not in the log yet: how much of which session, and why. It is logged as
 * gaps, one for each of them, as soon as the log has room.
 */
#pragma once

#include "grithd/base/base.h"
#include "lib/event/event.h"

struct audit_loss {
	char session[SESSION_ID_LENGTH + 1]; /* empty: of none */
	char reason[96];
	uint64_t lost;
};

/* Starts as {0}. */
struct audit_losses {
	struct audit_loss *list;
	size_t count;
	uint64_t unnamed; /* for want of memory nothing more is known of them */
};

/* `session` NULL: of none. Adds to what was lost of it for the same reason. */
void audit_losses_add(struct audit_losses *losses, const char *session, const char *reason,
		      uint64_t lost);
/* The next one as an event of now, which is valid until the next call. false: there is none. */
bool audit_losses_next(const struct audit_losses *losses, struct event_gap *ret_gap);
/* The next one is in the log. */
void audit_losses_logged(struct audit_losses *losses);
void audit_losses_free(struct audit_losses *losses);
