/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The tests of the kernel side and its loader: each checks something and says so with check().
 */
#pragma once

#include <stdbool.h>

#include "grithd/kernel/kernel.h"

struct tally {
	unsigned int passed, failed;
};

/* Counts, and prints what failed. Returns `ok`. */
bool check(struct tally *tally, bool ok, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Loading, attaching, adopting and removing, with the attachment named by GRITH_ATTACH if any. */
void test_load(struct tally *tally);

/* The decisions of the loaded programs against those of the evaluator. */
void test_parity(struct tally *tally);

/* Holding, answering and replaying. */
void test_hold(struct tally *tally);

/* What else happens to a process while it is held. */
void test_meanwhile(struct tally *tally);

/* What an answer is good for. */
void test_request(struct tally *tally);

/* Programs that wait until their arguments were judged. */
void test_judged(struct tally *tally);

/* Data on connections from before a secret was read. */
void test_send(struct tally *tally);

/* Tables of the kernel side that are full. */
void test_full(struct tally *tally);

/* Children with the rights of a user. */
void test_child(struct tally *tally);

/* The running kernel's version is below this one. */
bool kernel_is_before(unsigned int major, unsigned int minor);

/* What GRITH_ATTACH names. */
enum kernel_attach wanted_attach(void);
