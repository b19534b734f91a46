/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A process begins, and programs are started: what they have from their parent, at their
 * descriptors 0 to 2, and by the files that their arguments name.
 */
#include <sys/stat.h>

#include "internal.h"

/* What ends a word of an argument that is a command line of its own. */
#define WORD_ENDS " \t\n'\"`|;&<>()"
#define WORD_MAX 4096

static bool is_channel(const struct grith_stream *stream)
{
	return stream->inode && (stream->type == S_IFIFO || stream->type == S_IFSOCK);
}

static struct flow_process *nearest(const struct flow *flow, const struct record *record)
{
	struct flow_process *process = flow_process_find(flow, record->head.ppid);

	for (size_t i = 0; i < GRITH_ANCESTORS && !process; i++)
		process = flow_process_find(flow, record->origin.ancestors[i]);
	return process;
}

/* The maker of a pipe is at the end of it that no process was started with. */
static void note_stream(struct flow *flow, const struct record *record, size_t i)
{
	const struct grith_stream *stream = &record->origin.streams[i];
	const struct flow_key key = { stream->inode, stream->device };
	struct flow_process *maker = nearest(flow, record);
	struct flow_object *object;
	char name[32];

	snprintf(name, sizeof(name), "%s:[%llu]", stream->type == S_IFIFO ? "pipe" : "socket",
		 (unsigned long long)stream->inode);
	object = flow_object_add(flow, key, name, record->head.time);
	if (!object)
		return;
	if (!object->readers && !object->writers && maker && !flow_end_find(maker, key)) {
		object->maker = maker->pid;
		maker->makes = true;
	}
	if (i == 0)
		object->readers++;
	else
		object->writers++;
}

void flow_note_streams(struct flow *flow, const struct record *record)
{
	for (size_t i = 0; i < GRITH_STREAMS; i++)
		if (is_channel(&record->origin.streams[i]))
			note_stream(flow, record, i);
}

/* As after a fork: the child has what the parent has. */
static void inherit(struct flow *flow, struct flow_process *child, const struct flow_process *from,
		    uint64_t time, const char *program)
{
	const struct flow_marks marks = flow_process_marks(flow, from, time);
	struct flow_step step = flow_step_by(child, FLOW_STARTED, from->program, time);

	step.program = program ? program : from->program;
	if (from->program)
		child->program = strdup(from->program);
	flow_process_take(flow, child, &marks, &step);
}

static bool runs(const char *program, const char *comm)
{
	const char *slash = program ? strrchr(program, '/') : NULL;

	/* The kernel keeps 15 bytes of it. */
	return program && !strncmp(slash ? slash + 1 : program, comm, 15);
}

/* The process that another one's mark may come from. */
struct left {
	const struct flow_marks *marks;
	const char *program;
};

/* True for one that runs the same program; else the first counts. */
static bool consider(struct left *left, const struct flow_marks *marks, const char *program,
		     const char *comm)
{
	bool same = runs(program, comm);

	if (!left->marks || same)
		*left = (struct left) { marks, program };
	return same;
}

/* Among those that ended and then those that live: one that runs the same, else the latest. */
static struct left choose_left(const struct flow *flow, const char *comm)
{
	struct left left = { NULL, NULL };
	const struct flow_process *process;

	for (size_t i = 0; i < FLOW_GHOSTS && i < flow->n_ghosts; i++) {
		const struct flow_ghost *ghost =
			&flow->ghosts[(flow->n_ghosts - 1 - i) % FLOW_GHOSTS];

		if (consider(&left, &ghost->marks, ghost->program, comm))
			return left;
	}
	TAILQ_FOREACH_REVERSE(process, &flow->processes, flow_processes, link)
	if (flow_is_marked(&process->marks) &&
	    consider(&left, &process->marks, process->program, comm))
		return left;
	return left;
}

static void take_left(struct flow *flow, struct flow_process *process, const struct record *record,
		      const char *program)
{
	struct left left = choose_left(flow, record->comm);
	struct flow_step step = flow_step_by(process, FLOW_LEFT, left.program, record->head.time);
	struct flow_marks marks;

	if (!left.marks)
		return;
	step.program = program;
	marks = *left.marks;
	flow_process_take(flow, process, &marks, &step);
}

/* A parent that has made no record: it has only forked so far, or is outside. NULL: init. */
static struct flow_process *add_unknown(struct flow *flow, const struct record *record)
{
	uint32_t ppid = record->head.ppid;
	struct flow_process *parent =
		ppid > 1 ? flow_process_add(flow, ppid, 0, record->head.time) : NULL;

	if (parent)
		take_left(flow, parent, record, NULL);
	return parent;
}

