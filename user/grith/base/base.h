/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What all verbs share: the frame of a verb, messages, times and names for people, tables and
 * colours. Knows neither grithd nor the audit log.
 */
#pragma once

#include "absolute.h"
#include "command.h"
#include "file_replace.h"
#include "json_member.h"
#include "line.h"
#include "message.h"
#include "options.h"
#include "process_tree.h"
#include "program.h"
#include "table.h"
#include "term.h"
#include "times.h"
