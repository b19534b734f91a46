/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Names of objects: texts in the scratch, each put in front of what is there already; and the one
 * builder of paths, from a mount and a dentry up to the root of the session's home, the mount
 * namespace that it started in, whatever the task's own root directory is. Where the walk ends in
 * any other tree, which a task can make by mounts of its own, home.bpf.h has the name. Strings from
 * user memory play no part. What cannot be built whole is unknown: too long, too deep, or not
 * connected to its file system's root.
 *
 * Race: another thread renames while the walk passes. A program cannot take the kernel's rename
 * lock, so that a path may have parts from before and after, and a name may be torn; each read is
 * bounded. What limits this: both names of a rename were decided (path_rename), so that a session
 * can only mix names that its policy lets it move between.
 */
#pragma once

#include "compat.bpf.h"
#include "maps.bpf.h"

#define TEXT_FULL (-1) /* in place of an index: no room, or the name cannot be read */
#define TEXT_NAME_MAX 255
#define TEXT_SHORT_MAX 32 /* bytes of a name that are copied by plain loads */

/*
 * Eight bytes of the scratch: the compiler must not know that they may be unaligned, or it goes
 * byte by byte. `at` must have been checked to be within the scratch's space.
 */
static __always_inline __u64 *text_word(struct scratch *scratch, __u32 at)
{
	void *word = &scratch->data[at];

	barrier_var(word);
	return word;
}

/* Puts a name in front of the text at `at`. The new beginning, or TEXT_FULL. */
static __always_inline int text_prepend(struct scratch *scratch, __u32 at, const void *name,
					__u32 length)
{
	if (length > TEXT_NAME_MAX)
		return TEXT_FULL;
	at -= length;
	barrier_var(at); /* else the compiler bounds another register than it uses */
	if (at > SCRATCH_SPACE) /* below 0, too; equal: an empty name at the very end */
		return TEXT_FULL;
	if (bpf_probe_read_kernel(&scratch->data[at], length, name))
		return TEXT_FULL;
	return at;
}

/* The same, with a character in front of the name. */
static __always_inline int text_prepend_marked(struct scratch *scratch, __u32 at, char mark,
					       const void *name, __u32 length)
{
	__u32 begin = text_prepend(scratch, at, name, length) - 1;

	barrier_var(begin);
	if (begin >= SCRATCH_SPACE)
		return TEXT_FULL;
	scratch->data[begin] = mark;
	return begin;
}

/*
 * "/name" of a directory entry whose type is known, in front of the text. Most names lie in the
 * entry itself, where whole words of them can be loaded: a fraction of the cost of a helper. What
 * the last word overwrites behind the name is put back.
 */
static __always_inline int text_prepend_entry(struct scratch *scratch, __u32 at,
					      struct dentry *entry)
{
	const __u64 *words = entry_short_name(entry);
	__u32 length = entry->d_name.len, begin;
	__u64 *to, behind;

	if (entry->d_name.name != (const unsigned char *)words || length > TEXT_SHORT_MAX)
		return text_prepend_marked(scratch, at, '/', entry->d_name.name, length);
	begin = at - length - 1;
	barrier_var(begin);
	barrier_var(at);
	if (begin >= SCRATCH_SPACE || at > SCRATCH_SPACE)
		return TEXT_FULL;
	behind = *text_word(scratch, at);
	scratch->data[begin] = '/';
	to = text_word(scratch, begin + 1);
	to[0] = words[0];
	if (length > 8)
		to[1] = words[1];
	if (length > 16)
		to[2] = words[2];
	if (length > 24)
		to[3] = words[3];
	*text_word(scratch, at) = behind;
	return begin;
}

/* In place of a position: */
#define PATH_UNKNOWN TEXT_FULL
/*
 * An object below an overlay, reached by the kernel through a private mount of its own: no task can
 * come here by itself.
 */
#define PATH_INNER (-2)
#define PATH_ELSEWHERE (-3) /* the mount is not in the home namespace */
#define PATH_TOP (-4) /* during a walk: at the root of the topmost mount of some tree */

#define PATH_BURST 8 /* names in one call of path_names() */
#define PATH_BURSTS (GRITH_PATH_MAX / 2 / PATH_BURST + 1) /* names of one letter */
#define PATH_CLIMBS (GRITH_PATH_MAX / 2 + 64) /* names of one letter, and mounts */

#define MNT_INTERNAL 0x4000 /* made by the kernel for itself: pipes, sockets, memfds */
#define MNT_NS_INTERNAL (-22L) /* in place of a namespace: a private mount */

