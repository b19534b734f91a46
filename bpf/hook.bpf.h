/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * How one body becomes a program for each of the two attachments: `lsm`, a BPF-LSM program, and
 * `mod`, a program in front of the security_*() function that calls the LSMs. Both get the hook's
 * arguments and, behind them, what an earlier program returned: a refusal is passed on, and the
 * body does not run. grithd loads one of the two. A section that begins with '?' is an optional
 * hook: where the kernel lacks or refuses it, it is named and the others go on.
 */
#pragma once

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define HOOK_PROGRAM(section, program, body, n_args)  \
	SEC(section) int program(__u64 *ctx)          \
	{                                             \
		int refused = ctx[n_args];            \
                                                      \
		return refused ? refused : body(ctx); \
	}

#define HOOK_SECTIONS(lsm_section, mod_section, name, args...)                \
	static __always_inline int hook_##name(__u64 *ctx);                   \
	HOOK_PROGRAM(lsm_section, lsm_##name, hook_##name, ___bpf_narg(args)) \
	HOOK_PROGRAM(mod_section, mod_##name, hook_##name, ___bpf_narg(args)) \
	static __always_inline int BPF_PROG(hook_##name, ##args)

#define HOOK(name, args...) HOOK_SECTIONS("lsm/" #name, "fmod_ret/security_" #name, name, ##args)

#define OPTIONAL_HOOK(name, args...) \
	HOOK_SECTIONS("?lsm/" #name, "?fmod_ret/security_" #name, name, ##args)

/* Where the function has another name than the hook. */
#define RENAMED_HOOK(name, function, args...) \
	HOOK_SECTIONS("lsm/" #name, "fmod_ret/security_" #function, name, ##args)
