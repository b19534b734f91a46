/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What a session touched, what it was stopped from doing, and who said it could: collected from
 * events one by one, in memory that grows with the number of different things and not with that of
 * events. The definitions of the counts are those of grith(1), REPORT. Pure.
 */
#ifndef GRITH_REPORT_H
#define GRITH_REPORT_H

#include "log_event.h"

struct report;

struct report_options {
	const char *project; /* the project's directory; NULL: that of the session's start */
	const char *home; /* of the user, for ~ and for the sensitive files; NULL: not known */
	const char *exclude; /* the agent's own installation, left out of counts of files; NULL */
};

/* 0 or -ENOMEM. The options' texts are copied. */
int report_new(const struct report_options *options, struct report **ret_report);
void report_free(struct report *report);
DEFINE_CLEANUP(struct report, report_free)

/* Takes in one event of the session. 0 or -ENOMEM. */
int report_add(struct report *report, const struct log_event *event);

#endif
