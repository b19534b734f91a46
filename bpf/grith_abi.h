/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * The binary interface between the BPF programs and grithd: operations, verdicts, the policy
 * image, map keys and values, records. Both sides include this file. They share grith_tables.h
 * besides, the numbers with a word, which comes with it; and grith_context.h, code that is compiled
 * for both. Nothing else is shared.
 *
 * Integers are in host byte order unless a comment says otherwise. Times are nanoseconds of
 * CLOCK_MONOTONIC. Scores are in hundredths (300 is 3.0). Strings are byte strings with a length
 * and no terminator: any byte but NUL may occur in them, and NUL too in an abstract socket's name.
 */
#pragma once

#ifndef __bpf__
#include <linux/types.h>
#endif

#include "grith_tables.h"

#define GRITH_ABI_VERSION 5

/* How much a source of secrets weighs: labels of the policy with these names. */
enum grith_source {
	GRITH_SOURCE_HIGH = 0, /* "secret-high": private keys, shadow */
	GRITH_SOURCE_MEDIUM, /* "credential", "secret-medium": .env, .aws, ... */
	GRITH_SOURCE_LOW, /* "secret-low": tokens, histories */
	GRITH_SOURCES,
};

/* Slots for distinct things, powers of two, some times as many as a limit may be. */
#define GRITH_CONTEXT_HOSTS 64
#define GRITH_CONTEXT_PORTS 32
#define GRITH_CONTEXT_DESTROYED 128

/* Part of an image. All zero: nothing is added. A limit of 0 is none. */
struct grith_context_weights {
	__s16 taint_high, taint_other; /* egress after such a source, */
	__u16 taint_seconds; /* for so long */
	__s16 contained_egress, contained_spawn; /* after any source; spawn: of a network tool */
	__u16 contained_seconds;
	__s16 rate_near, rate_over,
		rate_burst; /* above 80 %, above all of a minute's limit; burst */
	__u16 rate_minute[GRITH_RATES], rate_second[GRITH_RATES]; /* the limits */
	__s16 egress_minute, egress_hosts, egress_ports, egress_burst, egress_after_reads;
	__u16 egress_minute_limit, egress_hosts_limit, egress_ports_limit, egress_burst_limit;
	__u16 reads_limit, connects_limit; /* of egress_after_reads, in 15 s */
	__u16 mass_limit; /* objects destroyed outside the project, in 10 s */
	__u16 pad;
};

struct grith_window {
	__u64 since; /* its beginning */
	__u32 count;
	__u32 pad;
};

/* All zero: nothing happened yet. */
struct grith_context {
	__u64 tainted[GRITH_SOURCES]; /* when such a source was opened last; 0: never */
	__u64 tainted_any; /* the latest of them */
	struct grith_window reads, connects; /* 15 s */
	struct grith_window egress_minute, egress_burst; /* 60 s, 10 s */
	struct grith_window rate_minute[GRITH_RATES], rate_second[GRITH_RATES];
	struct grith_window destruction; /* 10 s */
	__u32 n_hosts, n_ports; /* distinct ones in egress_minute */
	__u32 n_destroyed; /* distinct objects in `destruction` */
	__u32 pad;
	__u32 hosts[GRITH_CONTEXT_HOSTS]; /* hashes of addresses; 0: free */
	__u32 ports[GRITH_CONTEXT_PORTS];
	__u32 destroyed[GRITH_CONTEXT_DESTROYED];
};

/*
 * The image: one policy, compiled, as a flat array of 32-bit words, the only value of an inner
 * array map. All positions in it are word indices from its start. A header is followed by the
 * automaton, the rows, the outcomes and the port ranges, in any order.
 *
 * The automaton reads a path byte by byte. A state is the index s of its first word:
 *   words[s]      the next state for every byte without a transition of its own (tag 0)
 *   words[s + 1]  the row of the state, for a path that ends in it (tag 1)
 *   words[s + c]  the next state for bytes of byte class c (tag c), c from 2 to 255
 * The tag is the top byte of the word and shows whether words[s + c] belongs to s: no two states
 * share an s, so states may overlap. Byte class 0 has all bytes that no glob names; its transition
 * is words[s] by the same formula. One step:
 *   c = byte_class[byte]; w = words[s + c]; if (w >> 24 != c) w = words[s]; s = w & 0xffffff;
 *
 * A row has one outcome number (16 bits) per op class. Row 0 is what the policy says
 * where no rule matches. Outcome 0 is never referred to.
 */
