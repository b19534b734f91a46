#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# grithd is stopped for GRITH_FAULT_SECONDS (60) while the ring buffer is full.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

start_grithd
load each one two
kill -STOP "$daemon"
sleep "${GRITH_FAULT_SECONDS:-60}"
kill -CONT "$daemon"
account "ring buffer full for ${GRITH_FAULT_SECONDS:-60} s"
