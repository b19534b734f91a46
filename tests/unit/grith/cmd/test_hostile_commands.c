/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Each hostile name through whole verbs: as an argument, as the name of a file, and in a file that
 * is read.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/audit/audit.h"
#include "audit_fixture.h"
#include "command_output.h"
#include "hostile.h"

#define WORDS(...) ((const char *const[]) { __VA_ARGS__, NULL })

static struct audit_fixture f; /* a directory, for all of them */
static struct command_output said;

static void set_up(void)
{
	f = fixture_make();
}

static void tear_down(void)
{
	command_output_clear(&said);
	fixture_remove(&f);
}

TestSuite(hostile_commands, .init = set_up, .fini = tear_down, .timeout = 120);

static size_t count_lines(const struct text *text)
{
	size_t n = 0;

	for (size_t i = 0; i < text->length; i++)
		n += text->data[i] == '\n';
	return n;
}

/* Of what is said, no line may begin with what a name says. */
static void expect_own_lines(const char *what, const struct text *text)
{
	cr_assert(!strstr(text->data, "\nlines") && !strstr(text->data, "\n{\"v\":1,\"kind\""),
		  "%s: %s", what, text->data);
}

static void run(const struct command *command, const char *const *words)
{
	command_output_run(&said, command, words);
	hostile_check(command->name, &said.out, "\n");
	hostile_check(command->name, &said.err, "\n");
	expect_own_lines(command->name, &said.out);
	expect_own_lines(command->name, &said.err);
}

static json_t *run_json(const struct command *command, const char *const *words)
{
	run(command, words);
	cr_assert_gt(said.out.length, 1, "%s: %s", command->name, said.err.data);
	return hostile_check_json(command->name, &said.out);
}

/* A name of a file, and its path below the directory, of which slashes are no part. */
struct file_name {
	char name[128], path[256];
};

static struct file_name file_name(struct record_bytes name)
{
	struct file_name file;
	size_t length = name.length < 100 ? name.length : 100;

	memcpy(file.name, name.data, length);
	file.name[length] = '\0';
	for (size_t i = 0; i < length; i++)
		if (file.name[i] == '/')
			file.name[i] = '|';
	snprintf(file.path, sizeof(file.path), "%s/%s", f.path, file.name);
	return file;
}

/* --- policies */

static void add_quoted(struct text *text, struct record_bytes name)
{
	cr_assert_eq(text_add(text, "\"", 1), 0);
	for (size_t i = 0; i < name.length; i++)
		cr_assert_eq(text_addf(text, "\\x%02x", (unsigned char)name.data[i]), 0);
	cr_assert_eq(text_add(text, "\"", 1), 0);
}

static void add_raw(struct text *text, struct record_bytes name)
{
	cr_assert_eq(text_add(text, "\"", 1), 0);
	cr_assert_eq(text_add(text, name.data, name.length), 0);
	cr_assert_eq(text_add(text, "\"", 1), 0);
}

/* The name where "@" is, as it is or in YAML's escapes. */
static void fill_in(struct text *text, const char *with, struct record_bytes name, bool raw)
{
	text->length = 0;
	for (; *with; with++)
		if (*with != '@')
			text_add(text, with, 1);
		else if (raw)
			add_raw(text, name);
		else
			add_quoted(text, name);
}

static const char *const policies[] = {
	"grith: 1\nname: x\nfiles:\n  - {deny: read, path: /x, reason: @}\n"
	"  - {score: 2.0, on: read, path: /x, reason: @}\n"
	"  - {allow: read, path: [\"/y/**\", @]}\n",
	"grith: 1\nname: @\n",
	"grith: 1\nname: x\nextends: @\n",
	"grith: 1\nname: x\n@: 1\n",
	"grith: @\nname: x\n",
	"grith: 1\nname: x\ndefaults: {@: allow}\n",
	"grith: 1\nname: x\ndefaults: {read: @}\n",
	"grith: 1\nname: x\nfiles:\n  - {allow: @, path: /x}\n",
	"grith: 1\nname: x\nfiles:\n  - {allow: read, path: @}\n",
	"grith: 1\nname: x\nfiles:\n  - {allow: read, path: /x, class: @}\n",
	"grith: 1\nname: x\nfiles:\n  - {@: read, path: /x}\n",
	"grith: 1\nname: x\nnetwork:\n  - {allow: connect, host: @}\n",
	"grith: 1\nname: x\nnetwork:\n  - {allow: connect, cidr: @}\n",
	"grith: 1\nname: x\nnetwork:\n  - {allow: connect, host: a.b, ports: @}\n",
	"grith: 1\nname: x\nfiles: &a [*@]\n",
	"%@\n---\n",
	"@",
};

