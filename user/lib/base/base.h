/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What every room uses: text and byte buffers, arrays, cleanup, JSON, small files,
 * cgroup names, the words for what the ABI numbers, messages with a place. Knows nothing of
 * policies, records or sessions, and writes nowhere but where it is told to.
 */
#pragma once

/* Of the C library, what nearly every file needs. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "array.h"
#include "cgroup.h"
#include "cleanup.h"
#include "config.h"
#include "counters.h"
#include "diag.h"
#include "escape.h"
#include "intern.h"
#include "json_write.h"
#include "lines.h"
#include "names.h"
#include "ops.h"
#include "path.h"
#include "session_id.h"
#include "small_file.h"
#include "suggest.h"
#include "swar.h"
#include "text.h"
#include "timestamp.h"
