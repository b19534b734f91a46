/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One line of the audit log, both ways: from a record to JSON, and from JSON back to an event; and
 * which events a reader wants. Knows nothing of files: those are lib/audit's.
 */
#pragma once

#include "filter.h"
#include "read.h"
#include "write.h"
