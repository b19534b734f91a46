/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the kernel sends, checked before anything is looked at, and what a sequence of records
 * shows: whole argument lists, the processes of a session, how many records were lost. Pure.
 */
#pragma once

#include "bytes.h"
#include "decode.h"
#include "exec_join.h"
#include "process_table.h"
#include "sequence.h"
