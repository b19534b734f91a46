/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Lines in one piece prove themselves, as in the log. Those of one session have gaps between them,
 * where other sessions' lines were; the statement behind them is signed instead.
 */
#include "block.h"
#include "cursor.h"
#include "verify_files.h"

/* Number, last line and hash of the lines of one session. */
struct sum {
	uint64_t lines, last;
	struct audit_hash all;
};

static int find_last_line(const struct log_cursor *cursor, struct audit_buffer *block,
			  struct record_bytes *ret_line)
{
	struct log_cursor end = *cursor;
	struct record_bytes rest;
	int r = log_cursor_seek_end(&end);

	if (r == 0)
		r = log_cursor_read_back(&end, NULL, block);
	if (r < 0)
		return r;
	rest = (struct record_bytes) { block->data, r == 1 ? block->length : 0 };
	return log_block_last(&rest, ret_line) ? 0 : -EBADMSG;
}

static bool add_line(struct audit_verify *verify, struct sum *sum, const struct audit_spot *spot,
		     struct record_bytes line)
{
	struct audit_spot here = *spot;
	struct audit_link link;
	struct audit_hash hash;

	if (!audit_link_parse(line.data, line.length, &link))
		return audit_verify_fail(verify, AUDIT_CHANGED, spot, "it has no number");
	here.n = link.n;
	if (link.n <= sum->last)
		return audit_verify_fail(verify, AUDIT_SWAPPED, &here,
					 "its number is not above the one before");
	if (!verify->first)
		verify->first = link.n;
	audit_hash_line(line.data, line.length, &hash);
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
	return audit_verify_signature(verify, said, spot);
}

/* The lines of a block, but for the statement. false: something is wrong, or that was the end. */
static bool take_block(struct audit_verify *verify, struct sum *sum, struct audit_spot *spot,
		       const struct audit_entry *statement, const struct audit_buffer *block)
{
	struct record_bytes rest = { block->data, block->length }, line;
	struct audit_entry entry;
	bool good = true;

	while (good && log_block_first(&rest, &line)) {
		spot->line++;
		if (statement->kind != AUDIT_EXPORT)
			good = audit_verify_line(verify, spot, line.data, line.length);
		else if (audit_entry_parse(line.data, line.length, &entry) &&
			 entry.kind == AUDIT_EXPORT)
			return check_statement(verify, sum, spot, statement) && false;
		else
			good = add_line(verify, sum, spot, line);
	}
	return good;
}

int audit_verify_export(struct audit_verify *verify, int fd)
{
	OWNED_AUDIT_BUFFER struct audit_buffer block = { 0 };
	struct log_cursor cursor = { .fd = fd, .first = 1 };
	struct audit_spot spot = { 0 };
	struct audit_entry statement;
	struct sum sum = { 0 };
	struct record_bytes line;
	int r = find_last_line(&cursor, &block, &line);

	if (r == 0 && !audit_entry_parse(line.data, line.length, &statement))
		r = -EBADMSG;
	verify->from_anywhere = true;
	while (r == 0 && (r = log_cursor_read(&cursor, NULL, &block)) == 1 &&
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
