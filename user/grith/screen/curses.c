/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The terminal, through ncursesw. Text is drawn character by character with the widths that the
 * locale gives them, each span at its column, so that no name can shift or wrap a line. Signals
 * that end or stop a program are waited for instead, so that the terminal is as before in any case,
 * and the key that stops it is not lost where it comes while something is drawn (curses ignores it
 * then). A new size is curses' own business.
 */
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <wchar.h>

#include "grith/base/base.h"
#include "curses.h"

#define ESCAPE_MS 25 /* after which an escape character was the key, not the start of another one */

struct screen {
	SCREEN *terminal;
	bool colour;
	int signals; /* what ends or stops the program, readable */
	bool stops; /* by SIGTSTP; not where the caller ignores it */
	sigset_t before;
};

/*
 * Colours that stay apart with any kind of colour blindness; and each only repeats what a word on
 * the screen tells already.
 */
enum pair { PAIR_ALERT = 1, PAIR_DIM, PAIR_HELD };

/* Never runs, as the signal is blocked: what curses takes for the program's own disposition. */
static void stop_handler(int signal)
{
	(void)signal;
}

static int take_signals(struct screen *screen)
{
	static const int ending[] = { SIGHUP, SIGINT, SIGTERM, SIGQUIT };
	struct sigaction stop;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		sigaddset(&set, ending[i]);
	screen->stops = sigaction(SIGTSTP, NULL, &stop) == 0 && stop.sa_handler == SIG_DFL;
	if (screen->stops) {
		signal(SIGTSTP, stop_handler);
		sigaddset(&set, SIGTSTP);
	}
	if (sigprocmask(SIG_BLOCK, &set, &screen->before) < 0)
		return -errno;
	screen->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (screen->signals < 0) {
		int r = -errno;

		sigprocmask(SIG_SETMASK, &screen->before, NULL);
		return r;
	}
	return 0;
}

static void set_modes(struct screen *screen, bool colour)
{
	set_escdelay(ESCAPE_MS);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	screen->colour = colour && has_colors() && start_color() == OK;
	if (!screen->colour)
		return;
	use_default_colors();
	init_pair(PAIR_ALERT, COLOR_YELLOW, -1);
	init_pair(PAIR_DIM, COLOR_CYAN, -1);
	init_pair(PAIR_HELD, COLOR_MAGENTA, -1);
}

int screen_open(bool colour, struct screen **ret_screen)
{
	CLEANUP(screen_freep) struct screen *screen = NULL;
	const char *type = getenv("TERM");
	int r;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return -ENOTTY;
	/* curses would take one that cannot move its cursor */
	if (!type || !strcmp(type, "dumb"))
		return -ENOTSUP;
	screen = calloc(1, sizeof(*screen));
	if (!screen)
		return -ENOMEM;
	screen->signals = -1;
	r = take_signals(screen);
	if (r < 0)
		return r;
	setlocale(LC_CTYPE, "");
	screen->terminal = newterm(NULL, stdout, stdin);
	if (!screen->terminal)
		return -ENOTSUP;
	set_term(screen->terminal);
	set_modes(screen, colour);
	*ret_screen = TAKE_PTR(screen);
	return 0;
}

int screen_failed(int r, const char *needs)
{
	if (r == -ENOTTY)
		message("%s", needs);
	else
		message("this terminal cannot be used: %s; see TERM", strerror(-r));
	return COMMAND_FAILED;
}

void screen_free(struct screen *screen)
{
	if (!screen)
		return;
	if (screen->terminal) {
		endwin();
		delscreen(screen->terminal);
	}
	if (screen->signals >= 0) {
		struct signalfd_siginfo taken;

		/* The signal that ended this must not come again before the last message. */
		while (read(screen->signals, &taken, sizeof(taken)) > 0)
			;
		close(screen->signals);
		if (screen->stops)
			signal(SIGTSTP, SIG_DFL);
		sigprocmask(SIG_SETMASK, &screen->before, NULL);
	}
	free(screen);
}

void screen_size(const struct screen *screen, unsigned int *ret_rows, unsigned int *ret_columns)
{
	(void)screen;
	*ret_rows = getmaxy(stdscr) > 0 ? getmaxy(stdscr) : 0;
	*ret_columns = getmaxx(stdscr) > 0 ? getmaxx(stdscr) : 0;
}

