/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Lines in one piece prove themselves, as in the log. Those of one session have gaps between them,
 * where other sessions' lines were; the statement behind them is signed instead.
 */
#include <string.h>
#include <sys/stat.h>

#include "place.h"
#include "verify_files.h"

static const struct log_place_want all = { "", "" };

/* What the lines of one session come to. */
struct sum {
	uint64_t lines, last;
	struct audit_hash all;
};

static int find_last_line(const struct log_place *place, struct audit_buffer *block,
			  const char **ret_line, size_t *ret_length)
{
	struct log_place end = *place;
	const char *line;
	int r = log_place_seek_end(&end);

	if (r == 0)
		r = log_place_read_back(&end, &all, block);
	if (r <= 0)
		return r < 0 ? r : -EBADMSG;
	line = block->length > 1 ? memrchr(block->data, '\n', block->length - 1) : NULL;
	*ret_line = line ? line + 1 : block->data;
	*ret_length = block->data + block->length - 1 - *ret_line;
	return 0;
}

static bool add_line(struct audit_verify *verify, struct sum *sum, const struct audit_spot *spot,
		     const char *line, size_t length)
{
	struct audit_spot here = *spot;
	struct audit_link link;
	struct audit_hash hash;

	if (!audit_link_parse(line, length, &link))
		return audit_verify_fail(verify, AUDIT_CHANGED, spot, "it has no number");
	here.n = link.n;
	if (link.n <= sum->last)
		return audit_verify_fail(verify, AUDIT_SWAPPED, &here,
					 "its number is not above the one before");
	if (!verify->first)
		verify->first = link.n;
	audit_hash_line(line, length, &hash);
	audit_hash_fold(&sum->all, &hash);
	sum->last = link.n;
	sum->lines++;
	return true;
}

static bool check_statement(struct audit_verify *verify, const struct sum *sum,
			    const struct audit_spot *spot, const struct audit_entry *said)
{
	verify->last.n = sum->last;
	if (said->lines != sum->lines || !audit_hash_equal(&said->head, &sum->all))
		return audit_verify_fail(verify, AUDIT_CHANGED, spot,
					 "it does not fit the lines before it: a line was changed, "
					 "removed or added");
	if (verify->key && strcmp(said->key, verify->key->id) != 0)
		return audit_verify_fail(verify, AUDIT_SIGNATURE, spot,
					 "it is signed with the key %s, and this one is %s",
					 said->key, verify->key->id);
	if (verify->key && !audit_entry_verify(said, verify->key))
		return audit_verify_fail(verify, AUDIT_SIGNATURE, spot, "its signature is wrong");
	return true;
}

/* The lines of a block, but for the statement. false: something is wrong, or that was the end. */
static bool take_block(struct audit_verify *verify, struct sum *sum, struct audit_spot *spot,
		       const struct audit_entry *statement, const struct audit_buffer *block)
{
	const char *line = block->data, *end = line + block->length, *newline;
	struct audit_entry entry;

	for (; (newline = memchr(line, '\n', end - line)); line = newline + 1) {
		size_t length = newline - line;
		bool good;

		spot->line++;
		if (statement->kind != AUDIT_EXPORT)
			good = audit_verify_line(verify, spot, line, length);
		else if (audit_entry_parse(line, length, &entry) && entry.kind == AUDIT_EXPORT)
			return check_statement(verify, sum, spot, statement) && false;
		else
			good = add_line(verify, sum, spot, line, length);
		if (!good)
			return false;
	}
	return true;
}

int audit_verify_export(struct audit_verify *verify, int fd)
{
	OWNED_AUDIT_BUFFER struct audit_buffer block = { 0 };
	struct log_place place = { .fd = fd, .first = 1 };
	struct audit_spot spot = { 0 };
	struct audit_entry statement;
	struct sum sum = { 0 };
	const char *line;
	size_t length;
	int r = find_last_line(&place, &block, &line, &length);

	if (r == 0 && !audit_entry_parse(line, length, &statement))
		r = -EBADMSG;
	verify->from_anywhere = true;
	while (r == 0 && (r = log_place_read(&place, &all, &block)) == 1 &&
	       take_block(verify, &sum, &spot, &statement, &block))
		r = 0;
	if (r == -EBADMSG)
		audit_verify_fail(verify, AUDIT_DAMAGED, &spot,
				  "what comes after this line is not a line of the log");
	else if (r < 0)
		return r;
	if (statement.kind != AUDIT_EXPORT)
		audit_verify_end(verify);
	return 0;
}
