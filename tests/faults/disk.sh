#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# The disk of the audit log is full for GRITH_FAULT_SECONDS (30), under load.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

mount -t tmpfs -o size=4m,mode=755 none "$logs"
start_grithd
load each one
dd if=/dev/zero of="$logs/filler" bs=64k 2>/dev/null
sleep "${GRITH_FAULT_SECONDS:-30}"
rm "$logs/filler"
mount -o remount,size=512m "$logs"
account "log's disk full for ${GRITH_FAULT_SECONDS:-30} s"
umount -l "$logs"
