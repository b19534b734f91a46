#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# Unix sockets by path and by abstract name, streams and datagrams.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

dir=$work/sockets
install -d -o "$agent" "$dir" "$dir/no" "$dir/yes"
policy unix <<END
grith: 1
name: unix
extends: lenient
unix:
  - {deny: [connect, bind], path: "$dir/no/**", abstract: "grith-e2e-no*"}
END
start_grithd
serve serve-unix "$dir/no/stream"
serve serve-unix "$dir/yes/stream"
serve serve-unix @grith-e2e-no
serve serve-unix @grith-e2e-yes
serve serve-dgram "$dir/no/dgram"
serve serve-dgram "$dir/yes/dgram"
serve serve-dgram @grith-e2e-no-dgram
ln -s "$dir/no/stream" "$dir/yes/link"

refused unix-connect "$dir/no/stream"
refused unix-connect "$dir/yes/link"
refused unix-connect "$dir/yes/../no/stream"
refused unix-connect @grith-e2e-no
refused unix-dgram "$dir/no/dgram"
refused unix-dgram @grith-e2e-no-dgram
refused unix-dgram-connect "$dir/no/dgram"
refused unix-bind "$dir/no/new"
refused unix-bind @grith-e2e-no-new
refused as-daemon unix-connect "$dir/no/stream"
allowed unix-connect "$dir/yes/stream"
allowed unix-connect @grith-e2e-yes
allowed unix-dgram "$dir/yes/dgram"
allowed unix-bind "$dir/yes/new"
allowed unix-bind @grith-e2e-yes-new
run_attempts --profile unix
check_refusal connect "\"path\":\"$dir/no/stream\""
check_refusal connect '"path":"@grith-e2e-no"'
check_refusal bind "\"path\":\"$dir/no/new\""
check_refusal send "\"path\":\"$dir/no/dgram\""
