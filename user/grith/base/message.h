/* SPDX-License-Identifier: MPL-2.0 */
/* What the command says on stderr. */
#pragma once

/*
 * From now on stderr shows what a terminal would obey instead of passing it on: whoever writes to
 * it (getopt, too) may name an argument or a file as it is. Where there is not the memory, nothing
 * changes.
 */
void message_open(void);

/*
 * "grith: ", what the format makes, and a newline, in one line: what of it would begin another one
 * is shown instead, so that no name can say something in our place.
 */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));
