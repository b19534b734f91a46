/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Holds and the questions they raise: scored, answered from memory, by a person or by time, and
 * what is learned from answers. Does not know the protocol or its clients.
 */
#pragma once

#include "reviews.h"
#include "weights.h"