#define GRITH_IMAGE_MAGIC 0x68747267 /* "grth" */
#define GRITH_IMAGE_WORDS (1u << 20) /* 4 MiB: the largest array value Linux 6.1 accepts */
#define GRITH_IMAGE_MASK (GRITH_IMAGE_WORDS - 1)
#define GRITH_IMAGE_NEXT 0x00ffffff
#define GRITH_IMAGE_TAG_SHIFT 24
#define GRITH_ROW_WORDS (GRITH_OP_CLASSES / 2)
#define GRITH_FAMILIES 48 /* address families with an outcome of their own; AF_MAX is 46 */

struct grith_outcome { /* two words */
	__u16 rule; /* 1-based place in the policy's list of rules; 0: the policy's default */
	__u8 verdict; /* enum grith_verdict */
	__u8 flags; /* GRITH_OUTCOME_* */
	__s16 score; /* static part, hundredths */
	__u16 labels; /* bit set of the policy's labels: credential, project, ... */
};
#define GRITH_OUTCOME_FINAL 0x01
#define GRITH_OUTCOME_ALWAYS 0x02 /* context filters do not apply */
#define GRITH_OUTCOME_INSPECT_ARGV 0x04 /* stop the program with its arguments readable */

/* The columns of a port range. */
enum grith_net_op { GRITH_NET_CONNECT = 0, GRITH_NET_BIND, GRITH_NET_LISTEN, GRITH_NET_OPS };

struct grith_port_range { /* three words */
	__u16 low, high; /* inclusive, host byte order */
	__u16 outcome[GRITH_NET_OPS];
	__u16 pad;
};
#define GRITH_PORT_RANGES 64 /* at most, for one address prefix */

struct grith_image_header {
	__u32 magic;
	__u32 version; /* GRITH_ABI_VERSION */
	__u32 words; /* in use, from the start */
	__u32 start; /* first state */
	__u32 rows; /* where the rows start */
	__u32 outcomes; /* where the outcomes start */
	__u32 unknown_row; /* row for a path that could not be built */
	__u16 ptrace_access; /* outcome: another process, outside the session */
	__u16 signal; /* outcome: a signal to a process outside the session */
	__u16 ring; /* outcome: io_uring */
	__u16 terminal; /* outcome: a terminal that is not the session's */
	__u16 ipc; /* outcome: IPC objects made outside the session */
	__u16 keyring; /* outcome: keys made outside the session */
	__u16 kernel; /* outcome: what changes or reads the kernel itself */
	__u16 namespace; /* outcome: a user namespace, or a change of mounts in one */
	__u16 byte_classes; /* the highest byte class and 1 */
	__u16 project; /* bit set of labels: `project` */
	__u16 source[GRITH_SOURCES]; /* bit sets of labels: what taints, by enum grith_source */
	__u16 network_tool; /* bit set of labels: programs that can send things away */
	struct grith_context_weights weights;
	__u16 socket[2][GRITH_FAMILIES]; /* outcome: [1] raw and packet sockets, [0] all others */
	__u8 byte_class[256];
};

/*
 * Longest-prefix match over addresses of all images. The value names the port ranges, sorted and
 * without gaps from port 0 to 65535, in which the outcomes of wider prefixes are included. An
 * image always has an entry for ::/0.
 */
struct grith_net_key {
	__u32 prefixlen; /* bits of image and address together: 32 + 0..128 */
	__u32 image;
	__u8 address[16]; /* network byte order; IPv4 as ::ffff:a.b.c.d */
};

struct grith_net_value {
	__u32 ranges; /* word index in the image */
	__u32 count; /* 1 to GRITH_PORT_RANGES */
};

/*
 * One supervised agent. Key: the id of its cgroup, which lies directly below grith's root. The
 * kernel counts in it: user space writes it whole only where there is none yet.
 */
struct grith_session {
	__u64 sequence; /* records made for this session, lost ones included; starts at 0 */
	__u32 image; /* slot in the array of images */
	__u32 mode; /* enum grith_mode */
	__u32 uid; /* owner */
	__s16 threshold_hold; /* a score above it holds, */
	__s16 threshold_deny; /* above this it denies; hundredths, both 0: scores do nothing */
	__u32 has_inspected; /* set once a program waited for the inspection of its arguments */
	__u32 stops_lost; /* set once a stop by a process's user could not be noted */
	__u32 overlays; /* GRITH_OVERLAY_*: what it has mounted, whose layers are decided too */
	__u32 pad;
	__u64 home; /* id of the mount namespace that it started in; 0: nothing was placed yet */
	__u64 home_root; /* that namespace's root: an address in the kernel */
	struct grith_context context; /* grith_context.h */
};
#define GRITH_OVERLAY_USER 0x1 /* in a user namespace */
#define GRITH_OVERLAY_ROOT 0x2 /* in the initial one */

