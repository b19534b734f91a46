/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Finding and running grithd's own check, which knows what it needs.
 */
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <sys/wait.h>

#include "grith/base/base.h"
#include "lib/base/base.h"
#include "self_check.h"

#define SYSTEM_SEARCH "/usr/local/sbin:/usr/sbin:/sbin"
#define OUTPUT_MAX (1u << 20)

int self_check_find(char **ret_program)
{
	const char *search = getenv("PATH");
	OWNED_TEXT struct text all = { 0 };
	char self[PATH_MAX];
	ssize_t length;
	int r;

	length = readlink("/proc/self/exe", self, sizeof(self));
	if (length < 0)
		return -errno;
	while (length > 1 && self[length - 1] != '/')
		length--;
	r = text_addf(&all, "%.*s:%.*s../sbin:%s:" SYSTEM_SEARCH, (int)length, self, (int)length,
		      self, search ? search : "");
	return r < 0 ? r : program_find("grithd", all.data, ret_program);
}

static int read_all(int fd, struct text *output)
{
	char buffer[4096];
	ssize_t n;

	while ((n = read(fd, buffer, sizeof(buffer))) != 0) {
		int r;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (output->length > OUTPUT_MAX)
			return -EFBIG;
		r = text_add(output, buffer, n);
		if (r < 0)
			return r;
	}
	return 0;
}

static int spawn(const char *program, int out, pid_t *ret_child)
{
	char *argv[] = { "grithd", "--check", "--json", NULL };
	posix_spawn_file_actions_t actions;
	int r;

	r = -posix_spawn_file_actions_init(&actions);
	if (r < 0)
		return r;
	r = -posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (r == 0)
		r = -posix_spawn(ret_child, program, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return r;
}

int self_check_run(const char *program, json_t **ret_report)
{
	OWNED_TEXT struct text output = { 0 };
	json_auto_t *report = NULL;
	OWNED_FD int from = -1;
	OWNED_FD int to = -1;
	pid_t child;
	int ends[2], r;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	from = ends[0];
	to = ends[1];
	r = spawn(program, to, &child);
	if (r < 0)
		return r;
	close(TAKE_FD(to));
	r = read_all(from, &output);
	close(TAKE_FD(from)); /* a child that still writes ends now */
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	if (r < 0)
		return r;
	report = json_loadb(output.data ? output.data : "", output.length, 0, NULL);
	if (!json_is_object(report))
		return -EBADMSG;
	*ret_report = TAKE_PTR(report);
	return 0;
}
