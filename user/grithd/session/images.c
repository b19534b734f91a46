/* SPDX-License-Identifier: MPL-2.0 */
/* Compared as a whole: a hash that a policy's author can aim at would mix policies up. */
#include "images.h"

static bool equal_nets(const struct policy_net_entry *a, const struct policy_net_entry *b)
{
	return !memcmp(a->prefix.address, b->prefix.address, sizeof(a->prefix.address)) &&
	       a->prefix.bits == b->prefix.bits && a->value.ranges == b->value.ranges &&
	       a->value.count == b->value.count;
}

static bool equal(const struct policy_image *a, const struct policy_image *b)
{
	if (a->n_words != b->n_words || a->n_nets != b->n_nets ||
	    memcmp(a->words, b->words, a->n_words * sizeof(*a->words)))
		return false;
	for (size_t i = 0; i < a->n_nets; i++)
		if (!equal_nets(&a->nets[i], &b->nets[i]))
			return false;
	return true;
}

static struct image_use *find(struct images *images, uint32_t slot)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->uses[i].slot == slot)
			return &images->uses[i];
	return NULL;
}

int images_add(struct images *images, struct kernel *kernel, struct policy_image *image,
	       uint32_t *ret_slot)
{
	CLEANUP(policy_image_freep) struct policy_image *owned = image;
	uint32_t slot;
	int r;

	for (size_t i = 0; i < images->count; i++)
		if (images->uses[i].image && equal(images->uses[i].image, image)) {
			images->uses[i].sessions++;
			*ret_slot = images->uses[i].slot;
			return 0;
		}
	r = ARRAY_GROW(images->uses, images->count) ?: kernel_image_add(kernel, image, &slot);
	if (r < 0)
		return r;
	images->uses[images->count++] = (struct image_use) { slot, 1, TAKE_PTR(owned) };
	*ret_slot = slot;
	return 0;
}

int images_adopt(struct images *images, struct kernel *kernel, uint32_t slot)
{
	struct image_use *use = find(images, slot);
	int r;

	if (use) {
		use->sessions++;
		return 0;
	}
	r = ARRAY_GROW(images->uses, images->count) ?: kernel_image_adopt(kernel, slot);
	if (r < 0)
		return r;
	images->uses[images->count++] = (struct image_use) { slot, 1, NULL };
	return 0;
}

int images_release(struct images *images, struct kernel *kernel, uint32_t slot)
{
	struct image_use *use = find(images, slot);

	if (!use)
		return -ENOENT;
	if (--use->sessions)
		return 0;
	policy_image_free(use->image);
	*use = images->uses[--images->count];
	return kernel_image_remove(kernel, slot);
}

void images_free(struct images *images)
{
	for (size_t i = 0; i < images->count; i++)
		policy_image_free(images->uses[i].image);
	free(images->uses);
	*images = (struct images) { 0 };
}
