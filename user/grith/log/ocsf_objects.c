/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What is the same in many lines is made once: the device, and the actor as long as the same
 * process goes on.
 */
#include "object.h"
#include "ocsf_objects.h"

void ocsf_add_text(struct json_writer *w, const char *name, struct record_bytes text)
{
	OWNED_TEXT struct text escaped = { 0 };

	if (!text.length)
		return;
	if (text_is_utf8(text.data, text.length)) {
		json_bytes(w, name, text.data, text.length);
		return;
	}
	if (w->r == 0)
		w->r = text_add_escaped(&escaped, text.data, text.length);
	json_text(w, name, escaped.data);
}

void ocsf_add_file(struct json_writer *w, const char *name, struct record_bytes path,
		   enum ocsf_file type)
{
	static const struct record_bytes unknown = { "unknown", 7 };
	static const char *const types[] = {
		[OCSF_FILE_UNKNOWN] = "\"type_id\":0}",
		[OCSF_FILE_REGULAR] = "\"type_id\":1}",
		[OCSF_FILE_FOLDER] = "\"type_id\":2}",
	};

	json_open(w, name);
	ocsf_add_text(w, "name", path.length ? view_base_name(path) : unknown);
	ocsf_add_text(w, "path", path);
	json_raw(w, NULL, types[type]);
}

/* The process that asked. */
static void make_actor(struct json_writer *w, const struct log_event *event)
{
	struct record_bytes name =
		event->program.length ? view_base_name(event->program) : event->comm;

	json_open(w, "actor");
	json_open(w, "process");
	json_u64(w, "pid", event->pid);
	json_u64(w, "tid", event->tid);
	ocsf_add_text(w, "name", name);
	if (event->program.length)
		ocsf_add_file(w, "file", event->program, OCSF_FILE_REGULAR);
	json_open(w, "parent_process");
	json_u64(w, "pid", event->ppid);
	if (event->parent.length)
		ocsf_add_file(w, "file", event->parent, OCSF_FILE_REGULAR);
	json_close(w);
	json_close(w);
	json_open(w, "user");
	json_u64_text(w, "uid", event->uid);
	json_close(w);
	if (event->session.length) {
		json_open(w, "session");
		ocsf_add_text(w, "uid", event->session);
		json_close(w);
	}
	json_close(w);
}

/* All that make_actor() makes its text of, with the lengths, so that no two actors are equal. */
static int make_actor_key(const struct log_event *event, struct text *key)
{
	const struct record_bytes *const texts[] = { &event->comm, &event->program, &event->parent,
						     &event->session };
	struct {
		uint32_t pid, tid, ppid, uid;
		size_t lengths[ARRAY_SIZE(texts)];
	} head = { event->pid, event->tid, event->ppid, event->uid, { 0 } };
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		head.lengths[i] = texts[i]->length;
	key->length = 0;
	r = text_add(key, (const char *)&head, sizeof(head));
	for (size_t i = 0; i < ARRAY_SIZE(texts) && r == 0; i++)
		r = text_add(key, texts[i]->data, texts[i]->length);
	return r;
}

static bool is_equal(const struct text *a, const struct text *b)
{
	return a->length == b->length && !memcmp(a->data, b->data, a->length);
}

void ocsf_add_actor(struct json_writer *w, const struct log_event *event,
		    struct ocsf_memory *memory)
{
	struct json_writer actor = { .text = &memory->actor };

	if (w->r == 0)
		w->r = make_actor_key(event, &memory->scratch);
	if (w->r == 0 && !is_equal(&memory->scratch, &memory->actor_key)) {
		struct text before = memory->actor_key;

		memory->actor_key = memory->scratch;
		memory->scratch = before;
		memory->actor.length = 0;
		make_actor(&actor, event);
		w->r = actor.r;
	}
	if (w->r == 0)
		json_raw(w, NULL, memory->actor.data);
	else
		memory->actor_key.length = 0; /* no actor's */
}

void ocsf_add_device(struct json_writer *w, struct ocsf_memory *memory)
{
	struct json_writer device = { .text = &memory->device };

	if (!memory->device.length) {
		json_open(&device, "device");
		json_text(&device, "hostname", memory->host);
		json_u64(&device, "type_id", 0);
		json_close(&device);
	}
	if (w->r == 0)
		w->r = device.r;
	if (w->r == 0)
		json_raw(w, NULL, memory->device.data);
	else
		memory->device.length = 0;
}

void ocsf_memory_free(struct ocsf_memory *memory)
{
	text_free(&memory->device);
	text_free(&memory->actor);
	text_free(&memory->actor_key);
	text_free(&memory->scratch);
}
