/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The whole terminal as a screen: pictures out, keys in. The only file that knows curses.
 */
#ifndef GRITH_SCREEN_H
#define GRITH_SCREEN_H

#include <stdbool.h>

#include "picture.h"

struct screen;

/* 0, or -ENOTTY where stdin and stdout are not one, or -ENOTSUP where it cannot be controlled. */
int screen_open(bool colour, struct screen **ret_screen);
/* The terminal as it was before. */
void screen_free(struct screen *screen);
DEFINE_CLEANUP(struct screen, screen_free)

void screen_size(const struct screen *screen, unsigned int *ret_rows, unsigned int *ret_columns);

/*
 * Shows the picture. Whatever is in it, each line stays within its row: characters without a width
 * become '?', and what is beyond the right edge is not drawn.
 */
void screen_draw(struct screen *screen, const struct picture *picture);

/* The next key that was typed, a character or an enum review_key; REVIEW_KEY_NONE: none yet. */
int screen_key(struct screen *screen);

/* Forgets the keys that were typed and not read. */
void screen_forget_keys(struct screen *screen);

#endif