static void ask_policy(const struct file_name *file)
{
	json_auto_t *json = NULL;

	run(&cmd_policy, WORDS("check", file->path));
	run(&cmd_policy, WORDS("test", file->path, "--op", "read", "--path", "/x"));
	if (said.status == COMMAND_FAILED)
		return;
	json = run_json(&cmd_policy,
			WORDS("test", file->path, "--op", "read", "--path", "/x", "--json"));
	cr_assert_str_eq(json_string_value(json_object_get(json, "verdict")), "deny");
}

Test(hostile_commands, policies)
{
	for (size_t i = 0; i < n_hostile_names; i++)
		for (size_t p = 0; p < 2 * ARRAY_SIZE(policies); p++) {
			OWNED_TEXT struct text text = { 0 };
			struct file_name file = file_name(p < 2 ? hostile_names[i]
								: (struct record_bytes) { "p", 1 });

			fill_in(&text, policies[p / 2], hostile_names[i], p % 2);
			fixture_write(&f, file.name, text.data, text.length);
			ask_policy(&file);
			if (p < 2)
				cr_assert_eq(unlinkat(f.directory, file.name, 0), 0);
		}
}

Test(hostile_commands, weights)
{
	static const char *const weights[] = {
		"grith-weights: 1\n@: 1\n",
		"grith-weights: @\n",
		"grith-weights: 1\nsensitive_path: {@: 1.0}\n",
		"@",
	};
	struct file_name file = file_name((struct record_bytes) { "weights.yaml", 12 });

	for (size_t i = 0; i < n_hostile_names; i++)
		for (size_t p = 0; p < 2 * ARRAY_SIZE(weights); p++) {
			OWNED_TEXT struct text text = { 0 };

			fill_in(&text, weights[p / 2], hostile_names[i], p % 2);
			fixture_write(&f, file.name, text.data, text.length);
			run(&cmd_policy, WORDS("check", file.path));
			cr_assert_eq(said.status, COMMAND_FAILED);
		}
}

/* Arguments alone: nothing has such a name. */
Test(hostile_commands, arguments_of_policy)
{
	static const char text[] = "grith: 1\nname: x\nextends: y\n";
	struct file_name file = file_name((struct record_bytes) { "p", 1 });

	fixture_write(&f, file.name, text, strlen(text));
	for (size_t i = 0; i < n_hostile_names; i++) {
		const char *name = hostile_names[i].data;

		run(&cmd_policy, WORDS("check", "--", name));
		cr_assert_eq(count_lines(&said.err), 1, "%s", said.err.data);
		run(&cmd_policy, WORDS("check", "--policy-dir", name, "--", file.path));
		cr_assert_eq(count_lines(&said.err), 1, "%s", said.err.data);
		run(&cmd_policy, WORDS("check", "--project", name, "--home", name, file.path));
		run(&cmd_policy, WORDS("test", "--op", name, "--path", name, file.path));
		run(&cmd_policy, WORDS("test", "--connect", name, file.path));
		run(&cmd_policy, WORDS("test", "--connect", "a:1", "--address", name, file.path));
		run(&cmd_policy, WORDS(name));
	}
}

/* --- strace's logs */

/* As strace prints what is not plain, or the bytes themselves. */
static void add_name(struct text *text, struct record_bytes name, bool raw)
{
	if (raw)
		text_add(text, name.data, name.length);
	for (size_t i = 0; i < name.length && !raw; i++)
		text_addf(text, "\\%03o", (unsigned char)name.data[i]);
}

