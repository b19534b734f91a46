/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Limits and time-outs of grithd: how many, how large, how long. What a client may send is limited
 * in lib/proto/proto.h, which also has the time-out of a hold (PROTO_TIMEOUT_DEFAULT); sizes in the
 * audit log's format are in lib/audit, sizes of the kernel's maps in bpf/maps.bpf.h.
 */
#pragma once

#include <stdint.h>

/* --- sessions */
#define SESSIONS_PER_USER 128 /* other than root */
#define SESSION_STORE_KEEP_DAYS 90 /* after a session's end */

/* Names of hosts, resolved at the start of a session. */
#define RESOLVER_NAMES_MAX 256
#define RESOLVER_HOSTS_MAX 4096 /* addresses, of all names together */
#define RESOLVER_SECONDS 5

/*
 * --- policies: each is read and compiled in a process of its own, with these limits. A policy that
 * the automaton's limits let through takes a tenth of them on a slow machine.
 */
#define COMPILE_CPU_SECONDS 60
#define COMPILE_SECONDS 180 /* from its start to its end, whatever else the machine does */
#define COMPILE_MEMORY_MAX (768u << 20) /* bytes */
#define COMPILE_RESULT_MAX (32u << 20) /* bytes, and of what goes in */
#define COMPILES_AT_ONCE 4 /* and one at a time for each user */
#define COMPILES_WAITING_PER_USER 8 /* behind the one that runs */

/* Results that are kept for the next start of the same policy. */
#define KEPT_PER_USER 16
#define KEPT_MAX 128
#define KEPT_BYTES_MAX (256u << 20) /* of all of them together */

/* --- reviews and answers */

/* Waiting at one time; beyond it the answer is no. */
#define REVIEWS_MAX 8192
#define REVIEWS_PER_SESSION 2048
#define REVIEWS_ANSWERED_MAX 1024 /* that are kept to be looked at, at most PROTO_REVIEWS_KEPT */

#define REVIEW_REUSE_NS (60 * UINT64_C(1000000000)) /* an answer is one for an identical retry */
#define REVIEW_NEXT_TRY_NS (600 * UINT64_C(1000000000)) /* for what could not be held */
#define REVIEW_UNATTENDED 2 /* unanswered in a row, after which a session waits shortly: */
#define REVIEW_UNATTENDED_SECONDS 5

#define ANSWERS_MAX 4096 /* of one user, or of one session */
#define CANARIES_PER_USER 64

/* --- the control socket */
#define SERVER_CLIENTS_MAX 64
#define SERVER_CLIENTS_RESERVED 8 /* of them: for root */
#define SERVER_CLIENTS_PER_USER 16 /* other than root */
#define SERVER_CLIENTS_SUPERVISED 8 /* and so many that are supervised, beside the others */
#define SERVER_INPUT_MAX (32u << 20) /* bytes of unfinished requests, of all clients together */

/* A silent client is closed: one that is supervised, within a request, between requests. */
#define CLIENT_STALE_SUPERVISED_NS (5 * UINT64_C(1000000000))
#define CLIENT_STALE_REQUEST_NS (60 * UINT64_C(1000000000))
#define CLIENT_STALE_IDLE_NS (600 * UINT64_C(1000000000))

/* Blocks of the log that are searched for one "why". */
#define WHY_BLOCKS_MAX 4096
#define WHY_BLOCKS_MAX_SUPERVISED 64 /* what an agent may make grithd read for one question */

/* --- the audit log */
/* A checkpoint is signed at AUDIT_CHECKPOINT_LINES lines (lib/audit/entry.h), or after this. */
#define AUDIT_CHECKPOINT_USEC UINT64_C(60000000)
#define AUDIT_PENDING_MAX (8u << 20) /* bytes kept in memory while nothing can be written */