/*
 * A walk in progress. Where the text begins so far is scratch->at: the verifier knows nothing of a
 * number there, and so has no reason to go through the walk again for each value it can have.
 *
 * Inside the object's own mount everything has a type and is read by plain loads (path_names()).
 * From there on upwards addresses are only numbers, and are read with probes (path_climb()).
 */
struct path_walk {
	struct scratch *scratch;
	struct vfsmount *mnt;
	struct dentry *entry;
	struct mount *mount;
	struct dentry *root; /* of `mount` */
	struct dentry *mountpoint; /* where `mount` is mounted, in `below` */
	struct mount *below;
	__u64 home; /* id of the namespace where it may end */
	__s32 result; /* once the walk has ended */
};

/*
 * Three neighbours in a structure are read for the price of one probe. Whether they lie next to
 * each other in the running kernel is known when the program is loaded.
 */
#define DISTANCE(type, from, to) \
	(bpf_core_field_offset(type, to) - bpf_core_field_offset(type, from))

static __always_inline int path_enter_mount(struct path_walk *w, struct mount *mount)
{
	struct {
		__u64 parent, mountpoint, root;
	} near;

	w->mount = mount;
	if (DISTANCE(struct mount, mnt_parent, mnt_mountpoint) != 8 ||
	    DISTANCE(struct mount, mnt_parent, mnt.mnt_root) != 16) {
		w->below = BPF_CORE_READ(mount, mnt_parent);
		w->mountpoint = BPF_CORE_READ(mount, mnt_mountpoint);
		w->root = BPF_CORE_READ(mount, mnt.mnt_root);
		return 0;
	}
	if (bpf_probe_read_kernel(&near, sizeof(near),
				  (void *)mount + bpf_core_field_offset(struct mount, mnt_parent)))
		return -1;
	w->below = (void *)near.parent;
	w->mountpoint = (void *)near.mountpoint;
	w->root = (void *)near.root;
	return 0;
}

/* Some names towards the root of the object's own mount; 1 where it ends. */
static __noinline long path_names(__u32 i, struct path_walk *w)
{
	struct scratch *scratch = w->scratch;
	struct dentry *entry = w->entry;
	struct dentry *root = w->mnt->mnt_root;
	int j;

	for (j = 0; j < PATH_BURST; j++) {
		struct dentry *parent = entry->d_parent;
		int at;

		if (entry == root || entry == parent)
			return 1;
		at = text_prepend_entry(scratch, scratch->at, entry);
		if (at < 0)
			return 1;
		scratch->at = at;
		entry = parent;
		w->entry = entry;
	}
	return 0;
}

/* "word:", what the kernel calls a type, in front of the text. */
static __noinline int text_prepend_word(struct scratch *scratch, __u32 at, const char *word)
{
	char type[32];
	long length = bpf_probe_read_kernel_str(type, sizeof(type), word);

	if (length < 1 || length > (long)sizeof(type))
		return TEXT_FULL;
	type[(length - 1) & (sizeof(type) - 1)] = ':';
	return text_prepend(scratch, at, type, length);
}

/* "fstype:" in front of a name that is in no tree. */
static __always_inline int path_prepend_type(struct scratch *scratch, __u32 at,
					     const struct super_block *sb)
{
	return text_prepend_word(scratch, at, BPF_CORE_READ(sb, s_type, name));
}

/* From the root of a mount to its mountpoint; 1 where the walk ends. */
static __always_inline int path_leave_mount(struct path_walk *w)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct mnt_namespace *ns = task->nsproxy->mnt_ns;
	struct mount *top = ns->root;

	/* The usual end: mounted over the root of home, where the task is. */
	if (w->below == top && w->mountpoint == top->mnt.mnt_root &&
	    mount_namespace_id(ns) == w->home) {
		w->result = w->scratch->at;
		return 1;
	}
	if (w->below == w->mount) {
		w->result = PATH_TOP;
		return 1;
	}
	w->entry = w->mountpoint;
	return path_enter_mount(w, w->below) ? 1 : 0;
}

/* A directory entry's parent and name. */
struct path_entry {
	__u64 parent;
	__u32 hash, length; /* as in struct qstr, on a little-endian machine */
	__u64 name;
};

static __always_inline int path_entry_read(struct path_entry *entry, struct dentry *at)
{
	if (DISTANCE(struct dentry, d_parent, d_name.len) != 12 ||
	    DISTANCE(struct dentry, d_parent, d_name.name) != 16) {
		entry->parent = (__u64)BPF_CORE_READ(at, d_parent);
		entry->length = BPF_CORE_READ(at, d_name.len);
		entry->name = (__u64)BPF_CORE_READ(at, d_name.name);
		return 0;
	}
	return bpf_probe_read_kernel(entry, sizeof(*entry),
				     (void *)at + bpf_core_field_offset(struct dentry, d_parent));
}

