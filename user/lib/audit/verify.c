/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A line that was changed no longer has the hash that the next line names, and a line that was
 * moved no longer names the hash of the one before. Both look the same from where they are noticed:
 * so the line is suspected until the next one was seen.
 */
#include <stdarg.h>

#include "verify.h"

static const char *const faults[] = {
	[AUDIT_WHOLE] = "whole",	 [AUDIT_CHANGED] = "changed",
	[AUDIT_REMOVED] = "removed",	 [AUDIT_INSERTED] = "inserted",
	[AUDIT_SWAPPED] = "swapped",	 [AUDIT_CUT_OFF] = "cut off",
	[AUDIT_MISSING] = "missing",	 [AUDIT_SIGNATURE] = "signature",
	[AUDIT_UNSIGNED] = "unsigned",	 [AUDIT_DAMAGED] = "damaged",
	[AUDIT_BAD_INDEX] = "bad index",
};
_Static_assert(ARRAY_SIZE(faults) == AUDIT_FAULTS, "a word for every fault");

const char *audit_fault_name(enum audit_fault fault)
{
	return (unsigned int)fault < AUDIT_FAULTS ? faults[fault] : NULL;
}

bool audit_verify_fail(struct audit_verify *verify, enum audit_fault fault,
		       const struct audit_spot *at, const char *format, ...)
{
	va_list arguments;

	if (verify->fault)
		return false;
	verify->fault = fault;
	verify->at = *at;
	va_start(arguments, format);
	vsnprintf(verify->detail, sizeof(verify->detail), format, arguments);
	va_end(arguments);
	return false;
}

#define NUMBER(n) ((unsigned long long)(n))

static bool fail_changed(struct audit_verify *verify, const struct audit_spot *at)
{
	return audit_verify_fail(verify, AUDIT_CHANGED, at, "it is not as it was written");
}

/* Lines from the last good one to this one are not there. */
static bool fail_removed(struct audit_verify *verify, uint64_t from, uint64_t n,
			 const struct audit_spot *at)
{
	bool segment = at->line == 1 && verify->last_signs;

	return audit_verify_fail(verify, segment ? AUDIT_MISSING : AUDIT_REMOVED, at,
				 "lines %llu to %llu are missing before it", NUMBER(from),
				 NUMBER(n - 1));
}

/* `n` and `prev` are of the line after the suspected one; NULL: nothing is known of it. */
static bool resolve(struct audit_verify *verify, uint64_t n, const struct audit_hash *prev)
{
	const struct audit_suspect *suspect = &verify->suspect;
	const struct audit_spot *at = &suspect->spot;
	uint64_t expected = verify->last.n + 1;
	bool follows = prev && audit_hash_equal(prev, &suspect->chain.hash);

	if (!suspect->has_link) {
		if (prev && n == expected && audit_hash_equal(prev, &verify->last.hash))
			return audit_verify_fail(verify, AUDIT_INSERTED, at,
						 "grithd did not write it");
		return fail_changed(verify, at);
	}
	if (suspect->chain.n == expected && !prev)
		return audit_verify_fail(verify, AUDIT_CHANGED, at,
					 "it, or the line before it, is not as it was written");
	if (suspect->chain.n == expected)
		return fail_changed(verify, follows ? &verify->last_spot : at);
	if (suspect->fits)
		return fail_changed(verify, at);
	if (suspect->chain.n > expected) {
		if (prev && n == expected)
			return audit_verify_fail(verify, AUDIT_SWAPPED, at,
						 "line %llu comes after it", NUMBER(expected));
		if (!prev || follows)
			return fail_removed(verify, expected, suspect->chain.n, at);
		return fail_changed(verify, at);
	}
	return audit_verify_fail(verify, AUDIT_INSERTED, follows ? &verify->last_spot : at,
				 "there is another line %llu", NUMBER(suspect->chain.n));
}

bool audit_verify_signature(struct audit_verify *verify, const struct audit_entry *entry,
			    const struct audit_spot *at)
{
	if (!verify->key)
		return true;
	if (strcmp(entry->key, verify->key->id) != 0)
		return audit_verify_fail(verify, AUDIT_SIGNATURE, at,
					 "it is signed with the key %s, and this one is %s",
					 entry->key, verify->key->id);
	if (!audit_entry_verify(entry, verify->key))
		return audit_verify_fail(verify, AUDIT_SIGNATURE, at, "its signature is wrong");
	return true;
}

/* Whether it explains why lines before the first one are missing. */
static bool explains(const struct audit_verify *verify, const struct audit_entry *entry)
{
	return entry->to + 1 == verify->first &&
	       audit_hash_equal(&entry->head, &verify->first_prev);
}

