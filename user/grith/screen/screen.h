/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The whole terminal: pictures out, keys in. The only user of curses; knows nothing of its
 * content.
 */
#pragma once

#include "curses.h"
#include "details.h"
#include "key.h"
#include "picture.h"
