/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The compile room by itself, with programs of the test's own as the process that compiles: what
 * they return is hostile, and whatever they do somebody is told.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include <criterion/criterion.h>

#include "grithd/compile/compile.h"
#include "grithd/compile/internal.h"

static char directory[] = "/tmp/grith-compile-XXXXXX";
static char program[sizeof(directory) + 16];
static struct compiles compiles = COMPILES_NONE;
static struct compile *compile;

/* What was told last. */
static int told;
static struct compile_result result;

static void set_up(void)
{
	cr_assert_not_null(mkdtemp(directory));
	chmod(directory, 0755);
	cr_assert_geq(sd_event_new(&compiles.event), 0);
}

static void tear_down(void)
{
	OWNED_MEM char *command = text_format("rm -rf %s", directory);

	compile_free(compile);
	compile_result_clear(&result);
	compiles_close(&compiles);
	sd_event_unref(compiles.event);
	cr_assert_eq(system(command), 0);
}

TestSuite(compile, .init = set_up, .fini = tear_down);

/* A shell script takes the place of the compiler. */
static void use_script(const char *body)
{
	OWNED_MEM char *text = text_format("#!/bin/sh\n%s\n", body);
	OWNED_FD int dir = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	snprintf(program, sizeof(program), "%s/compiler", directory);
	cr_assert_eq(small_file_write(dir, "compiler", 0755, text, strlen(text)), 0);
	compiles.program = program;
	cr_assert_eq(compiles_open(&compiles, directory), 0);
}

static void on_told(void *arg, int r, struct compile_result *given)
{
	(void)arg;
	told = r;
	compile_result_clear(&result);
	if (!given)
		return;
	result = *given;
	*given = (struct compile_result) { 0 };
}

static int pack(const char *policy, struct text *out)
{
	const struct compile_input input = {
		.name = "p.yaml",
		.text = policy,
		.length = strlen(policy),
		.command = "agent",
		.context = { .project = "/project",
			     .home = "/home/a",
			     .user = "a",
			     .uid = 7,
			     .directory = "/policies" },
	};

	return compile_input_pack(&input, out);
}

static int start(uint32_t uid, const char *policy, struct compile **ret_compile)
{
	OWNED_TEXT struct text input = { 0 };

	cr_assert_eq(pack(policy, &input), 0);
	return compile_start(&compiles, uid, &input, on_told, NULL, ret_compile);
}

static void wait_until_told(void)
{
	told = 1;
	while (told > 0)
		cr_assert_geq(sd_event_run(compiles.event, UINT64_MAX), 0);
}

static void expect_complaint(const char *script, const char *complaint)
{
	use_script(script);
	cr_assert_eq(start(7, "grith: 1\n", &compile), 0);
	wait_until_told();
	cr_assert_eq(told, 0);
	cr_assert_eq(result.diag.count, 1);
	cr_expect(strstr(result.diag.entries[0].message, complaint), "%s",
		  result.diag.entries[0].message);
	cr_expect_null(result.image);
}

Test(compile, nothing_is_no_image)
{
	expect_complaint("exit 0", "no image");
}

Test(compile, garbage_is_no_image)
{
	expect_complaint("cat /proc/self/environ /bin/sh", "no image");
}

Test(compile, more_than_a_result_can_be_is_no_image)
{
	expect_complaint("head -c 40000000 /dev/zero", "no image");
}

Test(compile, a_failure_is_told)
{
	expect_complaint("exit 1", "failed");
}

Test(compile, a_program_that_is_not_there_is_told)
{
	use_script("exit 0");
	compiles.program = "/nonexistent/compiler";
	cr_assert_eq(start(7, "grith: 1\n", &compile), 0);
	wait_until_told();
	cr_expect_eq(told, -ENOENT);
}

Test(compile, one_child_for_each_user_and_a_bounded_queue)
{
	struct compile *first, *others[COMPILES_WAITING_PER_USER], *more, *other_user;

	use_script("exec sleep 1000");
	cr_assert_eq(start(7, "grith: 1\n", &first), 0);
	while (compiles.compiled < 1)
		cr_assert_geq(sd_event_run(compiles.event, UINT64_MAX), 0);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		cr_assert_eq(start(7, "grith: 1\n", &others[i]), 0);
	cr_expect_eq(start(7, "grith: 1\n", &more), -EBUSY);
	cr_assert_eq(start(8, "grith: 1\n", &other_user), 0);
	while (sd_event_run(compiles.event, 0) > 0)
		;
	cr_expect_eq(compiles.compiled, 2);
	/* The end of one who asked is the end of its child, and the turn of the next. */
	compile_free(first);
	while (compiles.compiled < 3)
		cr_assert_geq(sd_event_run(compiles.event, UINT64_MAX), 0);
	while (sd_event_run(compiles.event, 0) > 0)
		;
	cr_expect_eq(compiles.compiled, 3);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		compile_free(others[i]);
	compile_free(other_user);
	cr_expect_eq(compiles.count, 0);
}

