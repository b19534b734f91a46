/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * What a session has done so far, as far as it weighs on what it does next: the filters taint,
 * containment, rate limit, egress rate and mass destruction. The kernel keeps it, because what one
 * thread reads must count for what another one sends at the same moment; it is compiled for both
 * sides, so that the same code is tested without a kernel.
 *
 * A source counts before its open returns, so that a connection that is decided after it was read
 * knows of it; and the first time that a connection from before is written to after it counts as
 * one more. Counters are
 * taken by atomic additions; where two threads begin a new window at once, some of the old one's
 * counts may go into the new one.
 *
 * Scores are hundredths, times nanoseconds of CLOCK_MONOTONIC. All numbers come from the weights,
 * which are data: policy/weights.yaml.
 */
#ifndef GRITH_CONTEXT_H
#define GRITH_CONTEXT_H

#ifndef __bpf__
#include <linux/types.h>
#endif

#include "grith_tables.h"

/* How much a source of secrets weighs: classes of the policy with these names. */
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

/* One operation, as far as it matters here. */
struct grith_use {
	__u64 now;
	__u32 entity; /* hash of the file or the address; not 0 */
	__u16 port; /* of egress */
	__u8 rate; /* enum grith_rate */
	__u8 pad;
	__u8 egress; /* to somewhere else than this machine */
	__u8 network_tool; /* a program that can send things away is started */
	__u8 own_data; /* reads what is worth sending away: the project's files, a source */
	__u8 destroys; /* deletes, renames or overwrites outside the project */
};

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
	if (use->egress) {
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

#endif
