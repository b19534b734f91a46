/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the files of flow.h share: the nodes that a secret can be at, and the steps between them.
 */
#pragma once

#include <sys/queue.h>

#include "flow.h"

/* --- steps ------------------------------------------------------------------------------------*/

/* One step and the number of the one before it; 0: none, it is the source's. Owns its names. */
struct flow_stored {
	uint64_t number; /* from 1 on; its place in the ring is this modulo FLOW_STEPS_MAX */
	uint64_t before;
	struct flow_step step;
};

/* That a node has a secret of one kind of source. */
struct flow_mark {
	uint64_t time; /* when the source was read; 0: it has none */
	uint64_t step; /* how it came here; 0: it is the source itself */
	bool direct; /* as in struct flow_chain */
};

struct flow_marks {
	struct flow_mark of[GRITH_SOURCES];
};

/* --- nodes ------------------------------------------------------------------------------------*/

#define FLOW_KEY_NAME UINT32_MAX /* a device: the number is the hash of a socket's name */

struct flow_key {
	uint64_t number; /* inode; 0: no object */
	uint32_t device;
};

/* Something that a process can read from or write to, also where there is no mark on it yet. */
struct flow_end {
	struct flow_key key;
	bool reads, writes;
	char *name; /* NULL: not known */
};

#define FLOW_OPENED 8 /* files and sockets a process used last */
#define FLOW_ENDS (GRITH_STREAMS + FLOW_OPENED) /* its descriptors 0 to 2, and those */

/*
 * A process, from its first record or that of a child to its exit: what gets its number afterwards
 * is another node.
 */
struct flow_process {
	uint32_t pid, ppid;
	char *program;
	struct flow_marks marks;
	struct flow_end ends[FLOW_ENDS];
	size_t opened; /* ever; the next one goes to this modulo FLOW_OPENED */
	bool makes; /* some object has it as its maker */
	bool recorded; /* false: its children name it, and it may be outside the session */
	bool executed; /* what its descriptors are is known */
	bool is_new; /* this is its first record */
	bool spreading; /* in the list of those whose marks are new */
	TAILQ_ENTRY(flow_process) link, spread;
};
TAILQ_HEAD(flow_processes, flow_process);

struct flow_object {
	struct flow_key key;
	char *name;
	struct flow_marks marks;
	/* Of pipes and pairs of sockets: its maker, 0: not known; processes started with it. */
	uint32_t maker;
	size_t readers, writers;
	uint64_t taken[GRITH_SOURCES]; /* the step of its maker reading from it */
	TAILQ_ENTRY(flow_object) link;
};
TAILQ_HEAD(flow_objects, flow_object);

/* A process that has ended, for a child whose first record comes later. */
struct flow_ghost {
	char *program;
	struct flow_marks marks;
};
#define FLOW_GHOSTS 16

struct flow {
	uint16_t sources[GRITH_SOURCES];
	bool marked; /* there has been a mark */
	uint64_t forgot; /* when something was forgotten last; 0: never */
	void *process_tree, *object_tree; /* of tsearch(3) */
	struct flow_processes processes; /* the one without a record for longest first */
	struct flow_objects objects; /* the one that was not used for longest first */
	size_t n_processes, n_objects;
	struct flow_processes spreading;
	struct flow_ghost ghosts[FLOW_GHOSTS];
	size_t n_ghosts; /* ever */
	struct flow_stored steps[FLOW_STEPS_MAX];
	uint64_t n_steps; /* ever; the number of the last one */
};

/*
 * nodes.c: NULL for what is not there. Adding what is there finds it; else it makes room, and
 * forgets the node that was not used for longest: pointers to others do not survive many of these.
 */
struct flow_process *flow_process_find(const struct flow *flow, uint32_t pid);
struct flow_process *flow_process_add(struct flow *flow, uint32_t pid, uint32_t ppid, uint64_t now);
void flow_process_remove(struct flow *flow, struct flow_process *process);
void flow_process_used(struct flow *flow, struct flow_process *process);
struct flow_object *flow_object_find(const struct flow *flow, struct flow_key key);
struct flow_object *flow_object_add(struct flow *flow, struct flow_key key, const char *name,
				    uint64_t now);
void flow_object_remove(struct flow *flow, struct flow_object *object);
void flow_nodes_free(struct flow *flow);

/* A copy of a name's end, at most FLOW_NAME_MAX. NULL: no memory, or nothing to copy. */
char *flow_name(struct record_bytes name);

static inline bool flow_key_same(struct flow_key a, struct flow_key b)
{
	return a.number == b.number && a.device == b.device && a.number;
}

/* What the process has open of that object. NULL: nothing, as far as is known. */
static inline struct flow_end *flow_end_find(struct flow_process *process, struct flow_key key)
{
	for (size_t i = 0; i < FLOW_ENDS; i++)
		if (flow_key_same(process->ends[i].key, key))
			return &process->ends[i];
	return NULL;
}

static inline bool flow_is_marked(const struct flow_marks *marks)
{
	for (size_t i = 0; i < GRITH_SOURCES; i++)
		if (marks->of[i].time)
			return true;
	return false;
}

/* The new step's number. */
uint64_t flow_step_add(struct flow *flow, uint64_t before, const struct flow_step *step);
/* A step that the process does, with its program. */
static inline struct flow_step flow_step_by(const struct flow_process *process, enum flow_how how,
					    const char *object, uint64_t time)
{
	return (struct flow_step) {
		.time = time,
		.how = how,
		.pid = process->pid,
		.program = process->program,
		.object = object,
	};
}
void flow_chain_make(const struct flow *flow, enum grith_source source,
		     const struct flow_mark *mark, struct flow_chain *ret_chain);
void flow_steps_free(struct flow *flow);

/*
 * Gives a process the marks of `from`; what it can write to gets them, what reads from there, and
 * so on.
 */
void flow_process_take(struct flow *flow, struct flow_process *process,
		       const struct flow_marks *from, const struct flow_step *step);
/* Once more, to what it can write to by now. */
void flow_process_spread(struct flow *flow, const struct flow_process *process, uint64_t time);
/* And for an object. */
void flow_object_take(struct flow *flow, struct flow_object *object, const struct flow_marks *from,
		      const struct flow_step *step);
/* Its marks, and those of pipes that it made and that only it can be reading from. */
struct flow_marks flow_process_marks(struct flow *flow, const struct flow_process *process,
				     uint64_t now);

/* exec.c: a program was started. */
void flow_note_exec(struct flow *flow, struct flow_process *process, const struct record *record,
		    struct record_bytes argv, const char *program);
/* Before its process is looked at: the ends of the pipes it was started with. */
void flow_note_streams(struct flow *flow, const struct record *record);
/* A process that was not known: what it has from its parent. */
void flow_note_parent(struct flow *flow, struct flow_process *process, const struct record *record,
		      const char *program);
