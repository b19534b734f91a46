/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Placing a command in a session: the request, the child, signals and the exit status.
 */
#pragma once

#include "launch.h"
#include "relay.h"
