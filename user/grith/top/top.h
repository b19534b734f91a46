/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What all sessions do now, on the full screen or as lines: events to model, model to picture.
 */
#pragma once

#include "batch.h"
#include "screen.h"
