/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The audit log in the event loop: written after each round of records, signed once a minute, and
 * its sealed segments compressed while nothing else is ready. Other rooms add their lines to `log`
 * and call audit_write().
 */
#pragma once

#include <systemd/sd-event.h>

#include "log.h"

struct audit_ops {
	/* After each write: 0 or -errno, and whether readers will find something new. */
	void (*written)(void *arg, int r, bool grew);
};

/* Starts as { .ops, .arg }. */
struct audit {
	const struct audit_ops *ops;
	void *arg;
	struct audit_log *log; /* owned */
	bool failing; /* the last write failed, and that was logged */
	sd_event_source *timer, *compressor;
};

/* Takes the log over where it succeeds. 0 or -errno. */
int audit_start(struct audit *audit, sd_event *event, struct audit_log *log);
/* Ends the log with a checkpoint. */
void audit_free(struct audit *audit);

/* Writes what was collected. What cannot be written stays for the next time. */
void audit_write(struct audit *audit);
