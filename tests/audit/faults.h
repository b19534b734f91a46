/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What a disk and a SIGKILL can do to a program, at a chosen call: the linker puts these functions
 * in the place of the system calls that change files (--wrap).
 */
#pragma once

enum fault_kind {
	FAULT_NONE,
	FAULT_KILL_BEFORE, /* the call is not made; so it is after the call before */
	FAULT_KILL_WITHIN, /* a write is half made; another call is not */
	FAULT_SHORT, /* a write is half made, and says so; another call is made */
	FAULT_NO_SPACE, /* fails, as do those that follow, for a while */
	FAULT_IO, /* fails once */
	FAULT_KINDS,
};

/* The k-th call from now on, from 1. Also starts counting anew. */
void faults_set(enum fault_kind kind, unsigned int k);
unsigned int faults_calls(void);
