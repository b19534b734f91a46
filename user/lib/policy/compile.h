/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the parts of the compiler share: the tables of outcomes that the image ends with. Only for
 * compile.c and compile_nets.c.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/policy/automaton/automaton.h"
#include "eval.h"
#include "image.h"

struct compiler {
	const struct policy *policy;
	const struct policy_host *hosts;
	size_t n_hosts;
	struct intern outcomes; /* struct grith_outcome; number 0 is never referred to */
	struct intern rows; /* uint16_t[GRITH_OP_CLASSES] */
	struct grith_port_range *ranges; /* of all prefixes */
	size_t n_ranges;
	struct policy_net_entry *nets; /* value.ranges counts from the first range */
	size_t n_nets;
	uint64_t work; /* of NET_WORK_MAX */
	const char *why; /* for -E2BIG: the limit, and what to do */
	struct automaton_refusal globs; /* the same of the globs; then `why` is NULL */
};

/* The number of an outcome in the image. */
int compile_outcome(struct compiler *c, const struct grith_outcome *outcome, uint16_t *ret_number);

/* Fills ranges and nets. */
int compile_nets(struct compiler *c);
