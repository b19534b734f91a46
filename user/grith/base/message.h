/* SPDX-License-Identifier: MPL-2.0 */
/* Messages on stderr, which no name in them can forge. */
#pragma once

/*
 * From now on stderr escapes control characters, so that anything that writes to it (getopt, too)
 * may pass an argument or a name of a file as it is. Without memory, nothing changes.
 */
void message_open(void);

/* "grith: ", what the format makes, with newlines escaped, and a newline: always one line. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));
