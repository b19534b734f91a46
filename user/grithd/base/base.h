/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What grithd needs of the machine: its own log, its cgroup, /proc, files in the state directory,
 * who is at the other end of a socket, children that work as a user. Knows no session and no
 * policy.
 */
#pragma once

#include "clock.h"
#include "json.h"
#include "limits.h"
#include "log.h"
#include "peer.h"
#include "priority.h"
#include "proc.h"
#include "root_cgroup.h"
#include "state_file.h"
#include "user_child.h"
