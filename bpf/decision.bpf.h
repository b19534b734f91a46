/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/* What is asked and what is decided: the part of an operation that all steps share. */
#pragma once

#include "vmlinux.h"
#include "grith_abi.h"

/* Which of several requests it is, where one operation covers several. */
enum variant {
	VARIANT_NONE = 0,
	OPEN_TMPFILE, /* O_TMPFILE: each open makes another file, without a name */
	CREATE_SYMLINK,
	CHANGE_MODE,
	CHANGE_OWNER,
	CHANGE_TIMES,
	SET_XATTR,
	REMOVE_XATTR,
	SEND_CONNECTED, /* data for where the socket is connected already */
	RING_SQPOLL,
	RING_CREDENTIALS,
	RING_COMMAND,
};

/*
 * What is asked of the object beyond its name: an answer to one request must not be good for
 * another, so all of it is compared, as `raw`.
 */
union request {
	struct {
		/*
		 * open: O_TRUNC and O_TMPFILE only; create: device << 32 | mode;
		 * rename: object_identity() << RENAME_BITS | RENAME_*;
		 * metadata: mode, or uid << 32 | gid; longer arguments by their hash
		 * (request_add_string)
		 */
		__u64 value;
		__u32 place; /* length of the first path; parent_identity() of an unknown one */
		__u8 variant;
	} raw, path;
	struct {
		__u16 family, protocol;
		__u32 pad;
		__u16 port, type;
		__u8 variant;
	} net;
	struct {
		__u64 start_time; /* another process may get the same number */
		__u32 pid;
		__u8 mode; /* of access, or the signal's number */
	} process;
};

/*
 * What is known of an operation and what was decided. It lies in the scratch and not on the stack:
 * what the verifier knows of the stack keeps two ways to one place from being the same to it, and
 * it goes on from there once for each. No pointers: decide_slow() is a global function, and the
 * verifier lets none of them through to one.
 */
struct decision {
	__u64 session_id;
	__u64 now;
	__u64 object; /* hash of a held one, else 0 */
	union request request;
	struct grith_outcome outcome __attribute__((aligned(8)));
	__u32 at; /* where the texts in scratch->data begin; they end at SCRATCH_SPACE */
	__u32 scratch_key;
	__s32 error; /* what the hook returns, for the record */
	__u32 entity; /* hash of the file or address; not 0 */
	__u32 filters; /* GRITH_CONTEXT_*: what added to `context` */
	__u32 review; /* that answered it; 0: none */
	__s32 context; /* what the session's state added to the score */
	__u32 flags; /* GRITH_RECORD_* */
	__u8 op; /* enum grith_op */
	bool record_only; /* whatever the verdict, nothing is refused */
	bool recorded; /* needs no record: sent at an earlier try, or stopped again */
	bool overwrites; /* what is in the file is lost */
	bool answered_in_call; /* by an earlier hook: a hold here is allowed */
	bool refusals_only; /* no record where it is allowed */
	bool piecemeal; /* a deny is EXDEV: as between file systems, to be done file by file */
	bool local; /* to another program on this machine */
};
