/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The whole terminal as a screen: pictures out, keys in. The only file that knows curses.
 */
#pragma once

#include "key.h"
#include "picture.h"

struct screen;

/* 0, or -ENOTTY where stdin and stdout are not one, or -ENOTSUP where it cannot be controlled. */
int screen_open(bool colour, struct screen **ret_screen);
/* The message that this failed, and the exit status. `needs`: "... needs a terminal; ...". */
int screen_failed(int r, const char *needs);
/* The terminal as it was before. */
void screen_free(struct screen *screen);
DEFINE_CLEANUP(struct screen, screen_free)

void screen_size(const struct screen *screen, unsigned int *ret_rows, unsigned int *ret_columns);

/*
 * Shows the picture. Whatever is in it, each line stays within its row: characters without a width
 * become '?', and what is beyond the right edge is not drawn.
 */
void screen_draw(struct screen *screen, const struct picture *picture);

/*
 * The one wait of a program on a screen: for keys, for other descriptors (-1: none), for the end. 0
 * and what is readable; 1 where the program has to end, by a signal or because the terminal has
 * hung up; or -errno.
 */
#define SCREEN_WAIT_MAX 4
int screen_wait(struct screen *screen, const int *fds, size_t count, int timeout,
		bool ret_readable[]);

/* The next key that was typed, a character or an enum screen_key; SCREEN_KEY_NONE: none yet. */
int screen_key(struct screen *screen);

/* Discards the keys that were typed and not read. */
void screen_forget_keys(struct screen *screen);
