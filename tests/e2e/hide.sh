#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# hide: what is hidden is not there; and observe: what would be refused is not.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

dir=$work/files
mkdir -p "$dir/hidden"
echo content >"$dir/hidden/file"
cp /bin/true "$dir/hidden/program"
chown -R "$agent" "$dir"

policy hide <<END
grith: 1
name: hide
extends: lenient
files:
  - {hide: all, path: ["$dir/hidden/**", "$work/tmpfs/hidden/**"]}
END
policy observe <<END
grith: 1
name: observe
extends: lenient
files:
  - {deny: all, path: "$dir/hidden/**"}
network:
  - {deny: connect, cidr: 127.0.0.2/32}
io_uring: deny
processes: {outside: deny}
END
start_grithd
serve serve-tcp 0.0.0.0 7001
background agent sleep 600
target=$background

for verb in open openat2 open-write open-rw stat statx truncate chmod watch unlink; do
	refused --errno ENOENT "$verb" "$dir/hidden/file"
done
refused --errno ENOENT exec "$dir/hidden/program"
run_attempts --profile hide
# By the name in the file system of the working directory or the root.
mkdir "$work/tmpfs"
mount -t tmpfs none "$work/tmpfs"
mkdir -m 755 "$work/tmpfs/hidden"
echo content >"$work/tmpfs/hidden/file"
ln -s file "$work/tmpfs/hidden/link"
chown -R "$agent" "$work/tmpfs"
cd "$work/tmpfs" || die "no tmpfs"
for verb in listxattr getxattr statfs; do
	refused --errno ENOENT "$verb" "$work/tmpfs/hidden/file"
	allowed "$verb" "$work/tmpfs"
done
refused --errno ENOENT readlink "$work/tmpfs/hidden/link"
run_attempts --profile hide
cd - >/dev/null || die "no way back"
check_refusal read "\"path\":\"$dir/hidden/file\"" hide ENOENT
check_refusal stat "\"path\":\"$dir/hidden/file\"" hide ENOENT

install -o "$agent" /dev/null "$dir/hidden/file"
allowed open "$dir/hidden/file"
allowed open-rw "$dir/hidden/file"
allowed create-excl "$dir/hidden/new"
allowed exec "$dir/hidden/program"
allowed connect 127.0.0.2 7001
allowed uring plain open "$dir/hidden/file"
allowed environ "$target"
allowed kill "$target" 0
allowed unlink "$dir/hidden/file"
run_attempts --profile observe --observe
for record in "\"op\":\"read\",\"verdict\":\"deny\",\"path\":\"$dir/hidden/file\"" \
	"\"op\":\"delete\",\"verdict\":\"deny\",\"path\":\"$dir/hidden/file\"" \
	"\"op\":\"exec\",\"verdict\":\"deny\",\"path\":\"$dir/hidden/program\"" \
	'"op":"connect","verdict":"deny","address":"127.0.0.2"' \
	'"op":"ring","verdict":"deny"' '"op":"touch","verdict":"deny"'; do
	check_logged "$record.*\"flags\":\[[^]]*\"observed\""
done
