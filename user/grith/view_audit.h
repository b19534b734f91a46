/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What was found of the audit log, for people and for programs. Pure.
 */
#ifndef GRITH_VIEW_AUDIT_H
#define GRITH_VIEW_AUDIT_H

#include "audit_verify.h"
#include "text.h"

/* Each adds to `out`. 0 or -ENOMEM. */
int view_audit(const struct audit_verify *verify, struct text *out);
int view_audit_json(const struct audit_verify *verify, struct text *out);

#endif
