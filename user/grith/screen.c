/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The terminal, through ncursesw. Text is drawn character by character with the widths that the
 * locale gives them, so that no name can shift or wrap a line.
 */
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "review_model.h"
#include "screen.h"

#define ESCAPE_MS 25 /* after which an escape character was the key, not the start of another one */

struct screen {
	SCREEN *terminal;
	bool colour;
};

enum pair { PAIR_ALERT = 1, PAIR_DIM };

int screen_open(bool colour, struct screen **ret_screen)
{
	CLEANUP(screen_freep) struct screen *screen = NULL;
	const char *type = getenv("TERM");

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return -ENOTTY;
	/* curses would take one that cannot move its cursor */
	if (!type || !strcmp(type, "dumb"))
		return -ENOTSUP;
	screen = calloc(1, sizeof(*screen));
	if (!screen)
		return -ENOMEM;
	setlocale(LC_CTYPE, "");
	screen->terminal = newterm(NULL, stdout, stdin);
	if (!screen->terminal)
		return -ENOTSUP;
	set_term(screen->terminal);
	set_escdelay(ESCAPE_MS);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	screen->colour = colour && has_colors() && start_color() == OK;
	if (screen->colour) {
		use_default_colors();
		init_pair(PAIR_ALERT, COLOR_YELLOW, -1);
		init_pair(PAIR_DIM, COLOR_CYAN, -1);
	}
	*ret_screen = TAKE_PTR(screen);
	return 0;
}

void screen_free(struct screen *screen)
{
	if (!screen)
		return;
	if (screen->terminal) {
		endwin();
		delscreen(screen->terminal);
	}
	free(screen);
}

void screen_size(const struct screen *screen, unsigned int *ret_rows, unsigned int *ret_columns)
{
	(void)screen;
	*ret_rows = getmaxy(stdscr) > 0 ? getmaxy(stdscr) : 0;
	*ret_columns = getmaxx(stdscr) > 0 ? getmaxx(stdscr) : 0;
}

static attr_t attributes_of(const struct screen *screen, enum picture_style style)
{
	switch (style) {
	case PICTURE_BAR:
	case PICTURE_CHOSEN:
		return A_REVERSE;
	case PICTURE_DIM:
		return screen->colour ? COLOR_PAIR(PAIR_DIM) : A_DIM;
	case PICTURE_BOLD:
		return A_BOLD;
	case PICTURE_ALERT:
		return screen->colour ? COLOR_PAIR(PAIR_ALERT) | A_BOLD : A_BOLD;
	default:
		return A_NORMAL;
	}
}

/* The next character of the text, never one without a width, and its bytes, one at least. */
static size_t next_character(const char *text, mbstate_t *state, wchar_t *ret_character,
			     int *ret_width)
{
	wchar_t character;
	size_t length = mbrtowc(&character, text, strlen(text), state);

	if (length == (size_t)-1 || length == (size_t)-2 || !length) {
		memset(state, 0, sizeof(*state));
		length = 1;
		character = L'?';
	}
	*ret_width = wcwidth(character);
	if (*ret_width < 1) {
		character = L'?';
		*ret_width = 1;
	}
	*ret_character = character;
	return length;
}

static void draw_line(const struct screen *screen, int row, int columns,
		      const struct picture_line *line)
{
	attr_t attributes = attributes_of(screen, line->style);
	const char *text = line->text.data ? line->text.data : "";
	mbstate_t state = { 0 };
	int column = 0, width;

	move(row, 0);
	for (unsigned int i = 0; *text; i++) {
		wchar_t character[2] = { 0 };

		text += next_character(text, &state, character, &width);
		if (column + width > columns)
			break;
		attrset(attributes | (i < line->label ? A_BOLD : 0));
		addnwstr(character, 1);
		column += width;
	}
	attrset(A_NORMAL);
}

void screen_draw(struct screen *screen, const struct picture *picture)
{
	int rows = getmaxy(stdscr), columns = getmaxx(stdscr);

	erase();
	for (size_t i = 0; i < picture->count && (int)i < rows; i++)
		draw_line(screen, (int)i, columns, &picture->lines[i]);
	refresh();
}

int screen_key(struct screen *screen)
{
	int key = getch();

	(void)screen;
	switch (key) {
	case KEY_UP:
		return REVIEW_KEY_UP;
	case KEY_DOWN:
		return REVIEW_KEY_DOWN;
	case KEY_PPAGE:
		return REVIEW_KEY_PAGE_UP;
	case KEY_NPAGE:
		return REVIEW_KEY_PAGE_DOWN;
	case KEY_HOME:
		return REVIEW_KEY_HOME;
	case KEY_END:
		return REVIEW_KEY_END;
	case KEY_RESIZE:
		return REVIEW_KEY_RESIZE;
	case ERR:
		return REVIEW_KEY_NONE;
	default:
		return key > 0 && key < 128 ? key : REVIEW_KEY_OTHER;
	}
}

void screen_forget_keys(struct screen *screen)
{
	(void)screen;
	flushinp();
}
