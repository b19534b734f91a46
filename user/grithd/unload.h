/* SPDX-License-Identifier: MPL-2.0 */
/*
 * `grithd --unload`: the end of enforcement.
 */
#pragma once

#include "options.h"

/*
 * Takes the programs out of the kernel. Refuses while a grithd runs, and, unless forced, while
 * there are sessions. The exit status of the program.
 */
int unload_run(const struct options *options);
