/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the kernel adds to scores because of what a session did, without a kernel: sequences of
 * operations at given times, and what each of them adds. The numbers are those of weights.yaml.
 */
#include <criterion/criterion.h>

#include "grith_context.h"

static const struct grith_context_weights weights = {
	.taint_high = 500,
	.taint_other = 300,
	.taint_seconds = 3600,
	.contained_egress = 350,
	.contained_spawn = 400,
	.contained_seconds = 600,
	.rate_near = 100,
	.rate_over = 200,
	.rate_burst = 300,
	.rate_minute = { 60, 30, 20, 60, 20 },
	.rate_second = { 15, 10, 5, 15, 5 },
	.egress_minute = 200,
	.egress_hosts = 300,
	.egress_ports = 250,
	.egress_burst = 400,
	.egress_after_reads = 500,
	.egress_minute_limit = 30,
	.egress_hosts_limit = 10,
	.egress_ports_limit = 8,
	.egress_burst_limit = 8,
	.reads_limit = 10,
	.connects_limit = 3,
	.mass_limit = 25,
};

static const __u64 start = 1000 * GRITH_SECOND;

struct result {
	int points;
	__u32 filters;
};

static struct result note(struct grith_context *c, struct grith_use use)
{
	struct grith_points points = { 0 };
	struct result result;

	grith_context_note(c, &weights, &use, &points);
	result.points = grith_points_sum(&points, &result.filters);
	return result;
}

/* A connection to host number `host` at second `at`. */
static struct result connect_to(struct grith_context *c, unsigned int at, __u32 host, __u16 port)
{
	return note(c, (struct grith_use) {
			       .now = start + at * GRITH_SECOND,
			       .entity = host,
			       .port = port,
			       .rate = GRITH_RATE_NONE,
			       .egress = 1,
		       });
}

static struct result destroy(struct grith_context *c, unsigned int at, __u32 object)
{
	return note(c, (struct grith_use) {
			       .now = start + at * GRITH_SECOND,
			       .entity = object,
			       .rate = GRITH_RATE_DELETE,
			       .destroys = 1,
		       });
}

static void read_source(struct grith_context *c, enum grith_source source, unsigned int at)
{
	grith_source_read(c, source, start + at * GRITH_SECOND);
}

#define IS(outcome, want_points, want_filters)                                               \
	do {                                                                                 \
		struct result got = (outcome);                                               \
		cr_expect_eq(got.points, want_points, "%d points", got.points);              \
		cr_expect_eq(got.filters, (__u32)(want_filters), "filters %x", got.filters); \
	} while (0)

Test(context, nothing_happened)
{
	struct grith_context c = { 0 };

	IS(connect_to(&c, 0, 1, 443), 0, 0);
}

Test(context, taint_and_containment)
{
	struct grith_context c = { 0 };

	read_source(&c, GRITH_SOURCE_MEDIUM, 0);
	IS(connect_to(&c, 1, 1, 443), 650, GRITH_CONTEXT_TAINT | GRITH_CONTEXT_CONTAINMENT);
	IS(connect_to(&c, 599, 1, 443), 650, GRITH_CONTEXT_TAINT | GRITH_CONTEXT_CONTAINMENT);
	IS(connect_to(&c, 600, 1, 443), 300, GRITH_CONTEXT_TAINT);
	IS(connect_to(&c, 3599, 1, 443), 300, GRITH_CONTEXT_TAINT);
	IS(connect_to(&c, 3600, 1, 443), 0, 0);
}

Test(context, the_heavier_source_counts)
{
	struct grith_context c = { 0 };

	read_source(&c, GRITH_SOURCE_HIGH, 0);
	read_source(&c, GRITH_SOURCE_LOW, 10);
	IS(connect_to(&c, 11, 1, 443), 850, GRITH_CONTEXT_TAINT | GRITH_CONTEXT_CONTAINMENT);
	/* The key was read an hour ago, the token was not. */
	IS(connect_to(&c, 3605, 1, 443), 300, GRITH_CONTEXT_TAINT);
}

