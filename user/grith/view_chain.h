/* SPDX-License-Identifier: MPL-2.0 */
/* How a secret came to a process: one line for each step of a chain. Pure. */
#ifndef GRITH_VIEW_CHAIN_H
#define GRITH_VIEW_CHAIN_H

#include <jansson.h>

#include "text.h"

/* Adds "cat[12] read /home/me/.env" for an entry of "chain", see grithd(8). 0 or -ENOMEM. */
int view_chain_step(const json_t *step, struct text *line);

#endif
