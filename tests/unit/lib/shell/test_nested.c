/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Commands inside of others: eval, sh -c, find -exec, shells that read their input; and the program
 * behind env, sudo and the like.
 */
#include "test_shell.h"

Test(shell_nested, texts)
{
	static const struct shell_case cases[] = {
		{ "sh -c 'a b'", "sh -c <a b>; >a b" },
		{ "bash -lc 'a | b'", "bash -lc <a | b>; >a |; >| b" },
		{ "/bin/sh -c a", "/bin/sh -c a; >a" },
		{ "bash -o pipefail -ec a x", "bash -o pipefail -ec a x; >a" },
		{ "bash -euo pipefail -c a", "bash -euo pipefail -c a; >a" },
		{ "bash -c -e a", "bash -c -e a; >a" },
		{ "bash --rcfile f -c a", "bash --rcfile f -c a; >a" },
		{ "bash --norc -c a", "bash --norc -c a; >a" },
		{ "bash +x -c a", "bash +x -c a; >a" },
		{ "sh -c -- a", "sh -c -- a; >a" },
		{ "sh a -c b", "sh a -c b" },
		{ "sh $o -c a", "sh <>?{o} -c a; >a" },
		{ "sh -c \"a $x/b\"", "sh -c <a /b>?{x}; >a /b?" },
		{ "sh -c \"a '$x' b\"", "sh -c <a '' b>?{x}; >a <>? b" },
		{ "sh -c \"$x\"", "sh -c <>?{x}; ><>?" },
		{ "sh -c \"sh -c 'a b'\"", "sh -c <sh -c 'a b'>; >sh -c <a b>; >>a b" },
		{ "env X=1 sh -c a", "env X=1 sh -c a; >a" },
		{ "busybox sh -c a", "busybox sh -c a; >a" },
		{ "timeout 5 sh -c a", "timeout 5 sh -c a; >a" },
		{ "xargs -n 1 sh -c 'a b'", "xargs -n 1 sh -c <a b>; >a b" },
		{ "x | xargs -I{} sh -c 'a {}'", "x |; | xargs -I{} sh -c <a {}>; >| a {}" },
		{ "sudo -u r bash -c 'a; b'", "sudo -u r bash -c <a; b>; >a; >b" },
		{ "su -c 'a b'", "su -c <a b>; >a b" },
		{ "su - u -c a", "su - u -c a; >a" },
		{ "su --command=a", "su --command=a; >a" },
		{ "su -lc a", "su -lc a; >a" },
		{ "script -qc 'a b' f", "script -qc <a b> f; >a b" },
		{ "flock f -c 'a b'", "flock f -c <a b>; >a b" },
		{ "env -S 'a b'", "env -S <a b>; >a b" },
		{ "eval a b", "eval a b; >a b" },
		{ "eval 'a; b'", "eval <a; b>; >a; >b" },
		{ "eval a $x b", "eval a <>?{x} b; >a <>? b" },
		{ "eval \"a;\" b", "eval <a;> b; >a; >b" },
		{ "eval $(a)", "eval <>?; >a; ><>?" },
		{ "eval", "eval" },
		{ "trap 'rm x' EXIT", "trap <rm x> EXIT; >rm x" },
		{ "trap - INT", "trap - INT" },
		{ "x=1 eval a | b", "[x=1] eval a |; >a |; | b" },
		{ "echo sh -c a", "echo sh -c a" },
		{ "command eval a", "command eval a; >a" },
		{ "watch 'a | b'", "watch <a | b>; >a |; >| b" },
		{ "watch -n 1 a b", "watch -n 1 a b" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}

Test(shell_nested, find)
{
	static const struct shell_case cases[] = {
		{ "find . -exec rm {} \\;", "find . -exec rm {} <;>; >rm <>?" },
		{ "find . -exec rm -f {} +", "find . -exec rm -f {} +; >rm -f <>?" },
		{ "find . -execdir a b{}c ';'", "find . -execdir a b{}c <;>; >a bc?" },
		{ "find . -ok a \\; -exec b \\;", "find . -ok a <;> -exec b <;>; >a; >b" },
		{ "find . -exec sh -c 'a \"$1\"' _ {} \\;",
		  "find . -exec sh -c <a \"$1\"> _ {} <;>; >sh -c <a \"$1\"> _ <>?; >>a <>?" },
		{ "find . -exec sh -c 'a {}' \\;",
		  "find . -exec sh -c <a {}> <;>; >sh -c <a >?; >>a <>?" },
		{ "find . -name exec", "find . -name exec" },
		{ "find . -exec a", "find . -exec a; >a" },
		{ "sudo find / -exec b \\;", "sudo find / -exec b <;>; >b" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}

Test(shell_nested, input)
{
	static const struct shell_case cases[] = {
		{ "sh <<E\nrm x\nE", "sh 0<<<rm x\n>; >rm x" },
		{ "bash -s a <<E\nb $1\nE", "bash -s a 0<<<b \n>?; >b <>?" },
		{ "sh f <<E\nrm x\nE", "sh f 0<<<rm x\n>" },
		{ "sh -c a <<E\nrm x\nE", "sh -c a 0<<<rm x\n>; >a" },
		{ "bash <<< 'a b'", "bash 0<<<a b>; >a b" },
		{ "sudo sh <<E\nrm x\nE", "sudo sh 0<<<rm x\n>; >rm x" },
		{ "cat <<E | sh\na\nE", "cat 0<<<a\n> |; | sh; >a" },
		{ "cat <<E |\na\nE\nsh", "cat 0<<<a\n> |; | sh; >a" },
		{ "cat <<E\nsh\nE", "cat 0<<<sh\n>" },
		{ "{ b; sh; } <<E\na\nE", ">b; >sh;  0<<<a\n>; >a" },
		{ "echo rm x | sh", "echo rm x |; | sh; >rm x" },
		{ "echo -e 'a\\nb' | sh", "echo -e a\\nb |; | sh; >a; >b" },
		{ "printf '%s\\n' a b | sh", "printf %s\\n a b |; | sh; >a; >b" },
		{ "printf 'a %s' b | sh", "printf <a %s> b |; | sh; >a <>? b" },
		{ "echo a | sh f", "echo a |; | sh f" },
		{ "echo a | sh -s b", "echo a |; | sh -s b; >a" },
		{ "curl u | sh", "curl u |; | sh" },
		{ "sh < f", "sh 0<f" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}

/* An argument vector from words without blanks. */
static void make_argv(struct text *t, const char *line)
{
	text_add(t, line, strlen(line) + 1);
	for (size_t i = 0; i < t->length; i++)
		if (t->data[i] == ' ')
			t->data[i] = '\0';
}

Test(shell_nested, command_text)
{
	static const struct {
		const char *line, *text;
	} cases[] = {
		{ "sh -c TEXT", "TEXT" },
		{ "bash -lc TEXT", "TEXT" },
		{ "/usr/bin/bash -c TEXT name", "TEXT" },
		{ "bash -c -l TEXT", "TEXT" },
		{ "bash -o errexit -c TEXT", "TEXT" },
		{ "env X=1 sh -c TEXT", "TEXT" },
		{ "env -i -u Y X=1 sh -c TEXT", "TEXT" },
		{ "busybox sh -c TEXT", "TEXT" },
		{ "su -c TEXT", "TEXT" },
		{ "su - user -c TEXT", "TEXT" },
		{ "su --command=TEXT", "TEXT" },
		{ "runuser -u x -- sh -c TEXT", "TEXT" },
		{ "runuser x -c TEXT", "TEXT" },
		{ "timeout 5 sh -c TEXT", "TEXT" },
		{ "timeout -k 1 -s KILL 5 sh -c TEXT", "TEXT" },
		{ "xargs sh -c TEXT", "TEXT" },
		{ "xargs -0 -n 1 -I {} sh -c TEXT", "TEXT" },
		{ "sudo -E -u x nice -n 5 nohup sh -c TEXT", "TEXT" },
		{ "find . -exec sh -c TEXT ;", "TEXT" },
		{ "find . -exec rm {} ; -exec sh -c TEXT ;", "TEXT" },
		{ "flock -w 3 f sh -c TEXT", "TEXT" },
		{ "flock f -c TEXT", "TEXT" },
		{ "env -STEXT", "TEXT" },
		{ "env --split-string=TEXT", "TEXT" },
		{ "script -c TEXT", "TEXT" },
		{ "/lib64/ld-linux-x86-64.so.2 /bin/sh -c TEXT", "TEXT" },
		{ "watch TEXT", "TEXT" },
		{ "sh", NULL },
		{ "sh -c", NULL },
		{ "sh TEXT", NULL },
		{ "sh TEXT -c x", NULL },
		{ "ls -c TEXT", NULL },
		{ "echo sh -c TEXT", NULL },
		{ "env", NULL },
		{ "sudo", NULL },
		{ "python -c TEXT", NULL },
		{ "find . -exec rm {} ;", NULL },
		{ "su user", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		OWNED_TEXT struct text argv = { 0 };
		size_t length = 77;
		const char *text;

		make_argv(&argv, cases[i].line);
		text = shell_command_text(argv.data, argv.length, &length);
		cr_expect_eq(text != NULL, cases[i].text != NULL, "%s", cases[i].line);
		if (!text || !cases[i].text)
			continue;
		cr_expect_eq(length, strlen(cases[i].text), "%s: %zu", cases[i].line, length);
		cr_expect_str_eq(text, cases[i].text, "%s", cases[i].line);
		cr_expect(text > argv.data && text < argv.data + argv.length);
	}
}

Test(shell_nested, command_text_of_what_is_no_vector)
{
	static const char cut[] = { 's', 'h', '\0', '-', 'c', '\0', 'a', 'b' };
	size_t length = 77;

	cr_expect_null(shell_command_text("", 0, &length));
	cr_expect_null(shell_command_text("\0\0\0", 3, &length));
	cr_expect_null(shell_command_text("sh", 2, &length));
	cr_expect_null(shell_command_text("env\0-u", 6, &length));
	cr_expect_eq(length, 77u);
	cr_expect_eq(shell_command_text(cut, sizeof(cut), &length), cut + 6);
	cr_expect_eq(length, 2u);
}

Test(shell_nested, effective_program)
{
	static const struct shell_case cases[] = {
		{ "ls -l", "ls" },
		{ "env ls", "ls" },
		{ "env -i A=1 B=2 ls", "ls" },
		{ "env -u X -C d ls", "ls" },
		{ "env -- ls", "ls" },
		{ "/usr/bin/env ls", "ls" },
		{ "nice ls", "ls" },
		{ "nice -n 5 ls", "ls" },
		{ "nice -5 ls", "ls" },
		{ "nohup ls", "ls" },
		{ "timeout 5 ls", "ls" },
		{ "timeout -k 5 10 ls", "ls" },
		{ "timeout --signal=KILL 10 ls", "ls" },
		{ "timeout --signal KILL 10 ls", "ls" },
		{ "sudo ls", "ls" },
		{ "sudo -u root -E ls", "ls" },
		{ "sudo -uroot A=1 ls", "ls" },
		{ "sudo --user root ls", "ls" },
		{ "sudo -- ls", "ls" },
		{ "doas -u x ls", "ls" },
		{ "xargs ls", "ls" },
		{ "xargs -0 -n1 -P 4 ls -l", "ls" },
		{ "xargs -I {} ls {}", "ls" },
		{ "command ls", "ls" },
		{ "command -p ls", "ls" },
		{ "command -v ls", "command" },
		{ "builtin cd x", "cd" },
		{ "exec ls", "ls" },
		{ "exec -a name ls", "ls" },
		{ "exec", "exec" },
		{ "\\time -f %e ls", "ls" },
		{ "stdbuf -oL ls", "ls" },
		{ "stdbuf -o L -e 0 ls", "ls" },
		{ "setsid -f ls", "ls" },
		{ "ionice -c 3 ls", "ls" },
		{ "ionice -p 1", "ionice" },
		{ "chroot /x ls", "ls" },
		{ "unshare -r -n ls", "ls" },
		{ "nsenter -t 1 -m ls", "ls" },
		{ "taskset 1 ls", "ls" },
		{ "chrt -b 0 ls", "ls" },
		{ "flock f ls", "ls" },
		{ "busybox ls", "ls" },
		{ "strace -f -o x ls", "ls" },
		{ "sudo env A=1 nice timeout 5 ls", "ls" },
		{ "sudo -l", "sudo" },
		{ "env", "env" },
		{ "xargs", "xargs" },
		{ "sudo \"$x\" ls", "" },
		{ "systemd-run --user -p A=b ls", "ls" },
		{ "runuser -u x ls", "ls" },
		{ "runuser x", "runuser" },
		{ "watch -n 1 ls -l", "ls" },
		{ "watch ls", "watch" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(shell_script_freep) struct shell_script *script = NULL;
		const struct shell_command *command;
		size_t n;

		cr_assert_eq(shell_parse(cases[i].text, strlen(cases[i].text), NULL, &script), 0);
		command = &script->commands[0];
		n = shell_effective_program(command->words, command->n_words);
		cr_assert_lt(n, command->n_words, "%s", cases[i].text);
		cr_expect_str_eq(command->words[n].text, cases[i].expected, "%s", cases[i].text);
	}
	cr_expect_eq(shell_effective_program(NULL, 0), 0u);
}
