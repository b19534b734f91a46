/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What a session was refused or held for lately, with the scores taken apart, and which sources of
 * secrets it has read: for `why`. In memory only; the log has the entries themselves.
 */
#pragma once

#include "lib/record/record.h"
#include "lib/score/score.h"

#define RECENT_MAX 256
#define RECENT_SOURCES_MAX 32

struct recent;

struct recent_source {
	uint64_t time; /* nanoseconds since 1970 */
	enum grith_source weight;
	uint32_t pid;
	char *path, *program; /* any bytes, with a NUL behind; program NULL: not known */
};

struct recent *recent_new(void); /* NULL: no memory */
void recent_free(struct recent *recent);
DEFINE_CLEANUP(struct recent, recent_free)

/* Something was refused or held; `score` may be NULL. Where there is no memory it is not kept. */
void recent_add(struct recent *recent, uint64_t sequence, const struct score *score);

/* NULL: not known. */
const struct score *recent_score(const struct recent *recent, uint64_t sequence);

/* A source was read; the same one again moves to the end. */
void recent_add_source(struct recent *recent, enum grith_source weight, uint64_t time,
		       const struct record *record, const char *program);

/* Oldest first. */
size_t recent_sources(const struct recent *recent, const struct recent_source **ret_sources);
