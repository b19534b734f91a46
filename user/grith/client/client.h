/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The connection to grithd, and what its errors mean to a person. Knows no verb.
 */
#pragma once

#include "ask.h"
#include "channel.h"
