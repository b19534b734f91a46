/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Paths as printed, made absolute: with the directory that strace -y annotated, else the one that
 * the log's calls lead to, else the caller's. "." and ".." are removed without following links,
 * which a log does not have.
 */
#include "internal.h"

/* Rewrites an absolute path in its place, which never makes it longer. */
static void normalize(struct text *path)
{
	char *data = path->data;
	size_t from = 0, to = 0;

	while (from < path->length) {
		size_t length;

		while (from < path->length && data[from] == '/')
			from++;
		for (length = 0; from + length < path->length && data[from + length] != '/';)
			length++;
		if (length == 2 && data[from] == '.' && data[from + 1] == '.') {
			while (to && data[--to] != '/')
				;
		} else if (length && (length != 1 || data[from] != '.')) {
			data[to++] = '/';
			memmove(data + to, data + from, length);
			to += length;
		}
		from += length;
	}
	if (!to)
		data[to++] = '/';
	path->length = to;
	data[to] = '\0';
}

static void note_cwd(const struct strace_context *c, const struct text *path)
{
	struct strace_log *log = c->log;

	log->notes.annotated = true;
	if (!log->first_cwd && path->length && !log->notes.has_chdir)
		log->first_cwd = strndup(path->data, path->length);
	strace_set_cwd(c, path);
}

void strace_set_cwd(const struct strace_context *c, const struct text *path)
{
	const char *old = c->process->cwd;

	if (old && bytes_are(strace_bytes(path), old))
		return;
	strace_task_set(&c->log->tasks, &c->process->cwd, path->data, path->length);
	c->process->moved = true;
}

/* The directory that relative paths begin at, into `out`. false: it is not known. */
static bool find_cwd(const struct strace_context *c, struct text *out)
{
	const char *cwd = c->process->cwd ? c->process->cwd : c->log->cwd;

	if (!c->process->moved)
		c->log->notes.guessed++;
	return cwd && text_add(out, cwd, strlen(cwd)) == 0;
}

/* The directory in an argument. false: it is not known. */
static bool find_directory(const struct strace_context *c, struct record_bytes arg,
			   struct text *out)
{
	const char *known;
	int fd;

	if (strace_descriptor(arg, &fd) < 0)
		return find_cwd(c, out);
	if (strace_annotation(arg, out)) {
		if (fd < 0)
			note_cwd(c, out);
		return true;
	}
	known = strace_task_fd(c->process, fd);
	if (known)
		return text_add(out, known, strlen(known)) == 0;
	if (fd >= 0 && c->process->moved)
		c->log->notes.guessed++;
	return find_cwd(c, out);
}

int strace_path(const struct strace_context *c, bool at, size_t arg, struct text *out,
		unsigned int *flags)
{
	const struct record_bytes *args = c->call->args;
	struct text *bare = &c->log->bare, *joined = &c->log->joined;
	bool cut = false, known;
	int r;

	bare->length = out->length = joined->length = 0;
	r = strace_string(args[arg], bare, &cut);
	if (r < 0)
		return r == -EBADMSG ? 0 : r;
	if (cut) {
		c->log->notes.truncated++;
		*flags |= GRITH_RECORD_UNKNOWN;
	}
	if (!bare->length || bare->data[0] != '/') {
		known = at ? find_directory(c, args[arg - 1], out) : find_cwd(c, out);
		if (!known || !out->length || out->data[0] != '/')
			*flags |= GRITH_RECORD_UNKNOWN;
		r = text_add(out, "/", 1);
	} else if (at && bytes_start(args[arg - 1], "AT_FDCWD<") &&
		   strace_annotation(args[arg - 1], joined)) {
		note_cwd(c, joined);
	}
	if (r == 0)
		r = text_add(out, bare->data ? bare->data : "", bare->length);
	if (r < 0)
		return r;
	/* A NUL ends a path, and one that is too long is none. */
	out->length = strnlen(out->data, out->length);
	normalize(out);
	if (out->length >= GRITH_PATH_MAX)
		*flags |= GRITH_RECORD_UNKNOWN;
	return 1;
}

int strace_fd_path(const struct strace_context *c, size_t arg, struct text *out,
		   unsigned int *flags)
{
	const char *known;
	int fd, r;

	out->length = 0;
	if (strace_descriptor(c->call->args[arg], &fd) < 0)
		return 0;
	if (strace_annotation(c->call->args[arg], out))
		return 1;
	known = strace_task_fd(c->process, fd);
	if (!known) {
		*flags |= GRITH_RECORD_UNKNOWN;
		return 1;
	}
	r = text_add(out, known, strlen(known));
	return r < 0 ? r : 1;
}
