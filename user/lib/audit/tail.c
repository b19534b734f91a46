/* SPDX-License-Identifier: MPL-2.0 */
/* Reads one block, from the end or from the start. */
#include <string.h>

#include "files.h"
#include "tail.h"

static int last_line(const char *block, size_t length, struct audit_chain *ret_last)
{
	const char *newline = length > 1 ? memrchr(block, '\n', length - 1) : NULL;
	const char *line = newline ? newline + 1 : block;
	struct audit_link link;

	length = block + length - 1 - line;
	if (!audit_link_parse(line, length, &link))
		return -EBADMSG;
	ret_last->n = link.n;
	audit_hash_line(line, length, &ret_last->hash);
	return 0;
}

int audit_tail_find(int directory, struct audit_chain *ret_last)
{
	static const struct log_files_want all = { 0 };
	CLEANUP(log_files_freep) struct log_files *files = NULL;
	const char *block = NULL;
	size_t length = 0;
	int r = log_files_open(directory, &all, &files);

	if (r == 0)
		r = log_files_seek_end(files);
	if (r == 0)
		r = log_files_read_back(files, &block, &length);
	if (r == 0)
		*ret_last = (struct audit_chain) { 0 };
	return r <= 0 ? r : last_line(block, length, ret_last);
}

int audit_tail_before(struct log_place *place, struct audit_chain *ret_before)
{
	static const struct log_place_want all = { "", "" };
	OWNED_AUDIT_BUFFER struct audit_buffer block = { 0 };
	struct audit_link link;
	const char *newline;
	int r = log_place_read(place, &all, &block);

	if (r <= 0)
		return r < 0 ? r : -ENOENT;
	newline = memchr(block.data, '\n', block.length);
	if (!newline || !audit_link_parse(block.data, newline - block.data, &link))
		return -EBADMSG;
	*ret_before = (struct audit_chain) { link.n - 1, link.prev };
	return 0;
}
