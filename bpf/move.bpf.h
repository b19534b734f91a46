/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * A new name never gives more: renames and links. What grith_move.h finds
 * between the two goes into the operation's outcome:
 *
 *	A file takes the outcome of the op class that its old name restricts more, so that renaming
 *	it is as doubtful as what becomes possible; or that of the new name's for writing and
 *	creating, so that it is as doubtful as making the file there.
 *
 *	Where the old name denies, and for all that lies below a directory, the answer is EXDEV, as
 *	between two file systems: programs then copy and delete, and each file is decided by its own
 *	names.
 */
#pragma once

#include "object.bpf.h"

#define S_IFREG 0100000
#define S_IFLNK 0120000
#define RENAME_EXCHANGE 2
#define RENAME_BITS 3 /* RENAME_* */

/* What the policy has for a path; see struct scratch. */
struct place {
	__u32 state, row;
};

/* One object on its way from one place to another. */
struct weighing {
	const __u32 *image;
	struct place from, to;
	__u32 kept, planted; /* bit sets of op classes */
	struct grith_outcome outcome; /* the operation's, so far */
	__u32 move; /* GRITH_MOVE() */
	bool piecemeal;
	bool reads; /* what was a secret under the old name is none under the new one */
};

/* Makes the outcome stricter; false: it is as strict already. */
static __always_inline bool weigh(struct weighing *w, struct grith_outcome outcome, bool piecemeal,
				  __u32 move)
{
	__u16 labels = w->outcome.labels;

	if (outcome.verdict < w->outcome.verdict ||
	    (outcome.verdict == w->outcome.verdict && outcome.score <= w->outcome.score))
		return false;
	w->outcome = outcome;
	w->outcome.labels |= labels;
	w->piecemeal = piecemeal;
	w->move = move;
	return true;
}

static long weigh_class(__u32 op_class, struct weighing *w)
{
	struct grith_outcome from, to, denied = OUTCOME_DENY;
	__u16 lost;

	if (!((w->kept | w->planted) >> op_class & 1))
		return 0;
	from = grith_row_outcome(w->image, w->from.row, op_class);
	to = grith_row_outcome(w->image, w->to.row, op_class);
	if (w->planted >> op_class & 1 && from.verdict < GRITH_DENY &&
	    (to.verdict > from.verdict || to.score > from.score))
		weigh(w, to, false, GRITH_MOVE(GRITH_MOVE_NEW, op_class, 0));
	if (!(w->kept >> op_class & 1) || to.verdict >= GRITH_DENY)
		return 0;
	if (from.verdict > to.verdict || from.score > to.score)
		weigh(w, from, from.verdict >= GRITH_DENY, GRITH_MOVE(GRITH_MOVE_OLD, op_class, 0));
	lost = grith_lost_labels(w->image, from, to);
	if (lost) {
		w->outcome.labels |= lost;
		w->outcome.flags &= ~GRITH_OUTCOME_ALWAYS;
		w->reads |= op_class == GRITH_OP_CLASS_READ;
	}
	if (from.flags & ~to.flags & GRITH_OUTCOME_INSPECT_ARGV) {
		denied.rule = from.rule;
		weigh(w, denied, true, GRITH_MOVE(GRITH_MOVE_OLD, op_class, 0));
	}
	return 0;
}

struct walk_context {
	const __u32 *image;
	struct grith_walk *walk;
};

static long walk_step(__u32 i, struct walk_context *c)
{
	return grith_walk_step(c->image, c->walk);
}

static __always_inline struct grith_walk *walk_take(void)
{
	__u32 key;
	int i;

	for (i = 0; i < WALK_SLOTS; i++) {
		struct grith_walk *walk;

		key = i;
		walk = bpf_map_lookup_elem(&walks, &key);
		if (walk && !__sync_lock_test_and_set(&walk->busy, 1))
			return walk;
	}
	return NULL;
}

