/* SPDX-License-Identifier: MPL-2.0 */
/* Files of a directory are read one by one, so an unfit one only matters to those who need it. */
#include "directory.h"
#include "reader.h"

static int is_yaml(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && length > 5 &&
	       strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

struct names {
	struct dirent **entries;
	int count;
};

static void names_clear(struct names *names)
{
	for (int i = 0; i < names->count; i++)
		free(names->entries[i]);
	free(names->entries);
}

static void file_clear(struct policy_file *file)
{
	free(file->name);
	text_free(&file->text);
	free(file->why);
	*file = (struct policy_file) { 0 };
}

int policy_directory_add(struct policy_directory *directory, struct policy_file *file)
{
	if (ARRAY_GROW(directory->files, directory->count) < 0)
		return -ENOMEM;
	directory->files[directory->count++] = *file;
	*file = (struct policy_file) { 0 };
	return 0;
}

static int add(struct policy_directory *directory, const char *path, const char *name, bool trusted)
{
	CLEANUP(file_clear) struct policy_file file = { 0 };
	OWNED_MEM char *whole = text_format("%s/%s", path, name);
	const struct policy_context context = { .trusted = trusted };
	const char *why = NULL;

	if (!whole || text_copy(name, &file.name) < 0)
		return -ENOMEM;
	file.error = load_file(&context, whole, &file.text, &why);
	if (file.error == -ENOMEM || (file.error < 0 && text_copy(why, &file.why) < 0))
		return -ENOMEM;
	return policy_directory_add(directory, &file);
}

int policy_directory_read(const char *path, bool trusted, struct policy_directory *ret_directory)
{
	OWNED_POLICY_DIRECTORY struct policy_directory directory = { 0 };
	CLEANUP(names_clear) struct names names = { 0 };
	size_t bytes = 0;
	int r = 0;

	names.count = scandir(path, &names.entries, is_yaml, alphasort);
	if (names.count < 0) {
		names.count = 0;
		return -errno;
	}
	for (int i = 0; i < names.count && r == 0; i++) {
		r = add(&directory, path, names.entries[i]->d_name, trusted);
		if (r == 0)
			bytes += directory.files[i].text.length;
		if (bytes > POLICY_DIRECTORY_MAX)
			r = -EFBIG;
	}
	if (r < 0)
		return r;
	*ret_directory = directory;
	directory = (struct policy_directory) { 0 };
	return 0;
}

const struct policy_file *policy_directory_find(const struct policy_directory *directory,
						const char *name)
{
	for (size_t i = 0; i < directory->count; i++)
		if (strcmp(directory->files[i].name, name) == 0)
			return &directory->files[i];
	return NULL;
}

void policy_directory_free(struct policy_directory *directory)
{
	for (size_t i = 0; i < directory->count; i++)
		file_clear(&directory->files[i]);
	free(directory->files);
	*directory = (struct policy_directory) { 0 };
}
