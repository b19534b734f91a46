/* SPDX-License-Identifier: MPL-2.0 */
/* Says what the tests need of grithd: who asks what, and some sessions and events. */
#include <criterion/criterion.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#include "lib/base/base.h"
#include "top_server.h"

#define REVIEWS "{\"do\":\"reviews\",\"follow\":true,\"v\":1}"
#define LIST "{\"do\":\"list\",\"v\":1}"
#define SESSIONS                                                                            \
	"{\"v\":1,\"ok\":true,\"sessions\":[{\"id\":\"abcdefghij\",\"name\":\"blue\","      \
	"\"state\":\"running\",\"project\":\"/p\\u001b[2J\",\"counts\":{\"operations\":5}," \
	"\"processes\":[{\"pid\":7,\"ppid\":1,\"command\":\"agent \\u001b]0;x\\u0007\"}]}]}\n"

struct top_server server;
static char directory[] = "/tmp/grith-top.XXXXXX";
static time_t began;

void server_set_up(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	began = time(NULL);
	cr_assert(mkdtemp(directory));
	snprintf(server.path, sizeof(server.path), "%s/socket", directory);
	memcpy(address.sun_path, server.path, strlen(server.path) + 1);
	server.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	cr_assert_eq(bind(server.listener, (struct sockaddr *)&address, sizeof(address)), 0);
	cr_assert_eq(listen(server.listener, 8), 0);
}

void server_tear_down(void)
{
	close(server.listener);
	unlink(server.path);
	rmdir(directory);
}

int server_accept(const char *expected, const char *told)
{
	int fd = accept(server.listener, NULL, NULL);
	char line[512] = "";

	cr_assert_geq(fd, 0);
	for (size_t i = 0; i < sizeof(line) - 1; i++) {
		cr_assert_eq(read(fd, line + i, 1), 1);
		if (line[i] == '\n') {
			line[i] = '\0';
			break;
		}
	}
	if (expected)
		cr_expect_str_eq(line, expected);
	cr_assert_eq(write(fd, told, strlen(told)), (ssize_t)strlen(told));
	return fd;
}

void server_accept_all(const char *log)
{
	server.log = server_accept(log, SERVER_OK);
	server.reviews = server_accept(REVIEWS, "{\"v\":1,\"ok\":true,\"reviews\":[]}\n");
	server.list = server_accept(LIST, SESSIONS);
}

void server_send(int fd, const char *text)
{
	size_t length = strlen(text);

	while (length) {
		ssize_t n = write(fd, text, length);

		cr_assert_gt(n, 0);
		text += n;
		length -= n;
	}
}

void server_send_events(unsigned int first, unsigned int count, const char *name)
{
	OWNED_TEXT struct text lines = { 0 };
	char now[32];

	strftime(now, sizeof(now), "%Y-%m-%dT%H:%M:%S", gmtime(&began));
	for (unsigned int i = first; i < first + count; i++)
		cr_assert_eq(
			text_addf(&lines,
				  "{\"v\":1,\"event\":{\"v\":1,\"time\":\"%s.%09uZ\",\"mono\":1,"
				  "\"seq\":%u,\"session\":\"abcdefghij\",\"kind\":\"file\","
				  "\"op\":\"read\",\"verdict\":\"deny\",\"errno\":\"EACCES\","
				  "\"path\":\"%s-%u\\u001b[2J\\n\",\"pid\":7,\"ppid\":1,"
				  "\"comm\":\"cat\",\"n\":%u}}\n",
				  now, i, i, name, i, i),
			0);
	server_send(server.log, lines.data);
}
