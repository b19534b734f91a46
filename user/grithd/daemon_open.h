/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Opening what grithd works with, in the order that daemon.c has. Each function logs what is wrong
 * and returns a negative errno then; what was opened is daemon.c's to close.
 */
#pragma once

struct daemon;

int daemon_open_state(struct daemon *daemon);
/* What was learned from answers, and the canaries. */
int daemon_open_learned(struct daemon *daemon);
int daemon_open_log(struct daemon *daemon);
int daemon_open_kernel(struct daemon *daemon);
int daemon_open_server(struct daemon *daemon);

/* Takes over the sessions of an earlier grithd. */
int daemon_adopt(struct daemon *daemon);
