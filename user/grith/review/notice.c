/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Starting programs for a review and collecting them. What the agent chose reaches them as data
 * only: after a "--", escaped, or on their standard input.
 */
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "notice.h"
#include "view.h"

#define BODY_COLUMNS 200

/* Those that have ended; where more than `most` run, waits until there are no more than that. */
static void collect(struct notice *notice, unsigned int most)
{
	while (notice->running) {
		pid_t pid = waitpid(-1, NULL, notice->running > most ? 0 : WNOHANG);

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			notice->running = 0;
		if (pid <= 0)
			return;
		notice->running--;
	}
}

/* `input`, or /dev/null where it is negative, becomes its stdin. */
static int start(struct notice *notice, const char *const *argv, int input)
{
	posix_spawn_file_actions_t actions;
	pid_t child;
	int r;

	collect(notice, NOTICE_RUNNING - 1);
	r = -posix_spawn_file_actions_init(&actions);
	if (r < 0)
		return r;
	if (input >= 0)
		r = -posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	else
		r = -posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY,
						      0);
	/* Its output is not ours: ours may be read by a program. */
	if (r == 0)
		r = -posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
	if (r == 0)
		r = -posix_spawnp(&child, argv[0], &actions, NULL, (char **)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (r == 0)
		notice->running++;
	return r;
}

static void add_markup(struct line *out, const char *text)
{
	for (; *text; text++) {
		const char one[] = { *text, '\0' };

		line_add(out, *text == '<'   ? "&lt;"
			      : *text == '>' ? "&gt;"
			      : *text == '&' ? "&amp;"
					     : one);
	}
}

int notice_texts(const json_t *review, struct text *heading, struct text *body)
{
	OWNED_LINE struct line line = { .out = &line.own }, object = { .out = &object.own };
	struct line head = { .out = heading }, markup = { .out = body };

	line_add(&head, "grith: ");
	view_review_session(&head, review);
	line_addf(&head, " asks (%lld)", (long long)member_integer(review, "id"));
	view_review_program(&line, review);
	line_add(&line, ": ");
	line_add_member(&line, review, "op");
	line_add(&line, " ");
	view_review_object(&object, review);
	line_add_middle(&line, line_text(&object), BODY_COLUMNS);
	add_markup(&markup, line_text(&line));
	return head.r | line.r | object.r | markup.r ? -ENOMEM : 0;
}

int notice_desktop(struct notice *notice, const json_t *review)
{
	OWNED_TEXT struct text heading = { 0 }, body = { 0 };
	int r = notice_texts(review, &heading, &body);
	const char *const argv[] = {
		"notify-send", "--app-name=grith", "--urgency=critical",
		"--",	       heading.data,	   body.data,
		NULL,
	};

	return r < 0 ? r : start(notice, argv, -1);
}

static int input_of(const json_t *review, int *ret_fd)
{
	OWNED_MEM char *text = json_dumps(review, JSON_COMPACT | JSON_ENSURE_ASCII);
	OWNED_FD int fd = -1;
	size_t length;
	int r;

	if (!text)
		return -ENOMEM;
	/* Not a pipe, which would make us wait for a command that does not read. */
	fd = memfd_create("review", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	length = strlen(text);
	text[length++] = '\n'; /* replaces the NUL */
	r = write_all(fd, text, length);
	if (r < 0)
		return r;
	lseek(fd, 0, SEEK_SET);
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int notice_command(struct notice *notice, const char *command, const json_t *review)
{
	const char *const argv[] = { "sh", "-c", command, NULL };
	OWNED_FD int input = -1;
	int r = input_of(review, &input);

	return r < 0 ? r : start(notice, argv, input);
}
