/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Objects of the kernel that a session has made: IPC objects, keys, pseudo terminals. What is not
 * its own belongs to somebody outside, and reaching it is an operation.
 *
 * An address is an object's only from its making to its end: each kind is noted once it is made and
 * forgotten before its memory is freed, by programs of which neither is loaded without the other.
 */
#pragma once

#include "begin.bpf.h"

static __always_inline void own_note(const void *object)
{
	__u64 session = session_of_current(), address = (__u64)object;

	if (session)
		bpf_map_update_elem(&own_objects, &address, &session, BPF_ANY);
}

/* Whoever frees it: often a kernel thread, or the last one outside who uses it. */
static __always_inline void own_forget(const void *object)
{
	__u64 address = (__u64)object;

	bpf_map_delete_elem(&own_objects, &address);
}

static __always_inline bool is_own(const void *object, __u64 session)
{
	__u64 address = (__u64)object, *maker = bpf_map_lookup_elem(&own_objects, &address);

	return maker && *maker == session;
}
