/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * The one builder of paths: from a mount and a directory entry up to the root of the mount
 * namespace, whatever the task's own root directory is. Strings from user memory play no part.
 * It knows nothing of sessions and verdicts.
 *
 * A path is written from its end to its beginning. What cannot be built whole is unknown: too
 * long, too deep, on a mount that is attached nowhere, or not connected to its file system's root.
 */
#ifndef GRITH_PATH_BPF_H
#define GRITH_PATH_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "compat.bpf.h"
#include "maps.bpf.h"

/* What path_build() returns in place of a position. */
#define PATH_UNKNOWN (-1)
/*
 * An object below an overlay, reached by the kernel through a private mount of its own. The
 * operation on the overlay's object has been decided already, and no task can come here by itself.
 */
#define PATH_INNER (-2)

#define PATH_NAME_MAX 255
#define PATH_DIRECT 24 /* names read by plain loads before the general loop takes over */
#define PATH_STEPS (GRITH_PATH_MAX / 2 + 64) /* names of one letter, and mounts */

#define MNT_INTERNAL 0x4000 /* made by the kernel for itself: pipes, sockets, memfds */
#define MNT_NS_INTERNAL (-22L) /* in place of a namespace: a private mount */

/* A walk in progress. `mount` and `entry` may be anything by now: read with probes only. */
struct path_walk {
	struct scratch *scratch;
	struct mount *mount;
	struct dentry *root; /* of the mount */
	struct dentry *entry;
	__u32 at; /* where the text begins so far */
	__s32 result; /* once the walk has ended */
};

/* Puts a name in front of the text at `at`, without a slash. The new beginning, or PATH_UNKNOWN. */
static __always_inline int path_prepend(struct scratch *scratch, __u32 at, const void *name,
					__u32 length)
{
	if (length > PATH_NAME_MAX)
		return PATH_UNKNOWN;
	at -= length;
	barrier_var(at); /* else the compiler bounds another register than it uses */
	if (at >= SCRATCH_SPACE) /* below 0, too */
		return PATH_UNKNOWN;
	if (bpf_probe_read_kernel(&scratch->data[at], length, name))
		return PATH_UNKNOWN;
	return at;
}

static __always_inline int path_prepend_component(struct scratch *scratch, __u32 at,
						  const void *name, __u32 length)
{
	__u32 begin = path_prepend(scratch, at, name, length) - 1;

	barrier_var(begin);
	if (begin >= SCRATCH_SPACE)
		return PATH_UNKNOWN;
	scratch->data[begin] = '/';
	return begin;
}

/* "fstype:" in front of a name that is in no tree. */
static __always_inline int path_prepend_type(struct scratch *scratch, __u32 at,
					     const struct super_block *sb)
{
	char type[32];
	long length = bpf_probe_read_kernel_str(type, sizeof(type), BPF_CORE_READ(sb, s_type, name));

	if (length < 1 || length > (long)sizeof(type))
		return PATH_UNKNOWN;
	type[(length - 1) & (sizeof(type) - 1)] = ':';
	return path_prepend(scratch, at, type, length);
}

/* The walk is at the root of the topmost mount: is it the root of a namespace? */
static __always_inline int path_top(struct path_walk *w)
{
	struct mount *top = w->mount; /* BPF_CORE_READ takes fields of kernel types only */
	struct mnt_namespace *ns;

	if (BPF_CORE_READ(top, mnt.mnt_flags) & MNT_INTERNAL)
		return path_prepend_type(w->scratch, w->at, BPF_CORE_READ(top, mnt.mnt_sb));
	ns = BPF_CORE_READ(top, mnt_ns);
	if ((long)ns == MNT_NS_INTERNAL)
		return PATH_INNER;
	if (!ns || is_anonymous(ns))
		return PATH_UNKNOWN;
	return w->at;
}

/* One name, or the way from a mount to the directory it is mounted on. */
static long path_step(__u32 i, struct path_walk *w)
{
	struct dentry *entry = w->entry, *parent;
	struct mount *mount = w->mount, *below;
	int at;

	if (entry == w->root) {
		below = BPF_CORE_READ(mount, mnt_parent);
		if (below == mount) {
			w->result = path_top(w);
			return 1;
		}
		w->entry = BPF_CORE_READ(mount, mnt_mountpoint);
		w->root = BPF_CORE_READ(below, mnt.mnt_root);
		w->mount = below;
		return 0;
	}
	parent = BPF_CORE_READ(entry, d_parent);
	if (parent == entry)
		return 1; /* not connected to the mount's root: result stays unknown */
	at = path_prepend_component(w->scratch, w->at, BPF_CORE_READ(entry, d_name.name),
				    BPF_CORE_READ(entry, d_name.len));
	if (at < 0)
		return 1;
	w->at = at;
	w->entry = parent;
	return 0;
}

/*
 * Writes the path so that it ends before `end`, an index into scratch->data. Returns where it
 * begins, or PATH_UNKNOWN or PATH_INNER. An object that is in no tree, such as a pipe or a memfd,
 * gets "fstype:name"; one that was unlinked has the name it had.
 */
static __noinline int path_build(struct scratch *scratch, __u32 end, struct vfsmount *mnt,
				 struct dentry *entry)
{
	struct path_walk w = { .scratch = scratch, .result = PATH_UNKNOWN };
	int i, at = forget(scratch, end), begin;

	for (i = 0; i < PATH_DIRECT; i++) {
		struct dentry *parent = entry->d_parent;

		if (entry == mnt->mnt_root)
			break;
		if (entry == parent) {
			if (!(mnt->mnt_flags & MNT_INTERNAL))
				return PATH_UNKNOWN;
			at = path_prepend(scratch, at, entry->d_name.name, entry->d_name.len);
			if (at < 0)
				return PATH_UNKNOWN;
			return path_prepend_type(scratch, at, mnt->mnt_sb);
		}
		at = path_prepend_component(scratch, at, entry->d_name.name, entry->d_name.len);
		if (at < 0)
			return PATH_UNKNOWN;
		entry = parent;
	}
	w.at = forget(scratch, at);
	w.entry = entry;
	w.root = mnt->mnt_root;
	w.mount = (void *)mnt - bpf_core_field_offset(struct mount, mnt);
	bpf_loop(PATH_STEPS, path_step, &w, 0);
	begin = w.result;
	if (begin < 0)
		return begin;
	if (begin == (int)end) /* the root itself */
		begin = path_prepend_component(scratch, begin, "", 0);
	if (begin < 0 || (int)end - begin > GRITH_PATH_MAX)
		return PATH_UNKNOWN;
	return begin;
}

#endif
