/* SPDX-License-Identifier: MPL-2.0 */
/* grithd as it runs. */
#pragma once

#include "options.h"

/* Runs until a signal asks for the end. The exit status of the program. */
int daemon_run(const struct options *options);
