/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Policies as files: what they extend, whom they may be trusted from, and which one of a directory
 * is for a command.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "test_policy.h"

static void write_file(const char *directory, const char *name, const char *text, mode_t mode)
{
	OWNED_MEM char *path = NULL;
	OWNED_FILE FILE *file = NULL;

	cr_assert_geq(asprintf(&path, "%s/%s", directory, name), 0);
	file = fopen(path, "we");
	cr_assert(file);
	fputs(text, file);
	cr_assert_eq(fchmod(fileno(file), mode), 0);
}

static void remove_directory(const char *directory)
{
	OWNED_MEM char *command = NULL;

	cr_assert_geq(asprintf(&command, "rm -rf '%s'", directory), 0);
	cr_expect_eq(system(command), 0);
}

struct file_case {
	const char *name;
	bool trusted;
	const char *error; /* NULL: none */
};

static void expect_read(const char *directory, const struct file_case *test)
{
	const struct policy_context c = { .directory = directory, .trusted = test->trusted };
	CLEANUP(policy_freep) struct policy *policy = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *path = NULL;
	OWNED_MEM char *errors = NULL;
	int r;

	cr_assert_geq(asprintf(&path, "%s/%s", directory, test->name), 0);
	r = policy_read_file(path, &c, &diag, &policy);
	errors = diag_text(&diag);
	cr_expect_eq(r, test->error ? -EINVAL : 0, "%s: %s", test->name, errors);
	if (test->error)
		cr_expect(strstr(errors, test->error), "%s: expected \"%s\" and not \"%s\"",
			  test->name, test->error, errors);
}

Test(policy_files, that_cannot_be_extended_or_read)
{
	static const char *const files[][2] = {
		{ "one.yaml", "extends: two" },
		{ "two.yaml", "extends: three" },
		{ "three.yaml", "extends: one" },
		{ "missing.yaml", "extends: nothing" },
		{ "outside.yaml", "extends: ../good" },
		{ "bad.yaml", "extends: wrong" },
		{ "wrong.yaml", "mode: x" },
	};
	static const struct file_case cases[] = {
		{ "one.yaml", false, "one.yaml:2:10: \"two\" extends itself in the end" },
		{ "missing.yaml", false, "missing.yaml:2:10: \"nothing\" cannot be read" },
		{ "outside.yaml", false, "outside.yaml:2:10: \"../good\" is not a name" },
		{ "bad.yaml", false, "wrong.yaml:2:7: unknown word" },
		{ "none.yaml", false, "none.yaml: cannot be read: No such file" },
		{ ".", false, "not a regular file" },
	};
	char directory[] = "/tmp/grith-test-XXXXXX";

	cr_assert(mkdtemp(directory));
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		OWNED_TEXT struct text text = { 0 };

		text_addf(&text, "grith: 1\n%s\n", files[i][1]);
		write_file(directory, files[i][0], text.data, 0644);
	}
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		expect_read(directory, &cases[i]);
	remove_directory(directory);
}

/* A file that others can write is one that they can loosen. */
Test(policy_files, that_must_not_be_trusted)
{
	const char *owner = "must be owned by root";
	const struct file_case cases[] = {
		{ "good.yaml", false, NULL },
		{ "good.yaml", true, geteuid() ? owner : NULL },
		{ "child.yaml", false, NULL },
		{ "child.yaml", true, geteuid() ? owner : "must not be writable" },
	};
	char directory[] = "/tmp/grith-test-XXXXXX";

	cr_assert(mkdtemp(directory));
	write_file(directory, "good.yaml", "grith: 1\n", 0644);
	write_file(directory, "child.yaml", "grith: 1\nextends: shared\n", 0644);
	write_file(directory, "shared.yaml", "grith: 1\n", 0666);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		expect_read(directory, &cases[i]);
	remove_directory(directory);
}

Test(policy_files, that_are_too_large)
{
	static const struct file_case large = { "large.yaml", false, "POLICY_TEXT_MAX" };
	char directory[] = "/tmp/grith-test-XXXXXX";
	OWNED_TEXT struct text text = { 0 };

	cr_assert(mkdtemp(directory));
	for (unsigned int i = 0; i <= POLICY_TEXT_MAX / 64; i++)
		text_addf(&text, "# %061d\n", 0);
	write_file(directory, large.name, text.data, 0644);
	expect_read(directory, &large);
	remove_directory(directory);
}

Test(policy_files, extending_is_limited)
{
	static const struct file_case deepest = { "p1.yaml", false, NULL };
	static const struct file_case too_deep = { "p0.yaml", false,
						   "p8.yaml:2:10: \"p9\" is too deep" };
	char directory[] = "/tmp/grith-test-XXXXXX";

	cr_assert(mkdtemp(directory));
	for (int i = 0; i <= POLICY_EXTENDS_MAX; i++) {
		char name[32], text[64];

		snprintf(name, sizeof(name), "p%d.yaml", i);
		snprintf(text, sizeof(text), "grith: 1\nextends: p%d\n", i + 1);
		write_file(directory, name, text, 0644);
	}
	write_file(directory, "p9.yaml", "grith: 1\n", 0644);
	expect_read(directory, &deepest);
	expect_read(directory, &too_deep);
	remove_directory(directory);
}

static int pick(const char *directory, const char *command, struct text *name)
{
	const struct policy_context c = { .directory = directory };
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *found = NULL;
	int r = policy_pick(command, &c, &diag, &found);

	name->length = 0;
	text_addf(name, "%s", found ? found : diag.count ? diag.entries[0].message : "");
	return r;
}

Test(policy_files, profile_of_a_command)
{
	char directory[] = "/tmp/grith-test-XXXXXX";
	OWNED_TEXT struct text name = { 0 };

	cr_assert(mkdtemp(directory));
	write_file(directory, "agent.yaml", "grith: 1\nmatch: [claude, claude-code]\n", 0644);
	write_file(directory, "other.yaml", "grith: 1\nmatch: codex\n", 0644);
	write_file(directory, ".hidden.yaml", "not: [a policy", 0644);
	write_file(directory, "notes.txt", "not: [a policy", 0644);
	cr_expect_eq(pick(directory, "/usr/local/bin/claude", &name), 0);
	cr_expect_str_eq(name.data, "agent");
	cr_expect_eq(pick(directory, "codex", &name), 0);
	cr_expect_str_eq(name.data, "other");
	cr_expect_eq(pick(directory, "vi", &name), -ENOENT);
	write_file(directory, "generic.yaml", "grith: 1\n", 0644);
	cr_expect_eq(pick(directory, "vi", &name), 0);
	cr_expect_str_eq(name.data, "generic");
	write_file(directory, "twice.yaml", "grith: 1\nmatch: [codex]\n", 0644);
	cr_expect_eq(pick(directory, "codex", &name), -EINVAL);
	cr_expect(strstr(name.data, "and so is other.yaml"), "%s", name.data);
	cr_expect_eq(pick(directory, "claude", &name), 0);
	write_file(directory, "broken.yaml", "match: [", 0644);
	cr_expect_eq(pick(directory, "claude", &name), -EINVAL);
	remove_directory(directory);
}
