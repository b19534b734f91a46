/* SPDX-License-Identifier: MPL-2.0 */
/* Lines are numbered as in the log; a position in a file follows its name. */
#include "grith/base/base.h"
#include "verified.h"

#define NUMBER(n) ((unsigned long long)(n))

int view_audit(const struct audit_verify *verify, struct text *out)
{
	const struct audit_spot *at = &verify->at;
	struct line line = { .out = out };

	if (verify->fault) {
		line_add(&line, at->file);
		if (at->line)
			line_addf(&line, "%s%llu", at->file[0] ? ":" : "line ", NUMBER(at->line));
		if (at->n)
			line_addf(&line, "%sline %llu of the log",
				  at->file[0] || at->line ? ", " : "", NUMBER(at->n));
		if (!at->file[0] && !at->line && !at->n)
			line_add(&line, "the log as a whole");
		line_addf(&line, ": %s: %s\n", audit_fault_name(verify->fault), verify->detail);
		return line.r;
	}
	if (!verify->first) {
		line_add(&line, "there are no lines\n");
		return line.r;
	}
	line_addf(&line, "lines %llu to %llu are as they were written, %llu checkpoints\n",
		  NUMBER(verify->first), NUMBER(verify->last.n), NUMBER(verify->checkpoints));
	if (verify->unsigned_lines)
		line_addf(&line, "the last %llu of them come after the last checkpoint\n",
			  NUMBER(verify->unsigned_lines));
	if (!verify->head.n)
		line_add(&line, "nothing here says whether there were lines after them\n");
	return line.r;
}

int view_audit_json(const struct audit_verify *verify, struct text *out)
{
	json_auto_t *json = NULL;
	OWNED_MEM char *text = NULL;

	if (verify->fault)
		json = json_pack("{s:b, s:s, s:s, s:I, s:I, s:s}", "ok", 0, "fault",
				 audit_fault_name(verify->fault), "file", verify->at.file, "line",
				 (json_int_t)verify->at.line, "n", (json_int_t)verify->at.n,
				 "detail", verify->detail);
	else
		json = json_pack("{s:b, s:I, s:I, s:I, s:I, s:b}", "ok", 1, "from",
				 (json_int_t)verify->first, "to", (json_int_t)verify->last.n,
				 "checkpoints", (json_int_t)verify->checkpoints, "unsigned",
				 (json_int_t)verify->unsigned_lines, "end_known",
				 verify->head.n != 0);
	text = json ? json_dumps(json, JSON_ENSURE_ASCII) : NULL;
	return text ? text_addf(out, "%s\n", text) : -ENOMEM;
}
