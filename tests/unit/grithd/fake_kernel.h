/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grithd/kernel/kernel.h in memory, for the tests of the rooms above it: what was done to it is
 * there to be looked at, and records are what the test puts in.
 */
#pragma once

#include "grithd/kernel/kernel.h"

#define FAKE_MAX 64

struct fake_answer {
	struct grith_answer_key key;
	struct grith_answer answer;
};

/* Starts as {0}. */
struct kernel {
	struct fake_answer answers[FAKE_MAX]; /* in the order in which they were given */
	size_t n_answers;
	int answer_r; /* what giving one returns */
	uint32_t resumed[FAKE_MAX]; /* processes */
	size_t n_resumed;
	struct kernel_hold holds[FAKE_MAX];
	size_t n_holds;
	uint64_t sessions[FAKE_MAX]; /* cgroups */
	size_t n_sessions;
	bool slots[FAKE_MAX]; /* of images */
	const void *records[FAKE_MAX];
	size_t sizes[FAKE_MAX], n_records;
};

struct fake_answer *fake_answer_of(struct kernel *kernel, uint32_t pid); /* NULL: none */
bool fake_has_session(const struct kernel *kernel, uint64_t cgroup);
