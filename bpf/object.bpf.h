/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Operations on paths, whole: build, decide, record, return value. All hooks with a path end in
 * one of the two functions here.
 */
#ifndef GRITH_OBJECT_BPF_H
#define GRITH_OBJECT_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "decide.bpf.h"
#include "emit.bpf.h"
#include "judge.bpf.h"
#include "operation.bpf.h"
#include "path.bpf.h"

/* Two classes that must both agree; CLASS_ONE where there is only one. */
#define CLASS_PAIR(a, b) ((a) | (b) << 8)
#define CLASS_ONE(a) CLASS_PAIR(a, a)
#define CLASS_NONE CLASS_ONE(GRITH_OP_CLASSES)

#define S_IFMT 00170000
#define S_IFDIR 0040000
#define S_IFSOCK 0140000

/*
 * A file without a name is made anew by each open, so that its number must not be part of what it
 * is called: it goes by its directory's path, which has been built so that this fits behind it.
 */
#define NAMELESS "/#tmpfile"
#define NAMELESS_END (SCRATCH_SPACE - (sizeof(NAMELESS) - 1))

static __always_inline void path_add_nameless(struct scratch *scratch)
{
	int at = *(volatile __u32 *)&scratch->at;

	if (at < 0)
		return;
	if (at == NAMELESS_END - 1) /* the root has a slash of its own */
		at = NAMELESS_END;
	if (SCRATCH_SPACE - at > GRITH_PATH_MAX)
		at = PATH_UNKNOWN;
	__builtin_memcpy(&scratch->data[NAMELESS_END], NAMELESS, sizeof(NAMELESS) - 1);
	scratch->at = at;
}

/*
 * Builds the path in front of the texts that are there and makes the outcome stricter by what the
 * policy says of it; without a mount the object is unknown. false: not an operation, see
 * PATH_INNER. The classes go through the scratch so that the verifier does not go through all of
 * this once for each of their values.
 */
static __noinline int object_judge(struct operation *o, struct vfsmount *mnt, struct dentry *entry,
				   __u32 classes)
{
	struct scratch *scratch = o->scratch;
	__u32 end = o->at, row;
	const __u32 *image;
	int at;

	scratch->classes = classes;
	if (o->way == WAY_NAMELESS) {
		entry = entry->d_parent;
		end = NAMELESS_END;
	}
	if (mnt)
		path_build(scratch, end, mnt, entry);
	else
		scratch->at = PATH_UNKNOWN;
	if (o->way == WAY_NAMELESS)
		path_add_nameless(scratch);
	at = *(volatile __u32 *)&scratch->at;
	if (at == PATH_INNER)
		return false;
	image = image_of_slot(o->session->image);
	if (!image) {
		count(GRITH_COUNT_NO_IMAGE);
		o->outcome = stricter(o->outcome, OUTCOME_DENY);
		return true;
	}
	if (at >= 0) {
		row = image_row(image, scratch, at, o->at);
		o->at = at;
	} else {
		count(GRITH_COUNT_UNKNOWN);
		o->flags |= GRITH_RECORD_UNKNOWN;
		row = ((const struct grith_image_header *)image)->unknown_row;
	}
	classes = *(volatile __u32 *)&scratch->classes;
	o->outcome = stricter(o->outcome, row_outcome(image, row, classes & 0xff));
	if (classes >> 8 != (classes & 0xff))
		o->outcome = stricter(o->outcome, row_outcome(image, row, classes >> 8));
	return true;
}

/* 0: not there yet, or in no file system. */
static __always_inline __u64 number_of(struct dentry *entry)
{
	struct inode *inode = entry ? entry->d_inode : NULL;

	return inode ? inode->i_ino : 0;
}

/* What tells an object whose path is unknown from others besides its number: where its entry is. */
static __always_inline __u32 place_of(struct dentry *entry)
{
	__u64 place;

	if (!entry)
		return 0;
	place = entry->d_parent->d_inode->i_ino * 0x9e3779b97f4a7c15ull ^ entry->d_sb->s_dev;
	return (place ^ entry->d_name.hash) * 0x9e3779b97f4a7c15ull >> 32;
}

/*
 * Records a path operation and ends it. `entry` is NULL for a name that is in no file system;
 * `second` is where the second path begins.
 */
static __noinline int object_finish(struct operation *o, struct dentry *entry, __u32 open_flags,
				    __u32 second)
{
	__u32 first = o->at;
	struct grith_path_record *record = NULL;
	int error;

	if (o->way == WAY_NAMELESS) /* the directory's number then */
		entry = entry->d_parent;

	o->entity = number_of(entry) + 1;
	error = operation_judge(o,
				o->flags & GRITH_RECORD_UNKNOWN ? place_of(entry) : second - first);
	if (!o->told && !(o->refusals_only && !error))
		record = record_begin(o, GRITH_KIND_PATH, sizeof(*record));
	if (record) {
		record->inode = number_of(entry);
		record->device = entry ? entry->d_sb->s_dev : 0;
		record->open_flags = open_flags;
		record->path_at = first - o->at;
		record->path_length = second - first;
		record->second_at = second - o->at;
		record->second_length = SCRATCH_SPACE - second;
		record_send(o, GRITH_KIND_PATH);
	}
	scratch_give(o->scratch);
	return error;
}

/* An operation on one object. */
static __always_inline int object_operation(struct operation *o, struct vfsmount *mnt,
					    struct dentry *entry, __u32 classes, __u32 open_flags)
{
	if (!object_judge(o, mnt, entry, classes))
		return operation_drop(o);
	return object_finish(o, entry, open_flags, SCRATCH_SPACE);
}

/* An operation that gives `from` the name `to`. */
static __always_inline int object_operation_pair(struct operation *o, struct vfsmount *from_mnt,
						 struct dentry *from, struct vfsmount *to_mnt,
						 struct dentry *to, __u32 classes)
{
	__u32 second;

	if (!object_judge(o, to_mnt, to, classes))
		return operation_drop(o);
	second = o->at;
	object_judge(o, from_mnt, from, classes);
	return object_finish(o, from, 0, second);
}

#endif
