/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The only part that knows libbpf: probing, loading, attaching, pinning, maps and the ring buffer.
 * It decides nothing and logs nothing.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/policy/policy.h"
#include "grith_abi.h"

struct kernel;

enum kernel_attach { KERNEL_ATTACH_AUTO = 0, KERNEL_ATTACH_LSM, KERNEL_ATTACH_FMOD_RET };

enum kernel_hook_state { KERNEL_HOOK_ATTACHED, KERNEL_HOOK_ABSENT, KERNEL_HOOK_REFUSED };

struct kernel_hook {
	const char *name; /* as LSM calls it, or the tracepoint's or function's name */
	bool mandatory;
	enum kernel_hook_state state;
	char why[160]; /* for ABSENT and REFUSED */
};

struct kernel_options {
	enum kernel_attach attach;
	const char *bpffs; /* directory for the pins; created below a mounted bpffs */
	uint64_t root_cgroup; /* id of grith's root cgroup */
	unsigned int root_level; /* its depth; the root of cgroup2 is 0 */
};

/*
 * Why this machine cannot enforce: one entry per missing thing with its remedy (no BTF,
 * trampolines refused, neither attachment possible, no bpffs, not root, memory limit, a kernel
 * older than 6.1). 0 where nothing does. Tries a two-instruction program to know.
 */
int kernel_probe(enum kernel_attach wanted, struct diag *diag, enum kernel_attach *ret_attach);

/*
 * Adopts what is pinned below options->bpffs where its version fits, else loads, attaches and pins
 * anew, taking over the pinned maps so that sessions stay. 0, or negative errno with entries in
 * `diag`.
 */
int kernel_open(const struct kernel_options *options, struct diag *diag,
		struct kernel **ret_kernel);

/* Closes our side; what is pinned goes on enforcing. kernel_unload() also removes the pins. */
void kernel_free(struct kernel *kernel);
DEFINE_CLEANUP(struct kernel, kernel_free)
int kernel_unload(const char *bpffs);

enum kernel_attach kernel_attachment(const struct kernel *kernel);
bool kernel_adopted(const struct kernel *kernel); /* programs of an earlier grithd were found */
const struct kernel_hook *kernel_hooks(const struct kernel *kernel, size_t *ret_count);

/* Puts an image and its prefixes into a free slot. -ENOSPC where all are taken. */
int kernel_image_add(struct kernel *kernel, const struct policy_image *image, uint32_t *ret_slot);
int kernel_image_remove(struct kernel *kernel, uint32_t slot);
/* Marks a slot as taken, for sessions found at start. */
int kernel_image_adopt(struct kernel *kernel, uint32_t slot);

int kernel_session_set(struct kernel *kernel, uint64_t cgroup, const struct grith_session *session);
int kernel_session_get(struct kernel *kernel, uint64_t cgroup, struct grith_session *ret_session);
int kernel_session_remove(struct kernel *kernel, uint64_t cgroup);
/* Ids of all sessions in the kernel; the caller frees the array. */
int kernel_sessions(struct kernel *kernel, uint64_t **ret_cgroups, size_t *ret_count);

/*
 * Answers to what was held, and what is held now; see grith_abi.h. An answer takes effect at once
 * for every try that comes after it, and does not resume the process. -E2BIG: no room for another.
 */
int kernel_answer_set(struct kernel *kernel, const struct grith_answer_key *key,
		      const struct grith_answer *answer);
/* -ENOENT: there is none, or it was used up. */
int kernel_answer_remove(struct kernel *kernel, const struct grith_answer_key *key);
/* Removes those for whole sessions that came from these reviews, in ascending order. */
int kernel_answers_revoke(struct kernel *kernel, const uint32_t *reviews, size_t count);
/* Removes answers that are no longer good at `now`, and all of a session that has ended. */
int kernel_answers_expire(struct kernel *kernel, uint64_t now);
int kernel_answers_forget(struct kernel *kernel, uint64_t session);

struct kernel_hold {
	struct grith_hold_key key;
	struct grith_hold hold;
};

/* All holds that there are, also those of killed processes; the caller frees the array. */
int kernel_holds(struct kernel *kernel, struct kernel_hold **ret_holds, size_t *ret_count);
/* -ENOENT: it is not held. */
int kernel_hold_get(struct kernel *kernel, const struct grith_hold_key *key,
		    struct grith_hold *ret_hold);
/* Lets its record be sent once more when the process tries again. -ENOENT: it is not held. */
int kernel_hold_tell(struct kernel *kernel, const struct grith_hold_key *key);
int kernel_hold_remove(struct kernel *kernel, const struct grith_hold_key *key);
/*
 * A program that was stopped before its first instruction may go on, or has ended: its hold is
 * removed, and its session's number of such programs is one lower. -ENOENT: it is not held.
 */
int kernel_inspected(struct kernel *kernel, uint32_t pid);

/*
 * Continues a held process: the one of `pidfd`, or that has the number where that is -1. -EBUSY:
 * it was stopped by its user, so it stays stopped until they continue it. -ESRCH: it
 * has ended.
 */
int kernel_continue(struct kernel *kernel, uint32_t pid, int pidfd);

/*
 * From now on the session counts as having read a source of this weight at `time` (CLOCK_MONOTONIC,
 * nanoseconds).
 */
int kernel_session_taint(struct kernel *kernel, uint64_t cgroup, enum grith_source source,
			 uint64_t time);

/* Sums over all CPUs. */
int kernel_counters(struct kernel *kernel, uint64_t ret_counters[GRITH_COUNTERS]);

/* For the event loop: a descriptor to poll, and the reading of all records that are there. */
typedef int kernel_record_fn(void *arg, const void *data, size_t size);
int kernel_ring_fd(const struct kernel *kernel);
int kernel_ring_consume(struct kernel *kernel, kernel_record_fn *fn, void *arg);
