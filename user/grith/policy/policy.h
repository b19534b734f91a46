/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Policies without grithd: load and compile a file, put questions to it, show the outcome.
 */
#pragma once

#include "load.h"
#include "outcome.h"
#include "question.h"
