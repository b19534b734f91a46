/* SPDX-License-Identifier: MPL-2.0 */
/* What the command says on stderr. */
#ifndef GRITH_MESSAGE_H
#define GRITH_MESSAGE_H

/*
 * From now on stderr shows what a terminal would obey instead of passing it on: whoever writes to
 * it (getopt, too) may name an argument or a file as it is. Where there is not the memory, nothing
 * changes.
 */
void message_open(void);

#endif