static void write_log(const char *file, struct record_bytes name, bool raw)
{
	static const char log[] =
		"7 1700000000.000001 execve(\"/home/@\", [\"@\", \"-c\", \"@\"], 0x7) = 0\n"
		"7 1700000001.000001 openat(AT_FDCWD</home/@>, \"@\", O_RDONLY) = 3</home/@>\n"
		"7 1700000002.000001 openat(AT_FDCWD</home/@>, \"/etc/shadow\", O_RDONLY) = 3\n"
		"7 1700000002.000001 openat(AT_FDCWD, \"/home/a/.ssh/@\", O_RDWR|O_CREAT) = -1 @\n"
		"7 1700000003.000001 rename(\"@\", \"/tmp/@\") = 0\n"
		"7 1700000003.000001 connect(4, {sa_family=AF_UNIX, sun_path=@\"@\"}, 9) = 0\n"
		"7 1700000003.000001 connect(4, {sa_family=AF_UNIX, sun_path=\"/@\"}, 9) = 0\n"
		"7 1700000004.000001 clone(child_stack=NULL, flags=SIGCHLD) = 8\n"
		"8 1700000004.000001 execve(\"/usr/bin/sh\", [\"sh\", \"-c\", \"@\"], 0x7) = 0\n"
		"8 1700000005.000001 openat(AT_FDCWD, \"/home/a/p/@/.git/HEAD\", O_RDONLY) = 3\n"
		"8 1700000006.000001 @(1) = 0\n@\n8 1700000007.000001 +++ killed by @ +++\n"
		"8 1700000008.000001 fchmod(99, 0644) = 0\n" /* of which nothing is known */
		"8 1700000008.000001 unlink(\"/home/a/p/@\") = 0\n";
	OWNED_TEXT struct text text = { 0 };

	for (const char *at = log; *at; at++)
		if (*at == '@' && at[1] != '"')
			add_name(&text, name, raw);
		else if (*at == '@' && at[-1] != '=')
			add_name(&text, name, raw);
		else
			text_add(&text, at, 1);
	fixture_write(&f, file, text.data, text.length);
}

static void check_page(const char *name)
{
	OWNED_TEXT struct text page = { 0 };

	fixture_read(&f, name, &page);
	hostile_check("html", &page, "\n\t");
	cr_assert(!strstr(page.data, "alert(1)<") && !strstr(page.data, "<img src=x"));
	cr_assert_eq(unlinkat(f.directory, name, 0), 0);
}

/* By a small policy, for the shipped ones take a second to read; by those, too, where asked for. */
static void replay(struct record_bytes name, bool raw, bool scored)
{
	static const char rules[] =
		"grith: 1\nname: x\ndefaults: {read: deny}\nfiles:\n"
		"  - {allow: all, path: \"${PROJECT}/**\"}\n  - {hold: all, path: \"/tmp/**\"}\n";
	struct file_name log = file_name(name), page = file_name((struct record_bytes) { "p", 1 });
	struct file_name policy = file_name((struct record_bytes) { "policy", 6 });
	const char *by = scored ? "--policy-dir" : "--policy",
		   *in = scored ? "policy" : policy.path;
	char home[64 + 2048];
	json_auto_t *json = NULL;

	snprintf(home, sizeof(home), "/home/%.2000s", name.data);
	fixture_write(&f, policy.name, rules, strlen(rules));
	write_log(log.name, name, raw);
	run(&cmd_replay, WORDS(by, in, "--", log.path));
	cr_assert_eq(said.status, COMMAND_OK, "%s", said.err.data);
	json = run_json(&cmd_replay, WORDS(by, in, "--project", home, "--home", home, "--cwd", home,
					   "--exclude", home, "--json", "--", log.path));
	run(&cmd_replay, WORDS(by, in, "--html", page.path, "--", log.path));
	cr_assert_eq(said.status, COMMAND_OK);
	check_page(page.name);
	cr_assert_eq(unlinkat(f.directory, log.name, 0), 0);
	run(&cmd_replay, WORDS(by, in, "--", log.path));
	cr_assert_eq(said.status, COMMAND_FAILED);
	cr_assert_eq(count_lines(&said.err), 1, "%s", said.err.data);
}

Test(hostile_commands, strace_logs)
{
	for (size_t i = 0; i < n_hostile_names; i++) {
		replay(hostile_names[i], false, i % 8 == 4);
		replay(hostile_names[i], true, false);
	}
}

