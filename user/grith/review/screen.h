/* SPDX-License-Identifier: MPL-2.0 */
/* The full screen of `grith review`: its one wait, for keys, for reviews and for the clock. */
#pragma once

/* Until the user quits. `session` may be NULL. The exit status of the program; says what failed. */
int review_screen_run(const char *socket, const char *session);
