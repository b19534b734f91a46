/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How doubtful an operation is: 18 filters, the weights they read, and what was learned from
 * answers. Knows nothing of the audit log, of grithd or of reviews.
 */
#pragma once

#include "scoring.h"
#include "trust.h"
