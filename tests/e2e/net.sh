#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# Internet sockets: every call that can carry an address, IPv4 and IPv6, and socket families.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

policy net <<'END'
grith: 1
name: net
extends: lenient
network:
  - {deny: [connect, bind, listen], cidr: 127.0.0.2/32}
  - {deny: connect, cidr: 127.0.0.1/32, port: 7002}
  - {deny: listen, cidr: 127.0.0.3/32}
  - {deny: listen, cidr: 0.0.0.0/32}
  - {deny: [connect, bind], cidr: "::1/128", port: "7100-7199"}
sockets:
  - {deny: socket, family: netlink}
  - {deny: socket, type: raw}
END
start_grithd
serve serve-tcp 0.0.0.0 7001
serve serve-tcp 127.0.0.1 7002
serve serve-tcp ::1 7101
serve serve-tcp ::1 7200

refused connect 127.0.0.2 7001
refused connect 127.0.0.1 7002
refused connect ::ffff:127.0.0.2 7001
refused connect ::1 7101
refused udp-connect 127.0.0.2 9
refused fastopen 127.0.0.2 7001
refused sendto 127.0.0.2 9
refused sendto ::ffff:127.0.0.2 9
refused sendto ::1 7102
refused sendto-unspec 127.0.0.2 9
refused sendto-connected 127.0.0.1 9 127.0.0.2 9
refused sendmsg 127.0.0.2 9
refused sendmmsg 127.0.0.1 9 127.0.0.2 9
refused bind 127.0.0.2 0
refused bind ::1 7103
refused listen 127.0.0.3 7010
refused listen-unbound
refused socket netlink raw
refused socket netlink dgram
refused in-thread connect 127.0.0.2 7001
refused as-daemon connect 127.0.0.2 7001
allowed connect 127.0.0.1 7001
allowed connect ::ffff:127.0.0.1 7001
allowed connect ::1 7200
allowed udp-connect 127.0.0.1 9
allowed sendto 127.0.0.1 9
allowed sendmmsg 127.0.0.1 9 127.0.0.1 10
allowed fastopen 127.0.0.1 7001
allowed bind 127.0.0.1 0
allowed listen 127.0.0.1 7011
allowed socket inet stream
run_attempts --profile net
for op in connect send bind listen; do
	check_refusal "$op" "\"address\":\"127.0.0."
done
for option in route6 packet-options6 label6 options; do
	refused socket-option $option
done
for option in route6 old-route6 options; do
	refused message-option $option
done
refused protocol 2 2 136 # UDP-Lite
allowed protocol 2 1 0
allowed protocol 2 1 6
allowed protocol 2 2 17
allowed protocol 10 1 262
allowed socket-option v6only
allowed message-option none
allowed message-option none6
run_attempts --profile net
check_logged '"op":"send","verdict":"deny","errno":"EACCES","family":"inet6"'
check_refusal connect '"address":"::1","port":7101'
check_logged '"op":"connect","verdict":"allow","address":"127.0.0.1","port":7001'
check_logged '"op":"socket","verdict":"deny","errno":"EACCES".*"family":"netlink"'

user=root
refused nested-cgroup connect 127.0.0.2 7001
refused socket inet raw
run_attempts --profile net
