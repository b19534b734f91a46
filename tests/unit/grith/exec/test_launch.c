/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Making the request for a session: the command, the policy file.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "grith/exec/exec.h"
#include "lib/policy/policy.h"
#include "lib/proto/proto.h"

static char *dump(const struct launch *launch)
{
	json_auto_t *request = launch_request(launch);
	char *text = json_dumps(request, JSON_COMPACT);

	cr_assert(text);
	return text;
}

Test(cli_launch, requests)
{
	char *argv[] = { "ls", "-l", "a b", NULL };
	char *hostile[] = { "x\xff\n", NULL };
	struct launch least = { .argv = argv };
	struct launch most = { .argv = hostile,
			       .name = "n",
			       .observe = true,
			       .on_hold = "deny",
			       .timeout = 60,
			       .policy_name = "mine.yaml",
			       .policy_text = "grith: 1\n" };
	struct launch profile = { .argv = argv, .profile = "p" };
	OWNED_MEM char *a = dump(&least), *b = dump(&most), *c = dump(&profile);

	cr_expect_str_eq(a, "{\"do\":\"start\",\"command\":[\"ls\",\"-l\",\"a b\"]}");
	cr_expect_str_eq(
		b,
		"{\"do\":\"start\",\"command\":[\"x\\\\xff\\\\n\"],\"name\":\"n\","
		"\"observe\":true,\"on_hold\":\"deny\",\"timeout\":60,\"policy\":{\"name\":\"mine.yaml\","
		"\"text\":\"grith: 1\\n\"}}");
	cr_expect_str_eq(c, "{\"do\":\"start\",\"command\":[\"ls\",\"-l\",\"a b\"],"
			    "\"profile\":\"p\"}");
}

/* One line, grithd's where it sent one. */
Test(cli_launch, hints)
{
	json_auto_t *own = json_pack("{s:s}", "session", "abcdefghij");
	json_auto_t *sent =
		json_pack("{s:s, s:s}", "session", "abcdefghij", "hint", "ask\x1b[1m\n");
	OWNED_TEXT struct text out = { 0 }, given = { 0 };

	launch_hint(own, &out);
	cr_expect_str_eq(out.data,
			 "grith: session abcdefghij: 'grith why --last' says why something "
			 "was refused, 'grith review' answers what is held\n");
	launch_hint(sent, &given);
	cr_expect_str_eq(given.data, "grith: ask\\e[1m\\n\n");
}

/* However long the command, the request is one that grithd reads. */
Test(cli_launch, long_commands)
{
	static char *many[5000];
	OWNED_MEM char *word = calloc(1, 200001);
	char *large[] = { "echo", memset(word, 'x', 200000), "y", NULL };
	struct launch launch = { .argv = many };
	struct proto_request *request = NULL;
	OWNED_MEM char *text = NULL, *large_text = NULL;
	char why[200];

	for (size_t i = 0; i < ARRAY_SIZE(many) - 1; i++)
		many[i] = "word";
	text = dump(&launch);
	launch.argv = large;
	large_text = dump(&launch);
	cr_expect_str_eq(large_text, "{\"do\":\"start\",\"command\":[\"echo\"]}");

	json_auto_t *json = json_loads(text, 0, NULL);
	json_object_set_new(json, "v", json_integer(PROTO_VERSION));
	OWNED_MEM char *line = json_dumps(json, JSON_COMPACT);
	cr_expect_eq(proto_request_parse(line, strlen(line), why, sizeof(why), &request), 0, "%s",
		     why);
	cr_expect_eq(request->n_command, PROTO_COMMAND_MAX);
	proto_request_free(request);
}

static int read_policy_of(const char *bytes, size_t length, char **ret_text)
{
	char path[] = "/tmp/grith-cli-policy.XXXXXX";
	int fd = mkstemp(path), r;

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, bytes, length), (ssize_t)length);
	close(fd);
	r = launch_read_policy(path, ret_text);
	unlink(path);
	return r;
}

Test(cli_launch, policy_files)
{
	OWNED_MEM char *large = calloc(1, POLICY_TEXT_MAX + 1), *text = NULL, *none = NULL;

	memset(large, '#', POLICY_TEXT_MAX + 1);
	cr_expect_eq(read_policy_of("grith: 1\n", 9, &text), 0);
	cr_expect_str_eq(text, "grith: 1\n");
	cr_expect_eq(read_policy_of("a\xff", 2, &none), -EILSEQ);
	cr_expect_eq(read_policy_of("a\0b", 3, &none), -EILSEQ);
	cr_expect_eq(read_policy_of(large, POLICY_TEXT_MAX + 1, &none), -EFBIG);
	cr_expect_eq(launch_read_policy("/nowhere/policy", &none), -ENOENT);
	cr_expect_eq(launch_read_policy("/tmp", &none), -EISDIR);
	cr_expect_null(none);
	cr_expect_eq(read_policy_of(large, POLICY_TEXT_MAX, &none), 0);
}
