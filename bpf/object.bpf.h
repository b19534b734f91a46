/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Operations on paths, whole: name, look up, decide, record, return value. Most hooks with a path
 * end in path_operation() or path_operation_pair(), all that decide in path_finish().
 */
#pragma once

#include "decide.bpf.h"
#include "home.bpf.h"
#include "record.bpf.h"

/* Op classes whose rules decide: one, or two of which the stricter outcome counts. */
#define ONE_CLASS(a) TWO_CLASSES(a, a)
#define TWO_CLASSES(a, b) (GRITH_OP_CLASS_##a | GRITH_OP_CLASS_##b << 8)
#define NO_CLASS ONE_CLASS(NONE)

#define S_IFMT 00170000
#define S_IFCHR 0020000
#define S_IFDIR 0040000
#define S_IFBLK 0060000
#define S_IFREG 0100000
#define S_IFSOCK 0140000

/*
 * A file made with O_TMPFILE is another one at each open, so that its inode number must not be part
 * of its name: it goes by its directory's path, which was built so that this fits behind it.
 */
#define TMPFILE "/#tmpfile"
#define TMPFILE_END (SCRATCH_SPACE - (sizeof(TMPFILE) - 1))

static __always_inline void path_add_tmpfile(struct scratch *scratch)
{
	int at = *(volatile __u32 *)&scratch->at;

	if (at < 0)
		return;
	if (at == TMPFILE_END - 1) /* the root has a slash of its own */
		at = TMPFILE_END;
	if (SCRATCH_SPACE - at > GRITH_PATH_MAX)
		at = PATH_UNKNOWN;
	__builtin_memcpy(&scratch->data[TMPFILE_END], TMPFILE, sizeof(TMPFILE) - 1);
	scratch->at = at;
}

static __always_inline bool is_tmpfile(const struct operation *o)
{
	return o->d->request.path.variant == OPEN_TMPFILE;
}

/* Operations whose record has room for the name in the task's own tree, behind the one at home. */
static __always_inline bool has_view(const struct operation *o)
{
	return o->d->at == SCRATCH_SPACE && !is_tmpfile(o) && o->d->op != GRITH_OP_RENAME &&
	       o->d->op != GRITH_OP_LINK && o->d->op != GRITH_OP_EXEC;
}

/*
 * The object's name at home, which alone is decided. The name that the task's own tree has for it
 * is kept for the record, from scratch->view on, unless it is the same.
 */
static __noinline int path_build_home(struct operation *o, struct vfsmount *mnt,
				      struct dentry *entry, __u32 end)
{
	struct scratch *scratch = o->scratch;
	bool inner = *(volatile __s32 *)&scratch->at == PATH_INNER;
	int view = *(volatile __s32 *)&scratch->view;
	struct home_query *q;

	if (inner && !overlay_is_own(o->session))
		return 0;
	if (!mnt || inner || !scratch->view_in || !has_view(o))
		view = 0;
	scratch->view = 0;
	q = home_ask(scratch, o->d->scratch_key, o->session, (__u64)entry, (__u64)mnt, end, view);
	if (inner && (q->result < 0 || q->made_inside)) {
		scratch->at = PATH_INNER;
		return 0;
	}
	scratch->at = q->result;
	if (!mnt || inner || q->is_view || !has_view(o))
		return 0;
	o->d->flags |= GRITH_RECORD_OTHER_NAME;
	if (q->view > 0)
		scratch->view = o->d->at = q->view;
	return 0;
}

/*
 * Builds the path in front of the texts that are there: scratch->at, or what stands in place of it.
 * Without a mount the object has the name that it has at home.
 */
static __always_inline void path_name(struct operation *o, struct vfsmount *mnt,
				      struct dentry *entry)
{
	struct scratch *scratch = o->scratch;
	__u64 home = o->session->home;
	__u32 end = o->d->at;

	if (!home)
		home = home_begin(o->session);
	if (is_tmpfile(o)) {
		entry = entry->d_parent;
		end = TMPFILE_END;
	}
	if (mnt)
		path_build(scratch, end, mnt, entry, home);
	else
		scratch->at = PATH_ELSEWHERE;
	if (*(volatile __s32 *)&scratch->at < PATH_UNKNOWN)
		path_build_home(o, mnt, entry, end);
	if (is_tmpfile(o))
		path_add_tmpfile(scratch);
}

/*
 * Makes the outcome stricter. The first one is taken as it is, a word and not member by member: it
 * is on the way of every operation.
 */
static __always_inline void outcome_add(struct operation *o, struct grith_outcome outcome)
{
	__u64 *before = (__u64 *)&o->d->outcome, after;

	barrier_var(before);
	__builtin_memcpy(&after, &outcome, sizeof(after));
	if (!*before)
		*before = after;
	else
		o->d->outcome = stricter(o->d->outcome, outcome);
}

/*
 * Makes the outcome stricter by what the policy has for the path in the scratch. One that could not
 * be built is unknown, which the policy has a row for; without an image the outcome is deny. The
 * classes go through the scratch so that the verifier does not go through all of this once for each
 * of their values.
 */
