/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What each system call is, in a table: which operation, and where its names are. A call that
 * failed is an event too, with its error; what it may have done to the log's state it has not done.
 */
#include "internal.h"

/* Whether a directory's descriptor is the argument before the path. */
enum { NO_DIR = false, AT = true };

#define NO_FLAGS (-1)

struct shape {
	const char *name;
	int (*take)(const struct strace_context *c, const struct shape *shape); /* NULL: no event */
	enum grith_op op;
	bool at;
	/* Numbers of arguments: of the path or descriptor; of flags, argv or the second path. */
	int path, other;
};

static int emit_file(const struct strace_context *c, enum grith_op op, unsigned int flags)
{
	struct log_event event = {
		.kind = LOG_FILE,
		.op = op,
		.path = strace_bytes(&c->log->path),
		.flags = flags,
	};

	return strace_emit(c, &event);
}

static int path_of(const struct strace_context *c, const struct shape *shape, unsigned int *flags)
{
	return strace_path(c, shape->at, (size_t)shape->path, &c->log->path, flags);
}

/* --- files */

static enum grith_op open_op(struct record_bytes flags, bool creat, unsigned int *ret_flags)
{
	bool write = creat || strace_has_flag(flags, "O_WRONLY");

	/* With O_TRUNC an open for reading empties the file as well. */
	if (write || strace_has_flag(flags, "O_RDWR") || strace_has_flag(flags, "O_TRUNC")) {
		*ret_flags |= write ? 0 : GRITH_RECORD_READ_TOO;
		return GRITH_OP_WRITE;
	}
	if (!strace_has_flag(flags, "O_DIRECTORY"))
		return GRITH_OP_READ;
	*ret_flags |= GRITH_RECORD_DIRECTORY;
	return GRITH_OP_OPENDIR;
}

static void remember_fd(const struct strace_context *c, const struct text *path)
{
	if (!c->call->error && c->call->value >= 0 && c->call->value < STRACE_FD_MAX)
		strace_task_set_fd(&c->log->tasks, c->process, (int)c->call->value, path->data,
				   path->length);
}

/* O_CREAT with O_EXCL made the file; without, whether it did is not in the log. */
static int take_open(const struct strace_context *c, const struct shape *shape)
{
	struct record_bytes how = { 0 };
	unsigned int flags = 0;
	enum grith_op op;
	int r = path_of(c, shape, &flags);

	if (r <= 0)
		return r;
	if (shape->other != NO_FLAGS)
		how = c->call->args[shape->other];
	remember_fd(c, &c->log->path);
	if (strace_has_flag(how, "O_PATH"))
		return 0; /* opens nothing */
	op = open_op(how, shape->other == NO_FLAGS, &flags);
	if (!c->call->error && strace_has_flag(how, "O_CREAT") && strace_has_flag(how, "O_EXCL")) {
		r = emit_file(c, GRITH_OP_CREATE, flags & GRITH_RECORD_UNKNOWN);
		flags |= GRITH_RECORD_CREATED;
		if (r)
			return r;
	}
	return emit_file(c, op, flags);
}

static int take_path(const struct strace_context *c, const struct shape *shape)
{
	unsigned int flags = 0;
	int r = path_of(c, shape, &flags);

	if (strace_has_flag(c->call->args[2], "AT_REMOVEDIR"))
		flags |= GRITH_RECORD_DIRECTORY;
	return r <= 0 ? r : emit_file(c, shape->op, flags);
}

static int take_folder(const struct strace_context *c, const struct shape *shape)
{
	unsigned int flags = GRITH_RECORD_DIRECTORY;
	int r = path_of(c, shape, &flags);

	return r <= 0 ? r : emit_file(c, shape->op, flags);
}

static int take_pair(const struct strace_context *c, const struct shape *shape)
{
	struct log_event event = { .kind = LOG_FILE, .op = shape->op };
	int r = path_of(c, shape, &event.flags);

	if (r > 0)
		r = strace_path(c, shape->at, (size_t)shape->other, &c->log->second, &event.flags);
	if (r <= 0)
		return r;
	event.path = strace_bytes(&c->log->path);
	event.second = strace_bytes(&c->log->second);
	return strace_emit(c, &event);
}

