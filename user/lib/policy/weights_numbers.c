/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The numbers of the filters in the file of weights. Those of grith_context.h are taken to the
 * policy, whose image brings them to the kernel; of the others only the form is checked.
 */

#include "lib/base/base.h"
#include "reader.h"

#define OTHERS_MAX 999999 /* of a number that the kernel does not compute with */

/* A number that the kernel computes with. */
struct kernel_number {
	const char *filter, *name;
	size_t offset; /* in struct grith_context_weights */
	/* 0: it is points, and signed. Else a limit; of distinct things a quarter of the slots. */
	unsigned int max;
};

#define AT(field) offsetof(struct grith_context_weights, field)

static const struct kernel_number kernel_numbers[] = {
	{ "taint", "connect-high", AT(taint_high), 0 },
	{ "taint", "connect-other", AT(taint_other), 0 },
	{ "taint", "lifetime-seconds", AT(taint_seconds), UINT16_MAX },
	{ "session-containment", "connect", AT(contained_egress), 0 },
	{ "session-containment", "network-spawn", AT(contained_spawn), 0 },
	{ "session-containment", "seconds", AT(contained_seconds), UINT16_MAX },
	{ "rate-limit", "near", AT(rate_near), 0 },
	{ "rate-limit", "above", AT(rate_over), 0 },
	{ "rate-limit", "burst", AT(rate_burst), 0 },
	{ "rate-limit", "read-minute", AT(rate_minute[GRITH_RATE_READ]), UINT16_MAX },
	{ "rate-limit", "read-burst", AT(rate_second[GRITH_RATE_READ]), UINT16_MAX },
	{ "rate-limit", "write-minute", AT(rate_minute[GRITH_RATE_WRITE]), UINT16_MAX },
	{ "rate-limit", "write-burst", AT(rate_second[GRITH_RATE_WRITE]), UINT16_MAX },
	{ "rate-limit", "delete-minute", AT(rate_minute[GRITH_RATE_DELETE]), UINT16_MAX },
	{ "rate-limit", "delete-burst", AT(rate_second[GRITH_RATE_DELETE]), UINT16_MAX },
	{ "rate-limit", "list-minute", AT(rate_minute[GRITH_RATE_LIST]), UINT16_MAX },
	{ "rate-limit", "list-burst", AT(rate_second[GRITH_RATE_LIST]), UINT16_MAX },
	{ "rate-limit", "spawn-minute", AT(rate_minute[GRITH_RATE_SPAWN]), UINT16_MAX },
	{ "rate-limit", "spawn-burst", AT(rate_second[GRITH_RATE_SPAWN]), UINT16_MAX },
	{ "egress-rate", "minute", AT(egress_minute), 0 },
	{ "egress-rate", "minute-connects", AT(egress_minute_limit), UINT16_MAX },
	{ "egress-rate", "hosts", AT(egress_hosts), 0 },
	{ "egress-rate", "hosts-limit", AT(egress_hosts_limit), GRITH_CONTEXT_HOSTS / 4 },
	{ "egress-rate", "ports", AT(egress_ports), 0 },
	{ "egress-rate", "ports-limit", AT(egress_ports_limit), GRITH_CONTEXT_PORTS / 4 },
	{ "egress-rate", "burst", AT(egress_burst), 0 },
	{ "egress-rate", "burst-connects", AT(egress_burst_limit), UINT16_MAX },
	{ "egress-rate", "read-then-send", AT(egress_after_reads), 0 },
	{ "egress-rate", "read-then-send-reads", AT(reads_limit), UINT16_MAX },
	{ "egress-rate", "read-then-send-connects", AT(connects_limit), UINT16_MAX },
	{ "mass", "objects", AT(mass_limit), GRITH_CONTEXT_DESTROYED / 4 },
};

static void read_kernel_number(struct reader *reader, const struct kernel_number *known,
			       const struct yaml_node *value)
{
	char *field = (char *)&reader->policy->weights + known->offset;
	uint64_t limit;
	int16_t points;
	uint16_t small;

	if (!known->max) {
		if (value_score(reader, value, &points))
			memcpy(field, &points, sizeof(points));
		return;
	}
	if (value->kind != YAML_SCALAR || value->quoted ||
	    text_parse_u64(value->text, known->max, &limit) < 0) {
		reader_error(reader, value, "expected a whole number up to %u", known->max);
		return;
	}
	small = limit;
	memcpy(field, &small, sizeof(small));
}

static const struct kernel_number *find_number(const char *filter, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kernel_numbers); i++)
		if (strcmp(kernel_numbers[i].filter, filter) == 0 &&
		    strcmp(kernel_numbers[i].name, name) == 0)
			return &kernel_numbers[i];
	return NULL;
}

/* These the kernel computes alone: nobody else knows what other numbers would mean. */
static bool is_kernels_own(const char *filter)
{
	static const char *const filters[] = { "rate-limit", "egress-rate", "mass" };

	for (size_t i = 0; i < ARRAY_SIZE(filters); i++)
		if (strcmp(filters[i], filter) == 0)
			return true;
	return false;
}

static void unknown_number(struct reader *reader, const char *filter, const struct yaml_node *key)
{
	struct word words[ARRAY_SIZE(kernel_numbers)];
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kernel_numbers); i++)
		if (strcmp(kernel_numbers[i].filter, filter) == 0)
			words[n++] = (struct word) { kernel_numbers[i].name, i };
	unknown_word(reader, key, "number", words, n);
}

void need_numbers(struct reader *reader, const char *filter, const struct yaml_node *node)
{
	for (size_t i = 0; i < ARRAY_SIZE(kernel_numbers); i++) {
		bool found = false;

		if (strcmp(kernel_numbers[i].filter, filter) != 0)
			continue;
		for (size_t k = 0; node->kind == YAML_MAP && k < node->count; k += 2)
			found |= strcmp(node->items[k]->text, kernel_numbers[i].name) == 0;
		if (!found)
			reader_error(reader, node, "the number `%s` of %s is missing",
				     kernel_numbers[i].name, filter);
	}
}

void read_numbers(struct reader *reader, const char *filter, const struct yaml_node *node)
{
	if (node->kind != YAML_MAP) {
		reader_error(reader, node, "expected a mapping of names to numbers");
		return;
	}
	for (size_t i = 0; i < node->count; i += 2) {
		const struct yaml_node *value = node->items[i + 1];
		const struct kernel_number *known = find_number(filter, node->items[i]->text);
		int ignored;

		if (known)
			read_kernel_number(reader, known, value);
		else if (is_kernels_own(filter))
			unknown_number(reader, filter, node->items[i]);
		else if (value->kind != YAML_SCALAR || value->quoted ||
			 text_parse_hundredths(value->text, OTHERS_MAX, &ignored) < 0)
			reader_error(reader, value,
				     "expected a number below a million with at most two decimals");
	}
}
