/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * What a session's state adds to the score of an operation: the filters taint, containment, rate
 * limit, egress rate and mass destruction. The kernel computes them, because what one thread reads
 * must count for what another one sends at the same moment; this is compiled for both sides, so
 * that the same code is tested without a kernel and replays a log.
 *
 * The race that is closed here: one thread opens a secret while another one sends. The source is
 * noted before its open returns (grith_source_read), so that a thread that has read it is too late
 * to send unseen; and the first write after it to a connection from before is an operation of its
 * own (net.bpf.c). Not closed: a send that was decided before and waits for room copies its buffer
 * only then, and may carry what was read meanwhile.
 *
 * Counters are atomic additions. Where two threads begin a new window at once, counts of the old
 * one may go into the new one: a limit is then reached early, never late by more than one.
 *
 * All numbers come from the weights, which are data: policy/weights.yaml.
 */
#pragma once

#include "grith_abi.h"

/* One operation, as far as it matters here. */
struct grith_use {
	__u64 now;
	__u32 entity; /* hash of the file or the address; not 0 */
	__u16 port; /* of egress */
	__u8 rate; /* enum grith_rate */
	__u8 local; /* of egress: to a program on this machine, outside the session */
	__u8 egress; /* to somewhere else than the session */
	__u8 network_tool; /* a program that can send things away is started */
	__u8 own_data; /* reads what is worth sending away: the project's files, a source */
	__u8 destroys; /* deletes, renames or overwrites outside the project */
};

#define GRITH_RATE_CASE(op, number, word, op_class, rate) \
	case op:                                          \
		return GRITH_RATE_##rate;

static __always_inline __u8 grith_rate_of(enum grith_op op)
{
	switch (op) {
		GRITH_OP_TABLE(GRITH_RATE_CASE)
	default:
		return GRITH_RATE_NONE;
	}
}

/* How much the object weighs as a source of secrets. GRITH_SOURCES: it is none. */
static __always_inline __u32 grith_source_of(const struct grith_image_header *header, __u16 labels)
{
	int i;

	for (i = 0; i < GRITH_SOURCES; i++)
		if (labels & header->source[i])
			break;
	return i;
}

/* `flags` are those of a record. */
static __always_inline int grith_is_reading(enum grith_op op, __u16 flags)
{
	return op == GRITH_OP_READ || op == GRITH_OP_RECEIVE || flags & GRITH_RECORD_READ_TOO;
}

/* What follows from the kind of operation and the object's labels; the rest is the caller's. */
static __always_inline void grith_use_fill(struct grith_use *use,
					   const struct grith_image_header *header,
					   enum grith_op op, __u16 flags, __u16 labels,
					   int overwrites)
{
	int project = labels & header->project;

	use->rate = grith_rate_of(op);
	use->egress = op == GRITH_OP_CONNECT || op == GRITH_OP_SEND;
	use->network_tool = op == GRITH_OP_EXEC && labels & header->network_tool;
	use->own_data = grith_is_reading(op, flags) &&
			(grith_source_of(header, labels) < GRITH_SOURCES || project);
	use->destroys = !project && (op == GRITH_OP_DELETE || op == GRITH_OP_RENAME || overwrites);
}

#define GRITH_SECOND 1000000000ull

/* Counts one in a window of that length. 1: it is the first, the window was begun anew. */
static __always_inline __u32 grith_window_count(struct grith_window *window, __u64 now,
						__u64 length)
{
	if (!window->since || now - window->since >= length) {
		window->since = now;
		window->count = 0;
	}
	return __sync_fetch_and_add(&window->count, 1) + 1;
}

/* How many there were in the window that is open at `now`. */
static __always_inline __u32 grith_window_level(const struct grith_window *window, __u64 now,
						__u64 length)
{
	return window->since && now - window->since < length ? window->count : 0;
}

#define GRITH_PROBES 4 /* slots that are looked at */

/*
 * Counts a hash that was not among the distinct ones. Where all its slots are taken by others it
 * counts again: that happens when there are nearly too many of them anyway. `mask` is the number of
 * slots less one.
 */
static __always_inline void grith_distinct_add(__u32 *count, __u32 *slots, __u32 mask, __u32 hash)
{
	int i;

	for (i = 0; i < GRITH_PROBES; i++) {
		__u32 at = hash + i;

		/* Keeps a mask that the verifier needs to see. */
		__asm__ volatile("" : "+r"(at));
		at &= mask;
		if (slots[at] == hash)
			return;
		if (!slots[at] && !__sync_val_compare_and_swap(&slots[at], 0, hash))
			break;
	}
	__sync_fetch_and_add(count, 1);
}

static __always_inline int grith_is_recent(__u64 time, __u64 now, __u16 seconds)
{
	return time && now - time < seconds * GRITH_SECOND;
}

/*
 * What each filter adds: its highest result. Everything goes through memory, so that the verifier
 * does not follow each combination of results through all that comes after.
 */
struct grith_points {
	__s32 taint, containment, rate, egress;
	__u32 mass; /* 1: mass destruction */
};

static __always_inline void grith_raise(__s32 *points, __s16 to)
{
	if (to > *points)
		*points = to;
}

