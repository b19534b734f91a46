/* SPDX-License-Identifier: MPL-2.0 */
/* What each record means for the flow: the edges. */
#include "internal.h"

#define SECOND_NS UINT64_C(1000000000)
#define ROUNDING_SECONDS 60 /* marks are renewed that rarely, see spread.c */

static const char *const hows[] = {
	[FLOW_READ] = "read",	      [FLOW_WROTE] = "wrote", [FLOW_STARTED] = "started",
	[FLOW_NAMED] = "named",	      [FLOW_MOVED] = "moved", [FLOW_LEFT] = "left",
	[FLOW_RETURNED] = "returned",
};
_Static_assert(ARRAY_SIZE(hows) == FLOW_HOWS, "a word for each");

const char *flow_how_name(unsigned int how)
{
	return how < FLOW_HOWS ? hows[how] : NULL;
}

struct flow *flow_new(const uint16_t sources[GRITH_SOURCES])
{
	struct flow *flow = calloc(1, sizeof(*flow));

	if (!flow)
		return NULL;
	memcpy(flow->sources, sources, sizeof(flow->sources));
	TAILQ_INIT(&flow->processes);
	TAILQ_INIT(&flow->objects);
	TAILQ_INIT(&flow->spreading);
	return flow;
}

void flow_free(struct flow *flow)
{
	if (!flow)
		return;
	flow_nodes_free(flow);
	flow_steps_free(flow);
	free(flow);
}

void flow_lost(struct flow *flow, uint64_t time)
{
	flow->forgot = time ? time : 1;
}

/* One record on its way through. */
struct noting {
	struct flow *flow;
	struct flow_process *process;
	const struct record *record;
	char name[FLOW_NAME_MAX]; /* the end of its path */
};

static struct flow_step step_of(const struct noting *n, enum flow_how how)
{
	return flow_step_by(n->process, how, n->name, n->record->head.time);
}

static bool happened(const struct grith_record *head)
{
	if (head->flags & (GRITH_RECORD_OBSERVED | GRITH_RECORD_INSPECT_ARGV))
		return true;
	return head->verdict == GRITH_ALLOW && !head->error && !(head->flags & GRITH_RECORD_HELD);
}

/* Devices and what the kernel makes up are not places where data stays. */
static struct flow_key key_of(const struct record *record)
{
	struct record_bytes path = record->path;

	if ((bytes_start(path, "/dev/") && !bytes_start(path, "/dev/shm/")) ||
	    bytes_start(path, "/proc/") || bytes_start(path, "/sys/"))
		return (struct flow_key) { 0 };
	return (struct flow_key) { record->inode, record->device };
}

/* FNV-1a. Two names with one number are one socket here: too much is known, never too little. */
static struct flow_key key_of_name(struct record_bytes name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < name.length; i++)
		hash = (hash ^ (unsigned char)name.data[i]) * UINT64_C(0x100000001b3);
	return (struct flow_key) { hash ? hash : 1, FLOW_KEY_NAME };
}

static void add_end(struct flow_process *process, struct flow_key key, bool reads, bool writes,
		    const char *name)
{
	struct flow_end *end = flow_end_find(process, key);

	if (end) {
		end->reads = end->reads || reads;
		end->writes = end->writes || writes;
		return;
	}
	end = &process->ends[GRITH_STREAMS + process->opened++ % FLOW_OPENED];
	free(end->name);
	*end = (struct flow_end) { key, reads, writes, flow_name(bytes_of(name)) };
}

/* The marks that reading a source makes. */
static struct flow_marks source_marks(const struct flow *flow, const struct grith_record *head)
{
	struct flow_marks marks = { 0 };

	for (size_t i = 0; i < GRITH_SOURCES; i++)
		if (head->labels & flow->sources[i])
			marks.of[i] = (struct flow_mark) { head->time ? head->time : 1, 0, true };
	return marks;
}

/* The source itself, by whatever name it is opened later. */
static struct flow_object *mark_source(struct noting *n, const struct flow_marks *marks)
{
	struct flow_key key = key_of(n->record);
	struct flow_object *object =
		key.number ? flow_object_add(n->flow, key, n->name, n->record->head.time) : NULL;

