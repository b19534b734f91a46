/* SPDX-License-Identifier: MPL-2.0 */
/* `grith top` on the full screen: its one wait, for keys, for grithd and for the clock. */
#pragma once

/* Until the user quits. `filter` may be NULL. An exit status; says what failed. */
int top_screen_run(const char *socket, const char *filter);
