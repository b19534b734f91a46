#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# The clock is set forward and back, by seconds and by years, under load.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

start_grithd
load each one
for step in "+1 hour" "-2 hours" "+1 year" "-1 year" "+1 hour" "-10 seconds"; do
	date --set "$(date --date "$step")" >/dev/null
	sleep 2
done
account "clock set six times, by 10 s to a year"
