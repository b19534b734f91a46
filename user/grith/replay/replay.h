/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A recorded run evaluated by a policy: reads logs of grith and strace, prints what would
 * differ.
 */
#pragma once

#include "notes.h"
#include "options.h"
#include "outcome.h"
#include "read.h"
