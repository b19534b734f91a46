/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The chain through the audit log: each line ends with its number and the hash of the line before,
 * so that one pass over the lines proves their order and their content. The hash is BLAKE2b with 32
 * bytes (RFC 7693) over the line without its newline. Pure.
 */
#pragma once

#include "lib/base/base.h"

#define AUDIT_HASH_BYTES 32
#define AUDIT_HEX_BYTES (2 * AUDIT_HASH_BYTES) /* of a hash in hexadecimal digits */
#define AUDIT_LINE_MAX (1u << 20) /* bytes; no event makes a longer line */
#define AUDIT_LINK_MAX 128 /* bytes that the two fields add to a line, at most */

struct audit_hash {
	uint8_t bytes[AUDIT_HASH_BYTES];
};

/* The last line. {0} before the first one, whose `prev` is zeros. */
struct audit_chain {
	uint64_t n; /* its number in the whole log, from 1 */
	struct audit_hash hash;
};

/* The fields at the end of a line: ,"n":N,"prev":"HASH"} */
struct audit_link {
	uint64_t n;
	struct audit_hash prev;
};

/*
 * Makes what is in `out` from `start` on, a JSON object and its newline, the next line of the
 * chain. 0, or -ENOMEM with both as they were.
 */
int audit_chain_add(struct audit_chain *chain, struct text *out, size_t start);

/* The fields of a line without its newline. false: it does not end with them. */
bool audit_link_parse(const char *line, size_t length, struct audit_link *ret_link);

void audit_hash_line(const char *line, size_t length, struct audit_hash *ret_hash);
/* Makes `all`, of any number of lines before, that of one line more. {0}: of none. */
void audit_hash_fold(struct audit_hash *all, const struct audit_hash *line);
bool audit_hash_equal(const struct audit_hash *a, const struct audit_hash *b);

/* Lower-case digits; `ret_hex` has a NUL behind them. */
void audit_hash_format(const struct audit_hash *hash, char ret_hex[AUDIT_HEX_BYTES + 1]);
/* Exactly AUDIT_HEX_BYTES digits as they are written. */
bool audit_hash_parse(const char *hex, struct audit_hash *ret_hash);
