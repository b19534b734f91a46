/* SPDX-License-Identifier: MPL-2.0 */
/* The only file that spells the names of segments. */
#include <fcntl.h>

#include "segment.h"

#define PREFIX "audit-"
#define DIGITS 20

static const char *const suffixes[] = {
	[AUDIT_PLAIN] = ".jsonl",
	[AUDIT_COMPRESSED] = ".jsonl.zst",
	[AUDIT_INDEX] = ".idx",
};

static struct audit_name make_name(uint64_t first, enum audit_form form, const char *end)
{
	struct audit_name name;

	snprintf(name.text, sizeof(name.text), PREFIX "%020llu%s%s", (unsigned long long)first,
		 suffixes[form], end);
	return name;
}

struct audit_name audit_segment_name(uint64_t first, enum audit_form form)
{
	return make_name(first, form, "");
}

struct audit_name audit_segment_part(uint64_t first, enum audit_form form)
{
	return make_name(first, form, AUDIT_PART);
}

/* What is behind the number; NULL: it is not named like a segment. */
static const char *parse_number(const char *name, uint64_t *ret_first)
{
	char digits[DIGITS + 1];
	size_t length = strlen(PREFIX);

	if (strncmp(name, PREFIX, length) != 0 || strlen(name) < length + DIGITS)
		return NULL;
	memcpy(digits, name + length, DIGITS);
	digits[DIGITS] = '\0';
	if (text_parse_u64(digits, UINT64_MAX, ret_first) < 0 || !*ret_first)
		return NULL;
	return name + length + DIGITS;
}

static bool parse_name(const char *name, uint64_t *ret_first, enum audit_form *ret_form)
{
	const char *rest = parse_number(name, ret_first);

	for (unsigned int i = 0; rest && i < ARRAY_SIZE(suffixes); i++)
		if (!strcmp(rest, suffixes[i])) {
			*ret_form = i;
			return true;
		}
	return false;
}

static bool is_part(const char *name)
{
	size_t length = strlen(name), end = strlen(AUDIT_PART);
	uint64_t first;

	return parse_number(name, &first) && length > end &&
	       !strcmp(name + length - end, AUDIT_PART);
}

static int note(struct audit_segments *segments, uint64_t first, enum audit_form form)
{
	int r = ARRAY_GROW(segments->list, segments->count);

	if (r < 0)
		return r;
	segments->list[segments->count++] = (struct audit_segment) {
		.first = first,
		.plain = form == AUDIT_PLAIN,
		.compressed = form == AUDIT_COMPRESSED,
		.indexed = form == AUDIT_INDEX,
	};
	return 0;
}

static int by_first(const void *a, const void *b)
{
	const struct audit_segment *one = a, *other = b;

	return (one->first > other->first) - (one->first < other->first);
}

/* Of the entries for each file, sorted, one for each segment. */
static void join(struct audit_segments *segments)
{
	size_t count = 0;

	for (size_t i = 0; i < segments->count; i++) {
		struct audit_segment *last = &segments->list[count ? count - 1 : 0];
		const struct audit_segment *next = &segments->list[i];

		if (!count || last->first != next->first) {
			segments->list[count++] = *next;
			continue;
		}
		last->plain |= next->plain;
		last->compressed |= next->compressed;
		last->indexed |= next->indexed;
	}
	segments->count = count;
}

static int open_listing(int directory, DIR **ret_listing)
{
	OWNED_FD int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *listing;

	if (fd < 0)
		return -errno;
	listing = fdopendir(fd);
	if (!listing)
		return -errno;
	TAKE_FD(fd);
	*ret_listing = listing;
	return 0;
}

int audit_segments_list(int directory, struct audit_segments *ret_segments)
{
	OWNED_AUDIT_SEGMENTS struct audit_segments segments = { 0 };
	OWNED_DIR DIR *listing = NULL;
	int r = open_listing(directory, &listing);

	if (r < 0)
		return r;
	for (struct dirent *entry; (entry = readdir(listing));) {
		enum audit_form form;
		uint64_t first;

		if (!parse_name(entry->d_name, &first, &form))
			continue;
		r = note(&segments, first, form);
		if (r < 0)
			return r;
	}
	if (segments.count)
		qsort(segments.list, segments.count, sizeof(*segments.list), by_first);
	join(&segments);
	*ret_segments = segments;
	segments = (struct audit_segments) { 0 };
	return 0;
}

void audit_segments_free(struct audit_segments *segments)
{
	free(segments->list);
	*segments = (struct audit_segments) { 0 };
}

int audit_segments_tidy(int directory)
{
	OWNED_DIR DIR *listing = NULL;
	int r = open_listing(directory, &listing);

	if (r < 0)
		return r;
	for (struct dirent *entry; (entry = readdir(listing));)
		if (is_part(entry->d_name) && unlinkat(directory, entry->d_name, 0) < 0)
			return -errno;
	return 0;
}
