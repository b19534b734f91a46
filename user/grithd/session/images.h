/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Which slots of the kernel hold an image, and for how many sessions: equal images share one.
 */
#pragma once

#include "grithd/kernel/kernel.h"

struct image_use {
	uint32_t slot;
	unsigned int sessions;
	struct policy_image *image; /* NULL: was found in the kernel, so nothing can be compared */
};

/* Starts as {0}. */
struct images {
	struct image_use *uses;
	size_t count;
};

/* Takes the image over in any case. 0 and its slot for one session, or -errno. */
int images_add(struct images *images, struct kernel *kernel, struct policy_image *image,
	       uint32_t *ret_slot);
/* One more session for a slot that is in the kernel already. */
int images_adopt(struct images *images, struct kernel *kernel, uint32_t slot);
/* One session less; the last one frees the slot. */
int images_release(struct images *images, struct kernel *kernel, uint32_t slot);
/* Forgets everything and leaves the kernel alone. */
void images_free(struct images *images);
