/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Arrays that grow by one element at a time.
 */
#pragma once

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Makes room for one more element in *(T **)array, which holds `count` elements of `size` bytes:
 * it is enlarged whenever the count is a power of two. 0, or -ENOMEM with the array as it was.
 */
static inline int array_grow(void *array, size_t count, size_t size)
{
	void *old, *larger;

	if (count & (count - 1))
		return 0;
	memcpy(&old, array, sizeof(old));
	larger = reallocarray(old, count ? count * 2 : 1, size);
	if (!larger)
		return -ENOMEM;
	memcpy(array, &larger, sizeof(larger));
	return 0;
}

#define ARRAY_GROW(array, count) array_grow(&(array), count, sizeof(*(array)))