Test(hostile_commands, arguments_of_replay)
{
	struct file_name log = file_name((struct record_bytes) { "log", 3 });
	struct file_name small = file_name((struct record_bytes) { "small", 5 });

	fixture_write(&f, log.name, "", 0);
	fixture_write(&f, small.name, "grith: 1\nname: x\n", 17);
	for (size_t i = 0; i < n_hostile_names; i++) {
		const char *name = hostile_names[i].data;
		struct file_name page = file_name(hostile_names[i]);

		run(&cmd_replay, WORDS("--profile", name, "--policy-dir", "policy", log.path));
		cr_assert_eq(said.status, COMMAND_FAILED, "%d %s", said.status, said.err.data);
		cr_assert_eq(count_lines(&said.err), 1, "%s", said.err.data);
		run(&cmd_replay, WORDS("--policy", name, log.path));
		cr_assert_eq(said.status, COMMAND_FAILED);
		run(&cmd_replay, WORDS("--policy-dir", name, log.path));
		run(&cmd_replay, WORDS("--project", name, log.path));
		cr_assert_eq(said.status, COMMAND_USAGE);
		run(&cmd_replay, WORDS("--rows", name, log.path));
		cr_assert_eq(said.status, COMMAND_USAGE);
		run(&cmd_replay, WORDS("--policy", small.path, "--html", page.path, log.path));
		cr_assert_eq(said.status, COMMAND_OK);
		cr_assert_eq(count_lines(&said.err), 1, "%s", said.err.data);
		check_page(page.name);
	}
}

/* --- the audit log */

static struct audit_key key;

static void write_audit(void)
{
	struct event_head now = { 1000000000, 1, NULL };
	OWNED_TEXT struct text text = { 0 };
	size_t start;
	bool made;

	cr_assert_eq(audit_key_init(), 0);
	cr_assert_eq(audit_key_open(f.directory, &key, &made), 0);
	fixture_lines(&f, &text, 5);
	start = text.length;
	cr_assert_eq(audit_entry_checkpoint(&text, &now, &f.chain, &key), 0);
	cr_assert_eq(audit_chain_add(&f.chain, &text, start), 0);
	fixture_write(&f, AUDIT_FILE, text.data, text.length);
}

/* The line's first string, "x":"..., or all of it, or a line more. */
static void damage(const struct text *whole, struct record_bytes name, unsigned int how)
{
	OWNED_TEXT struct text text = { 0 };
	const char *at = how == 0   ? strchr(whole->data, '"') + 1
			 : how == 1 ? strstr(whole->data, "\":\"") + 3
			 : how == 2 ? strchr(whole->data, '\n') + 1
				    : whole->data + whole->length;

	text_add(&text, whole->data, (size_t)(at - whole->data));
	text_add(&text, name.data, name.length);
	if (how >= 2)
		text_add(&text, "\n", 1);
	text_add(&text, at, whole->length - (size_t)(at - whole->data));
	fixture_write(&f, AUDIT_FILE, text.data, text.length);
}

Test(hostile_commands, damaged_audit_logs)
{
	OWNED_TEXT struct text whole = { 0 };

	write_audit();
	fixture_read(&f, AUDIT_FILE, &whole);
	run(&cmd_audit, WORDS("verify", "--log-dir", f.path, "--state-dir", f.path));
	cr_assert_eq(said.status, COMMAND_OK, "%s%s", said.out.data, said.err.data);
	for (size_t i = 0; i < n_hostile_names; i++)
		for (unsigned int how = 0; how < 4; how++) {
			char file[64];
			json_auto_t *json = NULL;

			snprintf(file, sizeof(file), "%s/" AUDIT_FILE, f.path);
			damage(&whole, hostile_names[i], how);
			run(&cmd_audit,
			    WORDS("verify", "--log-dir", f.path, "--state-dir", f.path));
			cr_assert_eq(said.status, COMMAND_FAILED);
			json = run_json(&cmd_audit, WORDS("verify", "--log-dir", f.path,
							  "--state-dir", f.path, "--json"));
			run(&cmd_audit,
			    WORDS("export", "--log-dir", f.path, "--state-dir", f.path));
			cr_assert_eq(said.status, COMMAND_FAILED);
			cr_assert_eq(said.out.length, 0, "%s", said.out.data);
			run(&cmd_audit, WORDS("verify", "--file", file, "--state-dir", f.path));
			cr_assert_eq(said.status, COMMAND_FAILED);
		}
}

