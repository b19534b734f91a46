/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The audit log as a sequence of lines over all of its files, oldest first: the sealed segments,
 * compressed or not yet, and the file that is being written. Reads whole lines in blocks; what is
 * rotated meanwhile is neither lost nor read twice.
 */
#pragma once

#include "cursor.h"

struct log_files;

/* `directory` stays the caller's and open; `want` NULL: all. 0 or -ENOMEM. */
int log_files_open(int directory, const struct log_want *want, struct log_files **ret_files);
void log_files_free(struct log_files *files);
DEFINE_CLEANUP(struct log_files, log_files_free)

/*
 * The next block of whole lines, each with its newline; valid until the next call. 1; 0 where all
 * was read so far (there may be more later); -EBADMSG where a segment is damaged (the next call
 * goes on after the damage); -errno.
 */
int log_files_read(struct log_files *files, const char **ret_block, size_t *ret_length);

/*
 * To the end, from where log_files_read_back() gives the block before the last one, and so on back
 * to the first: 1, then 0. After it log_files_read() goes on with what is appended later.
 */
int log_files_seek_end(struct log_files *files);
int log_files_read_back(struct log_files *files, const char **ret_block, size_t *ret_length);

/*
 * After going back: log_files_read() goes on from the start of the block that came last, or from
 * the start of the log where all of it was gone through.
 */
void log_files_turn(struct log_files *files);

/*
 * The last whole line of all files. 0, {0} where there is no line; -EBADMSG where the last line is
 * damaged or has no number; -errno.
 */
int log_files_find_last(int directory, struct audit_chain *ret_last);
