/* SPDX-License-Identifier: MPL-2.0 */
/* The numbers of lines are those that the log gives them; a place in a file is behind its name. */

#include <jansson.h>

#include "verified.h"

#define NUMBER(n) ((unsigned long long)(n))

static int add_where(const struct audit_verify *verify, struct text *out)
{
	const struct audit_spot *at = &verify->at;
	int r = 0;

	if (!at->file[0] && !at->line && !at->n)
		return text_addf(out, "the log as a whole");
	if (at->file[0])
		r = text_addf(out, "%s", at->file);
	if (r == 0 && at->line)
		r = text_addf(out, "%s%llu", at->file[0] ? ":" : "line ", NUMBER(at->line));
	if (r == 0 && at->n)
		r = text_addf(out, "%sline %llu of the log", at->file[0] || at->line ? ", " : "",
			      NUMBER(at->n));
	return r;
}

static int add_fault(const struct audit_verify *verify, struct text *out)
{
	int r = add_where(verify, out);

	return r < 0 ? r
		     : text_addf(out, ": %s: %s\n", audit_fault_name(verify->fault),
				 verify->detail);
}

int view_audit(const struct audit_verify *verify, struct text *out)
{
	int r;

	if (verify->fault)
		return add_fault(verify, out);
	if (!verify->first)
		return text_addf(out, "there are no lines\n");
	r = text_addf(out, "lines %llu to %llu are as they were written, %llu checkpoints\n",
		      NUMBER(verify->first), NUMBER(verify->last.n), NUMBER(verify->checkpoints));
	if (r == 0 && verify->unsigned_lines)
		r = text_addf(out, "the last %llu of them come after the last checkpoint\n",
			      NUMBER(verify->unsigned_lines));
	if (r == 0 && !verify->head.n)
		r = text_addf(out, "nothing here says whether there were lines after them\n");
	return r;
}

int view_audit_json(const struct audit_verify *verify, struct text *out)
{
	json_auto_t *json = NULL;
	char *text;
	int r;

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
	if (!text)
		return -ENOMEM;
	r = text_addf(out, "%s\n", text);
	free(text);
	return r;
}