	for (size_t i = 0; object && i < GRITH_SOURCES; i++)
		if (marks->of[i].time > object->marks.of[i].time)
			object->marks.of[i] = (struct flow_mark) { marks->of[i].time,
								   object->marks.of[i].step, true };
	n->flow->marked = true;
	return object;
}

static void note_read(struct noting *n)
{
	struct flow_marks marks = source_marks(n->flow, &n->record->head);
	const struct flow_step step = step_of(n, FLOW_READ);
	struct flow_object *object;

	if (flow_is_marked(&marks))
		object = mark_source(n, &marks);
	else
		object = flow_object_find(n->flow, key_of(n->record));
	if (object) {
		add_end(n->process, object->key, true, false, n->name);
		marks = object->marks;
	}
	flow_process_take(n->flow, n->process, &marks, &step);
}

static void note_write(struct noting *n)
{
	struct flow_key key = key_of(n->record);
	const struct flow_step step = step_of(n, FLOW_WROTE);
	struct flow_marks marks;
	struct flow_object *object = flow_object_find(n->flow, key);

	if (!key.number)
		return;
	/* A number that was another file's. */
	if (object && n->record->head.flags & GRITH_RECORD_CREATED)
		flow_object_remove(n->flow, object);
	add_end(n->process, key, false, true, n->name);
	marks = flow_process_marks(n->flow, n->process, n->record->head.time);
	if (!flow_is_marked(&marks))
		return;
	object = flow_object_add(n->flow, key, n->name, n->record->head.time);
	if (object)
		flow_object_take(n->flow, object, &marks, &step);
}

/* The file is the same one, and has another name, or one more. */
static void note_move(struct noting *n)
{
	struct flow_marks marks = source_marks(n->flow, &n->record->head);
	struct flow_object *object = flow_object_find(n->flow, key_of(n->record));
	const struct flow_step step = step_of(n, FLOW_MOVED);
	char *name;

	if (!object && flow_is_marked(&marks))
		object = mark_source(n, &marks);
	name = object ? flow_name(n->record->second) : NULL;
	if (!name)
		return;
	for (size_t i = 0; i < GRITH_SOURCES; i++)
		if (object->marks.of[i].time)
			object->marks.of[i].step =
				flow_step_add(n->flow, object->marks.of[i].step, &step);
	free(object->name);
	object->name = name;
}

/* Both sides of a connection can send. */
static void note_socket(struct noting *n)
{
	struct flow_key key = key_of_name(n->record->path);
	uint64_t time = n->record->head.time;
	struct flow_object *object = flow_object_add(n->flow, key, n->name, time);
	const struct flow_step wrote = step_of(n, FLOW_WROTE);
	const struct flow_step read = step_of(n, FLOW_READ);
	struct flow_marks marks;

	if (!object)
		return;
	add_end(n->process, key, true, true, n->name);
	marks = flow_process_marks(n->flow, n->process, time);
	flow_object_take(n->flow, object, &marks, &wrote);
	object = flow_object_find(n->flow, key);
	if (object)
		flow_process_take(n->flow, n->process, &object->marks, &read);
}

static void note_path(struct noting *n)
{
	const struct grith_record *head = &n->record->head;

	switch (op_info(head->op)->data) {
	case OP_DATA_READ:
		note_read(n);
		break;
	case OP_DATA_WRITE:
		if (head->flags & GRITH_RECORD_READ_TOO)
			note_read(n);
		note_write(n);
		break;
	case OP_DATA_MOVE:
		note_move(n);
		break;
	case OP_DATA_SOCKET:
		note_socket(n);
		break;
	case OP_DATA_NONE:
		break;
	}
}

/* X=$(<FILE): the shell's own child reads, and prints through a pipe that no record names. */
static void return_marks(struct flow *flow, const struct flow_process *process,
			 const struct flow_marks *marks, uint64_t time)
{
	struct flow_process *parent = flow_process_find(flow, process->ppid);
	struct flow_step step;

	if (!parent || process->executed)
		return;
	step = flow_step_by(parent, FLOW_RETURNED, process->program, time);
	flow_process_take(flow, parent, marks, &step);
}

