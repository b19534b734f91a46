#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# The same operations through io_uring, in every way of submitting them, and no rings at all.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

ways=(plain async sqpoll personality)
dir=$work/files

fixture()
{
	local way

	mkdir -p "$dir"/{no,yes}
	for way in "${ways[@]}"; do
		echo content | tee "$dir"/no/{"unlink-$way","from-$way"} >"$dir/yes/from-$way"
	done
	echo content | tee "$dir/no/file" >"$dir/yes/file"
	chown -R "$agent" "$dir"
}

attempts_of()
{
	local way=$1 no=$dir/no yes=$dir/yes

	refused uring "$way" open "$no/file"
	refused uring "$way" openat2 "$no/file"
	refused uring "$way" open-write "$no/file"
	refused uring "$way" create "$no/new-$way"
	refused uring "$way" unlink "$no/unlink-$way"
	refused uring "$way" rename "$no/from-$way" "$yes/to-$way"
	refused uring "$way" rename "$yes/from-$way" "$no/to-$way"
	refused uring "$way" mkdir "$no/dir-$way"
	refused uring "$way" link "$no/file" "$yes/link-$way"
	refused uring "$way" link "$yes/file" "$no/link-$way"
	refused uring "$way" symlink file "$no/symlink-$way"
	refused uring "$way" connect 127.0.0.2 7001
	refused uring "$way" sendmsg 127.0.0.2 9
	refused uring "$way" unix-connect @grith-e2e-no
	! kernel_at_least 6.11 || refused uring "$way" bind 127.0.0.2 0
	allowed uring "$way" open "$yes/file"
	allowed uring "$way" create "$yes/new-$way"
	allowed uring "$way" mkdir "$yes/dir-$way"
	allowed uring "$way" statx "$yes/file"
	allowed uring "$way" socket
	allowed uring "$way" connect 127.0.0.1 7001
	refused --errno ENOENT uring "$way" statx "$dir/hidden"
	refused --errno ENOENT uring "$way" open "$dir/hidden"
}

fixture
echo content >"$dir/hidden"
policy uring <<END
grith: 1
name: uring
extends: lenient
files:
  - {deny: all, path: "$dir/no/**"}
  - {hide: all, path: "$dir/hidden"}
network:
  - {deny: [connect, bind], cidr: 127.0.0.2/32}
unix:
  - {deny: connect, abstract: grith-e2e-no}
END
policy no-rings <<END
grith: 1
name: no-rings
extends: lenient
io_uring: deny
END
start_grithd
serve serve-tcp 0.0.0.0 7001
serve serve-unix @grith-e2e-no
for way in "${ways[@]}"; do
	attempts_of "$way"
done
run_attempts --profile uring
check_refusal read "\"path\":\"$dir/no/file\".*\"flags\":\[[^]]*\"uring\""
check_refusal connect '"address":"127.0.0.2","port":7001,.*"flags":\[[^]]*"uring"'

# What cannot be held is refused: there is no call to be made again.
echo content | tee "$dir/held" >"$dir/free"
policy late <<END
grith: 1
name: late
extends: lenient
files:
  - {hold: read, path: "$dir/held"}
END
allowed uring-late "$dir/free"
refused uring-late "$dir/held"
run_attempts --profile late

user=root
for way in "${ways[@]}"; do
	refused nested-cgroup uring "$way" open "$dir/no/file"
done
run_attempts --profile uring

user=agent
refused --errno EPERM ring-setup
run_attempts --profile no-rings
check_logged '"op":"ring","verdict":"deny","errno":"EPERM"'
