/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Any bytes as an image that another process made: refused, or one that no path and no address can
 * lead out of.
 */
#include "lib/policy/policy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char path[] = "/home/ann/project/src/**/a?[b-d].c\xff";
	static const uint8_t address[16] = { [10] = 0xff, 0xff, 10, 1, 2, 3 };
	CLEANUP(policy_image_freep) struct policy_image *image = NULL;
	struct unpack from = { (const char *)data, (const char *)data + size, false };

	if (policy_image_unpack(&from, POLICY_RULES_MAX, &image) < 0)
		return 0;
	for (int class = 0; class < GRITH_OP_CLASSES; class ++) {
		policy_image_path(image, class, path, sizeof(path) - 1);
		policy_image_path(image, class, (const char *)data, size > 4096 ? 4096 : size);
		policy_image_unknown(image, class);
	}
	for (int op = 0; op < GRITH_NET_OPS; op++)
		policy_image_net(image, op, address, size);
	for (int family = 0; family < GRITH_FAMILIES; family++)
		policy_image_socket(image, family, size & 1);
	return 0;
}
