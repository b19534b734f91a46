/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What describes a session from its start on: the file that grithd keeps of it, the names of its
 * hosts and who resolves them, the repository around its project, and what the settings of one say.
 * Knows nothing of cgroups and processes that run.
 */
#pragma once

#include "git_settings.h"
#include "info.h"
#include "repository.h"
#include "resolvers.h"