static void note_exit(struct flow *flow, struct flow_process *process, uint64_t time)
{
	struct flow_marks marks = flow_process_marks(flow, process, time);
	struct flow_ghost *ghost = &flow->ghosts[flow->n_ghosts % FLOW_GHOSTS];

	if (flow_is_marked(&marks)) {
		return_marks(flow, process, &marks, time);
		free(ghost->program);
		ghost->program = TAKE_PTR(process->program);
		ghost->marks = marks;
		flow->n_ghosts++;
	}
	flow_process_remove(flow, process);
}

/*
 * A process gets another parent only when its own ends: where that is still there, the exit of the
 * process was lost, and this is another one with its number.
 */
static bool is_another(const struct flow *flow, const struct flow_process *process,
		       const struct grith_record *head)
{
	const struct flow_process *parent = flow_process_find(flow, process->ppid);

	return process->ppid != head->ppid && parent && parent->recorded;
}

static void set_program(struct flow_process *process, const char *program)
{
	if (!program || (process->program && !strcmp(process->program, program)))
		return;
	free(process->program);
	process->program = flow_name(bytes_of(program));
}

/* NULL: no memory. */
static struct flow_process *see(struct flow *flow, const struct record *record, const char *program)
{
	const struct grith_record *head = &record->head;
	struct flow_process *process = flow_process_find(flow, head->pid);

	if (process && is_another(flow, process, head)) {
		flow_process_remove(flow, process);
		flow_lost(flow, head->time);
		process = NULL;
	}
	if (process) {
		process->is_new = false;
		process->ppid = head->ppid;
	} else {
		process = flow_process_add(flow, head->pid, head->ppid, head->time);
		if (!process)
			return NULL;
		process->is_new = true;
		flow_note_parent(flow, process, record, program);
	}
	process->recorded = true;
	flow_process_used(flow, process);
	/* Until an exec is noted, what it ran before is of use. */
	if (head->kind != GRITH_KIND_EXEC)
		set_program(process, program);
	return process;
}

void flow_note(struct flow *flow, const struct record *record, struct record_bytes argv,
	       const char *program)
{
	const struct grith_record *head = &record->head;
	struct noting n = { .flow = flow, .record = record };
	struct record_bytes path = record->path;
	bool is_exec = head->kind == GRITH_KIND_EXEC && happened(head);

	if (!head->pid)
		return;
	/* First, so that a pipe's maker is not taken for its reader. */
	if (is_exec)
		flow_note_streams(flow, record);
	n.process = see(flow, record, program);
	if (!n.process)
		return;
	if (is_exec)
		flow_note_exec(flow, n.process, record, argv, program);
	else if (head->kind == GRITH_KIND_EXIT)
		note_exit(flow, n.process, head->time);
	if (head->kind != GRITH_KIND_PATH || !path.length || !happened(head))
		return;
	if (path.length >= FLOW_NAME_MAX) {
		path.data += path.length - (FLOW_NAME_MAX - 1);
		path.length = FLOW_NAME_MAX - 1;
	}
	memcpy(n.name, path.data, path.length);
	note_path(&n);
}

static bool is_recent(uint64_t time, uint64_t now, size_t seconds)
{
	return time && (now < time || now - time <= (seconds + ROUNDING_SECONDS) * SECOND_NS);
}

enum flow_answer flow_ask(struct flow *flow, uint32_t pid, uint64_t now, size_t seconds,
			  struct flow_chain *ret_chain)
{
	struct flow_process *process = flow_process_find(flow, pid);
	struct flow_marks marks = { 0 };

	if (process)
		marks = flow_process_marks(flow, process, now);
	for (unsigned int i = 0; i < GRITH_SOURCES; i++)
		if (is_recent(marks.of[i].time, now, seconds)) {
			flow_chain_make(flow, i, &marks.of[i], ret_chain);
			return FLOW_KNOWN;
		}
	return is_recent(flow->forgot, now, seconds) ? FLOW_FORGOTTEN : FLOW_NONE;
}