/* The real compiler in this process: what it makes of a policy is what grithd takes. */
static void run(const char *policy, const struct policy_host *hosts, size_t n_hosts)
{
	OWNED_TEXT struct text input = { 0 };
	OWNED_TEXT struct text bytes = { 0 };
	struct unpack from;

	cr_assert_eq(pack(policy, &input), 0);
	if (hosts)
		cr_assert_eq(compile_hosts_pack(hosts, n_hosts, &input), 0);
	cr_assert_eq(compile_run(input.data, input.length, &bytes), 0);
	from = (struct unpack) { bytes.data, bytes.data + bytes.length, false };
	cr_assert_eq(compile_result_unpack(&from, &result), 0);
}

Test(compile, a_result_is_what_it_was)
{
	run("grith: 1\nname: mine\nmode: observe\nfiles:\n"
	    "  - {deny: read, path: \"/etc/shadow\", reason: passwords}\n"
	    "  - {hold: read, path: \"~/x\"}\n",
	    NULL, 0);
	cr_assert_eq(result.diag.count, 0);
	cr_assert_not_null(result.image);
	cr_expect_str_eq(result.info.profile, "mine");
	cr_expect_eq(result.info.mode, GRITH_OBSERVE);
	cr_assert_eq(result.info.n_rules, 2);
	cr_expect_eq(result.info.rules[0].line, 5);
	cr_expect_str_eq(result.info.rules[0].reason, "passwords");
	cr_expect(result.info.rules[1].holds);
	cr_expect_str_eq(result.info.files[0], "p.yaml");
	cr_expect_eq(policy_image_path(result.image, GRITH_OP_CLASS_READ, "/home/a/x", 9).verdict,
		     GRITH_HOLD);
}

Test(compile, without_its_hosts_there_is_no_image)
{
	static const char policy[] = "grith: 1\nnetwork:\n"
				     "  - {allow: connect, host: example.org, port: 443}\n";
	const struct policy_host host = { "example.org", { [10] = 0xff, 0xff, 1, 2, 3, 4 } };

	run(policy, NULL, 0);
	cr_assert_eq(result.n_names, 1);
	cr_expect_str_eq(result.names[0], "example.org");
	cr_expect_null(result.image);
	compile_result_clear(&result);
	run(policy, &host, 1);
	cr_assert_not_null(result.image);
	cr_expect_eq(policy_image_net(result.image, GRITH_NET_CONNECT, host.address, 443).verdict,
		     GRITH_ALLOW);
	cr_expect(result.info.rules[0].trusts);
}

/* Each byte of a result changed: taken or refused, and never read beyond. */
Test(compile, damaged_results_are_refused_or_sound)
{
	OWNED_TEXT struct text input = { 0 };
	OWNED_TEXT struct text bytes = { 0 };
	size_t refused = 0;

	cr_assert_eq(pack("grith: 1\nfiles:\n  - {deny: read, path: \"/a/**/b*c\", reason: r}\n",
			  &input),
		     0);
	cr_assert_eq(compile_run(input.data, input.length, &bytes), 0);
	for (size_t i = 0; i < bytes.length; i++) {
		OWNED_MEM char *copy = malloc(bytes.length);
		OWNED_COMPILE_RESULT struct compile_result found = { 0 };
		struct unpack from = { copy, copy + bytes.length, false };

		memcpy(copy, bytes.data, bytes.length);
		copy[i] ^= 0xff;
		refused += compile_result_unpack(&from, &found) < 0;
		if (found.image)
			policy_image_path(found.image, GRITH_OP_CLASS_READ, "/a/x/bbc", 8);
	}
	cr_expect_gt(refused, bytes.length / 2);
	for (size_t length = 0; length < bytes.length; length++) {
		OWNED_MEM char *copy = malloc(length + 1);
		OWNED_COMPILE_RESULT struct compile_result found = { 0 };
		struct unpack from = { copy, copy + length, false };

		memcpy(copy, bytes.data, length);
		cr_expect_lt(compile_result_unpack(&from, &found), 0);
	}
}

Test(compile, the_oldest_of_a_user_are_not_kept)
{
	OWNED_FD int kept = -1;
	OWNED_TEXT struct text bytes = { 0 };
	OWNED_TEXT struct text found = { 0 };
	OWNED_TEXT struct text others = { 0 };
	struct kept_key key = { { 0 } };

	cr_assert_eq(state_open(directory, "policies", &kept), 0);
	cr_assert_eq(text_add(&bytes, "bytes", 5), 0);
	cr_assert_eq(kept_write(kept, 8, &key, &bytes), 0);
	for (unsigned int i = 0; i <= KEPT_PER_USER; i++) {
		key.bytes[0] = i;
		cr_assert_eq(kept_write(kept, 7, &key, &bytes), 0);
	}
	cr_assert_eq(kept_read(kept, 7, &key, &found), 0);
	cr_expect_str_eq(found.data, "bytes");
	key.bytes[0] = 0;
	cr_expect_eq(kept_read(kept, 7, &key, &found), -ENOENT);
	cr_expect_eq(kept_read(kept, 8, &key, &others), 0, "another user's");
}