/* What lies below two names of a directory. No memory, or a limit: nothing is moved as a whole. */
static __noinline int weigh_below(struct weighing *w, const struct grith_session *session)
{
	struct walk_context c = { .image = w->image };
	struct grith_move result = { .why = GRITH_MOVE_FAR };
	struct grith_outcome denied = OUTCOME_DENY;

	if (w->from.state == w->to.state)
		return 0;
	if (w->from.state && w->to.state)
		c.walk = walk_take();
	if (c.walk) {
		c.walk->hold = session->threshold_hold;
		c.walk->deny = session->threshold_deny;
		grith_walk_begin(c.image, c.walk, w->from.state, w->to.state);
		/* The number of calls is less than the limit where the walk has ended by itself. */
		if (bpf_loop(GRITH_WALK_STEPS, walk_step, &c, 0) < GRITH_WALK_STEPS)
			result = c.walk->result;
		*(volatile __u64 *)&c.walk->busy = 0;
	}
	if (result.why == GRITH_MOVE_FREE)
		return 0;
	denied.rule = result.rule;
	weigh(w, denied, true, GRITH_MOVE(result.why, result.op_class, 1));
	return 0;
}

static __always_inline void weigh_masks(struct weighing *w, __u32 type, bool keeps_old_name)
{
	switch (type) {
	case S_IFDIR:
		w->kept = GRITH_KEPT_DIRECTORY;
		w->planted = GRITH_PLANTED_OTHER;
		break;
	case S_IFSOCK:
		w->kept = GRITH_KEPT_SOCKET;
		w->planted = GRITH_PLANTED_SOCKET;
		break;
	case S_IFLNK:
		w->kept = GRITH_KEPT_SYMLINK;
		w->planted = GRITH_PLANTED_OTHER;
		break;
	default:
		w->kept = GRITH_KEPT_FILE;
		w->planted = GRITH_PLANTED_FILE;
	}
	if (!keeps_old_name)
		w->kept |= GRITH_CLASS_BIT(DELETE);
}

/* One object gets another name: from `from` to `to`. */
static __noinline int move_object(struct operation *o, struct dentry *entry,
				  const struct place *from, const struct place *to, bool is_link)
{
	struct inode *inode = entry->d_inode;
	struct weighing w = {
		.image = image_of_session(o->session),
		.from = *from,
		.to = *to,
		.outcome = o->d->outcome,
		.move = o->scratch->move,
		.piecemeal = o->d->piecemeal,
	};
	__u32 type;

	if (!w.image || !inode) /* denied already; or nothing is there, and the call will fail */
		return 0;
	type = inode->i_mode & S_IFMT;
	weigh_masks(&w, type, is_link);
	if (from->row != to->row)
		bpf_loop(GRITH_OP_CLASSES, weigh_class, &w, 0);
	if (!is_link && type == S_IFDIR)
		weigh_below(&w, o->session);
	o->d->outcome = w.outcome;
	o->d->piecemeal = w.piecemeal;
	o->scratch->move = w.move;
	if (w.reads)
		o->d->flags |= GRITH_RECORD_READ_TOO;
	return 0;
}

static __always_inline struct place place_of(const struct scratch *scratch)
{
	return (struct place) { scratch->state, scratch->row };
}

/*
 * A rename or link, which gives `from` the name `to`: the stricter outcome of both names for the op
 * class counts, and what one of them has that the other lacks.
 */
static __always_inline int path_operation_pair(struct operation *o, struct vfsmount *from_mnt,
					       struct dentry *from, struct vfsmount *to_mnt,
					       struct dentry *to, bool is_link)
{
	__u32 op_classes = is_link ? ONE_CLASS(LINK) : ONE_CLASS(RENAME);
	struct place old, new;
	__u32 second;

	if (!path_lookup(o, to_mnt, to, op_classes))
		return operation_drop(o);
	second = o->d->at;
	new = place_of(o->scratch);
	path_lookup(o, from_mnt, from, op_classes);
	old = place_of(o->scratch);
	o->scratch->move = 0;
	if (old.state != new.state || old.row != new.row) {
		move_object(o, from, &old, &new, is_link);
		if (!is_link && o->d->request.path.value & RENAME_EXCHANGE)
			move_object(o, to, &new, &old, false);
	}
	return path_finish(o, from, o->scratch->move, second);
}
