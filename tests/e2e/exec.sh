#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# Programs, and the ways around executing them by name.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

dir=$work/bin

mkdir -p "$dir/no" "$dir/yes"
cp /bin/true "$dir/no/program"
cp /bin/true "$dir/yes/program"
cp /bin/true "$dir/judged"
printf '#!%s\n' "$dir/no/program" >"$dir/yes/script-of-no"
printf '#!/bin/sh\nexit 0\n' >"$dir/no/script"
chmod -R a+rx "$dir"
ln -s "$dir/no/program" "$dir/yes/link"
policy exec <<END
grith: 1
name: exec
extends: lenient
exec:
  - {deny: exec, path: "$dir/no/**"}
  - {deny: exec, path: "tmpfs:memfd:*"}
  - {judge: argv, path: "$dir/judged"}
files:
  - {deny: read, path: "$dir/no/script"}
END
start_grithd

refused exec "$dir/no/program"
refused exec "$dir/no/script"
refused exec "$dir/yes/link"
refused exec "$dir/yes/script-of-no"
refused execveat "$dir/no/program"
refused memfd-exec "$dir/no/program"
refused loader "$dir/no/program"
refused mmap-exec "$dir/no/program"
refused mprotect-exec "$dir/no/program"
# Without an exec of its own nobody would look at its arguments.
refused loader "$dir/judged"
refused mmap-exec "$dir/judged"
refused mprotect-exec "$dir/judged"
refused in-thread exec "$dir/no/program"
refused as-daemon exec "$dir/no/program"
allowed exec "$dir/yes/program" one "two words"
allowed execveat "$dir/yes/program"
allowed loader "$dir/yes/program"
allowed mmap-exec "$dir/yes/program"
run_attempts --profile exec
check_refusal exec "\"path\":\"$dir/no/program\""
check_refusal map "\"path\":\"$dir/no/program\""
check_logged "\"op\":\"exec\",\"verdict\":\"allow\",.*\"$dir/yes/program\",\"one\",\"two words\"\]"

# The whole of a long argument list.
long=$(head -c 20000 /dev/zero | tr '\0' a)
as agent "$grith" exec --profile exec -- "$dir/yes/program" "$long" end
check_logged 'aa","end"\]'
check "the log has all of a long argument" grep -qF -- "\"$long\"" "$audit"

# Who opened it is the program that ran then, not what it was replaced by, although the process
# between it and the one that is known has only forked.
echo early >"$dir/early"
as agent "$grith" exec --profile exec -- \
	bash -c "( ( exec 3<$dir/early; exec sleep 1 ); : ); :"
check_logged "\"path\":\"$dir/early\",.*\"program\":\"[^\"]*/bash\""
