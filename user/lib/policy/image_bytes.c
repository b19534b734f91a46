/* SPDX-License-Identifier: MPL-2.0 */
/* The bytes: how many states, the words, the nets. */
#include "image.h"

#define NET_BYTES (sizeof(struct policy_prefix) + sizeof(struct grith_net_value))

static int pack_net(const struct policy_net_entry *net, struct text *out)
{
	return text_add(out, (const char *)&net->prefix, sizeof(net->prefix))
		       ?: text_add(out, (const char *)&net->value, sizeof(net->value));
}

int policy_image_pack(const struct policy_image *image, struct text *out)
{
	int r = pack_u32(out, image->n_states)
			?: pack_bytes(out, image->words, image->n_words * sizeof(*image->words))
			?: pack_u32(out, image->n_nets * NET_BYTES);

	for (size_t i = 0; i < image->n_nets && r == 0; i++)
		r = pack_net(&image->nets[i], out);
	return r;
}

static int take_words(struct unpack *from, struct policy_image *image)
{
	size_t length;
	const void *words = unpack_bytes(from, &length);

	if (length % sizeof(*image->words) || length > GRITH_IMAGE_WORDS * sizeof(*image->words))
		from->bad = true;
	if (from->bad || !length)
		return 0;
	image->words = malloc(length);
	if (!image->words)
		return -ENOMEM;
	memcpy(image->words, words, length);
	image->n_words = length / sizeof(*image->words);
	return 0;
}

static int take_nets(struct unpack *from, struct policy_image *image)
{
	size_t length, count;
	const char *bytes = unpack_bytes(from, &length);

	count = length / NET_BYTES;
	if (length % NET_BYTES || count > GRITH_MAX_NETS)
		from->bad = true;
	if (from->bad || !count)
		return 0;
	image->nets = calloc(count, sizeof(*image->nets));
	if (!image->nets)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++, bytes += NET_BYTES) {
		struct policy_net_entry *net = &image->nets[i];

		memcpy(&net->prefix, bytes, sizeof(net->prefix));
		memcpy(&net->value, bytes + sizeof(net->prefix), sizeof(net->value));
	}
	image->n_nets = count;
	return 0;
}

int policy_image_unpack(struct unpack *from, size_t n_rules, struct policy_image **ret_image)
{
	CLEANUP(policy_image_freep) struct policy_image *image = calloc(1, sizeof(*image));
	int r;

	if (!image)
		return -ENOMEM;
	image->n_states = unpack_u32(from);
	r = take_words(from, image) ?: take_nets(from, image);
	if (r < 0)
		return r;
	if (from->bad || policy_image_check(image, n_rules) < 0) {
		from->bad = true;
		return -EBADMSG;
	}
	*ret_image = TAKE_PTR(image);
	return 0;
}
