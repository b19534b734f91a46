/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Records of a pretended session, one call for each, and what is known of a process afterwards.
 * Time goes on by a second with each record.
 */
#pragma once

#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/flow/flow.h"

#define SECOND UINT64_C(1000000000)
#define SHELL 10 /* the session's first process, /bin/bash, a child of somebody outside */
#define LONG 3600

struct world {
	struct flow *flow;
	uint64_t now;
};

static inline struct world world_new(void)
{
	static const uint16_t sources[GRITH_SOURCES] = { 1, 2, 4 };
	struct world w = { flow_new(sources), 1000 * SECOND };

	cr_assert(w.flow);
	return w;
}

static inline void world_free(struct world *w)
{
	flow_free(w->flow);
}

#define WORLD(name) CLEANUP(world_free) struct world name = world_new()

static inline struct record record_of(struct world *w, enum grith_kind kind, enum grith_op op,
				      uint32_t pid, uint32_t ppid)
{
	w->now += SECOND;
	return (struct record) {
		.head = { .kind = kind,
			  .op = op,
			  .pid = pid,
			  .tid = pid,
			  .ppid = ppid,
			  .time = w->now },
	};
}

static inline struct grith_stream pipe_of(uint64_t number)
{
	return (struct grith_stream) { .inode = number, .device = 13, .type = S_IFIFO };
}

static inline struct grith_stream file_of(uint64_t number)
{
	return (struct grith_stream) { .inode = number, .device = 8, .type = S_IFREG };
}

/* A program with its descriptors 0 and 1; `argv` has a NUL behind each argument but the last. */
static inline void exec_argv(struct world *w, uint32_t pid, uint32_t ppid, const char *program,
			     struct grith_stream in, struct grith_stream out, const char *argv,
			     size_t length)
{
	struct record record = record_of(w, GRITH_KIND_EXEC, GRITH_OP_EXEC, pid, ppid);

	record.path = (struct record_bytes) { program, strlen(program) };
	record.origin.streams[0] = in;
	record.origin.streams[1] = out;
	flow_note(w->flow, &record, (struct record_bytes) { argv, length }, program);
}

static inline void exec(struct world *w, uint32_t pid, uint32_t ppid, const char *program,
			struct grith_stream in, struct grith_stream out)
{
	exec_argv(w, pid, ppid, program, in, out, program, strlen(program));
}

static inline void exec_plain(struct world *w, uint32_t pid, uint32_t ppid, const char *program)
{
	exec(w, pid, ppid, program, (struct grith_stream) { 0 }, (struct grith_stream) { 0 });
}

/* Files have the numbers that their tests give them. */
static inline void use(struct world *w, enum grith_op op, uint32_t pid, uint32_t ppid,
		       const char *path, uint64_t inode, uint16_t classes, uint16_t flags)
{
	struct record record = record_of(w, GRITH_KIND_PATH, op, pid, ppid);

	record.path = (struct record_bytes) { path, strlen(path) };
	record.inode = inode;
	record.device = 8;
	record.head.labels = classes;
	record.head.flags = flags;
	flow_note(w->flow, &record, (struct record_bytes) { 0 }, NULL);
}

#define MEDIUM 2

static inline void read_secret(struct world *w, uint32_t pid, uint32_t ppid)
{
	use(w, GRITH_OP_READ, pid, ppid, "/p/.env", 5, MEDIUM, 0);
}

static inline void read_file(struct world *w, uint32_t pid, uint32_t ppid, const char *path,
			     uint64_t inode)
{
	use(w, GRITH_OP_READ, pid, ppid, path, inode, 0, 0);
}

static inline void write_file(struct world *w, uint32_t pid, uint32_t ppid, const char *path,
			      uint64_t inode)
{
	use(w, GRITH_OP_WRITE, pid, ppid, path, inode, 0, 0);
}

static inline void end(struct world *w, uint32_t pid, uint32_t ppid)
{
	struct record record = record_of(w, GRITH_KIND_EXIT, GRITH_OP_EXIT, pid, ppid);

	flow_note(w->flow, &record, (struct record_bytes) { 0 }, NULL);
}

static inline enum flow_answer ask(struct world *w, uint32_t pid, struct flow_chain *ret_chain)
{
	return flow_ask(w->flow, pid, w->now, LONG, ret_chain);
}

/* The process has it, by this way. */
static inline void expect_way(struct world *w, uint32_t pid, const char *way)
{
	struct flow_chain chain;
	char text[256];

	cr_assert_eq(ask(w, pid, &chain), FLOW_KNOWN, "%u has nothing, expected %s", pid, way);
	flow_chain_short(&chain, text, sizeof(text));
	cr_expect_str_eq(text, way);
}

static inline void expect_none(struct world *w, uint32_t pid)
{
	struct flow_chain chain;

	cr_expect_eq(ask(w, pid, &chain), FLOW_NONE, "%u", pid);
}
