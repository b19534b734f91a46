/* SPDX-License-Identifier: MPL-2.0 */
/* One operation as the filters see it. */
#pragma once

#include "lib/base/base.h"
#include "lib/record/record.h"
#include "grith_abi.h"

struct flow_chain;

/* All pointers are borrowed; unknown fields are NULL or 0. */
struct score_operation {
	enum grith_op op;
	uint32_t flags; /* GRITH_RECORD_* */
	uint64_t time; /* CLOCK_MONOTONIC, nanoseconds */
	struct record_bytes path, second;
	struct record_bytes argv; /* each argument with its NUL */
	const char *host; /* name that the address was resolved from */
	const char *shown_host; /* the address as text where there is no name */
	uint8_t address[16];
	uint16_t port, family, type, protocol;
	const char *program; /* of the process: its executable */
	const char *home, *project, *user;
	int16_t static_score; /* from the policy's image; context not included */
	uint16_t classes; /* bits of the policy */
	uint16_t source[GRITH_SOURCES]; /* which of these bits mark a source; see the image */
	const char *const *grants; /* capabilities of the profile; NULL: all */
	size_t n_grants;
	int16_t context; /* what the kernel added */
	uint32_t context_filters; /* GRITH_CONTEXT_* */
	const struct flow_chain *flow; /* how its process came by a secret; NULL: not known of */
	struct record_bytes settings, settings_before; /* see score_wants_settings() */
	bool settings_known; /* read whole, with no descriptor open for writing */
	bool argv_follows; /* an EXEC that is stopped once more, with its arguments */
	bool trusted; /* a rule of the policy allows the destination by the name of its host */
};
