/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * The name of an object at home (home.bpf.h), for one that was reached by a mount of another
 * namespace, by one that is attached nowhere, or by none that is known. The kernel has a list of
 * the mounts of each superblock: those of them that are in home are where the object can have a
 * name. A bind mount has the same root wherever it is, so that one with the root of the object's
 * own mount is taken first; else the one whose root is met first on the way up from the object.
 *
 * A file system that is not mounted at home at all was made inside, and its content by the agent:
 * the name is "fstype:/path" from its root. The kernel's own file systems are what they are,
 * wherever and however often they are mounted: they have the name that they have everywhere.
 *
 * All of it is read by address, without a lock: programs run in an RCU read-side critical section,
 * and mounts and dentries are freed after one. Race: another CPU takes a mount off the list while
 * this one stands on it. The list then ends in an address that cannot be read, and is begun anew;
 * what still fails after that is unknown (fail closed). So is all once home itself is gone.
 */
#include "home.bpf.h"

#define LIST_MAX 8192 /* mounts of one superblock; more: unknown */
#define DEPTH_MAX 2048

#define S_IFMT 0170000
#define S_IFCHR 0020000
#define S_IFBLK 0060000

static __always_inline void *root_of(void *at)
{
	struct mount *mount = at;

	return BPF_CORE_READ(mount, mnt.mnt_root);
}

static __always_inline bool is_in(void *at, __u64 sb, __u64 home)
{
	struct mount *mount = at;
	struct mnt_namespace *ns = BPF_CORE_READ(mount, mnt_ns);

	if (!ns || (long)ns == MNT_NS_INTERNAL)
		return false;
	return mount_namespace_id_at(ns) == home &&
	       (__u64)BPF_CORE_READ(mount, mnt.mnt_sb) == sb; /* its memory is used again */
}

/*
 * Whether home is still there: a namespace ends with the last task in it, and a session can leave
 * its own. Then no mount is in home, and what was made inside cannot be told from the rest.
 */
static __always_inline bool home_exists(const struct home_query *q)
{
	struct mount *root = (void *)q->home_root;

	return mount_namespace_id_at(BPF_CORE_READ(root, mnt_ns)) == q->home;
}

/* One mount of the superblock; 1 where there is nothing more to see. */
static long list_step(__u32 i, struct scratch **scratch)
{
	struct home_query *q = &(*scratch)->query;
	void *at = (void *)q->at, *mount = sb_next_mount((void *)q->sb, &at);
	__u64 root;
	__u32 n = q->n;

	q->at = (__u64)at;
	if (mount == SB_MOUNTS_BROKEN) {
		q->at = (__u64)sb_mounts((void *)q->sb);
		q->n = 0;
		return 0;
	}
	if (!mount) {
		q->ended = 1;
		return 1;
	}
	if (!is_in(mount, q->sb, q->home))
		return 0;
	root = (__u64)root_of(mount);
	if (root == q->own_root) {
		q->found = (__u64)mount;
		q->ended = 1;
		return 1;
	}
	if (n >= HOME_MOUNTS)
		return 0; /* the name by one of those before is as true; none: unknown */
	barrier_var(n); /* else the mask is left out, for what the verifier has forgotten */
	q->mounts[n & (HOME_MOUNTS - 1)] = (__u64)mount;
	q->roots[n & (HOME_MOUNTS - 1)] = root;
	q->n = n + 1;
	return 0;
}

/* One step up from the object; 1 where a mount's root is met, or there is no way up. */
static long climb_step(__u32 i, struct scratch **scratch)
{
	struct home_query *q = &(*scratch)->query;
	struct dentry *entry = (void *)q->above, *parent;
	__u32 j;

	for (j = 0; j < HOME_MOUNTS && j < q->n; j++) {
		if (q->roots[j] == q->above) {
			q->found = q->mounts[j];
			return 1;
		}
	}
	parent = BPF_CORE_READ(entry, d_parent);
	q->above = (__u64)parent;
	return !parent || parent == entry;
}

/* Where the kernel's own file systems are; names of types are compared as words. */
#define TYPE_BYTES 16

