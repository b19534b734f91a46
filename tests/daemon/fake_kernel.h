/* SPDX-License-Identifier: MPL-2.0 */
/* The kernel that only pretends, as its parts see it. */
#pragma once

#include "grithd/kernel/kernel.h"
#include "harness.h"

struct entry {
	uint64_t cgroup;
	struct grith_session session;
};

struct kernel {
	char *directory;
	int ring;
	bool adopted;
	bool slots[GRITH_MAX_IMAGES];
	struct entry entries[GRITH_MAX_SESSIONS];
	size_t count;
};

/* The caller frees. */
char *fake_path(const char *directory, const char *name);
