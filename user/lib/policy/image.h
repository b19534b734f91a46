/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Compiling a policy to the image of grith_abi.h and to the address prefixes that go with it.
 * Pure: values in, values out; kernel.c puts them into maps.
 */
#pragma once

#include "lib/base/base.h"
#include "model.h"
#include "pack.h"

struct policy_net_entry {
	struct policy_prefix prefix;
	struct grith_net_value value; /* ranges lie in the image */
};

struct policy_image {
	uint32_t *words;
	size_t n_words; /* at most GRITH_IMAGE_WORDS */
	struct policy_net_entry *nets;
	size_t n_nets;
	size_t n_states; /* of the minimal automaton, for people */
};

/* Addresses a host name of the policy stands for at the moment. */
struct policy_host {
	const char *name;
	uint8_t address[16];
};

/* 0 and an image, or -E2BIG with an entry in `diag` that names the limit, or -ENOMEM. */
int policy_compile(const struct policy *policy, const struct policy_host *hosts, size_t n_hosts,
		   struct diag *diag, struct policy_image **ret_image);
void policy_image_free(struct policy_image *image);
DEFINE_CLEANUP(struct policy_image, policy_image_free)

/*
 * image_check.c: whether an image is one for which every look-up stays inside of its tables, and
 * which names no rule behind `n_rules`. For images that another process made. 0 or -EBADMSG.
 */
int policy_image_check(const struct policy_image *image, size_t n_rules);

/* image_bytes.c: adds the image to bytes, and takes it from there again; -EBADMSG, -ENOMEM. */
int policy_image_pack(const struct policy_image *image, struct text *out);
int policy_image_unpack(struct unpack *from, size_t n_rules, struct policy_image **ret_image);

/* What the kernel does with an image, in user space, for tests and `policy test`. */
struct grith_outcome policy_image_path(const struct policy_image *image, enum grith_op_class class,
				       const char *path, size_t length);
struct grith_outcome policy_image_net(const struct policy_image *image, enum grith_net_op op,
				      const uint8_t address[16], uint16_t port);
struct grith_outcome policy_image_socket(const struct policy_image *image, int family, bool raw);
struct grith_outcome policy_image_unknown(const struct policy_image *image,
					  enum grith_op_class class);

/* Outcomes that the header names by number: touch, signal, ring. */
const struct grith_image_header *policy_image_header(const struct policy_image *image);
struct grith_outcome policy_image_outcome(const struct policy_image *image, uint16_t number);