struct known_type {
	char type[TYPE_BYTES];
	char at[32];
	__u64 length; /* of `at`; a whole word, for the alignment of the next type */
};
#define KNOWN(type, at)                  \
	{                                \
		type, at, sizeof(at) - 1 \
	}

static const struct known_type known_types[] = {
	KNOWN("proc", "/proc"),
	KNOWN("sysfs", "/sys"),
	KNOWN("cgroup2", "/sys/fs/cgroup"),
	KNOWN("cgroup", "/sys/fs/cgroup"),
	KNOWN("devtmpfs", "/dev"),
	KNOWN("bpf", "/sys/fs/bpf"),
	KNOWN("debugfs", "/sys/kernel/debug"),
	KNOWN("tracefs", "/sys/kernel/tracing"),
	KNOWN("securityfs", "/sys/kernel/security"),
	KNOWN("selinuxfs", "/sys/fs/selinux"),
	KNOWN("smackfs", "/sys/fs/smackfs"),
	KNOWN("configfs", "/sys/kernel/config"),
	KNOWN("efivarfs", "/sys/firmware/efi/efivars"),
	KNOWN("pstore", "/sys/fs/pstore"),
	KNOWN("fusectl", "/sys/fs/fuse/connections"),
	KNOWN("binfmt_misc", "/proc/sys/fs/binfmt_misc"),
	KNOWN("resctrl", "/sys/fs/resctrl"),
	KNOWN("devpts", "devpts:"), /* an instance of its own: terminals made inside */
};

#define KNOWN_TYPES (sizeof(known_types) / sizeof(known_types[0]))

/*
 * Which one it is; KNOWN_TYPES: another. By way of the scratch: the verifier need not go on from
 * here once for each.
 */
static __always_inline __u32 known_type_of(struct super_block *sb, struct home_query *q)
{
	union {
		char name[TYPE_BYTES];
		__u64 words[2];
	} type = {};
	__u32 i;

	bpf_probe_read_kernel_str(type.name, sizeof(type.name), BPF_CORE_READ(sb, s_type, name));
	*(volatile __u8 *)&q->type = KNOWN_TYPES;
	for (i = 0; i < KNOWN_TYPES; i++) {
		const __u64 *words = (const __u64 *)known_types[i].type;

		if (words[0] == type.words[0] && words[1] == type.words[1])
			*(volatile __u8 *)&q->type = i;
	}
	return *(volatile __u8 *)&q->type;
}

/* Through it a whole disk could be read, or the kernel's memory. 0:0 is an overlay's whiteout. */
static __always_inline bool is_device(struct dentry *entry)
{
	struct inode *inode = BPF_CORE_READ(entry, d_inode);
	umode_t type = BPF_CORE_READ(inode, i_mode) & S_IFMT;

	return (type == S_IFCHR || type == S_IFBLK) && BPF_CORE_READ(inode, i_rdev);
}

static __always_inline int name_made_inside(struct scratch *scratch, struct super_block *sb,
					    struct dentry *entry, int at, __u32 end)
{
	__u32 type = known_type_of(sb, &scratch->query);
	const struct known_type *known;
	__u32 length;

	if (type < KNOWN_TYPES) {
		known = &known_types[type];
		if (at == (int)end && known->at[0] != '/')
			at = text_prepend(scratch, at, "/", 1);
		length = known->length & (sizeof(known->at) - 1);
		barrier_var(length);
		return at < 0 ? at : text_prepend(scratch, at, known->at, length);
	}
	at = path_end(scratch, at, end);
	if (at < 0)
		return at;
	return is_device(entry) ? text_prepend(scratch, at, "device:", 7)
				: path_prepend_type(scratch, at, sb);
}

struct same {
	struct scratch *scratch;
	__u32 at, other; /* towards their ends */
	__u32 end; /* of the first */
};

