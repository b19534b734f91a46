/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What each system call is, in a table: which operation, and where its names are. A call that
 * failed is an event too, with its error; what it may have done to the log's state it has not done.
 */
#include <string.h>

#include "internal.h"

struct shape {
	const char *name;
	int (*take)(const struct strace_context *c, const struct shape *shape);
	enum grith_op op;
	/* Numbers of arguments; a directory's descriptor is -1 where there is none. */
	int dir, path, dir2, path2;
	int flags;
};

static struct log_event file_event(enum grith_op op, const struct text *path, unsigned int flags)
{
	return (struct log_event) {
		.kind = LOG_FILE,
		.op = op,
		.path = strace_bytes(path),
		.flags = flags,
	};
}

/* --- files */

static enum grith_op open_op(struct record_bytes flags, bool creat, unsigned int *ret_flags)
{
	bool both = strace_has_flag(flags, "O_RDWR");

	if (creat || strace_has_flag(flags, "O_WRONLY") || both) {
		*ret_flags |= both ? GRITH_RECORD_READ_TOO : 0;
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

/* O_CREAT with O_EXCL made the file; without, the log does not tell whether it did. */
static int take_open(const struct strace_context *c, const struct shape *shape)
{
	struct record_bytes how = { 0 };
	struct log_event event, made;
	unsigned int flags = 0;
	enum grith_op op;
	int r = strace_path(c, shape->dir, (size_t)shape->path, &c->log->path, &flags);

	if (r < 0)
		return r == -EBADMSG ? 0 : r;
	if (shape->flags >= 0)
		how = c->call->args[shape->flags];
	remember_fd(c, &c->log->path);
	if (strace_has_flag(how, "O_PATH"))
		return 0; /* opens nothing */
	op = open_op(how, shape->flags < 0, &flags);
	if (!c->call->error && strace_has_flag(how, "O_CREAT") && strace_has_flag(how, "O_EXCL")) {
		made = file_event(GRITH_OP_CREATE, &c->log->path, flags & GRITH_RECORD_UNKNOWN);
		r = strace_emit(c, &made);
		flags |= GRITH_RECORD_CREATED;
	}
	event = file_event(op, &c->log->path, flags);
	return r ? r : strace_emit(c, &event);
}

static int take_path(const struct strace_context *c, const struct shape *shape)
{
	struct log_event event;
	unsigned int flags = 0;
	int r = strace_path(c, shape->dir, (size_t)shape->path, &c->log->path, &flags);

	if (r < 0)
		return r == -EBADMSG ? 0 : r;
	if (shape->flags == GRITH_RECORD_DIRECTORY ||
	    strace_has_flag(c->call->args[2], "AT_REMOVEDIR"))
		flags |= GRITH_RECORD_DIRECTORY;
	event = file_event(shape->op, &c->log->path, flags);
	return strace_emit(c, &event);
}

static int take_pair(const struct strace_context *c, const struct shape *shape)
{
	struct log_event event;
	unsigned int flags = 0;
	int r = strace_path(c, shape->dir, (size_t)shape->path, &c->log->path, &flags);

	if (r == 0)
		r = strace_path(c, shape->dir2, (size_t)shape->path2, &c->log->second, &flags);
	if (r < 0)
		return r == -EBADMSG ? 0 : r;
	event = file_event(shape->op, &c->log->path, flags);
	event.second = strace_bytes(&c->log->second);
	return strace_emit(c, &event);
}

/* On a descriptor. Of a socket, and of what else has no path, there is nothing to tell. */
static int take_fd(const struct strace_context *c, const struct shape *shape)
{
	struct log_event event;
	unsigned int flags = shape->op == GRITH_OP_LIST ? GRITH_RECORD_DIRECTORY : 0;
	int r = strace_fd_path(c, (size_t)shape->path, &c->log->path, &flags);

	if (r < 0)
		return r == -EBADMSG ? 0 : r;
	event = file_event(shape->op, &c->log->path, flags);
	return strace_emit(c, &event);
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
	int r = strace_path(c, shape->dir, (size_t)shape->path, &c->log->path, &event.flags);

	if (r < 0)
		return r == -EBADMSG ? 0 : r;
	c->log->argv.length = 0;
	r = strace_strings(c->call->args[shape->path2], &c->log->argv, &cut);
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

static int take_chdir(const struct strace_context *c, const struct shape *shape)
{
	unsigned int flags = 0;
	int r = shape->flags ? strace_fd_path(c, 0, &c->log->path, &flags)
			     : strace_path(c, -1, 0, &c->log->path, &flags);

	c->log->notes.has_chdir = true;
	if (r == 0 && !c->call->error && !flags)
		strace_set_cwd(c, &c->log->path);
	return r == -ENOMEM ? r : 0;
}

/* --- sockets */

static int take_address(const struct strace_context *c, const struct shape *shape)
{
	return strace_take_address(c, shape->op, (size_t)shape->path);
}

static int take_nothing(const struct strace_context *c, const struct shape *shape)
{
	(void)c;
	(void)shape;
	return 0;
}

#define OPEN(name, dir, path, flags)                                   \
	{                                                              \
		name, take_open, GRITH_OP_NONE, dir, path, 0, 0, flags \
	}
#define ONE(name, op, dir, path)                        \
	{                                               \
		name, take_path, op, dir, path, 0, 0, 0 \
	}
#define FOLDER(name, op, dir, path)                                          \
	{                                                                    \
		name, take_path, op, dir, path, 0, 0, GRITH_RECORD_DIRECTORY \
	}
#define TWO(name, op, dir, path, dir2, path2)                  \
	{                                                      \
		name, take_pair, op, dir, path, dir2, path2, 0 \
	}
#define FD(name, op)                             \
	{                                        \
		name, take_fd, op, 0, 0, 0, 0, 0 \
	}
#define ADDRESS(name, op, arg)                          \
	{                                               \
		name, take_address, op, 0, arg, 0, 0, 0 \
	}
#define FORK(name)                                            \
	{                                                     \
		name, take_fork, GRITH_OP_NONE, 0, 0, 0, 0, 0 \
	}
#define NOTHING(name)                                            \
	{                                                        \
		name, take_nothing, GRITH_OP_NONE, 0, 0, 0, 0, 0 \
	}

static const struct shape shapes[] = {
	OPEN("openat", 0, 1, 2),
	OPEN("open", -1, 0, 1),
	OPEN("openat2", 0, 1, 2),
	OPEN("creat", -1, 0, -1),
	FD("getdents64", GRITH_OP_LIST),
	FD("getdents", GRITH_OP_LIST),
	{ "execve", take_exec, GRITH_OP_EXEC, -1, 0, 0, 1, 0 },
	{ "execveat", take_exec, GRITH_OP_EXEC, 0, 1, 0, 2, 0 },
	ADDRESS("connect", GRITH_OP_CONNECT, 1),
	ADDRESS("bind", GRITH_OP_BIND, 1),
	ADDRESS("sendto", GRITH_OP_SEND, 4),
	ADDRESS("sendmsg", GRITH_OP_SEND, 1),
	ADDRESS("sendmmsg", GRITH_OP_SEND, 1),
	ONE("unlink", GRITH_OP_DELETE, -1, 0),
	ONE("unlinkat", GRITH_OP_DELETE, 0, 1),
	FOLDER("rmdir", GRITH_OP_DELETE, -1, 0),
	FOLDER("mkdir", GRITH_OP_CREATE, -1, 0),
	FOLDER("mkdirat", GRITH_OP_CREATE, 0, 1),
	ONE("mknod", GRITH_OP_CREATE, -1, 0),
	ONE("mknodat", GRITH_OP_CREATE, 0, 1),
	ONE("symlink", GRITH_OP_CREATE, -1, 1), /* what it points to is just a text */
	ONE("symlinkat", GRITH_OP_CREATE, 1, 2),
	TWO("rename", GRITH_OP_RENAME, -1, 0, -1, 1),
	TWO("renameat", GRITH_OP_RENAME, 0, 1, 2, 3),
	TWO("renameat2", GRITH_OP_RENAME, 0, 1, 2, 3),
	TWO("link", GRITH_OP_LINK, -1, 0, -1, 1),
	TWO("linkat", GRITH_OP_LINK, 0, 1, 2, 3),
	ONE("truncate", GRITH_OP_TRUNCATE, -1, 0),
	FD("ftruncate", GRITH_OP_TRUNCATE),
	ONE("chmod", GRITH_OP_METADATA, -1, 0),
	ONE("fchmodat", GRITH_OP_METADATA, 0, 1),
	ONE("fchmodat2", GRITH_OP_METADATA, 0, 1),
	FD("fchmod", GRITH_OP_METADATA),
	ONE("chown", GRITH_OP_METADATA, -1, 0),
	ONE("lchown", GRITH_OP_METADATA, -1, 0),
	ONE("fchownat", GRITH_OP_METADATA, 0, 1),
	FD("fchown", GRITH_OP_METADATA),
	FORK("clone"),
	FORK("clone3"),
	FORK("fork"),
	FORK("vfork"),
	{ "chdir", take_chdir, GRITH_OP_NONE, 0, 0, 0, 0, 0 },
	{ "fchdir", take_chdir, GRITH_OP_NONE, 0, 0, 0, 0, 1 },
	NOTHING("exit"),
	NOTHING("exit_group"),
};

int strace_take_call(const struct strace_context *c)
{
	const struct record_bytes name = c->call->name;

	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++)
		if (strlen(shapes[i].name) == name.length &&
		    memcmp(shapes[i].name, name.data, name.length) == 0)
			return c->call->ended ? shapes[i].take(c, &shapes[i]) : 0;
	return -ENOTSUP;
}
