/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The audit log on disk: segments, hash chain, checkpoints, index, verification, and reading lines
 * in blocks. Knows lines as bytes with a head; what is in one is lib/event's. Writing is
 * grithd/audit's.
 */
#pragma once

#include "block.h"
#include "chain.h"
#include "cursor.h"
#include "entry.h"
#include "files.h"
#include "head.h"
#include "index.h"
#include "key.h"
#include "pack.h"
#include "query.h"
#include "segment.h"
#include "verify.h"
#include "verify_files.h"
