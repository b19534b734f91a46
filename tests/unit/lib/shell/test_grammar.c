/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Lists, pipelines, compound commands, redirections and here-documents of a command line.
 */
#include "test_shell.h"

Test(shell_grammar, lists)
{
	static const struct shell_case cases[] = {
		{ "a; b", "a; b" },
		{ "a;b;", "a; b" },
		{ "a\nb\n", "a; b" },
		{ "a && b || c", "a; b; c" },
		{ "a &&\n b ||\n\n c", "a; b; c" },
		{ "a & b", "a &; b" },
		{ "a &", "a &" },
		{ "a && b & c", "a &; b &; c" },
		{ "a &\\\n& b", "a; b" },
		{ "a |\\\n| b", "a; b" },
		{ "a;\n;b", NULL },
		{ "! a", "a" },
		{ "! ! a", "a" },
		{ "time a", "a" },
		{ "time -p a", "a" },
		{ "! time a | b", "a |; | b" },
		{ "time", "" },
		{ "time ls; rm x", "ls; rm x" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (cases[i].expected)
			expect_script(&cases[i]);
}

Test(shell_grammar, pipelines)
{
	static const struct shell_case cases[] = {
		{ "a | b", "a |; | b" },
		{ "a|b|c", "a |; | b |; | c" },
		{ "a |& b", "a |; | b" },
		{ "a |\n\n b", "a |; | b" },
		{ "a | b & c", "a | &; | b &; c" },
		{ "a | b && c | d", "a |; | b; c |; | d" },
		{ "a || b", "a; b" },
		{ "a '|' b", "a | b" },
		{ "(a; b) | c", ">a |; >b |; | c" },
		{ "a | (b; c) | d", "a |; >| b |; >| c |; | d" },
		{ "a | { b | c; } | d", "a |; >| b |; >| c |; | d" },
		{ "a | while read x; do b $x; done", "a |; >| read x; >| b <>?{x}" },
		{ "echo $(a | b) | c", "echo <>? |; >a |; >| b; | c" },
		{ "cat x | base64 -d | sh", "cat x |; | base64 -d |; | sh" },
		{ "a 2>&1 | b", "a 2>&1 |; | b" },
		{ "if a; then b; fi | c", ">a |; >b |; | c" },
		{ "a | x=1 b", "a |; | [x=1] b" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}

/* Commands connected with each other have one number, and rising positions along the data. */
Test(shell_grammar, pipelines_have_numbers_and_positions)
{
	static const char text[] = "a | { b | c; d; } | e; f | g";
	static const size_t positions[] = { 0, 1, 2, 1, 3, 0, 1 };
	CLEANUP(shell_script_freep) struct shell_script *script = NULL;

	cr_assert_eq(shell_parse(text, strlen(text), NULL, &script), 0);
	cr_assert_eq(script->n_commands, ARRAY_SIZE(positions));
	for (size_t i = 0; i < script->n_commands; i++) {
		cr_expect_eq(script->commands[i].position, positions[i], "command %zu", i);
		cr_expect_eq(script->commands[i].pipeline == script->commands[0].pipeline, i < 5,
			     "command %zu", i);
	}
	cr_expect_eq(script->commands[5].pipeline, script->commands[6].pipeline);
}

Test(shell_grammar, commands_apart_have_other_numbers)
{
	static const char text[] = "a; b & (c; d); $(e) && f";
	CLEANUP(shell_script_freep) struct shell_script *script = NULL;

	cr_assert_eq(shell_parse(text, strlen(text), NULL, &script), 0);
	cr_assert_eq(script->n_commands, 7u);
	for (size_t i = 0; i < script->n_commands; i++)
		for (size_t k = 0; k < i; k++)
			cr_expect_neq(script->commands[i].pipeline, script->commands[k].pipeline);
}

Test(shell_grammar, compound_commands)
{
	static const struct shell_case cases[] = {
		{ "(a)", ">a" },
		{ "( a; b )", ">a; >b" },
		{ "((a); b)", ">>a; >b" },
		{ "{ a; }", ">a" },
		{ "{ a\n}", ">a" },
		{ "{ (a) }", ">>a" },
		{ "{ { a; }; b; }", ">>a; >b" },
		{ "(a) & b", ">a &; b" },
		{ "!(a)", ">a" },
		{ "if a; then b; fi", ">a; >b" },
		{ "if a\nthen\nb\nelse\nc\nfi", ">a; >b; >c" },
		{ "if a; then b; elif c; then d; elif e; then f; else g; fi",
		  ">a; >b; >c; >d; >e; >f; >g" },
		{ "if a; then if b; then c; fi; fi", ">a; >>b; >>c" },
		{ "if a; b; then c & fi", ">a; >b; >c &" },
		{ "while a; do b; done", ">a; >b" },
		{ "until a\ndo b\ndone", ">a; >b" },
		{ "while :; do sleep 1; done &", ">: &; >sleep 1 &" },
		{ "for i in a b; do c $i; done", ">[i=a] [i=b]; >c <>?{i}" },
		{ "for i in *.c $(ls); do rm \"$i\"; done", ">[i=.c?] [i=?]; >>ls; >rm <>?{i}" },
		{ "for i in {1,2}; do a; done", ">[i=1] [i=2]; >a" },
		{ "for i; do a; done", ">a" },
		{ "for i do a; done", ">a" },
		{ "for i\nin a\ndo b\ndone", ">[i=a]; >b" },
		{ "for i in; do a; done", ">a" },
		{ "for i in a; { b; }", ">[i=a]; >b" },
		{ "for ((i=0; i<3; i++)); do a; done", ">a" },
		{ "for ((;;)) { a; }", ">a" },
		{ "for f in ~/.ssh/id_rsa; do cat $f; done",
		  ">[f=~/.ssh/id_rsa?{HOME}]; >cat <>?{f}" },
		{ "select x in a b; do c; done", ">[x=a] [x=b]; >c" },
		{ "case a in b) c;; esac", ">c" },
		{ "case a in (b|c) d;; *) e; esac", ">d; >e" },
		{ "case $x in\na)\n b\n ;;\n\nesac", ">b" },
		{ "case a in b) ;; c) ;; esac", "" },
		{ "case a in esac", "" },
		{ "case a in b) c;& d) e;;& f) g;; esac", ">c; >e; >g" },
		{ "case $(a) in \"b c\") d;; esac", ">>a; >d" },
		{ "case a in if) b;; esac", ">b" },
		{ "f() { a; }", ">>a" },
		{ "f () ( a )", ">>a" },
		{ "f()\n{\na\n}\nf", ">>a; f" },
		{ "f() a", ">a" },
		{ "function f { a; }", ">>a" },
		{ "function f() { a; }", ">>a" },
		{ "function f\n(a)", ">>a" },
		{ "f() { a; } > b", ">>a; > 1>b" },
		{ "coproc a b", "a b &" },
		{ "coproc { a; }", ">a &" },
		{ "coproc N { a; }", ">a &" },
		{ "coproc N (a)", ">a &" },
		{ "echo if then fi", "echo if then fi" },
		{ "echo } {", "echo } {" },
		{ "'if' a", "if a" },
		{ "\\{ a", "{ a" },
		{ "{a", "{a" },
		{ "x=1 if", "[x=1] if" },
		{ "a in b", "a in b" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}

Test(shell_grammar, conditions)
{
	static const struct shell_case cases[] = {
		{ "[[ -f a ]]", "[[ -f a ]]" },
		{ "[[ -f $x ]] || rm y", "[[ -f <>?{x} ]]; rm y" },
		{ "[[ a == b* ]]", "[[ a == b? ]]" },
		{ "[[ -n \"$x\" ]]", "[[ -n <>?{x} ]]" },
		{ "[[ ! a ]]", "[[ ! a ]]" },
		{ "[[ a =~ ^(b|c)+$ ]]", "[[ a =~ ^(b|c)+$ ]]" },
		{ "[[ $(a) ]]", "[[ <>? ]]; >>>a" },
		/* A shell that does not know [[ runs what is behind the ||. */
		{ "[[ a || /tmp/x ]]", "[[ a || /tmp/x ]]; [[ a; /tmp/x ]]" },
		{ "[[ a > b ]]", "[[ a <>> b ]]; [[ a ]] 1>b" },
		{ "((i++))", ">>i++" },
		{ "((rm -rf /etc))", ">>rm -rf /etc" },
		{ "(( $(a) ))", ">>>a" },
		{ "((a)) && b", "b; >>a" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}

Test(shell_grammar, redirections)
{
	static const struct shell_case cases[] = {
		{ "a > b", "a 1>b" },
		{ "a>b", "a 1>b" },
		{ "a >> b", "a 1>>b" },
		{ "a < b", "a 0<b" },
		{ "a <> b", "a 0<>b" },
		{ "a >| b", "a 1>b" },
		{ "a 2> b", "a 2>b" },
		{ "a 2 > b", "a 2 1>b" },
		{ "a x2>b", "a x2 1>b" },
		{ "a '2'>b", "a 2 1>b" },
		{ "a 2>&1", "a 2>&1" },
		{ "a 2>&1>b", "a 2>&1 1>b" },
		{ "a >&2", "a 1>&2" },
		{ "a >&-", "a 1>&-" },
		{ "a <&3-", "a 0>&3-" },
		{ "a >&b", "a 1>b" },
		{ "a &> b", "a 1>b" },
		{ "a &>> b", "a 1>>b" },
		{ "a &>/dev/null &", "a 1>/dev/null &" },
		{ "> a", " 1>a" },
		{ "a >b c >d", "a c 1>b 1>d" },
		{ "a {x}>b", "a 10>b" },
		{ "a {x} >b", "a {x} 1>b" },
		{ "a > $x", "a 1><>?{x}" },
		{ "a > \"b c\"", "a 1><b c>" },
		{ "a >$(b)", "a 1><>?; >b" },
		{ "{ a; } > b 2>&1", ">a;  1>b 2>&1" },
		{ "while a; do b; done < c", ">a; >b;  0<c" },
		{ "a 99999999999>b", "a 99999999999 1>b" },
		{ "true &>a rm x", "true rm x 1>a; true &; rm x 1>a" },
		{ "echo k >> ~/.ssh/authorized_keys", "echo k 1>>~/.ssh/authorized_keys?{HOME}" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}

Test(shell_grammar, here_documents)
{
	static const struct shell_case cases[] = {
		{ "a <<E\nb\nE\nc", "a 0<<<b\n>; c" },
		{ "a <<E", "a 0<<<>" },
		{ "a <<E\nb", "a 0<<b" },
		{ "a <<E b\nc\nE", "a b 0<<<c\n>" },
		{ "a <<'E'\n$x `y`\nE", "a 0<<<$x `y`\n>" },
		{ "a <<\\E\n$x\nE", "a 0<<<$x\n>" },
		{ "a <<E\n$x $(b) `c` \\$y 'd' \"\nE", "a 0<<<   $y 'd' \"\n>?{x}; >b; >c" },
		{ "a <<-E\n\tb\n\t\tE\nc", "a 0<<<b\n>; c" },
		{ "a <<E; b <<F\n1\nE\n2\nF\nc", "a 0<<<1\n>; b 0<<<2\n>; c" },
		{ "a <<E | b\n1\nE\nc", "a 0<<<1\n> |; | b; c" },
		{ "a <<E |\n1\nE\nb", "a 0<<<1\n> |; | b" },
		{ "a <<E && {\n1\nE\nb\n}", "a 0<<<1\n>; >b" },
		{ "{ a <<E\n1\nE\n}", ">a 0<<<1\n>" },
		{ "a <<\"E F\"\nb\nE F\nc", "a 0<<<b\n>; c" },
		{ "a <<''\nb\n\nc", "a 0<<<b\n>; c" },
		{ "a <<E\nE\\\nE\nE", "a 0<<<EE\n>" },
		{ "a <<EF\nx\\\nEF\nE\\\nF\nrm y", "a 0<<<xEF\n>; rm y" },
		{ "a <<'E'\nb\\\nE\nc", "a 0<<<b\\\n>; c" },
		{ "a <<E\n E\nEE\nE\nc", "a 0<<< E\nEE\n>; c" },
		{ "a 3<<E\nb\nE", "a 3<<<b\n>" },
		{ "a <<< b", "a 0<<b" },
		{ "a <<< \"b $x\" c", "a c 0<<<b >?{x}" },
		{ "a <<E $(b <<F\n1\nF\n)\n2\nE", "a <>? 0<<<2\n>; >b 0<<<1\n>" },
		{ "a <<$x\nb\n$x\nc", "a 0<<<b\n>; c" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}
