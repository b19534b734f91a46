/* SPDX-License-Identifier: MPL-2.0 */
/* The command line of grith replay. */
#pragma once

#include <limits.h>

#include "grith/report/report.h"
#include "read.h"
#include "rules.h"

struct replay_options {
	const char *log;
	struct replay_choice choice;
	struct report_options report;
	const char *cwd;
	struct report_output output;
	char here[PATH_MAX]; /* the current directory, where it counts */
};

/* 0, or -EINVAL after a message or where the usage alone tells. */
int replay_parse(int argc, char **argv, struct replay_options *options);

/*
 * Fills in what was not given; the options refer to `start` from then on, and to *ret_git, which
 * the caller frees. 0 or -ENOMEM.
 */
int replay_fill_in(struct replay_options *options, const struct replay_start *start,
		   char **ret_git);