Test(context, a_network_tool_after_a_source)
{
	struct grith_context c = { 0 };
	const struct grith_use spawn = {
		.now = start + GRITH_SECOND,
		.entity = 1,
		.rate = GRITH_RATE_NONE,
		.network_tool = 1,
	};

	IS(note(&c, spawn), 0, 0);
	read_source(&c, GRITH_SOURCE_LOW, 0);
	IS(note(&c, spawn), 400, GRITH_CONTEXT_CONTAINMENT);
}

Test(context, many_connections)
{
	struct grith_context c = { 0 };

	for (unsigned int i = 0; i < 30; i++) /* one in two seconds: no burst */
		IS(connect_to(&c, i * 2, 1, 443), 0, 0);
	c = (struct grith_context) { 0 };
	for (unsigned int i = 0; i < 30; i++)
		connect_to(&c, i, 1, 443);
	IS(connect_to(&c, 30, 1, 443), 200, GRITH_CONTEXT_EGRESS_RATE);
}

Test(context, many_at_once)
{
	struct grith_context c = { 0 };

	for (unsigned int i = 0; i < 7; i++)
		IS(connect_to(&c, 1, 1, 443), 0, 0);
	IS(connect_to(&c, 1, 1, 443), 400, GRITH_CONTEXT_EGRESS_RATE);
	IS(connect_to(&c, 11, 1, 443), 0, 0);
}

Test(context, many_hosts_and_ports)
{
	struct grith_context c = { 0 };

	for (unsigned int i = 0; i < 10; i++)
		IS(connect_to(&c, i * 5, 100 + i * 7, 443), 0, 0);
	IS(connect_to(&c, 50, 1000, 443), 300, GRITH_CONTEXT_EGRESS_RATE);
	/* The same hosts over again are no more of them. */
	c = (struct grith_context) { 0 };
	for (unsigned int i = 0; i < 11; i++)
		IS(connect_to(&c, i * 5, 100 + i % 5 * 7, 443), 0, 0);
	c = (struct grith_context) { 0 };
	for (unsigned int i = 0; i < 8; i++)
		IS(connect_to(&c, i * 5, 1, 8000 + i * 5), 0, 0);
	IS(connect_to(&c, 40, 1, 9000), 250, GRITH_CONTEXT_EGRESS_RATE);
}

Test(context, reads_then_connections)
{
	struct grith_context c = { 0 };
	const struct grith_use own = {
		.now = start,
		.entity = 1,
		.rate = GRITH_RATE_READ,
		.own_data = 1,
	};

	for (unsigned int i = 0; i < 10; i++)
		IS(note(&c, own), 0, 0);
	IS(connect_to(&c, 1, 1, 443), 0, 0);
	IS(connect_to(&c, 2, 1, 443), 0, 0);
	IS(connect_to(&c, 3, 1, 443), 500, GRITH_CONTEXT_EGRESS_RATE);
	IS(connect_to(&c, 15, 1, 443), 0, 0);
}

Test(context, mass_destruction)
{
	struct grith_context c = { 0 };

	for (unsigned int i = 0; i < 24; i++)
		IS(destroy(&c, 0, 10 + i * 9), 0, 0);
	IS(destroy(&c, 0, 10), 0, 0); /* that one is destroyed already */
	IS(destroy(&c, 1, 1000), 0, GRITH_CONTEXT_MASS);
	IS(destroy(&c, 9, 1001), 0, GRITH_CONTEXT_MASS);
	IS(destroy(&c, 10, 1002), 0, 0); /* ten seconds are over */
}

Test(context, speed_is_a_sign_only_after_a_source)
{
	struct grith_context c = { 0 };
	struct grith_use list = { .now = start, .entity = 1, .rate = GRITH_RATE_LIST };

	for (unsigned int i = 0; i < 100; i++)
		IS(note(&c, list), 0, 0);
	read_source(&c, GRITH_SOURCE_LOW, 0);
	for (unsigned int i = 0; i < 15; i++)
		IS(note(&c, list), 0, 0);
	IS(note(&c, list), 300, GRITH_CONTEXT_RATE); /* the sixteenth in a second */
	for (unsigned int i = 0; i < 32; i++) {
		list.now += GRITH_SECOND;
		IS(note(&c, list), 0, 0);
	}
	IS(note(&c, list), 100, GRITH_CONTEXT_RATE); /* the 49th in a minute: above 80 % of 60 */
}