void flow_note_parent(struct flow *flow, struct flow_process *process, const struct record *record,
		      const char *program)
{
	const uint32_t above[1 + GRITH_ANCESTORS] = { record->head.ppid,
						      record->origin.ancestors[0],
						      record->origin.ancestors[1],
						      record->origin.ancestors[2] };
	struct flow_process *parent = nearest(flow, record);
	size_t between = 0;

	_Static_assert(GRITH_ANCESTORS == 3, "all of them");
	if (parent == process)
		return;
	if (!parent) {
		parent = add_unknown(flow, record);
		if (!parent) {
			take_left(flow, process, record, program);
			return;
		}
	}
	while (above[between] != parent->pid)
		between++;
	flow_process_used(flow, parent); /* not to be forgotten now */
	/* Those that only forked, from the top. */
	while (between-- > 0) {
		struct flow_process *child =
			flow_process_add(flow, above[between], parent->pid, record->head.time);

		if (!child)
			return;
		inherit(flow, child, parent, record->head.time, NULL);
		parent = child;
	}
	inherit(flow, process, parent, record->head.time, program);
}

/* Other descriptors may stay open too; records do not have them. */
static void replace_ends(struct flow *flow, struct flow_process *process,
			 const struct record *record)
{
	struct flow_end ends[FLOW_ENDS] = { 0 };

	for (size_t i = 0; i < GRITH_STREAMS; i++) {
		const struct grith_stream *stream = &record->origin.streams[i];
		const struct flow_key key = { stream->inode, stream->device };
		const struct flow_object *object = flow_object_find(flow, key);
		const struct flow_end *opened = flow_end_find(process, key);
		const char *name = object && object->name ? object->name
				   : opened		  ? opened->name
							  : NULL;

		if (!is_channel(stream) && (!stream->inode || stream->type != S_IFREG))
			continue;
		ends[i] = (struct flow_end) { key, i == 0, i > 0, flow_name(bytes_of(name)) };
	}
	for (size_t i = 0; i < FLOW_ENDS; i++)
		free(process->ends[i].name);
	memcpy(process->ends, ends, sizeof(ends));
	process->opened = 0;
}

static void read_input(struct flow *flow, struct flow_process *process, uint64_t time)
{
	const struct flow_object *object = flow_object_find(flow, process->ends[0].key);
	struct flow_step step;

	if (!object)
		return;
	step = flow_step_by(process, FLOW_READ, object->name, time);
	flow_process_take(flow, process, &object->marks, &step);
}

static void name_file(struct flow *flow, struct flow_process *process, const char *word,
		      uint64_t time)
{
	const struct flow_object *object;

	TAILQ_FOREACH(object, &flow->objects, link)
	{
		const struct flow_step step = flow_step_by(process, FLOW_NAMED, object->name, time);

		if (object->name && *object->name == '/' && flow_is_marked(&object->marks) &&
		    flow_argument_names(word, object->name, NULL)) {
			flow_process_take(flow, process, &object->marks, &step);
			return;
		}
	}
}

/* Words, and not only arguments: one may be a command line for a shell. */
static void name_files(struct flow *flow, struct flow_process *process, struct record_bytes argv,
		       uint64_t time)
{
	size_t words = 0;

	for (size_t at = 0; at < argv.length && words < FLOW_ARGUMENTS_MAX;) {
		char word[WORD_MAX];
		size_t length = 0;

		while (at + length < argv.length && argv.data[at + length] &&
		       !strchr(WORD_ENDS, argv.data[at + length]))
			length++;
		if (length && length < sizeof(word)) {
			memcpy(word, argv.data + at, length);
			word[length] = '\0';
			name_file(flow, process, word, time);
			words++;
		}
		at += length + 1;
	}
}

/* Its end of a pipe that it made itself goes with its memory. */
static void forget_made(struct flow *flow, struct flow_process *process)
{
	struct flow_object *object;

	if (!process->makes)
		return;
	process->makes = false;
	TAILQ_FOREACH(object, &flow->objects, link)
	if (object->maker == process->pid)
		object->maker = 0;
}

void flow_note_exec(struct flow *flow, struct flow_process *process, const struct record *record,
		    struct record_bytes argv, const char *program)
{
	uint64_t time = record->head.time;
	const struct flow_marks marks = flow_process_marks(flow, process, time);
	OWNED_MEM char *before = TAKE_PTR(process->program);
	struct flow_step step;

	process->program = flow_name(bytes_of(program));
	process->executed = true;
	forget_made(flow, process);
	replace_ends(flow, process, record);
	if (!process->is_new) {
		/* Its memory is gone; its arguments and its environment are not. */
		process->marks = (struct flow_marks) { 0 };
		step = flow_step_by(process, FLOW_STARTED, before, time);
		step.program = program;
		flow_process_take(flow, process, &marks, &step);
	}
	if (!flow->marked)
		return;
	read_input(flow, process, time);
	name_files(flow, process, argv, time);
	flow_process_spread(flow, process, time);
}
