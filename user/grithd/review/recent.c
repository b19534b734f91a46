/* SPDX-License-Identifier: MPL-2.0 */
/* Two short rings. */
#include "recent.h"

struct recent_entry {
	uint64_t sequence;
	struct score *score; /* NULL: there was none */
};

struct recent {
	struct recent_entry entries[RECENT_MAX];
	size_t added; /* ever; the place of the next one is this modulo RECENT_MAX */
	struct recent_source sources[RECENT_SOURCES_MAX];
	size_t n_sources;
};

struct recent *recent_new(void)
{
	return calloc(1, sizeof(struct recent));
}

static void clear_source(struct recent_source *source)
{
	free(source->path);
	free(source->program);
}

void recent_free(struct recent *recent)
{
	if (!recent)
		return;
	for (size_t i = 0; i < RECENT_MAX; i++)
		free(recent->entries[i].score);
	for (size_t i = 0; i < recent->n_sources; i++)
		clear_source(&recent->sources[i]);
	free(recent);
}

void recent_add(struct recent *recent, uint64_t sequence, const struct score *score)
{
	struct recent_entry *entry = &recent->entries[recent->added++ % RECENT_MAX];

	free(entry->score);
	*entry = (struct recent_entry) { .sequence = sequence };
	if (!score || !score->n_parts)
		return;
	entry->score = malloc(score_size(score));
	if (entry->score)
		memcpy(entry->score, score, score_size(score));
}

const struct score *recent_score(const struct recent *recent, uint64_t sequence)
{
	size_t count = recent->added < RECENT_MAX ? recent->added : RECENT_MAX;

	for (size_t i = 0; i < count; i++)
		if (recent->entries[i].sequence == sequence)
			return recent->entries[i].score;
	return NULL;
}

static void remove_source(struct recent *recent, size_t i)
{
	clear_source(&recent->sources[i]);
	memmove(recent->sources + i, recent->sources + i + 1,
		(--recent->n_sources - i) * sizeof(recent->sources[0]));
}

static void make_room(struct recent *recent, const char *path)
{
	for (size_t i = 0; i < recent->n_sources; i++)
		if (!strcmp(recent->sources[i].path, path)) {
			remove_source(recent, i);
			return;
		}
	if (recent->n_sources == RECENT_SOURCES_MAX)
		remove_source(recent, 0);
}

void recent_add_source(struct recent *recent, enum grith_source weight, uint64_t time,
		       const struct record *record, const char *program)
{
	struct recent_source source = {
		.time = time,
		.weight = weight,
		.pid = record->head.pid,
		.path = strndup(record->path.data ? record->path.data : "", record->path.length),
		.program = program ? strdup(program) : NULL,
	};

	if (!source.path) {
		clear_source(&source);
		return;
	}
	make_room(recent, source.path);
	recent->sources[recent->n_sources++] = source;
}

size_t recent_sources(const struct recent *recent, const struct recent_source **ret_sources)
{
	*ret_sources = recent->sources;
	return recent->n_sources;
}