static __always_inline void grith_egress_rate(struct grith_context *c,
					      const struct grith_context_weights *w,
					      const struct grith_use *use,
					      struct grith_points *points)
{
	__u32 minute = grith_window_count(&c->egress_minute, use->now, 60 * GRITH_SECOND);
	__u32 burst = grith_window_count(&c->egress_burst, use->now, 10 * GRITH_SECOND);
	__u32 connects = grith_window_count(&c->connects, use->now, 15 * GRITH_SECOND);
	__u32 reads = grith_window_level(&c->reads, use->now, 15 * GRITH_SECOND);

	if (minute == 1) {
		__builtin_memset(c->hosts, 0, sizeof(c->hosts));
		__builtin_memset(c->ports, 0, sizeof(c->ports));
		c->n_hosts = c->n_ports = 0;
	}
	grith_distinct_add(&c->n_hosts, c->hosts, GRITH_CONTEXT_HOSTS - 1, use->entity);
	grith_distinct_add(&c->n_ports, c->ports, GRITH_CONTEXT_PORTS - 1, use->port + 1u);
	if (w->egress_minute_limit && minute > w->egress_minute_limit)
		grith_raise(&points->egress, w->egress_minute);
	if (w->egress_hosts_limit && c->n_hosts > w->egress_hosts_limit)
		grith_raise(&points->egress, w->egress_hosts);
	if (w->egress_ports_limit && c->n_ports > w->egress_ports_limit)
		grith_raise(&points->egress, w->egress_ports);
	if (w->egress_burst_limit && burst >= w->egress_burst_limit)
		grith_raise(&points->egress, w->egress_burst);
	if (w->reads_limit && reads >= w->reads_limit && connects >= w->connects_limit)
		grith_raise(&points->egress, w->egress_after_reads);
}

/* Only in a session that has read a source: there, speed is a sign. */
static __always_inline void grith_rate_limit(struct grith_context *c,
					     const struct grith_context_weights *w,
					     const struct grith_use *use,
					     struct grith_points *points)
{
	__u32 i = use->rate, minute, second, limit;

	if (i >= GRITH_RATES)
		return;
	minute = grith_window_count(&c->rate_minute[i], use->now, 60 * GRITH_SECOND);
	second = grith_window_count(&c->rate_second[i], use->now, GRITH_SECOND);
	limit = w->rate_minute[i];
	if (limit && minute * 5 > limit * 4)
		grith_raise(&points->rate, w->rate_near);
	if (limit && minute > limit)
		grith_raise(&points->rate, w->rate_over);
	if (w->rate_second[i] && second > w->rate_second[i])
		grith_raise(&points->rate, w->rate_burst);
}

static __always_inline void grith_destruction(struct grith_context *c,
					      const struct grith_context_weights *w,
					      const struct grith_use *use,
					      struct grith_points *points)
{
	if (grith_window_count(&c->destruction, use->now, 10 * GRITH_SECOND) == 1) {
		__builtin_memset(c->destroyed, 0, sizeof(c->destroyed));
		c->n_destroyed = 0;
	}
	grith_distinct_add(&c->n_destroyed, c->destroyed, GRITH_CONTEXT_DESTROYED - 1, use->entity);
	if (w->mass_limit && c->n_destroyed >= w->mass_limit)
		points->mass = 1;
}

/* A source is about to be read: to be called once that is allowed, and before it happens. */
static __always_inline void grith_source_read(struct grith_context *c, __u32 source, __u64 now)
{
	if (source >= GRITH_SOURCES)
		return;
	c->tainted[source] = now;
	c->tainted_any = now;
}

/*
 * Notes an operation that is about to happen and fills `points`, which must be all zero, with what
 * the filters add to its score.
 */
static __always_inline void grith_context_note(struct grith_context *c,
					       const struct grith_context_weights *w,
					       const struct grith_use *use,
					       struct grith_points *points)
{
	if (use->own_data)
		grith_window_count(&c->reads, use->now, 15 * GRITH_SECOND);
	/* What stays on the machine matters only once there is something to give away. */
	if (use->egress && !(use->local && !c->tainted_any)) {
		if (grith_is_recent(c->tainted_any, use->now, w->taint_seconds))
			grith_raise(&points->taint, w->taint_other);
		if (grith_is_recent(c->tainted[GRITH_SOURCE_HIGH], use->now, w->taint_seconds))
			grith_raise(&points->taint, w->taint_high);
		if (grith_is_recent(c->tainted_any, use->now, w->contained_seconds))
			grith_raise(&points->containment, w->contained_egress);
		grith_egress_rate(c, w, use, points);
	}
	if (use->network_tool && grith_is_recent(c->tainted_any, use->now, w->contained_seconds))
		grith_raise(&points->containment, w->contained_spawn);
	if (grith_is_recent(c->tainted_any, use->now, w->taint_seconds))
		grith_rate_limit(c, w, use, points);
	if (use->destroys)
		grith_destruction(c, w, use, points);
}

/* The sum, and a bit for each filter that is in it. */
static __always_inline int grith_points_sum(const struct grith_points *points, __u32 *ret_filters)
{
	*ret_filters = (points->taint ? GRITH_CONTEXT_TAINT : 0) |
		       (points->containment ? GRITH_CONTEXT_CONTAINMENT : 0) |
		       (points->rate ? GRITH_CONTEXT_RATE : 0) |
		       (points->egress ? GRITH_CONTEXT_EGRESS_RATE : 0) |
		       (points->mass ? GRITH_CONTEXT_MASS : 0);
	return points->taint + points->containment + points->rate + points->egress;
}
