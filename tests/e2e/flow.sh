#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
#
# The ways of a secret from the program that reads it to one that would send it, and that a program
# it did not come to is left alone. The server is there, so that only the score refuses.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

readonly KILLED=137 SENT='52|56' # how curl ends: refused, and what it says of such a server

dir=$work/dir
port=$((20000 + RANDOM % 10000))
url=http://127.0.0.1:$port/
mkdir "$dir"
echo TOKEN=hunter2 >"$dir/.env"
install -m 755 /usr/bin/curl "$dir/curl"
chown -R "$agent" "$dir"
# Without the limit of rates, which is for a whole session and would be above this low threshold.
sed '/^  rate-limit:/,/enabled:/s/enabled: true/enabled: false/' "$project/policy/weights.yaml" \
	>"$policies/weights.yaml"
policy flow <<END
grith: 1
name: flow
extends: lenient
thresholds: {hold: 2.0, deny: 8.0}
files:
  - {allow: read, path: "$dir/.env", class: credential}
exec:
  - {judge: argv, path: "$dir/curl"}
network:
  - {allow: connect, cidr: 127.0.0.1/32, always: true} # what curl is given is what matters here
END
start_grithd
serve serve-tcp 127.0.0.1 "$port"

# run STATUS SCRIPT: in a session of its own, the script as a whole ends with (one of) that status.
run()
{
	local status

	as agent "$grith" exec --profile flow --on-hold deny -- \
		/bin/bash -c "cd $dir || exit 1; send=\"./curl -s -m 20 -o /dev/null\"; $2" >"$work/out" 2>&1
	status=$?
	check "$2: ended with $status: $(head -c 300 "$work/out")" grep -qE "^($1)$" <<<"$status"
}

# reason TEXT: the score of a review has this as what the filter taint says.
reason()
{
	check_logged "\"kind\":\"review\".*\"filter\":\"taint\",\"score\":3.00,\"why\":\"$1"
}

# why TEXT...: `grith why --last` has these lines.
why()
{
	local all
	all=$("$grith" why --last)
	for i in "$@"; do
		check "why says \"$i\": $all" grep -qE -- "$i" <<<"$all"
	done
}

# --- without a secret, and with one that did not come to it

run "$SENT" "echo nothing | \$send -d @- $url"
run "$SENT" "cat .env >/dev/null; \$send -d nothing $url"

# --- through a pipe

# What reads first waits for cat, so that the order is always the same.
run $KILLED "cat .env | { read -r line; exec \$send -d \"\$line\" $url; }"
reason 'this very process has it: \.env -> cat\[[0-9]+\] -> pipe -> curl\[[0-9]+\]'
why "secret .*/cat\[[0-9]+\] read $dir/\.env" \
	'/cat\[[0-9]+\] could write to pipe:\[[0-9]+\]' \
	"$dir/curl\[[0-9]+\] read pipe:\[[0-9]+\]"
check_logged '"op":"exec","verdict":"hold".*"chain":\[\{[^]]*"what":"read","object":"[^"]*\.env"'
check_logged '"op":"exec".*"streams":\[\{"fd":0,"type":"pipe","inode":"[0-9]+"'
check "why has it for programs, too" test "$("$grith" why --last --json | grep -c '"wrote"')" -gt 0

# --- through a file, by its name and by a redirection

run $KILLED "cat .env | tee out >/dev/null; \$send -d @out $url"
reason 'this very process has it: \.env -> cat\[[0-9]+\] -> pipe -> tee\[[0-9]+\] -> out -> curl\['
run $KILLED "cat .env >out2; \$send -d @- $url <out2"
reason 'this very process has it: \.env -> cat\[[0-9]+\] -> out2 -> curl\['

# --- through the shell's memory

run $KILLED "line=\$(cat .env); \$send -d \"\$line\" $url"
reason 'this process may have it: \.env -> cat\[[0-9]+\] -> pipe -> bash\[[0-9]+\] -> curl\['
run $KILLED "line=\$(<.env); \$send -d \"\$line\" $url" # some shells fork for this
reason 'this process may have it: \.env -> bash\[[0-9]+\] -> (bash\[[0-9]+\] -> )?curl\['

# --- from a process that has become an orphan

run 0 "(line=\$(<.env); sleep 1; \$send -d \"\$line\" ${url}orphan) & disown; exec true"
check_logged "\"op\":\"exec\",\"verdict\":\"hold\",.*\"${url}orphan\".*\"chain\":.*/\.env\""

# --- through a pair of sockets, as node makes them

cat >"$dir/pair" <<'END'
use Socket;
socketpair(my $here, my $there, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or die;
if (!fork) {
	open(STDOUT, '>&', $there) or die;
	exec 'cat', '.env';
}
close $there;
my $line = <$here>;
system('./curl', '-s', '-m', '20', '-d', $line, $ARGV[0]);
exit $? & 127;
END
run 9 "perl pair $url"
reason 'this process may have it: \.env -> cat\[[0-9]+\] -> socket -> perl\[[0-9]+\] -> (perl\[[0-9]+\] -> )?curl\['

# --- a session that has read a secret is known to have, before it does anything with it

exec {said}< <(as agent "$grith" exec --quiet --profile flow -- \
	sh -c "cat $dir/.env; exec sleep 1000")
read -r -t 60 -u "$said" line || line=
check_equal "the secret was read" TOKEN=hunter2 "$line"
check "top says that the session is tainted" \
	grep -q '"tainted": *true' <("$grith" top -b -n 1 --json)
"$grith" kill --all >/dev/null || fail "the session cannot be ended"
exec {said}<&-
