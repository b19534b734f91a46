/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Gives equal values of a fixed size one number, counting from 0 in the order of their first use.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct intern {
	size_t size; /* bytes of a value; set by the owner, the rest starts as 0 */
	uint32_t max; /* values */
	unsigned char *values; /* value n is at n * size */
	uint32_t count;
	uint32_t *table;
	size_t table_size;
};

/* 0 and the number, or -E2BIG beyond `max`, or -ENOMEM. Padding in the value must be zero. */
int intern(struct intern *set, const void *value, uint32_t *ret_number);
void intern_clear(struct intern *set);
