/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A report for people (text, HTML) and programs (JSON). What is counted is lib/report's.
 */
#pragma once

#include "out.h"
#include "read.h"
#include "view.h"