/*
 * Hold and replay. An operation whose verdict is `hold` is looked up among the answers. Without one
 * it is entered among the holds, its process is stopped, and its system call is undone; once the
 * process is resumed it makes the call again, and finds the answer or is held again.
 *
 * Objects are compared by a keyed hash of their whole name, address or command, operation and
 * relevant flags included: a process can neither choose a name with another's hash nor learn one.
 */
struct grith_hold_key {
	__u32 pid; /* thread group */
	__u32 tid; /* 0: the whole process, stopped before its first instruction */
};

struct grith_hold {
	__u64 session;
	__u64 object; /* as in struct grith_record */
	__u64 time; /* of the first try */
	__u8 op; /* enum grith_op */
	__u8 resend; /* set from outside: send the record once more at the next try */
	__u16 tries; /* made again while a debugger was attached */
	__u32 pad2;
};
#define GRITH_MAX_HOLDS 16384

struct grith_answer_key {
	__u64 session;
	__u64 object;
	__u32 pid; /* thread group; 0: every process of the session */
	__u32 pad;
};

struct grith_answer {
	__u64 expires; /* CLOCK_MONOTONIC; 0: with the session */
	__u8 verdict; /* GRITH_ALLOW or GRITH_DENY */
	__u8 once; /* used up by the operation that it is found for */
	__u16 pad;
	__u32 review; /* which one it came from */
};
#define GRITH_MAX_ANSWERS 65536

/* Late taint: that a session read a source, found out after the read was allowed. */
struct grith_late_taint {
	__u64 tainted[GRITH_SOURCES]; /* as in struct grith_context */
};

/* Processes of a session that their user has stopped, and not a hold. Key: thread group. */
#define GRITH_MAX_STOPPED_BY_USER 65536

/* Processes with an exec under way that needed an answer or needs inspection. */
#define GRITH_MAX_EXEC_ANSWERS 65536

#define GRITH_MAX_SESSIONS 1024
#define GRITH_MAX_IMAGES 1024
#define GRITH_MAX_NETS 65536
#define GRITH_RING_BYTES (16 * 1024 * 1024)

/* Every record starts with this. */
struct grith_record {
	__u16 version; /* GRITH_ABI_VERSION */
	__u16 kind; /* enum grith_kind */
	__u32 length; /* of the whole record, bytes */
	__u64 time;
	__u64 session;
	__u64 sequence; /* of the session, without gaps: a gap is a lost record */
	__u32 pid; /* thread group */
	__u32 tid;
	__u32 ppid;
	__u32 uid;
	__u8 op; /* enum grith_op */
	__u8 verdict; /* enum grith_verdict, before mode is applied */
	__u16 flags; /* GRITH_RECORD_* */
	__s32 error; /* 0 or the negative errno the operation was refused with */
	__u16 rule; /* as in struct grith_outcome */
	__s16 score; /* static and context together */
	__u16 labels;
	__s16 context; /* the part of the score that the session's state added */
	__u64 object; /* of an operation whose verdict was `hold`, else 0; see struct grith_hold */
	__u32 filters; /* bit set of GRITH_CONTEXT_*: what added to `context` */
	__u32 review; /* that the answer came from; 0: none */
	char comm[16]; /* NUL-padded */
};

#define GRITH_PATH_MAX 4096 /* bytes of a path, as PATH_MAX; longer ones are unknown */

/*
 * Which of the two names of a rename or link decided, if not by the rules for renaming and linking:
 * what may be done under one of them must not become possible by giving the other.
 */
enum grith_move_why {
	GRITH_MOVE_FREE = 0,
	GRITH_MOVE_OLD, /* the old name's restriction would be lost */
	GRITH_MOVE_NEW, /* the new name's restriction would be evaded */
	GRITH_MOVE_FAR, /* what lies below the directory could not be compared */
};
#define GRITH_MOVE(why, op_class, below) ((why) | (op_class) << 4 | (below) << 8)
#define GRITH_MOVE_WHY(move) ((move)&0xf)
#define GRITH_MOVE_CLASS(move) ((move) >> 4 & 0xf) /* enum grith_op_class */
#define GRITH_MOVE_BELOW(move) ((move) >> 8 & 1) /* of something below the directory */

struct grith_path_record {
	struct grith_record head;
	__u64 inode; /* 0: not there yet */
	__u32 device; /* kernel encoding: major << 20 | minor */
	__u32 open_flags; /* O_* of an open; GRITH_MOVE() of a rename or link; else 0 */
	__u16 path_at, path_length; /* bytes from the record's start */
	/* the new name of a rename or link; with OTHER_NAME, the process's own; length 0: none */
	__u16 second_at, second_length;
};

