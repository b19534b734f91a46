/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Policies as files: opening one safely, finding what another extends, and finding the profile of a
 * command. The only part of the policy engine that touches the file system.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "lib/base/base.h"
#include "directory.h"
#include "model.h"
#include "reader.h"
#include "trusted_file.h"
#include "weights.h"

/* NULL, or why the open file cannot be a policy. */
static const char *unfit(const struct stat *st, bool trusted)
{
	if (!S_ISREG(st->st_mode))
		return "not a regular file";
	if (st->st_size > POLICY_TEXT_MAX)
		return "larger than POLICY_TEXT_MAX (4 MiB)";
	if (trusted && st->st_uid != 0)
		return "must be owned by root";
	if (trusted && st->st_mode & (S_IWGRP | S_IWOTH))
		return "must not be writable by group or others (chmod go-w)";
	return NULL;
}

int policy_file_load(const char *path, bool trusted, struct text *text, const char **ret_why)
{
	OWNED_FD int fd = -1;
	struct stat st;
	int r;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) < 0) {
		r = -errno;
		*ret_why = strerrordesc_np(-r);
		return r;
	}
	*ret_why = unfit(&st, trusted);
	if (*ret_why)
		return -EINVAL;
	r = read_to_end(fd, POLICY_TEXT_MAX, text);
	if (r < 0)
		*ret_why = strerrordesc_np(-r);
	return r;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int load_from_memory(const struct policy_directory *directory, const char *name,
			    struct text *text, const char **ret_why)
{
	const struct policy_file *file = policy_directory_find(directory, name);
	int r = file ? file->error : -ENOENT;

	if (r < 0)
		*ret_why = file ? file->why : strerrordesc_np(-r);
	return r < 0 ? r
		     : text_add(text, file->text.data ? file->text.data : "", file->text.length);
}

int load_file(const struct policy_context *context, const char *path, struct text *text,
	      const char **ret_why)
{
	if (context->files)
		return load_from_memory(context->files, base_name(path), text, ret_why);
	return policy_file_load(path, context->trusted, text, ret_why);
}

int policy_read_file(const char *path, const struct policy_context *context, struct diag *diag,
		     struct policy **ret_policy)
{
	OWNED_TEXT struct text text = { 0 };
	const char *why;
	int r;

	r = load_file(context, path, &text, &why);
	if (r == -ENOMEM)
		return r;
	if (r < 0) {
		diag_add(diag, path, 0, 0, "cannot be read: %s", why);
		return -EINVAL;
	}
	return policy_read_text(base_name(path), text.data, text.length, context, diag, ret_policy);
}

/*
 * Whether reading `file` once more would never end, or goes too deep. The outermost text may have
 * the name of a file that it extends.
 */
static const char *refuse_chain(const struct reader *reader, const char *file)
{
	unsigned int depth = 1;

	for (const struct reader *r = reader; r->extended_by; r = r->extended_by, depth++)
		if (strcmp(r->file, file) == 0)
			return "extends itself in the end";
	if (depth > POLICY_EXTENDS_MAX)
		return "is too deep in a chain of `extends` (POLICY_EXTENDS_MAX, 8)";
	return NULL;
}

void read_extended(struct reader *reader, const struct yaml_node *node)
{
	OWNED_TEXT struct text text = { 0 };
	OWNED_MEM char *file = NULL;
	OWNED_MEM char *path = NULL;
	struct reader inner = *reader;
	const char *name, *why;

	if (!value_name(reader, node, &name))
		return;
	if (!reader->context->directory) {
		reader_error(reader, node, "nothing can be extended here: no policy directory");
		return;
	}
	file = text_format("%s.yaml", name);
	path = file ? text_format("%s/%s", reader->context->directory, file) : NULL;
	if (!path) {
		reader->no_memory = true;
		return;
	}
	why = refuse_chain(reader, file);
	if (why) {
		reader_error(reader, node, "\"%s\" %s", name, why);
		return;
	}
	if (load_file(reader->context, path, &text, &why) < 0) {
		reader_error(reader, node, "\"%s\" cannot be read (%s): %s", name, path, why);
		return;
	}
	inner.extended_by = reader;
	inner.file = keep_file_name(&inner, file);
	if (inner.file)
		read_policy(&inner, text.data, text.length);
	reader->n_globs = inner.n_globs;
	reader->no_memory = inner.no_memory;
}

/* Whether the top of a policy has `match` with the command's name in it. */
static bool matches(const struct yaml_node *root, const char *command)
{
	const struct word word = { .text = command };
	const struct yaml_node *value = root ? yaml_find(root, "match") : NULL;
	unsigned int ignored;

	for (size_t i = 0; value && i < value_count(value); i++)
		if (known_word(value_at(value, i), &word, 1, &ignored))
			return true;
	return false;
}

/* 1 if the file's profile is for the command, 0 if not. */
static int file_matches(const char *file, const char *command, const struct policy_context *context,
			struct diag *diag)
{
	CLEANUP(yaml_freep) struct yaml *yaml = NULL;
	OWNED_TEXT struct text text = { 0 };
	OWNED_MEM char *path = text_format("%s/%s", context->directory, file);
	const char *why;
	int r;

	if (!path)
		return -ENOMEM;
	r = load_file(context, path, &text, &why);
	if (r < 0 && r != -ENOMEM) {
		diag_add(diag, file, 0, 0, "cannot be read: %s", why);
		return -EINVAL;
	}
	if (r == 0)
		r = yaml_read(file, text.data, text.length, diag, &yaml);
	return r < 0 ? r : matches(yaml_root(yaml), command);
}

static bool is_policy(const struct policy_file *file)
{
	return strcmp(file->name, POLICY_WEIGHTS_FILE) != 0;
}

/*
 * The file whose `match` has the command, or "generic.yaml", or NULL. All files are read: two
 * profiles for one command are an error, whichever comes first.
 */
static int search(const char *command, const struct policy_context *context, struct diag *diag,
		  const char **ret_file)
{
	const char *found = NULL, *generic = NULL;
	bool broken = false;
	int r;

	for (size_t i = 0; i < context->files->count; i++) {
		const char *file = context->files->files[i].name;

		if (!is_policy(&context->files->files[i]))
			continue;
		if (strcmp(file, "generic.yaml") == 0)
			generic = file;
		r = file_matches(file, command, context, diag);
		if (r == -ENOMEM)
			return r;
		if (r < 0)
			broken = true;
		if (r <= 0)
			continue;
		if (found) {
			diag_add(diag, file, 0, 0, "is for the command \"%s\", and so is %s",
				 command, found);
			broken = true;
		}
		found = file;
	}
	if (broken)
		return -EINVAL;
	*ret_file = found ? found : generic;
	return 0;
}

int policy_pick(const char *command, const struct policy_context *context, struct diag *diag,
		char **ret_name)
{
	OWNED_POLICY_DIRECTORY struct policy_directory directory = { 0 };
	struct policy_context whole = *context;
	const char *file = NULL;
	char *name;
	int r = 0;

	if (!whole.files) {
		r = policy_directory_read(whole.directory, whole.trusted, &directory);
		whole.files = &directory;
	}
	if (r < 0) {
		diag_add(diag, whole.directory, 0, 0, "cannot be read: %s", strerrordesc_np(-r));
		return r == -ENOMEM ? r : -EINVAL;
	}
	r = search(base_name(command), &whole, diag, &file);
	if (r < 0)
		return r;
	if (!file)
		return -ENOENT;
	name = strndup(file, strlen(file) - strlen(".yaml"));
	if (!name)
		return -ENOMEM;
	*ret_name = name;
	return 0;
}