static bool take_entry(struct audit_verify *verify, const struct audit_spot *spot,
		       const struct audit_link *link, const char *line, size_t length)
{
	struct audit_entry entry;

	if (!audit_entry_parse(line, length, &entry))
		return fail_changed(verify, spot);
	verify->last_signs = entry.kind == AUDIT_CHECKPOINT;
	if (entry.kind == AUDIT_RETENTION)
		verify->said |= explains(verify, &entry);
	if (entry.kind != AUDIT_CHECKPOINT) {
		if (verify->unsigned_lines++ < AUDIT_CHECKPOINT_LINES)
			return true;
		return audit_verify_fail(verify, AUDIT_UNSIGNED, spot,
					 "there are more than %u lines without a checkpoint",
					 AUDIT_CHECKPOINT_LINES);
	}
	if (entry.lines != link->n - 1 || !audit_hash_equal(&entry.head, &link->prev))
		return fail_changed(verify, spot);
	if (!audit_verify_signature(verify, &entry, spot))
		return false;
	verify->checkpoints++;
	verify->unsigned_lines = 0;
	verify->explained |= verify->said;
	return true;
}

static bool check_head(struct audit_verify *verify, const struct audit_spot *spot)
{
	if (!verify->head.n || verify->last.n != verify->head.n ||
	    audit_hash_equal(&verify->last.hash, &verify->head.hash))
		return true;
	return audit_verify_fail(verify, AUDIT_CHANGED, spot,
				 "it, or a line after the last checkpoint, was written anew");
}

static bool take_first(struct audit_verify *verify, const struct audit_spot *spot,
		       const struct audit_link *link)
{
	static const struct audit_hash nothing;

	verify->first = link->n;
	verify->first_prev = link->prev;
	verify->first_spot = *spot;
	if (link->n == 1 && !audit_hash_equal(&link->prev, &nothing))
		return fail_changed(verify, spot);
	verify->last = (struct audit_chain) { link->n - 1, link->prev };
	return true;
}

static void suspect(struct audit_verify *verify, const struct audit_spot *spot,
		    const struct audit_link *link, const struct audit_hash *hash)
{
	verify->suspect = (struct audit_suspect) {
		.is = true,
		.has_link = link != NULL,
		.fits = link && audit_hash_equal(&link->prev, &verify->last.hash),
		.chain = { link ? link->n : 0, *hash },
		.spot = *spot,
	};
}

bool audit_verify_line(struct audit_verify *verify, const struct audit_spot *spot, const char *line,
		       size_t length)
{
	struct audit_spot here = *spot;
	struct audit_link link;
	struct audit_hash hash;
	bool has_link = audit_link_parse(line, length, &link);

	if (verify->fault)
		return false;
	here.n = has_link ? link.n : 0;
	if (verify->suspect.is)
		return resolve(verify, here.n, has_link ? &link.prev : NULL);
	audit_hash_line(line, length, &hash);
	if (!has_link && !verify->first)
		return audit_verify_fail(verify, AUDIT_CHANGED, &here, "it has no number");
	if (!verify->first && !take_first(verify, &here, &link))
		return false;
	if (!has_link || link.n != verify->last.n + 1 ||
	    !audit_hash_equal(&link.prev, &verify->last.hash)) {
		suspect(verify, &here, has_link ? &link : NULL, &hash);
		return true;
	}
	if (!take_entry(verify, &here, &link, line, length))
		return false;
	verify->last = (struct audit_chain) { link.n, hash };
	verify->last_spot = here;
	return check_head(verify, &here);
}

bool audit_verify_sealed(struct audit_verify *verify)
{
	if (verify->fault)
		return false;
	if (verify->suspect.is || verify->last_signs)
		return true;
	return audit_verify_fail(verify, AUDIT_CUT_OFF, &verify->last_spot,
				 "a segment ends with a checkpoint, and this one does not");
}

bool audit_verify_end(struct audit_verify *verify)
{
	const struct audit_chain *head = &verify->head;

	if (verify->fault)
		return false;
	/* Nothing comes after the suspected line, but the head may know it. */
	if (verify->suspect.is)
		return resolve(verify, head->n + 1,
			       head->n && head->n == verify->suspect.chain.n ? &head->hash : NULL);
	if (verify->last.n < head->n)
		return audit_verify_fail(verify, AUDIT_CUT_OFF, &verify->last_spot,
					 "%llu lines were written after it",
					 NUMBER(head->n - verify->last.n));
	if (verify->first <= 1 || verify->from_anywhere || verify->explained ||
	    (verify->said && head->n))
		return true;
	return audit_verify_fail(verify, AUDIT_MISSING, &verify->first_spot,
				 "lines 1 to %llu are missing, and no signed line says that they "
				 "were removed for their age",
				 NUMBER(verify->first - 1));
}
