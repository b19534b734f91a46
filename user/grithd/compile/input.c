/* SPDX-License-Identifier: MPL-2.0 */
/* In the order of struct compile_input. */
#include "input.h"

#define ADDRESS_SIZE sizeof(((struct policy_prefix *)NULL)->address)

static int pack_context(const struct policy_context *c, struct text *out)
{
	int r = pack_string(out, c->project) ?: pack_string(out, c->worktree)
		?: pack_string(out, c->git_directory) ?: pack_string(out, c->home)
		?: pack_string(out, c->user) ?: pack_u32(out, c->uid)
		?: pack_string(out, c->directory) ?: pack_u32(out, c->n_worktrees);

	for (size_t i = 0; i < c->n_worktrees && r == 0; i++)
		r = pack_string(out, c->worktrees[i]);
	r = r ?: pack_u32(out, c->n_resolvers);
	for (size_t i = 0; i < c->n_resolvers && r == 0; i++)
		r = text_add(out, (const char *)c->resolvers[i].address, ADDRESS_SIZE)
			    ?: pack_u32(out, c->resolvers[i].bits);
	return r;
}

static int pack_files(const struct policy_directory *directory, struct text *out)
{
	int r = pack_u32(out, directory->count);

	for (size_t i = 0; i < directory->count && r == 0; i++) {
		const struct policy_file *file = &directory->files[i];

		r = pack_string(out, file->name)
			    ?: pack_bytes(out, file->text.data, file->text.length)
			    ?: pack_u32(out, -file->error)
			    ?: pack_string(out, file->why);
	}
	return r;
}

int compile_input_pack(const struct compile_input *input, struct text *out)
{
	return pack_string(out, input->name) ?: pack_bytes(out, input->text, input->length)
		       ?: pack_string(out, input->profile) ?: pack_string(out, input->command)
		       ?: pack_context(&input->context, out) ?: pack_files(&input->files, out);
}

int compile_hosts_pack(const struct policy_host *hosts, size_t n_hosts, struct text *out)
{
	int r = pack_u32(out, n_hosts);

	for (size_t i = 0; i < n_hosts && r == 0; i++)
		r = pack_string(out, hosts[i].name)
			    ?: text_add(out, (const char *)hosts[i].address, ADDRESS_SIZE);
	return r;
}

static void unpack_address(struct unpack *from, uint8_t address[ADDRESS_SIZE])
{
	for (size_t i = 0; i < ADDRESS_SIZE; i += sizeof(uint32_t)) {
		uint32_t part = unpack_u32(from);

		memcpy(address + i, &part, sizeof(part));
	}
}

static int unpack_resolvers(struct unpack *from, struct policy_context *c)
{
	size_t count = unpack_count(from, ADDRESS_SIZE + sizeof(uint32_t), SIZE_MAX);
	struct policy_prefix *resolvers = calloc(count + 1, sizeof(*resolvers));

	if (!resolvers)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		unpack_address(from, resolvers[i].address);
		resolvers[i].bits = unpack_u32(from);
		from->bad |= resolvers[i].bits > 8 * ADDRESS_SIZE;
	}
	c->resolvers = resolvers;
	c->n_resolvers = count;
	return 0;
}

static int unpack_context(struct unpack *from, struct policy_context *c)
{
	char **worktrees;

	c->project = unpack_string(from, SIZE_MAX);
	c->worktree = unpack_string(from, SIZE_MAX);
	c->git_directory = unpack_string(from, SIZE_MAX);
	c->home = unpack_string(from, SIZE_MAX);
	c->user = unpack_string(from, SIZE_MAX);
	c->uid = unpack_u32(from);
	c->directory = unpack_string(from, SIZE_MAX);
	c->n_worktrees = unpack_count(from, sizeof(uint32_t), SIZE_MAX);
	worktrees = calloc(c->n_worktrees + 1, sizeof(*worktrees));
	if (!worktrees)
		return -ENOMEM;
	for (size_t i = 0; i < c->n_worktrees; i++)
		worktrees[i] = (char *)unpack_string(from, SIZE_MAX);
	c->worktrees = worktrees;
	c->trusted = true;
	return unpack_resolvers(from, c);
}

static int unpack_file(struct unpack *from, struct policy_directory *directory)
{
	struct policy_file file = { 0 };
	const char *name = unpack_string(from, SIZE_MAX), *text, *why;
	size_t length;
	int r;

	text = unpack_bytes(from, &length);
	file.error = -(int)unpack_u32(from);
	why = unpack_string(from, SIZE_MAX);
	if (from->bad || !name)
		return -EBADMSG;
	r = text_copy(name, &file.name) ?: text_copy(why, &file.why)
		    ?: text_add(&file.text, text ? text : "", length)
		    ?: policy_directory_add(directory, &file);
	free(file.name);
	free(file.why);
	text_free(&file.text);
	return r;
}

static int unpack_files(struct unpack *from, struct policy_directory *directory)
{
	size_t count = unpack_count(from, 4 * sizeof(uint32_t), SIZE_MAX);
	int r = 0;

	for (size_t i = 0; i < count && r == 0; i++)
		r = unpack_file(from, directory);
	return r;
}

static int unpack_hosts(struct unpack *from, struct compile_input *input)
{
	input->n_hosts = unpack_count(from, sizeof(uint32_t) + ADDRESS_SIZE, SIZE_MAX);
	input->hosts = calloc(input->n_hosts + 1, sizeof(*input->hosts));
	if (!input->hosts)
		return -ENOMEM;
	for (size_t i = 0; i < input->n_hosts && !from->bad; i++) {
		struct policy_host *host = &input->hosts[i];

		host->name = unpack_string(from, SIZE_MAX);
		unpack_address(from, host->address);
		from->bad |= !host->name;
	}
	return 0;
}

int compile_input_unpack(const char *bytes, size_t length, struct compile_input *ret_input)
{
	struct unpack from = { .at = bytes, .end = bytes + length };
	struct compile_input *input = ret_input;
	int r;

	input->name = unpack_string(&from, SIZE_MAX);
	input->text = unpack_bytes(&from, &input->length);
	input->text = input->name ? input->text : NULL; /* no bytes may be an empty text */
	input->profile = unpack_string(&from, SIZE_MAX);
	input->command = unpack_string(&from, SIZE_MAX);
	r = unpack_context(&from, &input->context) ?: unpack_files(&from, &input->files);
	input->context.files = &input->files;
	input->has_hosts = from.at < from.end;
	if (r == 0 && input->has_hosts)
		r = unpack_hosts(&from, input);
	return r < 0 ? r : from.bad || !input->command ? -EBADMSG : 0;
}

void compile_input_clear(struct compile_input *input)
{
	free((char **)input->context.worktrees);
	free((struct policy_prefix *)input->context.resolvers);
	policy_directory_free(&input->files);
	free(input->hosts);
	*input = (struct compile_input) { 0 };
}
