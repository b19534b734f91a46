/* SPDX-License-Identifier: MPL-2.0 */
/* How a secret came to a process: one line for each step of a chain. Pure. */
#pragma once

#include <jansson.h>

#include "lib/base/base.h"

/* Adds "cat[12] read /home/me/.env" for an entry of "chain", see grithd(8). 0 or -ENOMEM. */
int view_chain_step(const json_t *step, struct text *line);
