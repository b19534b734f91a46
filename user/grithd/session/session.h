/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Sessions from their start or adoption to their end: cgroup, kernel state, image, file in the
 * state directory, processes. Does not know what is asked about them or who asks.
 */
#pragma once

#include "requester.h"
#include "resolver.h"
#include "sessions.h"
