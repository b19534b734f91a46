/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Records to the ring buffer. A record is put together in the scratch, its fixed part in front of
 * the texts that are there, and sent whole; every byte of it is written here. The verdict is
 * decided before, and does not depend on whether the record fits.
 */
#pragma once

#include "begin.bpf.h"
#include "syscall.bpf.h"
#include "name.bpf.h"

static __always_inline bool is_uring(struct task_struct *task)
{
	return task->flags & PF_IO_WORKER || syscall_number(task) == NR_IO_URING_ENTER;
}

/* Two plain loads; the kernel keeps the name padded with NULs. */
static __always_inline void copy_comm(char *to, struct task_struct *task)
{
	const __u64 *words = (const __u64 *)&task->comm;

	((__u64 *)to)[0] = words[0];
	((__u64 *)to)[1] = words[1];
}

/*
 * The common header. Member by member, each read just before it is written: as one value it would
 * all be read first, which takes more registers than there are.
 */
static __always_inline void record_fill(struct grith_record *head, struct operation *o,
					enum grith_kind kind)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct decision *d = o->d;
	__u16 flags = d->flags | (is_uring(task) ? GRITH_RECORD_URING : 0);

	head->version = GRITH_ABI_VERSION;
	head->kind = kind;
	head->length = SCRATCH_SPACE - d->at;
	head->time = d->now;
	head->session = d->session_id;
	head->sequence = __sync_fetch_and_add(&o->session->sequence, 1);
	head->pid = task->tgid;
	head->tid = task->pid;
	head->ppid = task->real_parent->tgid;
	head->uid = task->cred->uid.val;
	head->op = d->op;
	head->verdict = d->outcome.verdict;
	head->flags = flags;
	head->error = d->error;
	head->rule = d->outcome.rule;
	head->score = d->outcome.score;
	head->labels = d->outcome.labels;
	head->context = d->context;
	head->object = d->object;
	head->filters = d->filters;
	head->review = d->review;
	copy_comm(head->comm, task);
}

/*
 * The fixed part of a record, `size` bytes, in front of the texts, with its common header filled.
 * What follows the header is the caller's to fill. NULL: never, but the verifier cannot know.
 */
static __always_inline void *record_begin(struct operation *o, enum grith_kind kind, __u32 size)
{
	__u32 at = o->d->at, begin = (at - size) & ~7u;
	struct grith_record *head;

	if (at - sizeof(__u64) >= SCRATCH_SPACE || begin >= SCRATCH_SPACE)
		return NULL;
	/* The gap that alignment leaves between the fixed part and the text. */
	*text_word(o->scratch, at - sizeof(__u64)) = 0;
	o->d->at = begin;
	head = (struct grith_record *)&o->scratch->data[begin];
	record_fill(head, o, kind);
	return head;
}

#define RING_CHECK 16 /* records between two looks at how full the ring is; a power of two */

/*
 * grithd looks at the ring a few times a second while there are sessions. It is woken for what a
 * person would want to see at once, and before the ring gets full.
 */
static __always_inline __u64 wakeup_flags(const struct operation *o, enum grith_kind kind)
{
	if (o->d->outcome.verdict != GRITH_ALLOW || kind == GRITH_KIND_EXEC ||
	    kind == GRITH_KIND_EXIT)
		return BPF_RB_FORCE_WAKEUP;
	if (!(o->session->sequence % RING_CHECK) &&
	    bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) > GRITH_RING_BYTES / 4)
		return BPF_RB_FORCE_WAKEUP;
	return BPF_RB_NO_WAKEUP;
}

/* Sends what record_begin() began. */
static __always_inline void record_send(struct operation *o, enum grith_kind kind)
{
	__u32 begin = o->d->at, length = SCRATCH_SPACE - begin;

	if (begin >= SCRATCH_SPACE || length > SCRATCH_SPACE)
		return;
	if (bpf_ringbuf_output(&ring, &o->scratch->data[begin], length, wakeup_flags(o, kind)))
		count(GRITH_COUNT_LOST + kind);
}