/* A name, or a step from a mount to its mountpoint; 1 where the walk ends. */
static __noinline long path_climb(__u32 i, struct path_walk *w)
{
	struct dentry *at = w->entry;
	struct path_entry entry;
	int begin;

	if (at == w->root)
		return path_leave_mount(w);
	if (path_entry_read(&entry, at) || entry.parent == (__u64)at)
		return 1; /* not connected to the mount's root: result stays unknown */
	begin = text_prepend_marked(w->scratch, w->scratch->at, '/', (void *)entry.name,
				    entry.length);
	if (begin < 0)
		return 1;
	w->scratch->at = begin;
	w->entry = (void *)entry.parent;
	return 0;
}

/*
 * The walk is at the root of the topmost mount: of which tree?
 * Apart from the loop, which the verifier goes through many times.
 */
static __always_inline int path_top(const struct path_walk *w)
{
	struct mount *top = w->mount; /* BPF_CORE_READ takes fields of kernel types only */
	struct scratch *scratch = w->scratch;
	struct mnt_namespace *ns;
	__u64 id;

	if (BPF_CORE_READ(top, mnt.mnt_flags) & MNT_INTERNAL)
		return path_prepend_type(scratch, scratch->at, BPF_CORE_READ(top, mnt.mnt_sb));
	ns = BPF_CORE_READ(top, mnt_ns);
	if ((long)ns == MNT_NS_INTERNAL)
		return PATH_INNER;
	id = mount_namespace_id_at(ns); /* 0: the mount is attached nowhere */
	if (id && id == w->home)
		return scratch->at;
	scratch->view = scratch->at;
	scratch->view_in = id;
	return PATH_ELSEWHERE;
}

/* From a mount upwards to the end; where the path begins, or what stands in place of it. */
static __always_inline int path_climb_from(struct path_walk *w, struct mount *mount)
{
	/* Mostly three steps are enough: from a mount whose mountpoint is in the root. */
	if (!path_enter_mount(w, mount) && !path_climb(0, w) && !path_climb(1, w) &&
	    !path_climb(2, w))
		bpf_loop(PATH_CLIMBS, path_climb, w, 0);
	return w->result == PATH_TOP ? path_top(w) : w->result;
}

/* A finished path from `at` to `end`, or what stands in place of one. */
static __always_inline int path_end(struct scratch *scratch, int at, __u32 end)
{
	if (at == (int)end) /* the root itself */
		at = text_prepend_marked(scratch, at, '/', "", 0);
	if (at >= 0 && (int)end - at > GRITH_PATH_MAX)
		at = PATH_UNKNOWN;
	return at;
}

/* "fstype:name" for an object that is in no tree, such as a pipe or a memfd. */
static __always_inline int path_treeless(struct scratch *scratch, struct vfsmount *mnt,
					 struct dentry *entry)
{
	int at;

	if (!(mnt->mnt_flags & MNT_INTERNAL))
		return PATH_UNKNOWN;
	at = text_prepend(scratch, scratch->at, entry->d_name.name, entry->d_name.len);
	return at < 0 ? at : path_prepend_type(scratch, at, mnt->mnt_sb);
}

/*
 * Writes the path so that it ends before `end`, an index into scratch->data, and where it begins
 * into scratch->at; PATH_UNKNOWN, PATH_INNER or PATH_ELSEWHERE in place of that. The latter leaves
 * in scratch->view where the name in the other tree begins, 0 for one on a mount that is attached
 * nowhere. What was unlinked has the name it had.
 */
static __noinline int path_build(struct scratch *scratch, __u32 end, struct vfsmount *mnt,
				 struct dentry *entry, __u64 home)
{
	struct path_walk w = {
		.scratch = scratch,
		.mnt = mnt,
		.entry = entry,
		.home = home,
		.result = PATH_UNKNOWN,
	};
	int at;

	scratch->at = end;
	if (entry == entry->d_parent && entry != mnt->mnt_root) {
		at = path_treeless(scratch, mnt, entry);
	} else {
		if (!path_names(0, &w))
			bpf_loop(PATH_BURSTS, path_names, &w, 0);
		at = path_climb_from(&w, (void *)mnt - bpf_core_field_offset(struct mount, mnt));
	}
	scratch->at = path_end(scratch, at, end);
	return 0;
}
