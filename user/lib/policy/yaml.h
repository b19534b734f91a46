/* SPDX-License-Identifier: MPL-2.0 */
/*
 * YAML 1.2 text as a tree of nodes that know their place. This is the only user of libfyaml. It
 * knows nothing of policies; what it refuses (tags, several documents, keys that are no words or
 * occur twice, deep nesting, aliases that multiply) no policy needs.
 */
#pragma once

#include "lib/base/base.h"

#define YAML_DEPTH_MAX 16
#define YAML_KEYS_MAX 64 /* in one mapping */
#define YAML_ANCHORS_MAX 256
#define YAML_NODES_MAX 2000000 /* with every alias counted as a copy of what it stands for */

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml_node {
	enum yaml_kind kind;
	unsigned int line, column; /* 1-based; of an alias's target, not of the alias */
	bool quoted; /* a scalar in quotes is never a number or a boolean */
	char *text; /* SCALAR: NUL-terminated, without other NUL bytes */
	struct yaml_node **items; /* LIST: the items; MAP: key, value, key, value, ... */
	size_t count; /* of `items` */
	size_t weight; /* nodes in it, itself included */
};

struct yaml;

/*
 * 0 and a document, or -EINVAL with an entry in `diag` for `name`, or -ENOMEM. Nodes live as long
 * as the document. yaml_root() is NULL for a text without content.
 */
int yaml_read(const char *name, const char *text, size_t length, struct diag *diag,
	      struct yaml **ret_yaml);
const struct yaml_node *yaml_root(const struct yaml *yaml);

/* The value of a key; NULL where it is not there, or the node is no mapping. */
const struct yaml_node *yaml_find(const struct yaml_node *map, const char *key);
/* Whether libfyaml may see the text; else there is an entry in `diag`. yaml_check.c. */
bool yaml_check_text(const char *name, const char *text, size_t length, struct diag *diag);
void yaml_free(struct yaml *yaml);
DEFINE_CLEANUP(struct yaml, yaml_free)
