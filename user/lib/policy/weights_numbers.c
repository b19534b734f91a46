/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The numbers of the filters in the file of weights. Those of grith_context.h are read into what
 * the image brings to the kernel; of the others only the form is checked.
 */
#include "lib/base/base.h"
#include "reader.h"
#include "weights.h"

/* A number that the kernel computes with. */
struct kernel_number {
	enum filter_id filter;
	const char *name;
	size_t offset; /* in struct grith_context_weights */
	/* 0: it is points, and signed. Else a limit; of distinct things a quarter of the slots. */
	unsigned int max;
};

#define AT(field) offsetof(struct grith_context_weights, field)

static const struct kernel_number kernel_numbers[] = {
	{ FILTER_TAINT, "connect-high", AT(taint_high), 0 },
	{ FILTER_TAINT, "connect-other", AT(taint_other), 0 },
	{ FILTER_TAINT, "lifetime-seconds", AT(taint_seconds), UINT16_MAX },
	{ FILTER_CONTAINMENT, "connect", AT(contained_egress), 0 },
	{ FILTER_CONTAINMENT, "network-spawn", AT(contained_spawn), 0 },
	{ FILTER_CONTAINMENT, "seconds", AT(contained_seconds), UINT16_MAX },
	{ FILTER_RATE_LIMIT, "near", AT(rate_near), 0 },
	{ FILTER_RATE_LIMIT, "above", AT(rate_over), 0 },
	{ FILTER_RATE_LIMIT, "burst", AT(rate_burst), 0 },
	{ FILTER_RATE_LIMIT, "read-minute", AT(rate_minute[GRITH_RATE_READ]), UINT16_MAX },
	{ FILTER_RATE_LIMIT, "read-burst", AT(rate_second[GRITH_RATE_READ]), UINT16_MAX },
	{ FILTER_RATE_LIMIT, "write-minute", AT(rate_minute[GRITH_RATE_WRITE]), UINT16_MAX },
	{ FILTER_RATE_LIMIT, "write-burst", AT(rate_second[GRITH_RATE_WRITE]), UINT16_MAX },
	{ FILTER_RATE_LIMIT, "delete-minute", AT(rate_minute[GRITH_RATE_DELETE]), UINT16_MAX },
	{ FILTER_RATE_LIMIT, "delete-burst", AT(rate_second[GRITH_RATE_DELETE]), UINT16_MAX },
	{ FILTER_RATE_LIMIT, "list-minute", AT(rate_minute[GRITH_RATE_LIST]), UINT16_MAX },
	{ FILTER_RATE_LIMIT, "list-burst", AT(rate_second[GRITH_RATE_LIST]), UINT16_MAX },
	{ FILTER_RATE_LIMIT, "spawn-minute", AT(rate_minute[GRITH_RATE_SPAWN]), UINT16_MAX },
	{ FILTER_RATE_LIMIT, "spawn-burst", AT(rate_second[GRITH_RATE_SPAWN]), UINT16_MAX },
	{ FILTER_EGRESS_RATE, "minute", AT(egress_minute), 0 },
	{ FILTER_EGRESS_RATE, "minute-connects", AT(egress_minute_limit), UINT16_MAX },
	{ FILTER_EGRESS_RATE, "hosts", AT(egress_hosts), 0 },
	{ FILTER_EGRESS_RATE, "hosts-limit", AT(egress_hosts_limit), GRITH_CONTEXT_HOSTS / 4 },
	{ FILTER_EGRESS_RATE, "ports", AT(egress_ports), 0 },
	{ FILTER_EGRESS_RATE, "ports-limit", AT(egress_ports_limit), GRITH_CONTEXT_PORTS / 4 },
	{ FILTER_EGRESS_RATE, "burst", AT(egress_burst), 0 },
	{ FILTER_EGRESS_RATE, "burst-connects", AT(egress_burst_limit), UINT16_MAX },
	{ FILTER_EGRESS_RATE, "read-then-send", AT(egress_after_reads), 0 },
	{ FILTER_EGRESS_RATE, "read-then-send-reads", AT(reads_limit), UINT16_MAX },
	{ FILTER_EGRESS_RATE, "read-then-send-connects", AT(connects_limit), UINT16_MAX },
	{ FILTER_MASS, "objects", AT(mass_limit), GRITH_CONTEXT_DESTROYED / 4 },
};

static void read_kernel_number(struct reader *reader, const struct kernel_number *known,
			       const struct yaml_node *value, struct grith_context_weights *weights)
{
	char *field = (char *)weights + known->offset;
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

/* These are computed in the kernel alone: lib/score does not know what other numbers would mean. */
static bool is_kernels_own(enum filter_id filter)
{
	return filter == FILTER_RATE_LIMIT || filter == FILTER_EGRESS_RATE || filter == FILTER_MASS;
}

void read_numbers(struct reader *reader, const struct weights_filter *filter,
		  struct grith_context_weights *weights)
{
	struct word words[ARRAY_SIZE(kernel_numbers)];
	unsigned int number;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kernel_numbers); i++)
		if (kernel_numbers[i].filter == filter->id)
			words[n++] = (struct word) { kernel_numbers[i].name, i };
	for (size_t i = 0; i < filter->numbers->count; i += 2) {
		const struct yaml_node *key = filter->numbers->items[i];
		const struct yaml_node *value = filter->numbers->items[i + 1];
		int ignored;

		if (known_word(key, words, n, &number))
			read_kernel_number(reader, &kernel_numbers[number], value, weights);
		else if (is_kernels_own(filter->id))
			unknown_word(reader, key, "number", words, n);
		else if (value->kind != YAML_SCALAR || value->quoted ||
			 text_parse_hundredths(value->text, WEIGHTS_NUMBER_MAX, &ignored) < 0)
			reader_error(reader, value,
				     "expected a number below a million with at most two decimals");
	}
}

void need_numbers(struct reader *reader, const struct weights_filter *filter,
		  const struct yaml_node *place)
{
	for (size_t i = 0; i < ARRAY_SIZE(kernel_numbers); i++)
		if (kernel_numbers[i].filter == filter->id &&
		    (!filter->numbers || !yaml_find(filter->numbers, kernel_numbers[i].name)))
			reader_error(reader, place, "the number `%s` of %s is missing",
				     kernel_numbers[i].name, filter_name(filter->id));
}
