/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Lines of the audit log for people and programs: where they come from, which are wanted, in which
 * format they are printed.
 */
#pragma once

#include "event.h"
#include "export.h"
#include "object.h"
#include "options.h"
#include "printer.h"
#include "source.h"
#include "verified.h"
