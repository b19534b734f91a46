/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What a screen gives for a key that was typed: the byte of a character, or one of these. Models
 * know it, and nothing else of the terminal.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum screen_key {
	SCREEN_KEY_NONE = 0,
	SCREEN_KEY_TAB = 9,
	SCREEN_KEY_ENTER = 13,
	SCREEN_KEY_ESCAPE = 27,
	SCREEN_KEY_UP = 0x1000,
	SCREEN_KEY_DOWN,
	SCREEN_KEY_PAGE_UP,
	SCREEN_KEY_PAGE_DOWN,
	SCREEN_KEY_HOME,
	SCREEN_KEY_END,
	SCREEN_KEY_BACK_TAB,
	SCREEN_KEY_BACKSPACE,
	SCREEN_KEY_HELP, /* F1 */
	SCREEN_KEY_SORT, /* F6 */
	SCREEN_KEY_QUIT, /* F10 */
	SCREEN_KEY_OTHER, /* one that nothing is bound to */
	SCREEN_KEY_RESIZE, /* no key: the screen has another size, and nothing is asked */
};

/*
 * Whether the key is one that moves: an arrow, a page key, Home, End, or as in less j, k, g, G; and
 * where to, from 0 to `last`.
 */
bool screen_key_moves(int key, size_t from, size_t page, size_t last, size_t *ret_to);
