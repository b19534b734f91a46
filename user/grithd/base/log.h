/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grithd's messages to the person who runs it, on stderr: with the priority in front where the
 * journal or another program reads them, else with the program's name. Hostile bytes are escaped.
 */
#pragma once

#include <syslog.h> /* LOG_ERR and the other priorities */

struct diag;

void log_line(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One line for each entry. */
void log_diag(int priority, const struct diag *diag);
