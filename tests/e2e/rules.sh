#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# A policy of ten thousand rules.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

dir=$work/files
mkdir -p "$dir"
for i in 1 5000 10000; do
	echo content >"$dir/no-$i"
done
echo content >"$dir/yes"
chown -R "$agent" "$dir"
{
	printf 'grith: 1\nname: rules\nextends: lenient\nfiles:\n'
	seq -f "  - {deny: [read, write], path: \"$dir/no-%.0f\"}" 10000
} | policy rules
start_grithd

for i in 1 5000 10000; do
	refused open "$dir/no-$i"
	refused uring plain open "$dir/no-$i"
done
allowed open "$dir/yes"
run_attempts --profile rules
check_logged "\"path\":\"$dir/no-10000\",.*\"rule\":\"rules.yaml:10004\""