#define GRITH_ARGV_CHUNK 4096 /* bytes of argv in one record */
#define GRITH_ARGV_MAX 65536 /* bytes of argv sent in all */

/*
 * What lies behind a descriptor that a program was started with. The two ends of a pair of unix
 * sockets have the same number, the smaller of their own, so that both programs name one thing.
 */
struct grith_stream {
	__u64 inode; /* 0: closed */
	__u32 device; /* as in struct grith_path_record */
	__u16 type; /* S_IFMT of its mode: a pipe, a socket, a file, ... */
	__u16 pad;
};
#define GRITH_STREAMS 3 /* descriptors 0, 1 and 2 */

/* A process that only forks makes no record: its children name it and those above it. */
#define GRITH_ANCESTORS 3

/* Where a program that was started comes from. */
struct grith_origin {
	__u32 ancestors
		[GRITH_ANCESTORS]; /* thread groups above head.ppid, nearest first; 0: none */
	__u32 pad;
	struct grith_stream streams[GRITH_STREAMS];
};

struct grith_exec_record {
	struct grith_record head;
	__u32 argv_total; /* bytes of the whole argv, each argument with its NUL */
	__u16 path_at, path_length; /* of the program; length 0 in GRITH_KIND_ARGV */
	__u16 argv_at, argv_length; /* this part of it */
	__u32 pad;
	struct grith_origin origin; /* all zero in GRITH_KIND_ARGV */
};

struct grith_net_record {
	struct grith_record head;
	__u16 family; /* AF_*, of the socket */
	__u16 type; /* SOCK_* */
	__u16 protocol; /* IPPROTO_* */
	__u16 port; /* host byte order; 0 where there is none */
	__u8 address[16]; /* as in struct grith_net_key; all zero where there is none */
};

enum grith_adjust {
	GRITH_ADJUST_LIMIT = 1,
	GRITH_ADJUST_NICE,
	GRITH_ADJUST_IO_PRIORITY,
	GRITH_ADJUST_SCHEDULER,
	GRITH_ADJUST_MEMORY, /* on which node its pages lie */
};

struct grith_process_record {
	struct grith_record head;
	__u32 target; /* thread group */
	__u32 mode; /* PTRACE_MODE_*, the signal's number, or enum grith_adjust */
	__u64 target_session; /* 0: outside every session */
	char target_comm[16];
};

/*
 * For tests: a look-up in the policy without an operation, the arguments of the raw tracepoint
 * `test_lookup`. The path lies at the end of the first scratch's space (maps.bpf.h); the outcome is
 * written to the beginning of it.
 */
enum grith_lookup_kind {
	GRITH_LOOKUP_PATH = 0, /* column: enum grith_op_class; length: of the path */
	GRITH_LOOKUP_UNKNOWN, /* column: enum grith_op_class; for a path that could not be built */
	GRITH_LOOKUP_NET, /* column: enum grith_net_op; extra: port; address */
	GRITH_LOOKUP_SOCKET, /* column: family; extra: 1 for raw and packet sockets */
	GRITH_LOOKUP_PTRACE_ACCESS,
	GRITH_LOOKUP_SIGNAL,
	GRITH_LOOKUP_RING,
};

struct grith_lookup {
	__u64 session; /* key in the map of sessions */
	__u64 kind; /* enum grith_lookup_kind */
	__u64 column;
	__u64 extra;
	__u64 length;
	__u64 address[2]; /* as in struct grith_net_key */
};

#define GRITH_ASSERT_SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)
GRITH_ASSERT_SIZE(struct grith_outcome, 8);
GRITH_ASSERT_SIZE(struct grith_port_range, 12);
GRITH_ASSERT_SIZE(struct grith_context_weights, 64);
GRITH_ASSERT_SIZE(struct grith_image_header, 568);
GRITH_ASSERT_SIZE(struct grith_net_key, 24);
GRITH_ASSERT_SIZE(struct grith_net_value, 8);
GRITH_ASSERT_SIZE(struct grith_hold, 32);
GRITH_ASSERT_SIZE(struct grith_answer_key, 24);
GRITH_ASSERT_SIZE(struct grith_answer, 16);
GRITH_ASSERT_SIZE(struct grith_record, 96);
GRITH_ASSERT_SIZE(struct grith_path_record, 120);
GRITH_ASSERT_SIZE(struct grith_origin, 64);
GRITH_ASSERT_SIZE(struct grith_exec_record, 176);
GRITH_ASSERT_SIZE(struct grith_net_record, 120);
GRITH_ASSERT_SIZE(struct grith_process_record, 128);
