/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * The kernel types and fields that the BPF programs read, and nothing else, in place of a full
 * vmlinux.h. Offsets come from the running kernel (CO-RE), so order and gaps do not matter here;
 * names do, and scripts/check-vmlinux compares them with a kernel's BTF. Fields that only some
 * kernels have are in bpf/compat.bpf.h.
 */
#ifndef GRITH_VMLINUX_H
#define GRITH_VMLINUX_H

typedef signed char __s8;
typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef _Bool bool;
typedef unsigned long size_t;
typedef unsigned short umode_t;

#define true 1
#define false 0
#define NULL ((void *)0)

/* The part of the kernel's BPF interface that is used; numbers are fixed for ever. */
enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_LRU_HASH = 9,
	BPF_MAP_TYPE_LPM_TRIE = 11,
	BPF_MAP_TYPE_ARRAY_OF_MAPS = 12,
	BPF_MAP_TYPE_RINGBUF = 27,
};

enum {
	BPF_ANY = 0,
	BPF_NOEXIST = 1,
	BPF_F_NO_PREALLOC = 1,
};

enum {
	BPF_RB_NO_WAKEUP = 1,
	BPF_RB_FORCE_WAKEUP = 2,
};

enum {
	BPF_RB_AVAIL_DATA = 0,
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct qstr {
	__u32 hash;
	__u32 len;
	const unsigned char *name;
};

struct file_system_type {
	const char *name;
};

struct list_head {
	struct list_head *next;
};

struct hlist_node {
	struct hlist_node *next;
};

struct hlist_head {
	struct hlist_node *first;
};

struct user_namespace {
	int level; /* 0: the initial one */
};

struct super_block {
	__u32 s_dev;
	unsigned long s_magic;
	struct file_system_type *s_type;
	struct dentry *s_root;
	struct user_namespace *s_user_ns;
};

struct inode {
	umode_t i_mode;
	struct super_block *i_sb;
	unsigned long i_ino;
	__u32 i_rdev;
	__u32 i_generation;
	void *i_private;
	struct hlist_head i_dentry;
};

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
	struct super_block *d_sb;
	void *d_fsdata;
	union {
		struct hlist_node d_alias;
	} d_u;
};

struct vfsmount {
	struct dentry *mnt_root;
	struct super_block *mnt_sb;
	int mnt_flags;
};

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
	struct mnt_namespace *mnt_ns;
	struct list_head mnt_share;
};

struct mnt_namespace {
	struct mount *root;
	struct user_namespace *user_ns;
};

struct nsproxy {
	struct mnt_namespace *mnt_ns;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct iattr {
	unsigned int ia_valid;
};

struct file {
	struct path f_path;
	struct inode *f_inode;
	unsigned int f_flags;
	unsigned int f_mode;
	void *private_data;
};

struct fdtable {
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct vm_area_struct {
	struct file *vm_file;
};

struct mm_struct {
	unsigned long arg_start;
	unsigned long arg_end;
	struct file *exe_file;
};

struct linux_binprm {
	struct file *file;
};

struct kernfs_node {
	__u64 id;
	void *priv;
};

struct cgroup {
	int level;
	struct kernfs_node *kn;
	struct cgroup *ancestors[0];
};

struct css_set {
	struct cgroup *dfl_cgrp;
};

typedef struct {
	int counter;
} atomic_t;

struct tty_driver {
	int major;
	int minor_start;
};

struct tty_struct {
	struct tty_driver *driver;
	int index;
	struct tty_struct *link;
};

struct tty_file_private {
	struct tty_struct *tty;
};

struct signal_struct {
	atomic_t live;
	struct tty_struct *tty;
};

struct sigaction {
	void *sa_handler;
};

struct k_sigaction {
	struct sigaction sa;
};

struct sighand_struct {
	struct k_sigaction action[64];
};

struct fs_struct {
	int users;
	struct path root;
	struct path pwd;
};

typedef struct {
	unsigned int val;
} kuid_t;

struct cred {
	kuid_t uid;
	struct user_namespace *user_ns;
};

struct task_struct {
	unsigned int flags;
	struct mm_struct *mm;
	int exit_code;
	unsigned int personality;
	int pid;
	int tgid;
	unsigned int ptrace;
	struct task_struct *parent; /* the tracer, if there is one */
	struct task_struct *real_parent;
	__u64 start_time;
	char comm[16];
	const struct cred *cred;
	const struct cred *real_cred;
	struct fs_struct *fs;
	struct files_struct *files;
	struct nsproxy *nsproxy;
	struct signal_struct *signal;
	struct css_set *cgroups;
	struct sighand_struct *sighand;
	struct hlist_node pid_links[4];
};

struct pid {
	struct hlist_head tasks[4];
};

struct proc_inode {
	struct pid *pid;
	struct inode vfs_inode;
};

struct fown_struct {
	int signum;
};

struct posix_acl_entry {
	short e_tag;
};

struct posix_acl {
	unsigned int a_count;
	struct posix_acl_entry a_entries[0];
};

struct kern_ipc_perm {
	int id;
	int key;
};

struct key_type {
	const char *name;
};

struct keyring_index_key {
	__u16 desc_len;
	struct key_type *type;
	const char *description;
};

struct key {
	int serial;
	struct keyring_index_key index_key;
};

struct bpf_map;
struct pts_fs_info;
struct kernel_siginfo;
struct rlimit;
struct sockaddr;
struct io_uring_cmd;

struct in6_addr {
	union {
		__u8 u6_addr8[16];
	} in6_u;
};

struct net;

typedef struct {
	struct net *net;
} possible_net_t;

struct sock_common {
	__be32 skc_daddr;
	__be32 skc_rcv_saddr;
	__be16 skc_dport;
	__u16 skc_num;
	unsigned short skc_family;
	unsigned char skc_reuseport : 1;
	unsigned char skc_ipv6only : 1;
	int skc_bound_dev_if;
	possible_net_t skc_net;
	struct in6_addr skc_v6_daddr;
	struct in6_addr skc_v6_rcv_saddr;
};

struct sock_cgroup_data {
	struct cgroup *cgroup;
};

struct sock {
	struct sock_common __sk_common;
	struct sock_cgroup_data sk_cgrp_data;
	struct socket *sk_socket;
	__u16 sk_type;
	__u16 sk_protocol;
};

struct socket {
	struct file *file;
	struct sock *sk;
};

struct msghdr {
	void *msg_name;
	int msg_namelen;
	unsigned int msg_flags;
	void *msg_control;
	size_t msg_controllen;
};

struct unix_address {
	int len;
	struct sockaddr_un {
		unsigned short sun_family;
		char sun_path[108];
	} name[0];
};

struct unix_sock {
	struct sock sk;
	struct unix_address *addr;
	struct path path;
	struct sock *peer;
};

#pragma clang attribute pop

#endif
