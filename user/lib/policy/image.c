/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the kernel does with an image, in user space: the oracle of bpf/ and of compile.c. It
 * follows the words of grith_abi.h and shares no code with the evaluator, so that the two check
 * each other.
 */
#include "image.h"

const struct grith_image_header *policy_image_header(const struct policy_image *image)
{
	return (const struct grith_image_header *)image->words;
}

struct grith_outcome policy_image_outcome(const struct policy_image *image, uint16_t number)
{
	struct grith_outcome outcome;

	memcpy(&outcome, image->words + policy_image_header(image)->outcomes + number * 2u,
	       sizeof(outcome));
	return outcome;
}

static struct grith_outcome row_outcome(const struct policy_image *image, uint32_t row,
					enum grith_op_class class)
{
	const uint32_t *words =
		image->words + policy_image_header(image)->rows + row * GRITH_ROW_WORDS;
	uint16_t number;

	memcpy(&number, (const char *)words + class * sizeof(number), sizeof(number));
	return policy_image_outcome(image, number);
}

struct grith_outcome policy_image_path(const struct policy_image *image, enum grith_op_class class,
				       const char *path, size_t length)
{
	const struct grith_image_header *header = policy_image_header(image);
	const uint32_t *words = image->words;
	uint32_t state = header->start;

	for (size_t i = 0; i < length; i++) {
		uint32_t c = header->byte_class[(uint8_t)path[i]];
		uint32_t w = words[state + c];

		if (w >> GRITH_IMAGE_TAG_SHIFT != c)
			w = words[state];
		state = w & GRITH_IMAGE_NEXT;
	}
	return row_outcome(image, words[state + 1] & GRITH_IMAGE_NEXT, class);
}

struct grith_outcome policy_image_unknown(const struct policy_image *image,
					  enum grith_op_class class)
{
	return row_outcome(image, policy_image_header(image)->unknown_row, class);
}

struct grith_outcome policy_image_socket(const struct policy_image *image, int family, bool raw)
{
	if (family < 0 || family >= GRITH_FAMILIES)
		return policy_image_outcome(image, 0);
	return policy_image_outcome(image, policy_image_header(image)->socket[raw][family]);
}

static bool has_prefix(const struct policy_prefix *prefix, const uint8_t address[16])
{
	for (unsigned int bit = 0; bit < prefix->bits; bit++)
		if ((prefix->address[bit / 8] ^ address[bit / 8]) & (0x80 >> bit % 8))
			return false;
	return true;
}

static const struct policy_net_entry *longest(const struct policy_image *image,
					      const uint8_t address[16])
{
	const struct policy_net_entry *found = NULL;

	for (size_t i = 0; i < image->n_nets; i++)
		if (has_prefix(&image->nets[i].prefix, address) &&
		    (!found || image->nets[i].prefix.bits > found->prefix.bits))
			found = &image->nets[i];
	return found;
}

struct grith_outcome policy_image_net(const struct policy_image *image, enum grith_net_op op,
				      const uint8_t address[16], uint16_t port)
{
	const struct policy_net_entry *net = longest(image, address);

	for (uint32_t i = 0; net && i < net->value.count; i++) {
		struct grith_port_range range;

		memcpy(&range, image->words + net->value.ranges + i * 3, sizeof(range));
		if (port >= range.low && port <= range.high)
			return policy_image_outcome(image, range.outcome[op]);
	}
	return policy_image_outcome(image, 0);
}
