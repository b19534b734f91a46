/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What was found of the audit log, for people and for programs. Pure.
 */
#pragma once

#include "lib/audit/audit.h"
#include "lib/base/base.h"

/* Each adds to `out`. 0 or -ENOMEM. */
int view_audit(const struct audit_verify *verify, struct text *out);
int view_audit_json(const struct audit_verify *verify, struct text *out);
