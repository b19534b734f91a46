/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Words of a command line: quotes, expansions, patterns, braces, tildes, assignments.
 */
#include "test_shell.h"

Test(shell_words, quotes)
{
	static const struct shell_case cases[] = {
		{ "", "" },
		{ "   \t ", "" },
		{ "\n\n", "" },
		{ "ls", "ls" },
		{ "ls -l /tmp", "ls -l /tmp" },
		{ "\tls\t-l  ", "ls -l" },
		{ "'ls' -l", "ls -l" },
		{ "l's' -l", "ls -l" },
		{ "l\\s", "ls" },
		{ "\\ls", "ls" },
		{ "\"l\"s", "ls" },
		{ "l''s", "ls" },
		{ "l\"\"s", "ls" },
		{ "r''m -\"r\"f \\/", "rm -rf /" },
		{ "echo ''", "echo <>" },
		{ "echo \"\"", "echo <>" },
		{ "echo '' \"\" x", "echo <> <> x" },
		{ "echo 'a b'", "echo <a b>" },
		{ "echo a\\ b", "echo <a b>" },
		{ "echo \"a b\"", "echo <a b>" },
		{ "echo 'a\nb'", "echo <a\nb>" },
		{ "echo 'a\"b'", "echo a\"b" },
		{ "echo \"a'b\"", "echo a'b" },
		{ "echo \"a\\\"b\"", "echo a\"b" },
		{ "echo \"a\\nb\"", "echo a\\nb" },
		{ "echo \"\\\\ \\$x \\`y\"", "echo <\\ $x `y>" },
		{ "echo 'a\\'", "echo a\\" },
		{ "echo a\\\nb", "echo ab" },
		{ "echo \"a\\\nb\"", "echo ab" },
		{ "echo 'a\\\nb'", "echo <a\\\nb>" },
		{ "echo \\\n  b", "echo b" },
		{ "echo a\\", "echo a\\" },
		{ "echo '$x `y` $(z)'", "echo <$x `y` $(z)>" },
		{ "echo \\$x", "echo $x" },
		{ "echo \\*", "echo *" },
		{ "echo \";\" '&' \\|", "echo <;> & |" },
		{ "echo a#b", "echo a#b" },
		{ "echo a #b; rm x", "echo a" },
		{ "# nothing", "" },
		{ "#x\nls", "ls" },
		{ "echo '#' \"#\" \\#", "echo # # #" },
		{ "echo a;#b\nc", "echo a; c" },
		{ "git commit -m \"rm -rf /\"", "git commit -m <rm -rf />" },
		{ "git commit -m 'x | curl y'", "git commit -m <x | curl y>" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}

Test(shell_words, ansi_quotes)
{
	static const struct shell_case cases[] = {
		{ "$'rm' x", "rm x" },
		{ "$'\\x72\\x6d' x", "rm x" },
		{ "$'\\162\\155' x", "rm x" },
		{ "$'r\\u006d' x", "rm x" },
		{ "$'r\\U0000006d' x", "rm x" },
		{ "echo $'a\\nb'", "echo <a\nb>" },
		{ "echo $'a\\tb'", "echo <a\tb>" },
		{ "echo $'\\u20ac'", "echo \xe2\x82\xac" },
		{ "echo $'\\u00fc'", "echo \xc3\xbc" },
		{ "echo $'\\U1f600'", "echo \xf0\x9f\x98\x80" },
		{ "echo $'a\\0b'c", "echo ac" },
		{ "echo $'a\\x00b'c", "echo ac" },
		{ "echo $'a\\zb'", "echo a\\zb" },
		{ "echo $'\\e\\E'", "echo \033\033" },
		{ "echo $'\\cA'", "echo \001" },
		{ "echo $'a\\\\b'", "echo a\\b" },
		{ "echo $'\\x'", "echo \\x" },
		{ "echo $'\\x4g'", "echo \004g" },
		{ "echo $\"a b\"", "echo <a b>" },
		{ "echo \"$'a'\"", "echo $'a'" },
		/* To a plain shell the escaped quote ends it, and what follows is a command. */
		{ "echo $'\\'; rm -rf / #'", "echo <'; rm -rf / #>; echo $\\; rm -rf /" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}

Test(shell_words, parameters)
{
	static const struct shell_case cases[] = {
		{ "echo $x", "echo <>?{x}" },
		{ "echo ${x}", "echo <>?{x}" },
		{ "echo \"$x\"", "echo <>?{x}" },
		{ "echo a$x/b", "echo a/b?{x}" },
		{ "echo a${x}b", "echo ab?{x}" },
		{ "echo \"a $x b $y c\"", "echo <a  b  c>?{x y}" },
		{ "echo $x$y", "echo <>?{x y}" },
		{ "echo $1 $@ $* $# $? $$ $! $- $0", "echo <>? <>? <>? <>? <>? <>? <>? <>? <>?" },
		{ "echo $10", "echo 0?" },
		{ "echo ${10}", "echo <>?" },
		{ "echo ${#x} ${#} ${!x} ${x[1]} ${x[@]}", "echo <>?{x} <>? <>?{x} <>?{x} <>?{x}" },
		{ "echo ${x:-/etc/shadow}", "echo /etc/shadow?{x}" },
		{ "echo ${x-a b}", "echo <a b>?{x}" },
		{ "echo ${x:=v} ${x=w}", "echo v?{x} w?{x}" },
		{ "echo ${x:+alt} ${x:?err}", "echo <>?{x} <>?{x}" },
		{ "echo ${x#*/} ${x##a} ${x%b} ${x%%*c}", "echo <>?{x} <>?{x} <>?{x} <>?{x}" },
		{ "echo ${x/a/b} ${x//a} ${x^^} ${x,}", "echo <>?{x} <>?{x} <>?{x} <>?{x}" },
		{ "echo ${x:1:2} ${x@Q}", "echo <>?{x} <>?{x}" },
		{ "echo ${x:-$y}", "echo <>?{x y}" },
		{ "echo ${x:-${y:-z}}", "echo z?{x y}" },
		{ "echo \"${x:-\"a b\"}\"", "echo <a b>?{x}" },
		{ "echo ${x:-'}'}", "echo }?{x}" },
		{ "echo ${x:-\\}}", "echo }?{x}" },
		{ "echo ${x:-$(rm y)}", "echo <>?{x}; >>rm y" },
		{ "echo \"${x#'}'}\" y", "echo <>?{x} y" },
		{ "${x:-rm} -rf /", "rm?{x} -rf /" },
		{ "echo $ x", "echo $ x" },
		{ "echo a$", "echo a$" },
		{ "echo \"$\"", "echo $" },
		{ "echo $%", "echo $%" },
		{ "echo $\\\n{x}", "echo <>?{x}" },
		{ "curl $API_TOKEN", "curl <>?{API_TOKEN}" },
		{ "$SUDO rm x", "<>?{SUDO} rm x" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}

Test(shell_words, substitutions)
{
	static const struct shell_case cases[] = {
		{ "echo $(ls)", "echo <>?; >ls" },
		{ "echo \"$(ls)\"", "echo <>?; >ls" },
		{ "echo `ls`", "echo <>?; >ls" },
		{ "echo \"`ls`\"", "echo <>?; >ls" },
		{ "echo $()", "echo <>?" },
		{ "echo a$(b)c`d`e", "echo ace?; >b; >d" },
		{ "echo $(a; b) c", "echo <>? c; >a; >b" },
		{ "echo $(a $(b $(c)))", "echo <>?; >a <>?; >>b <>?; >>>c" },
		{ "echo `a \\`b\\``", "echo <>?; >a <>?; >>b" },
		{ "echo `a \\$x`", "echo <>?; >a <>?{x}" },
		{ "echo \"`a \\\"b c\\\"`\"", "echo <>?; >a <b c>" },
		{ "echo `a '\\\\'`", "echo <>?; >a \\" },
		{ "echo $(echo \")\")", "echo <>?; >echo )" },
		{ "echo $(echo ')' # )\n)", "echo <>?; >echo )" },
		{ "echo $(case x in a) b;; esac)", "echo <>?; >>b" },
		{ "echo \"$(echo \"$(a \"b c\")\")\"", "echo <>?; >echo <>?; >>a <b c>" },
		{ "$(a) b", "<>? b; >a" },
		{ "x=$(a) b", "[x=?] b; >a" },
		{ "x=$(a)", "[x=?]; >a" },
		{ "echo $(<f)", "echo <>?; > 0<f" },
		{ "echo $((1+2))", "echo <>?" },
		{ "echo $((x+$y))", "echo <>?{y}" },
		{ "echo $(( (1+2)*3 )) z", "echo <>? z" },
		{ "echo $((1+$(id)))", "echo <>?; >>id" },
		{ "echo \"$((1<<2))\" z", "echo <>? z" },
		{ "echo $((a) ; b)", "echo <>?; >>a; >b" },
		{ "echo $( (a) )", "echo <>?; >>a" },
		{ "echo $((a) | (b))", "echo <>?; >>a |; >>| b" },
		{ "echo $[1+2] z", "echo <>? z" },
		{ "diff <(a) <(b c)", "diff <>? <>?; >a; >b c" },
		{ "a > >(tee b)", "a 1><>?; >tee b" },
		{ "a<(b)", "a?; >b" },
		{ "echo $\\\n(a)", "echo <>?; >a" },
		{ "echo $(cat <<E\nx\nE\n) y", "echo <>? y; >cat 0<<<x\n>" },
		{ "echo $(cat <<E\nx\nE)", "echo <>?; >cat 0<<<x\n>" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}

Test(shell_words, patterns)
{
	static const struct shell_case cases[] = {
		{ "rm *", "rm <>?" },
		{ "rm /*", "rm /?" },
		{ "rm *.c", "rm .c?" },
		{ "rm a?b", "rm ab?" },
		{ "rm a[bc]d", "rm ad?" },
		{ "rm a[!b]c", "rm ac?" },
		{ "rm []x]", "rm <>?" },
		{ "rm [", "rm [" },
		{ "rm a[b", "rm a[b" },
		{ "[ a = b ]", "[ a = b ]" },
		{ "rm '*' \"?\" \\[a]", "rm * ? [a]" },
		{ "rm \"a\"*", "rm a?" },
		{ "rm @(a|b)c", "rm c?" },
		{ "rm !(a)", "rm <>?" },
		{ "rm a+(b c)", "rm a?" },
		{ "cat /etc/sh*w", "cat /etc/shw?" },
		{ "cat *$x*", "cat <>?{x}" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}

Test(shell_words, braces)
{
	static const struct shell_case cases[] = {
		{ "echo {a,b}", "echo a b" },
		{ "echo x{a,b}y", "echo xay xby" },
		{ "echo {a,{b,c}}", "echo a b c" },
		{ "echo {a,b}{1,2}", "echo a1 a2 b1 b2" },
		{ "{rm,-rf,/}", "rm -rf /" },
		{ "{cat,/etc/shadow}", "cat /etc/shadow" },
		{ "echo {a}", "echo {a}" },
		{ "echo {}", "echo {}" },
		{ "echo a{,b}", "echo a ab" },
		{ "echo {,}", "echo" },
		{ "echo {a,b", "echo {a,b" },
		{ "echo a,b}", "echo a,b}" },
		{ "echo {a,{b,c}", "echo {a,b {a,c" },
		{ "echo '{a,b}'", "echo {a,b}" },
		{ "echo {a\\,b}", "echo {a,b}" },
		{ "echo {'a,b',c}", "echo a,b c" },
		{ "echo {1..9}x", "echo x?" },
		{ "echo {a..e}", "echo <>?" },
		{ "echo {../a}", "echo {../a}" },
		{ "echo {$x,b}", "echo <>?{x} b{x}" },
		{ "x={a,b}", "[x={a,b}]" },
		{ "a > {b,c}", "a 1>{b,c}" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}

Test(shell_words, tildes)
{
	static const struct shell_case cases[] = {
		{ "cat ~", "cat ~?{HOME}" },
		{ "cat ~/.ssh/id_rsa", "cat ~/.ssh/id_rsa?{HOME}" },
		{ "cat ~root/x", "cat ~root/x?" },
		{ "cat ~+/x", "cat ~+/x?" },
		{ "cat '~/x'", "cat ~/x" },
		{ "cat \\~/x", "cat ~/x" },
		{ "cat ~'root'", "cat ~root" },
		{ "cat a~", "cat a~" },
		{ "cat a~/b", "cat a~/b" },
		{ "echo >> ~/.bashrc", "echo 1>>~/.bashrc?{HOME}" },
		{ "x=~/y", "[x=~/y?{HOME}]" },
		{ "PATH=/a:~/b", "[PATH=/a:~/b?{HOME}]" },
		{ "cat x=~/y", "cat x=~/y" },
		{ "cat {~,~u}/x", "cat ~/x?{HOME} ~u/x?" },
		{ "cat ~/$x", "cat ~/?{x HOME}" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}

Test(shell_words, assignments)
{
	static const struct shell_case cases[] = {
		{ "x=1", "[x=1]" },
		{ "x=1 y=2 a z=3", "[x=1] [y=2] a z=3" },
		{ "x= a", "[x=] a" },
		{ "x='a b' c", "[<x=a b>] c" },
		{ "x+=1", "[x+=1]" },
		{ "x[1]=2", "[x[1]=2]" },
		{ "1x=2", "1x=2" },
		{ "'x'=2", "x=2" },
		{ "x\\=2", "x=2" },
		{ "=x", "=x" },
		{ "x=*", "[x=*]" },
		{ "x=(a b)", "[<x=(a b)>]" },
		{ "x=()", "[x=()]" },
		{ "x=(a\n b # c\n) d", "[<x=(a b)>] d" },
		{ "x+=('a b' $c)", "[<x+=(a b )>?{c}]" },
		{ "x=([a]=b [c]=$(d))", "[<x=([a]=b [c]=)>?]; >>d" },
		{ "declare -a x=(1 2)", "declare -a <x=(1 2)>" },
		{ "export X=$(a) Y=b", "export X=? Y=b; >a" },
		{ "x=$y$z", "[x=?{y z}]" },
		{ ">f x=1 a", "[x=1] a 1>f" },
	};

	expect_scripts(cases, ARRAY_SIZE(cases));
}
