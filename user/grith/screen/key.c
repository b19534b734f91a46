/* SPDX-License-Identifier: MPL-2.0 */
/* Keys that move through rows and lines, the same on every screen. */
#include "key.h"

bool screen_key_moves(int key, size_t from, size_t page, size_t last, size_t *ret_to)
{
	size_t to = from;

	switch (key) {
	case SCREEN_KEY_UP:
	case 'k':
		to -= !!from;
		break;
	case SCREEN_KEY_DOWN:
	case 'j':
		to++;
		break;
	case SCREEN_KEY_PAGE_UP:
		to -= from < page ? from : page;
		break;
	case SCREEN_KEY_PAGE_DOWN:
		to += page;
		break;
	case SCREEN_KEY_HOME:
	case 'g':
		to = 0;
		break;
	case SCREEN_KEY_END:
	case 'G':
		to = last;
		break;
	default:
		return false;
	}
	*ret_to = to < last ? to : last;
	return true;
}
