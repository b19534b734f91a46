#!/bin/bash
# SPDX-License-Identifier: MPL-2.0
# Other processes: what /proc shows of them, ptrace and its relatives, signals.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

for outside in deny hide; do
	policy "outside-$outside" <<-END
		grith: 1
		name: outside-$outside
		extends: lenient
		processes: {outside: $outside}
	END
done
policy signal <<'END'
grith: 1
name: signal
extends: lenient
processes: {outside: allow, signal: deny}
END
start_grithd
user=agent
background agent sleep 600
target=$background
# Bash's own children ignore some signals; the probe blocks them all.
serve block-signals
blocker=${servers[-1]}

refused environ "$target"
refused mem "$target"
refused maps "$target"
refused cwd "$target"
refused root "$target"
refused fd/0 "$target"
refused ptrace "$target"
# These answer EPERM whatever the reason.
refused --errno EPERM vm-read "$target"
refused --errno EPERM pidfd-getfd "$target"
refused kill "$target" 0
refused pidfd-signal "$target" 0
refused as-daemon environ "$target"
refused as-daemon kill "$target" 0
for what in limit nice io-priority scheduler affinity; do
	refused adjust $what "$target"
done
refused proc-write "$target" oom_score_adj 500
refused proc-write "$target" coredump_filter 0x33
signal=40
for how in fcntl fcntl-ex ioctl socket-ioctl urgent; do
	refused owner-signal $how "$blocker" $((signal++))
done
run_attempts --profile outside-deny
check_refusal adjust "\"target\":\{\"pid\":$target,"
check_refusal write "\"path\":\"/proc/$target/oom_score_adj\""
check_refusal touch "\"target\":\{\"pid\":$target,"
check_refusal signal "\"target\":\{\"pid\":$target,"

refused --errno ENOENT kill "$target" 0
run_attempts --profile outside-hide

refused kill "$target" 0
allowed environ "$target"
run_attempts --profile signal

# A session's own processes are its own business. The last signal is the control.
as agent "$grith" exec --profile outside-deny -- sh -c "
	sleep 600 & child=\$!
	$probe adjust limit \$child && $probe adjust nice \$child &&
	$probe adjust scheduler \$child && $probe proc-write \$child oom_score_adj 500 &&
	$probe proc-write self comm renamed && $probe environ \$child && $probe ptrace \$child && $probe kill \$child 15"
check_equal "processes of the same session" 0 $?

user=root
refused environ 1
refused nested-cgroup environ 1
refused nested-cgroup kill 1 0
run_attempts --profile outside-deny
