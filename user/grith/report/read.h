/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The report of a session out of the audit log, which is grithd's to give or lies in a directory.
 */
#pragma once

#include "lib/report/report.h"

struct report_where {
	const char *socket; /* where grithd listens */
	const char *directory; /* of the log; NULL: ask grithd */
	const char *since; /* "90s", "2h", ... back from now; NULL: from the session's start */
	const char *session; /* id or name; NULL: the one of which there is the newest entry */
	struct report_options options;
};

/*
 * 0 and a report, the caller's; or -errno, and in `error` what to print. -ENOENT: there is nothing
 * of such a session.
 */
int report_read(const struct report_where *where, struct text *error, struct report **ret_report);
