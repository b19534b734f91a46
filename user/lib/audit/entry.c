/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What is signed is not the JSON but a text of the same values in one spelling, which begins with
 * its purpose, so that no signature is good for anything else.
 */

#include <jansson.h>

#include "entry.h"

#define SIGNED_MAX 256
#define SIGNATURE_HEX (2 * AUDIT_SIGNATURE_BYTES)

static const char *const kinds[] = {
	[AUDIT_CHECKPOINT] = "checkpoint",
	[AUDIT_RETENTION] = "retention",
	[AUDIT_EXPORT] = "export",
};

static size_t format_signed(const struct audit_entry *entry, char ret_text[SIGNED_MAX])
{
	char head[AUDIT_HEX_BYTES + 1];

	audit_hash_format(&entry->head, head);
	return snprintf(ret_text, SIGNED_MAX, "grith-audit 1 %s %s %s %llu %s", kinds[entry->kind],
			entry->time, entry->session[0] ? entry->session : "-",
			(unsigned long long)entry->lines, head);
}

static void sign(struct audit_entry *entry, const struct audit_key *key)
{
	char text[SIGNED_MAX];
	size_t length = format_signed(entry, text);

	memcpy(entry->key, key->id, sizeof(entry->key));
	audit_key_sign(key, text, length, entry->signature);
}

static int add(struct text *out, const struct event_head *now, const struct audit_entry *entry)
{
	struct json_writer w = { .text = out };
	char head[AUDIT_HEX_BYTES + 1];

	audit_hash_format(&entry->head, head);
	json_open(&w, NULL);
	json_u64(&w, "v", EVENT_VERSION);
	json_text(&w, "time", entry->time);
	json_u64(&w, "mono", now->mono);
	json_text(&w, "session", now->session);
	json_text(&w, "kind", kinds[entry->kind]);
	if (entry->kind == AUDIT_RETENTION) {
		json_u64(&w, "from", entry->from);
		json_u64(&w, "to", entry->to);
	} else {
		json_u64(&w, "lines", entry->lines);
	}
	json_text(&w, "head", head);
	if (entry->kind != AUDIT_RETENTION) {
		json_text(&w, "key", entry->key);
		json_hex(&w, "signature", (const char *)entry->signature, AUDIT_SIGNATURE_BYTES);
	}
	json_close(&w);
	return w.r < 0 ? w.r : text_add(out, "\n", 1);
}

static struct audit_entry entry_of(enum audit_entry_kind kind, const struct event_head *now)
{
	struct audit_entry entry = { .kind = kind };

	json_format_time(now->time, entry.time);
	snprintf(entry.session, sizeof(entry.session), "%s", now->session ? now->session : "");
	return entry;
}

int audit_entry_checkpoint(struct text *out, const struct event_head *now,
			   const struct audit_chain *chain, const struct audit_key *key)
{
	struct audit_entry entry = entry_of(AUDIT_CHECKPOINT, now);

	entry.lines = chain->n;
	entry.head = chain->hash;
	sign(&entry, key);
	return add(out, now, &entry);
}

int audit_entry_retention(struct text *out, const struct event_head *now, uint64_t from,
			  const struct audit_chain *last)
{
	struct audit_entry entry = entry_of(AUDIT_RETENTION, now);

	entry.from = from;
	entry.to = last->n;
	entry.head = last->hash;
	return add(out, now, &entry);
}

int audit_entry_export(struct text *out, const struct event_head *now, uint64_t lines,
		       const struct audit_hash *all, const struct audit_key *key)
{
	struct audit_entry entry = entry_of(AUDIT_EXPORT, now);

	entry.lines = lines;
	entry.head = *all;
	sign(&entry, key);
	return add(out, now, &entry);
}

static bool take_number(json_t *json, const char *key, uint64_t *ret_number)
{
	json_t *value = json_object_get(json, key);

	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return false;
	*ret_number = json_integer_value(value);
	return true;
}

/* A string of exactly this length. */
static const char *take_text(json_t *json, const char *key, size_t length)
{
	json_t *value = json_object_get(json, key);

	return json_string_length(value) == length ? json_string_value(value) : NULL;
}

static bool take_signature(json_t *json, struct audit_entry *entry)
{
	const char *hex = take_text(json, "signature", SIGNATURE_HEX);
	const char *key = take_text(json, "key", AUDIT_KEY_ID);
	struct audit_hash half;

	if (!hex || !key || strspn(key, "0123456789abcdef") != AUDIT_KEY_ID)
		return false;
	memcpy(entry->key, key, AUDIT_KEY_ID);
	for (size_t i = 0; i < AUDIT_SIGNATURE_BYTES; i += AUDIT_HASH_BYTES) {
		if (!audit_hash_parse(hex + 2 * i, &half))
			return false;
		memcpy(entry->signature + i, half.bytes, AUDIT_HASH_BYTES);
	}
	return true;
}

static bool fill_in(json_t *json, struct audit_entry *entry)
{
	const char *head = take_text(json, "head", AUDIT_HEX_BYTES);

	if (!head || !audit_hash_parse(head, &entry->head))
		return false;
	if (entry->kind == AUDIT_RETENTION)
		return take_number(json, "from", &entry->from) &&
		       take_number(json, "to", &entry->to);
	return take_number(json, "lines", &entry->lines) && take_signature(json, entry);
}

/*
 * The kind comes right behind the head of a line, before any text of an agent, so most lines are
 * known for what they are without reading JSON.
 */
static enum audit_entry_kind find_kind(const char *line, size_t length)
{
	static const char field[] = "\"kind\":\"";
	const char *end = line + length, *kind = memmem(line, length, field, strlen(field));

	for (unsigned int i = AUDIT_CHECKPOINT; kind && i < ARRAY_SIZE(kinds); i++) {
		const char *value = kind + strlen(field);
		size_t n = strlen(kinds[i]);

		if ((size_t)(end - value) > n && !memcmp(value, kinds[i], n) && value[n] == '"')
			return i;
	}
	return AUDIT_NO_ENTRY;
}

bool audit_entry_parse(const char *line, size_t length, struct audit_entry *ret_entry)
{
	struct audit_entry entry = { .kind = find_kind(line, length) };
	struct log_head head;
	json_t *json;
	bool good;

	if (entry.kind == AUDIT_NO_ENTRY) {
		*ret_entry = entry;
		return true;
	}
	if (!log_head_parse(line, length, &head))
		return false;
	memcpy(entry.time, head.time, sizeof(entry.time));
	memcpy(entry.session, head.session, sizeof(entry.session));
	json = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);
	good = json && fill_in(json, &entry);
	json_decref(json);
	if (good)
		*ret_entry = entry;
	return good;
}

bool audit_entry_verify(const struct audit_entry *entry, const struct audit_key *key)
{
	char text[SIGNED_MAX];
	size_t length = format_signed(entry, text);

	return !strcmp(entry->key, key->id) &&
	       audit_key_verify(key, text, length, entry->signature);
}