/* A reversed row has one colour: reversed, the colour of each word would become a background. */
static attr_t attributes_of(const struct screen *screen, unsigned int style)
{
	attr_t reverse = style & PICTURE_REVERSE ? A_REVERSE : A_NORMAL;
	bool colour = screen->colour && !reverse;

	switch (style & ~(unsigned int)PICTURE_REVERSE) {
	case PICTURE_DIM:
		return reverse | (colour ? COLOR_PAIR(PAIR_DIM) : reverse ? A_NORMAL : A_DIM);
	case PICTURE_BOLD:
		return reverse | A_BOLD;
	case PICTURE_ALERT:
		return reverse | A_BOLD | (colour ? COLOR_PAIR(PAIR_ALERT) : A_NORMAL);
	case PICTURE_HELD:
		return reverse | A_BOLD | (colour ? COLOR_PAIR(PAIR_HELD) : A_NORMAL);
	default:
		return reverse;
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

/* Text that ends before `end`, and before the column `limit`, up to which spaces follow. */
static void draw_span(int column, int limit, const char *text, const char *end)
{
	mbstate_t state = { 0 };
	int width;

	while (text < end) {
		wchar_t character[2] = { 0 };

		text += next_character(text, &state, character, &width);
		if (column + width > limit)
			break;
		addnwstr(character, 1);
		column += width;
	}
	for (; column < limit; column++)
		addch(' ');
}

static void draw_line(const struct screen *screen, int row, int columns,
		      const struct picture_line *line)
{
	for (size_t i = 0; i < line->n_spans; i++) {
		const struct picture_span *span = &line->spans[i];
		bool last = i + 1 == line->n_spans;
		unsigned int limit = last ? line->columns : span[1].column;

		if ((int)span->column >= columns)
			break;
		move(row, (int)span->column);
		attrset(attributes_of(screen, span->style));
		draw_span((int)span->column, (int)limit < columns ? (int)limit : columns,
			  line->text.data + span->start,
			  line->text.data + (last ? line->text.length : span[1].start));
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

/* As the terminal's user asked; afterwards the screen is as it was. */
static void stop(void)
{
	sigset_t one, before;

	endwin();
	signal(SIGTSTP, SIG_DFL);
	raise(SIGTSTP);
	sigemptyset(&one);
	sigaddset(&one, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &one, &before);
	/* stopped here, and continued */
	sigprocmask(SIG_SETMASK, &before, NULL);
	signal(SIGTSTP, stop_handler);
	def_shell_mode();
	refresh();
}

/* Whether a signal ends the program. */
static bool heed_signals(struct screen *screen)
{
	struct signalfd_siginfo taken;

	while (read(screen->signals, &taken, sizeof(taken)) == sizeof(taken)) {
		if (taken.ssi_signo != SIGTSTP)
			return true;
		stop();
	}
	return false;
}

int screen_wait(struct screen *screen, const int *fds, size_t count, int timeout,
		bool ret_readable[])
{
	struct pollfd pollers[2 + SCREEN_WAIT_MAX] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = screen->signals, .events = POLLIN },
	};

	for (size_t i = 0; i < count && i < SCREEN_WAIT_MAX; i++)
		pollers[2 + i] = (struct pollfd) { .fd = fds[i], .events = POLLIN };
	memset(ret_readable, 0, count * sizeof(*ret_readable));
	if (poll(pollers, 2 + count, timeout) < 0)
		/* a signal, such as that of a new size, which is a key */
		return errno == EINTR ? 0 : -errno;
	for (size_t i = 0; i < count; i++)
		ret_readable[i] = pollers[2 + i].revents != 0;
	/* The terminal has hung up, or a signal ends the program. */
	return pollers[0].revents & (POLLHUP | POLLERR | POLLNVAL) || heed_signals(screen) ? 1 : 0;
}

int screen_key(struct screen *screen)
{
	static const struct {
		int curses;
		enum screen_key key;
	} keys[] = {
		{ ERR, SCREEN_KEY_NONE },
		{ KEY_UP, SCREEN_KEY_UP },
		{ KEY_DOWN, SCREEN_KEY_DOWN },
		{ KEY_PPAGE, SCREEN_KEY_PAGE_UP },
		{ KEY_NPAGE, SCREEN_KEY_PAGE_DOWN },
		{ KEY_HOME, SCREEN_KEY_HOME },
		{ KEY_END, SCREEN_KEY_END },
		{ KEY_RESIZE, SCREEN_KEY_RESIZE },
		{ KEY_BTAB, SCREEN_KEY_BACK_TAB },
		{ KEY_BACKSPACE, SCREEN_KEY_BACKSPACE },
		{ 8, SCREEN_KEY_BACKSPACE },
		{ 127, SCREEN_KEY_BACKSPACE },
		{ KEY_ENTER, SCREEN_KEY_ENTER },
		{ '\n', SCREEN_KEY_ENTER },
		{ KEY_F(1), SCREEN_KEY_HELP },
		{ KEY_F(6), SCREEN_KEY_SORT },
		{ KEY_F(10), SCREEN_KEY_QUIT },
	};
	int key = getch();

	(void)screen;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].curses == key)
			return keys[i].key;
	return key > 0 && key < 256 ? key : SCREEN_KEY_OTHER;
}

void screen_forget_keys(struct screen *screen)
{
	(void)screen;
	flushinp();
}
