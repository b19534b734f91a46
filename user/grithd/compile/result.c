/* SPDX-License-Identifier: MPL-2.0 */
/* In the order of struct compile_result, complaints or the rest. */
#include "grithd/base/base.h"
#include "result.h"

#define MAGIC 0x74737267
#define TEXT_MAX 4096 /* bytes of a message, a name of a file or of a host */
#define MESSAGE_MAX (64u << 10)
#define FILES_MAX 64
#define RULE_BYTES (4 * sizeof(uint32_t))

enum { HOLDS = 1, TRUSTS = 2, JUDGES = 4 };

/* One that quotes half of a policy is cut. */
static int pack_message(const char *message, struct text *out)
{
	size_t length = strnlen(message, MESSAGE_MAX);
	int r = pack_u32(out, length + 1);

	return r ?: text_add(out, message, length) ?: text_add(out, "", 1);
}

static int pack_diag(const struct diag *diag, struct text *out)
{
	int r = pack_u32(out, diag->count);

	for (size_t i = 0; i < diag->count && r == 0; i++) {
		const struct diag_entry *entry = &diag->entries[i];

		r = pack_string(out, entry->file) ?: pack_u32(out, entry->line)
			    ?: pack_u32(out, entry->column) ?: pack_message(entry->message, out);
	}
	return r;
}

static int pack_strings(char *const *strings, size_t count, struct text *out)
{
	int r = pack_u32(out, count);

	for (size_t i = 0; i < count && r == 0; i++)
		r = pack_string(out, strings[i]);
	return r;
}

static int pack_rules(const struct session_info *info, struct text *out)
{
	int r = pack_u32(out, info->n_rules);

	for (size_t i = 0; i < info->n_rules && r == 0; i++) {
		const struct session_rule *rule = &info->rules[i];

		r = pack_u32(out, rule->file) ?: pack_u32(out, rule->line)
			    ?: pack_u32(out, rule->holds * HOLDS | rule->trusts * TRUSTS |
						     rule->judges * JUDGES)
			    ?: pack_string(out, rule->reason);
	}
	return r;
}

int compile_result_pack(const struct compile_result *result, struct text *out)
{
	const struct session_info *info = &result->info;
	int r = pack_u32(out, MAGIC) ?: pack_diag(&result->diag, out);

	if (r < 0 || result->diag.count)
		return r;
	r = pack_string(out, info->profile) ?: pack_u32(out, info->mode)
		    ?: pack_u32(out, (uint16_t)info->threshold_hold)
		    ?: pack_u32(out, (uint16_t)info->threshold_deny)
		    ?: pack_strings(info->files, info->n_files, out) ?: pack_rules(info, out)
		    ?: pack_strings(result->names, result->n_names, out)
		    ?: pack_u32(out, result->names_left_out)
		    ?: pack_u32(out, !!result->image);
	return r ?: result->image ? policy_image_pack(result->image, out) : 0;
}

/* 0 or -ENOMEM. What is no text that JSON can hold is bad. */
static int take_text(struct unpack *from, char **ret_text)
{
	const char *text = unpack_string(from, TEXT_MAX);

	if (text && !text_is_utf8(text, strlen(text)))
		from->bad = true;
	return from->bad ? 0 : text_copy(text, ret_text);
}

static void take_diag(struct unpack *from, struct diag *diag)
{
	size_t count = unpack_count(from, 4 * sizeof(uint32_t), DIAG_MAX);

	for (size_t i = 0; i < count; i++) {
		const char *file = unpack_string(from, TEXT_MAX), *message;
		uint32_t line = unpack_u32(from), column = unpack_u32(from);

		message = unpack_string(from, MESSAGE_MAX);
		if (from->bad || !message || line > INT32_MAX || column > INT32_MAX)
			from->bad = true;
		else
			diag_add(diag, file, line, column, "%s", message);
	}
}

static int take_strings(struct unpack *from, size_t max, char ***ret_strings, size_t *ret_count)
{
	size_t count = unpack_count(from, sizeof(uint32_t), max);
	int r = 0;

	*ret_strings = calloc(count + 1, sizeof(char *));
	if (!*ret_strings)
		return -ENOMEM;
	for (; *ret_count < count && r == 0 && !from->bad; ++*ret_count) {
		r = take_text(from, &(*ret_strings)[*ret_count]);
		if (r == 0 && !(*ret_strings)[*ret_count]) {
			from->bad = true;
			break;
		}
	}
	return r;
}

static int take_rules(struct unpack *from, struct session_info *info)
{
	size_t count = unpack_count(from, RULE_BYTES, POLICY_RULES_MAX);
	int r = 0;

	info->rules = calloc(count + 1, sizeof(*info->rules));
	if (!info->rules)
		return -ENOMEM;
	info->n_rules = count;
	for (size_t i = 0; i < count && r == 0 && !from->bad; i++) {
		struct session_rule *rule = &info->rules[i];
		uint32_t flags;

		rule->file = unpack_u32(from);
		rule->line = unpack_u32(from);
		flags = unpack_u32(from);
		rule->holds = flags & HOLDS;
		rule->trusts = flags & TRUSTS;
		rule->judges = flags & JUDGES;
		if (rule->file >= info->n_files || rule->line > INT32_MAX)
			from->bad = true;
		r = take_text(from, &rule->reason);
	}
	return r;
}

static int take_info(struct unpack *from, struct session_info *info)
{
	int r = take_text(from, &info->profile);

	info->mode = unpack_u32(from);
	info->threshold_hold = (int16_t)unpack_u32(from);
	info->threshold_deny = (int16_t)unpack_u32(from);
	if (!info->profile || info->mode >= GRITH_MODES)
		from->bad = true;
	return r ?: take_strings(from, FILES_MAX, &info->files, &info->n_files)
		 ?: take_rules(from, info);
}

static int take_image(struct unpack *from, struct compile_result *result)
{
	const struct grith_image_header *header;
	int r;

	if (!unpack_u32(from) || from->bad)
		return 0;
	r = policy_image_unpack(from, result->info.n_rules, &result->image);
	if (r < 0)
		return r;
	header = policy_image_header(result->image);
	for (size_t i = 0; i < GRITH_SOURCES; i++)
		result->info.sources[i] = header->source[i];
	return 0;
}

static int take(struct unpack *from, struct compile_result *result)
{
	int r;

	if (unpack_u32(from) != MAGIC)
		from->bad = true;
	take_diag(from, &result->diag);
	if (from->bad || result->diag.count)
		return 0;
	r = take_info(from, &result->info)
		    ?: take_strings(from, RESOLVER_NAMES_MAX, &result->names, &result->n_names);
	result->names_left_out = unpack_u32(from);
	return r ?: take_image(from, result);
}

int compile_result_unpack(struct unpack *from, struct compile_result *ret_result)
{
	OWNED_COMPILE_RESULT struct compile_result result = { 0 };
	int r = take(from, &result);

	if (r < 0)
		return r;
	/* Nothing behind it; and without names there is nothing to wait for. */
	if (from->bad || from->at != from->end ||
	    (!result.diag.count && !result.image && !result.n_names))
		return -EBADMSG;
	*ret_result = result;
	result = (struct compile_result) { 0 };
	return 0;
}

void compile_result_clear(struct compile_result *result)
{
	diag_free(&result->diag);
	session_info_free(&result->info);
	for (size_t i = 0; i < result->n_names; i++)
		free(result->names[i]);
	free(result->names);
	policy_image_free(result->image);
	*result = (struct compile_result) { 0 };
}
