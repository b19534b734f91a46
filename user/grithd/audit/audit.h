/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Writing the audit log, compressing and removing its segments, and reading it for clients. Knows
 * lines and files, and no session.
 */
#pragma once

#include "log.h"
#include "why_search.h"
#include "writer.h"
