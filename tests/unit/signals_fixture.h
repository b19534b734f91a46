/* SPDX-License-Identifier: MPL-2.0 */
/* The signals of tests that start programs. */
#pragma once

#include <signal.h>

#include "lib/base/base.h"

/* What whoever started the tests ignores, all that they start ignores as well. */
static inline void heed_signals(void)
{
	static const int signals[] = { SIGINT,	SIGQUIT, SIGHUP,  SIGTERM, SIGUSR1, SIGUSR2,
				       SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGCHLD };

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		signal(signals[i], SIG_DFL);
}
