/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Questions that wait, and why something was decided: as a list, as lines, on the full screen.
 */
#pragma once

#include "model.h"
#include "screen.h"
#include "stream.h"
#include "view.h"
#include "watch.h"
#include "why.h"
#include "why_request.h"
