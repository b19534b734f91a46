/* SPDX-License-Identifier: MPL-2.0 */
/* stdout and stderr are files in memory meanwhile, and stderr is the command's own stream. */
#include <criterion/criterion.h>
#include <getopt.h>
#include <string.h>
#include <sys/mman.h>

#include "grith/base/base.h"
#include "command_output.h"

#define WORDS_MAX 24

void command_output_clear(struct command_output *output)
{
	text_free(&output->out);
	text_free(&output->err);
}

/* The file that stands in for a descriptor from now on; *ret_old is what it was. */
static int replace(int fd, int *ret_old)
{
	int file = memfd_create("output", MFD_CLOEXEC);

	cr_assert_geq(file, 0);
	*ret_old = dup(fd);
	cr_assert_geq(*ret_old, 0);
	cr_assert_eq(dup2(file, fd), fd);
	return file;
}

static void restore(int fd, int old, int file, struct text *out)
{
	char chunk[16384];
	ssize_t n;

	cr_assert_eq(dup2(old, fd), fd);
	close(old);
	text_free(out);
	cr_assert_eq(text_add(out, "", 0), 0);
	cr_assert_eq(lseek(file, 0, SEEK_SET), 0);
	while ((n = read(file, chunk, sizeof(chunk))) > 0)
		cr_assert_eq(text_add(out, chunk, (size_t)n), 0);
	cr_assert_eq(n, 0);
	close(file);
}

void command_output_run(struct command_output *output, const struct command *command,
			const char *const *words)
{
	char *argv[WORDS_MAX + 2] = { (char *)command->name };
	FILE *before = stderr;
	int argc = 1, files[2], old[2];

	for (; words[argc - 1]; argc++) {
		cr_assert_leq(argc, WORDS_MAX);
		argv[argc] = (char *)words[argc - 1];
	}
	fflush(stdout);
	files[0] = replace(STDOUT_FILENO, &old[0]);
	files[1] = replace(STDERR_FILENO, &old[1]);
	message_open();
	optind = 0;
	output->status = command->run(argc, argv);
	fflush(stdout);
	if (stderr != before)
		fclose(stderr);
	stderr = before;
	restore(STDOUT_FILENO, old[0], files[0], &output->out);
	restore(STDERR_FILENO, old[1], files[1], &output->err);
}