static void add_file(const char *before, struct record_bytes name, const char *end)
{
	struct file_name file = file_name(name);
	char path[512];

	snprintf(path, sizeof(path), "%s%s%s", before, file.name, end);
	fixture_write(&f, path, name.data, name.length);
}

Test(hostile_commands, names_in_the_log_directory)
{
	write_audit();
	for (size_t i = 0; i < n_hostile_names; i++) {
		const char *name = hostile_names[i].data;

		add_file("", hostile_names[i], "");
		add_file("audit-", hostile_names[i], ".jsonl");
		add_file("audit-00000000000000000001", hostile_names[i], ".jsonl.zst");
		run(&cmd_audit, WORDS("verify", "--log-dir", f.path, "--state-dir", f.path));
		run(&cmd_audit, WORDS("verify", "--log-dir", name, "--state-dir", f.path));
		cr_assert_eq(count_lines(&said.err), 1, "%s", said.err.data);
		run(&cmd_audit, WORDS("verify", "--log-dir", f.path, "--state-dir", name));
		cr_assert_eq(count_lines(&said.err), 1, "%s", said.err.data);
		run(&cmd_audit, WORDS("verify", "--file", name, "--state-dir", f.path));
		cr_assert_eq(count_lines(&said.err), 1, "%s", said.err.data);
		run(&cmd_audit, WORDS("verify", "--key", name));
		cr_assert_eq(count_lines(&said.err), 1, "%s", said.err.data);
		run(&cmd_audit, WORDS("export", "--session", name));
		run(&cmd_audit, WORDS("export", "--from", name));
		run(&cmd_log, WORDS("--log-dir", f.path));
	}
}

/* --- what needs grithd, which is not there */

Test(hostile_commands, sockets_and_sessions)
{
	static const struct {
		const struct command *command;
		const char *words[4];
	} verbs[] = {
		{ &cmd_ps, { NULL } },
		{ &cmd_kill, { "x" } },
		{ &cmd_freeze, { "x" } },
		{ &cmd_review, { "--list" } },
		{ &cmd_why, { "--last" } },
		{ &cmd_trust, { NULL } },
		{ &cmd_canary, { "list" } },
		{ &cmd_log, { NULL } },
		{ &cmd_report, { NULL } },
		{ &cmd_trust, { "--reset", "x" } },
		{ &cmd_canary, { "remove", "x" } },
	};

	for (size_t i = 0; i < n_hostile_names; i++)
		for (size_t v = 0; v < ARRAY_SIZE(verbs); v++) {
			const char *name = hostile_names[i].data, *words[8] = { "--socket", name };
			size_t n = 2;

			for (size_t w = 0; verbs[v].words[w]; w++)
				words[n++] = verbs[v].words[w];
			run(verbs[v].command, words);
			cr_assert_eq(said.status, COMMAND_FAILED);
			cr_assert_eq(count_lines(&said.err), 1, "%s", said.err.data);
		}
}

Test(hostile_commands, other_arguments)
{
	for (size_t i = 0; i < n_hostile_names; i++) {
		const char *name = hostile_names[i].data;

		run(&cmd_kill, WORDS("--socket", "/x", "--", name));
		run(&cmd_freeze, WORDS("--socket", "/x", "--", name));
		run(&cmd_why, WORDS("--socket", "/x", "--", name));
		run(&cmd_why, WORDS("--socket", "/x", "--session", name, "--last"));
		run(&cmd_trust, WORDS("--socket", "/x", "--reset", name));
		run(&cmd_canary, WORDS("add", "x", "--socket", "/x", "--path", name));
		run(&cmd_canary, WORDS("remove", "--socket", "/x", "--", name));
		run(&cmd_review, WORDS("allow", "1", "--socket", "/x", "--for", name));
		run(&cmd_review, WORDS("allow", "1", "--socket", "/x", "--dir", name));
		run(&cmd_review, WORDS("allow", "--socket", "/x", "--", name));
		run(&cmd_log, WORDS("--socket", "/x", "--session", name));
		run(&cmd_log, WORDS("--since", name));
		run(&cmd_report, WORDS("--since", name));
		run(&cmd_report, WORDS("--socket", "/x", "--", name));
		run(&cmd_top, WORDS("-b", "-n", name));
	}
}
