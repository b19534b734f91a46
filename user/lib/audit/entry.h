/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the audit log says of itself: signed checkpoints, segments that were removed because of
 * their age, and the statement at the end of an export. Pure.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/event/event.h"
#include "chain.h"
#include "key.h"

#define AUDIT_CHECKPOINT_LINES 10000 /* at most so many without a signature */

enum audit_entry_kind {
	AUDIT_NO_ENTRY = 0, /* a line about something else */
	AUDIT_CHECKPOINT, /* the first `lines` lines end with `head`; signed */
	AUDIT_RETENTION, /* lines `from` to `to` were removed, `to` had the hash `head` */
	AUDIT_EXPORT, /* there were `lines` lines of `session` before, `head` is of all; signed */
};

struct audit_entry {
	enum audit_entry_kind kind;
	char time[JSON_TIME_SIZE];
	char session[SESSION_ID_LENGTH + 1]; /* empty: none */
	uint64_t lines, from, to;
	struct audit_hash head;
	char key[AUDIT_KEY_ID + 1];
	uint8_t signature[AUDIT_SIGNATURE_BYTES];
};

/*
 * Each adds one line to `out`, without its place in the chain. The session is that of `now`. 0 or
 * -ENOMEM.
 */
int audit_entry_checkpoint(struct text *out, const struct event_head *now,
			   const struct audit_chain *chain, const struct audit_key *key);
int audit_entry_retention(struct text *out, const struct event_head *now, uint64_t from,
			  const struct audit_chain *last);
int audit_entry_export(struct text *out, const struct event_head *now, uint64_t lines,
		       const struct audit_hash *all, const struct audit_key *key);

/*
 * What a line says of the log; AUDIT_NO_ENTRY where it is about something else. false: it should
 * say something of the log, but is not written as one of the above.
 */
bool audit_entry_parse(const char *line, size_t length, struct audit_entry *ret_entry);

/* Whether the signature of a checkpoint or an export is that key's. */
bool audit_entry_verify(const struct audit_entry *entry, const struct audit_key *key);