/* On a descriptor. Of a socket, and of what else has no path, there is no event. */
static int take_fd(const struct strace_context *c, const struct shape *shape)
{
	unsigned int flags = shape->op == GRITH_OP_LIST ? GRITH_RECORD_DIRECTORY : 0;
	int r = strace_fd_path(c, (size_t)shape->path, &c->log->path, &flags);

	return r <= 0 ? r : emit_file(c, shape->op, flags);
}

/* --- programs */

/* /proc/self/exe is what runs already. */
static void set_program(const struct strace_context *c)
{
	const struct text *path = &c->log->path;

	if (c->process->program && !strcmp(path->data, "/proc/self/exe"))
		return;
	strace_task_set(&c->log->tasks, &c->process->program, path->data, path->length);
}

static int take_exec(const struct strace_context *c, const struct shape *shape)
{
	struct log_event event = { .kind = LOG_EXEC, .op = GRITH_OP_EXEC };
	bool cut = false;
	int r = path_of(c, shape, &event.flags);

	if (r <= 0)
		return r;
	c->log->argv.length = 0;
	r = strace_strings(c->call->args[shape->other], &c->log->argv, &cut);
	if (r == -ENOMEM)
		return r;
	if (cut || r < 0)
		event.flags |= GRITH_RECORD_TRUNCATED;
	if (!c->call->error)
		set_program(c);
	event.path = strace_bytes(&c->log->path);
	event.argv = strace_bytes(&c->log->argv);
	return strace_emit(c, &event);
}

static int take_fork(const struct strace_context *c, const struct shape *shape)
{
	struct strace_tasks *tasks = &c->log->tasks;
	struct strace_task *made;
	bool is_thread = false;

	(void)shape;
	c->log->notes.has_forks = true;
	if (c->call->error || c->call->value <= 0 || c->call->value > UINT32_MAX)
		return 0;
	for (size_t i = 0; i < c->call->n_args; i++)
		is_thread |= strace_has_flag(c->call->args[i], "CLONE_THREAD");
	made = strace_task_get(tasks, (uint32_t)c->call->value);
	if (made)
		strace_task_made(tasks, made, c->task, is_thread);
	else
		c->log->notes.dropped++;
	return 0;
}

static int moved(const struct strace_context *c, int r, unsigned int flags)
{
	c->log->notes.has_chdir = true;
	if (r > 0 && !c->call->error && !flags)
		strace_set_cwd(c, &c->log->path);
	return r < 0 ? r : 0;
}

static int take_chdir(const struct strace_context *c, const struct shape *shape)
{
	unsigned int flags = 0;
	int r = path_of(c, shape, &flags);

	return moved(c, r, flags);
}

static int take_fchdir(const struct strace_context *c, const struct shape *shape)
{
	unsigned int flags = 0;
	int r = strace_fd_path(c, (size_t)shape->path, &c->log->path, &flags);

	return moved(c, r, flags);
}

static int take_address(const struct strace_context *c, const struct shape *shape)
{
	return strace_take_address(c, shape->op, (size_t)shape->path);
}

