/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Holds and the questions they raise: scored, answered from memory, by a person or by time, and
 * what is learned from answers. Does not know the protocol or its clients.
 */
#pragma once

#include "burst.h"
#include "canaries.h"
#include "holds.h"
#include "recent.h"
#include "remembered.h"
#include "reviews.h"
#include "rule.h"
#include "trust_store.h"
#include "weights.h"