static __always_inline void path_outcome(struct operation *o)
{
	struct scratch *scratch = o->scratch;
	int at = *(volatile __u32 *)&scratch->at;
	const __u32 *image = image_of_session(o->session);
	__u32 row, op_classes;

	if (!image) {
		outcome_add(o, OUTCOME_DENY);
		return;
	}
	if (at >= 0) {
		scratch->state = image_state(image, scratch, at, o->d->at);
		row = grith_state_row(image, scratch->state);
		o->d->at = at;
	} else {
		count(GRITH_COUNT_UNKNOWN);
		o->d->flags |= GRITH_RECORD_UNKNOWN;
		scratch->state = 0;
		row = ((const struct grith_image_header *)image)->unknown_row;
	}
	scratch->row = row;
	op_classes = *(volatile __u32 *)&scratch->op_classes;
	outcome_add(o, row_outcome(image, row, op_classes & 0xff));
	if (op_classes >> 8 != (op_classes & 0xff))
		outcome_add(o, row_outcome(image, row, op_classes >> 8));
}

/* Names the object and looks it up. false: not an operation, see PATH_INNER. */
static __noinline int path_lookup(struct operation *o, struct vfsmount *mnt, struct dentry *entry,
				  __u32 op_classes)
{
	o->scratch->op_classes = op_classes;
	path_name(o, mnt, entry);
	if (*(volatile __s32 *)&o->scratch->at == PATH_INNER)
		return false;
	path_outcome(o);
	return true;
}

/*
 * The same for an object in a layer of an overlay, whose entry may only be known by its address.
 * Without a name at home it is none of ours.
 */
static __noinline int layer_lookup(struct operation *o, __u64 entry, __u32 op_classes)
{
	struct home_query *q =
		home_ask(o->scratch, o->d->scratch_key, o->session, entry, 0, o->d->at, 0);

	if (q->result < 0 || q->made_inside)
		return false;
	o->scratch->op_classes = op_classes;
	o->scratch->at = q->result;
	path_outcome(o);
	return true;
}

/* 0: not there yet, or in no file system. */
static __always_inline __u64 inode_number(struct dentry *entry)
{
	struct inode *inode = entry ? entry->d_inode : NULL;

	return inode ? inode->i_ino : 0;
}

/* What an object whose path is unknown is compared by besides its inode number: where it is. */
static __always_inline __u32 parent_identity(struct dentry *entry)
{
	__u64 place;

	if (!entry)
		return 0;
	place = entry->d_parent->d_inode->i_ino * GOLDEN_RATIO ^ entry->d_sb->s_dev;
	return (place ^ entry->d_name.hash) * GOLDEN_RATIO >> 32;
}

/*
 * Decides, records and ends a path operation. `entry` is NULL for a name that is in no file system;
 * `second` is where the second path begins.
 */
static __noinline int path_finish(struct operation *o, struct dentry *entry, __u32 open_flags,
				  __u32 second)
{
	struct grith_path_record *record = NULL;
	__u32 first = o->d->at;
	int error;

	if (entry && is_tmpfile(o)) /* the directory's inode number then */
		entry = entry->d_parent;
	if (o->d->flags & GRITH_RECORD_OTHER_NAME && o->scratch->view)
		second = o->scratch->view;
	o->d->entity = inode_number(entry) + 1;
	o->d->request.path.place =
		o->d->flags & GRITH_RECORD_UNKNOWN ? parent_identity(entry) : second - first;
	operation_decide(o);
	if (!o->d->recorded && !(o->d->refusals_only && !o->d->error))
		record = record_begin(o, GRITH_KIND_PATH, sizeof(*record));
	if (record) {
		record->inode = inode_number(entry);
		record->device = entry ? entry->d_sb->s_dev : 0;
		record->open_flags = open_flags;
		record->path_at = first - o->d->at;
		record->path_length = second - first;
		record->second_at = second - o->d->at;
		record->second_length = SCRATCH_SPACE - second;
		record_send(o, GRITH_KIND_PATH);
	}
	error = operation_error(
		o); /* here: kept over all that, the verifier would forget its range */
	scratch_give(o->scratch);
	return error;
}

/* An operation on one object. */
static __always_inline int path_operation(struct operation *o, struct vfsmount *mnt,
					  struct dentry *entry, __u32 op_classes, __u32 open_flags)
{
	if (!path_lookup(o, mnt, entry, op_classes))
		return operation_drop(o);
	return path_finish(o, entry, open_flags, SCRATCH_SPACE);
}

/* The same from its begin: all of it for a hook that has only to fill the request. */
static __always_inline int path_request(enum grith_op op, struct vfsmount *mnt,
					struct dentry *entry, __u32 op_classes, __u32 flags,
					enum variant variant, __u64 value)
{
	struct operation o;
	int r = operation_begin(&o, op);

	if (r <= 0)
		return r;
	o.d->flags = flags;
	o.d->request.path.variant = variant;
	o.d->request.path.value = value;
	return path_operation(&o, mnt, entry, op_classes, 0);
}
