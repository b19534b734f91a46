/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Policies: from the text that people write to rules, verdicts and the image that the kernel reads.
 * The user-space evaluator is the reference for bpf/lookup. Knows nothing of records, sessions or
 * grithd.
 */
#pragma once

#include "directory.h"
#include "eval.h"
#include "filters.h"
#include "image.h"
#include "model.h"
#include "pack.h"
#include "trusted_file.h"
#include "weights.h"
#include "yaml.h"
