/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * System calls by number, for each architecture: which ones open files, which execute, and which
 * can be made once more after a hook has refused them.
 */
#ifndef GRITH_SYSCALL_BPF_H
#define GRITH_SYSCALL_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#if defined(__TARGET_ARCH_x86)

static __always_inline bool is_open_call(int number)
{
	switch (number) {
	case 2: /* open */
	case 85: /* creat */
	case 257: /* openat */
	case 437: /* openat2 */
		return true;
	default:
		return false;
	}
}

static __always_inline bool is_exec_call(int number)
{
	return number == 59 /* execve */ || number == 322 /* execveat */;
}

/* On a socket, where a single message is all of it. */
static __always_inline bool is_write_call(int number)
{
	return number == 1 /* write */ || number == 20 /* writev */;
}

static __always_inline bool is_replayable_call(int number)
{
	switch (number) {
	case 42: /* connect */
	case 44: /* sendto */
	case 46: /* sendmsg */
	case 49: /* bind */
	case 76: /* truncate */
	case 82: /* rename */
	case 83: /* mkdir */
	case 84: /* rmdir */
	case 86: /* link */
	case 87: /* unlink */
	case 88: /* symlink */
	case 90: /* chmod */
	case 91: /* fchmod */
	case 92: /* chown */
	case 93: /* fchown */
	case 94: /* lchown */
	case 133: /* mknod */
	case 258: /* mkdirat */
	case 259: /* mknodat */
	case 260: /* fchownat */
	case 263: /* unlinkat */
	case 264: /* renameat */
	case 265: /* linkat */
	case 266: /* symlinkat */
	case 268: /* fchmodat */
	case 316: /* renameat2 */
	case 452: /* fchmodat2 */
		return true;
	default:
		return is_open_call(number);
	}
}

#elif defined(__TARGET_ARCH_arm64)

static __always_inline bool is_open_call(int number)
{
	return number == 56 /* openat */ || number == 437 /* openat2 */;
}

static __always_inline bool is_exec_call(int number)
{
	return number == 221 /* execve */ || number == 281 /* execveat */;
}

/* On a socket, where a single message is all of it. */
static __always_inline bool is_write_call(int number)
{
	return number == 64 /* write */ || number == 66 /* writev */;
}

static __always_inline bool is_replayable_call(int number)
{
	switch (number) {
	case 33: /* mknodat */
	case 34: /* mkdirat */
	case 35: /* unlinkat */
	case 36: /* symlinkat */
	case 37: /* linkat */
	case 38: /* renameat */
	case 45: /* truncate */
	case 52: /* fchmod */
	case 53: /* fchmodat */
	case 54: /* fchownat */
	case 55: /* fchown */
	case 200: /* bind */
	case 203: /* connect */
	case 206: /* sendto */
	case 211: /* sendmsg */
	case 276: /* renameat2 */
	case 452: /* fchmodat2 */
		return true;
	default:
		return is_open_call(number);
	}
}

#endif

#endif
