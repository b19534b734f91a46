/* SPDX-License-Identifier: MPL-2.0 */
/* Files of an audit log for the tests, made from the pure parts: no grithd wrote them. */
#pragma once

#include "lib/audit/audit.h"
#include "lib/base/base.h"

struct audit_fixture {
	char path[32];
	int directory;
	struct audit_chain chain;
};

struct audit_fixture fixture_make(void);
void fixture_remove(struct audit_fixture *fixture);

/* Adds `count` lines; of session "aaaaaaaaaa" where the number is odd, else of "bbbbbbbbbb". */
void fixture_lines(struct audit_fixture *fixture, struct text *out, unsigned int count);
void fixture_write(const struct audit_fixture *fixture, const char *name, const char *data,
		   size_t length);
void fixture_append(const struct audit_fixture *fixture, const char *name, const struct text *text);
void fixture_read(const struct audit_fixture *fixture, const char *name, struct text *out);

/* Compresses a plain segment in frames of about `frame` bytes and removes it. */
void fixture_pack(const struct audit_fixture *fixture, uint64_t first, size_t frame);