/* Eight bytes of each; 1 where they differ or the first has ended. */
static long same_step(__u32 i, struct same *s)
{
	__u32 at = s->at, other = s->other, left = s->end - at;
	__u64 differ;

	barrier_var(at); /* else what is checked is not what is used */
	barrier_var(other);
	if (at >= s->end || at >= SCRATCH_SPACE || other >= SCRATCH_SPACE)
		return 1;
	differ = *text_word(s->scratch, at) ^ *text_word(s->scratch, other);
	if (left < sizeof(__u64)) /* little-endian */
		differ <<= (sizeof(__u64) - left) * 8;
	if (differ)
		return 1;
	s->at = at + sizeof(__u64);
	s->other = other + sizeof(__u64);
	return 0;
}

/* Whether the text from `at` to `view` is that from `view` to `end`. */
static __always_inline bool is_same(struct scratch *scratch, __u32 at, __u32 view, __u32 end)
{
	struct same s = { scratch, at, view, view };

	if (view - at != end - view)
		return false;
	bpf_loop(GRITH_PATH_MAX / sizeof(__u64) + 1, same_step, &s, 0);
	return s.at >= view;
}

/* Finds the mount to build the path from. false: there is none, or it cannot be known. */
static __always_inline bool find_mount(struct scratch *scratch)
{
	struct home_query *q = &scratch->query;
	struct dentry *entry = (void *)q->entry;
	struct vfsmount *mnt = (void *)q->mnt;

	q->sb = (__u64)BPF_CORE_READ(entry, d_sb);
	q->own_root = mnt ? (__u64)BPF_CORE_READ(mnt, mnt_root) : 0;
	q->above = q->entry;
	q->found = 0;
	q->ended = false;
	q->made_inside = false;
	q->is_view = false;
	q->n = 0;
	q->at = (__u64)sb_mounts((void *)q->sb);
	bpf_loop(LIST_MAX, list_step, &scratch, 0);
	if (!q->ended)
		return false;
	q->made_inside = !q->found && !q->n && home_exists(q);
	if (!q->found && q->n)
		bpf_loop(DEPTH_MAX, climb_step, &scratch, 0);
	return q->found || q->made_inside;
}

/* One name towards the root of a file system that is mounted nowhere at home. */
static long inside_step(__u32 i, struct path_walk *w)
{
	struct dentry *entry = w->entry, *parent;
	int at;

	if (entry == w->root) {
		w->result = w->scratch->at;
		return 1;
	}
	parent = BPF_CORE_READ(entry, d_parent);
	if (parent == entry)
		return 1; /* not connected: unknown */
	at = text_prepend_marked(w->scratch, w->scratch->at, '/', BPF_CORE_READ(entry, d_name.name),
				 BPF_CORE_READ(entry, d_name.len));
	if (at < 0)
		return 1;
	w->scratch->at = at;
	w->entry = parent;
	return 0;
}

static __always_inline int build(struct scratch *scratch, __u32 end)
{
	struct home_query *q = &scratch->query;
	struct super_block *sb = (void *)q->sb;
	struct path_walk w = {
		.scratch = scratch,
		.entry = (void *)q->entry,
		.home = q->home,
		.result = PATH_UNKNOWN,
	};

	scratch->at = end;
	if (!q->made_inside)
		return path_climb_from(&w, (void *)q->found);
	w.root = BPF_CORE_READ(sb, s_root);
	bpf_loop(DEPTH_MAX, inside_step, &w, 0);
	return w.result;
}

__noinline int home_name(__u32 scratch_key)
{
	struct scratch *scratch = bpf_map_lookup_elem(&scratches, &scratch_key);
	struct home_query *q;
	__u32 end;
	int at;

	if (!scratch) /* never, but the verifier cannot know */
		return 0;
	q = &scratch->query;
	q->result = PATH_UNKNOWN;
	if (q->view > 0)
		q->view = path_end(scratch, q->view, q->end);
	end = q->view > 0 ? q->view : q->end;
	if (end > SCRATCH_SPACE || !find_mount(scratch))
		return 0;
	at = build(scratch, end);
	if (at >= 0 && q->made_inside)
		at = name_made_inside(scratch, (void *)q->sb, (void *)q->entry, at, end);
	at = path_end(scratch, at, end);
	if (at >= 0 && q->view > 0 && is_same(scratch, at, q->view, q->end)) {
		q->is_view = true;
		at = q->view;
	}
	q->result = at;
	return 0;
}
