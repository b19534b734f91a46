/* SPDX-License-Identifier: MPL-2.0 */
/* Both files belong to root: a session cannot add to them. */
#include <fcntl.h>
#include <sys/stat.h>

#include "resolvers.h"

#define TEXT_MAX 65536 /* bytes of a file */

static void add(struct resolvers *resolvers, const char *text, size_t length)
{
	struct policy_prefix prefix = { .bits = 128 };

	if (resolvers->count == RESOLVERS_MAX || !address_parse(text, length, prefix.address))
		return;
	for (size_t i = 0; i < resolvers->count; i++)
		if (!memcmp(resolvers->list[i].address, prefix.address, sizeof(prefix.address)))
			return;
	resolvers->list[resolvers->count++] = prefix;
}

void resolvers_parse(const char *text, struct resolvers *resolvers)
{
	static const char word[] = "nameserver";
	size_t length;

	for (const char *line = text; *line; line += length + (line[length] == '\n')) {
		const char *address = line + strlen(word);

		length = strcspn(line, "\n");
		if (length <= strlen(word) || strncmp(line, word, strlen(word)) ||
		    !strchr(" \t", *address))
			continue;
		address += strspn(address, " \t");
		/* The scope of a link-local address is no part of it. */
		add(resolvers, address, strcspn(address, " \t\r\n%"));
	}
}

/* Often a link, so not small_file_read(). */
static int read_file(const char *path, struct text *text)
{
	OWNED_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	return S_ISREG(st.st_mode) ? read_to_end(fd, TEXT_MAX, text) : -EBADMSG;
}

void resolvers_find(struct resolvers *resolvers)
{
	static const char *const files[] = {
		"/etc/resolv.conf",
		"/run/systemd/resolve/resolv.conf",
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		OWNED_TEXT struct text text = { 0 };

		if (read_file(files[i], &text) == 0 && text.data)
			resolvers_parse(text.data, resolvers);
	}
}