static const struct shape shapes[] = {
	{ "openat", take_open, GRITH_OP_NONE, AT, 1, 2 },
	{ "open", take_open, GRITH_OP_NONE, NO_DIR, 0, 1 },
	{ "openat2", take_open, GRITH_OP_NONE, AT, 1, 2 },
	{ "creat", take_open, GRITH_OP_NONE, NO_DIR, 0, NO_FLAGS },
	{ "getdents64", take_fd, GRITH_OP_LIST, NO_DIR, 0, 0 },
	{ "getdents", take_fd, GRITH_OP_LIST, NO_DIR, 0, 0 },
	{ "execve", take_exec, GRITH_OP_EXEC, NO_DIR, 0, 1 },
	{ "execveat", take_exec, GRITH_OP_EXEC, AT, 1, 2 },
	{ "connect", take_address, GRITH_OP_CONNECT, NO_DIR, 1, 0 },
	{ "bind", take_address, GRITH_OP_BIND, NO_DIR, 1, 0 },
	{ "sendto", take_address, GRITH_OP_SEND, NO_DIR, 4, 0 },
	{ "sendmsg", take_address, GRITH_OP_SEND, NO_DIR, 1, 0 },
	{ "sendmmsg", take_address, GRITH_OP_SEND, NO_DIR, 1, 0 },
	{ "unlink", take_path, GRITH_OP_DELETE, NO_DIR, 0, 0 },
	{ "unlinkat", take_path, GRITH_OP_DELETE, AT, 1, 0 },
	{ "rmdir", take_folder, GRITH_OP_DELETE, NO_DIR, 0, 0 },
	{ "mkdir", take_folder, GRITH_OP_CREATE, NO_DIR, 0, 0 },
	{ "mkdirat", take_folder, GRITH_OP_CREATE, AT, 1, 0 },
	{ "mknod", take_path, GRITH_OP_CREATE, NO_DIR, 0, 0 },
	{ "mknodat", take_path, GRITH_OP_CREATE, AT, 1, 0 },
	{ "symlink", take_path, GRITH_OP_CREATE, NO_DIR, 1, 0 }, /* the target is just a text */
	{ "symlinkat", take_path, GRITH_OP_CREATE, AT, 2, 0 },
	{ "rename", take_pair, GRITH_OP_RENAME, NO_DIR, 0, 1 },
	{ "renameat", take_pair, GRITH_OP_RENAME, AT, 1, 3 },
	{ "renameat2", take_pair, GRITH_OP_RENAME, AT, 1, 3 },
	{ "link", take_pair, GRITH_OP_LINK, NO_DIR, 0, 1 },
	{ "linkat", take_pair, GRITH_OP_LINK, AT, 1, 3 },
	{ "truncate", take_path, GRITH_OP_TRUNCATE, NO_DIR, 0, 0 },
	{ "ftruncate", take_fd, GRITH_OP_TRUNCATE, NO_DIR, 0, 0 },
	{ "chmod", take_path, GRITH_OP_METADATA, NO_DIR, 0, 0 },
	{ "fchmodat", take_path, GRITH_OP_METADATA, AT, 1, 0 },
	{ "fchmodat2", take_path, GRITH_OP_METADATA, AT, 1, 0 },
	{ "fchmod", take_fd, GRITH_OP_METADATA, NO_DIR, 0, 0 },
	{ "chown", take_path, GRITH_OP_METADATA, NO_DIR, 0, 0 },
	{ "lchown", take_path, GRITH_OP_METADATA, NO_DIR, 0, 0 },
	{ "fchownat", take_path, GRITH_OP_METADATA, AT, 1, 0 },
	{ "fchown", take_fd, GRITH_OP_METADATA, NO_DIR, 0, 0 },
	{ "clone", take_fork, GRITH_OP_NONE, NO_DIR, 0, 0 },
	{ "clone3", take_fork, GRITH_OP_NONE, NO_DIR, 0, 0 },
	{ "fork", take_fork, GRITH_OP_NONE, NO_DIR, 0, 0 },
	{ "vfork", take_fork, GRITH_OP_NONE, NO_DIR, 0, 0 },
	{ "chdir", take_chdir, GRITH_OP_NONE, NO_DIR, 0, 0 },
	{ "fchdir", take_fchdir, GRITH_OP_NONE, NO_DIR, 0, 0 },
	{ "exit", NULL, GRITH_OP_NONE, NO_DIR, 0, 0 },
	{ "exit_group", NULL, GRITH_OP_NONE, NO_DIR, 0, 0 },
};

int strace_take_call(const struct strace_context *c)
{
	for (const struct shape *s = shapes; s < shapes + ARRAY_SIZE(shapes); s++)
		if (bytes_are(c->call->name, s->name))
			return s->take && c->call->ended ? s->take(c, s) : 0;
	return -ENOTSUP;
}
