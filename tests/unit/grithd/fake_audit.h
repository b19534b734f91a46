/* SPDX-License-Identifier: MPL-2.0 */
/* The audit log as a text, for the tests of the rooms above it. */
#pragma once

#include "grithd/audit/audit.h"

/* All lines so far, since fake_audit_clear(); never NULL. */
const char *fake_audit_text(void);
void fake_audit_clear(void);
