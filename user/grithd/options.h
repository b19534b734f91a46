/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What grithd was asked for, by its command line, its configuration file and its defaults, in this
 * order. Prints nothing but the help.
 */
#pragma once

#include "grithd/kernel/kernel.h"
#include "lib/base/base.h"

/* The settings: options of the command line and keys of the file alike. */
enum setting {
	SETTING_SOCKET,
	SETTING_POLICY_DIR,
	SETTING_STATE_DIR,
	SETTING_LOG_DIR,
	SETTING_BPFFS,
	SETTING_CGROUP_ROOT,
	SETTING_ATTACH,
	SETTING_PIDS,
	SETTING_AUDIT,
	SETTING_AUDIT_SIZE,
	SETTING_AUDIT_KEEP,
	SETTING_AUDIT_DAYS,
	SETTINGS,
};

enum action { ACTION_RUN, ACTION_CHECK, ACTION_UNLOAD, ACTION_HELP, ACTION_VERSION, ACTIONS };

/* Starts as {0}. */
struct options {
	char *value[SETTINGS]; /* owned; CGROUP_ROOT is NULL where it is to be found */
	enum kernel_attach attach;
	uint64_t pids; /* processes and threads of one session; 0: no limit */
	bool audit_strict; /* nothing runs that cannot be written down */
	uint64_t audit_size; /* bytes */
	uint64_t audit_keep, audit_days; /* 0: no limit */
	enum action action;
	bool json; /* --check */
	bool force; /* --unload */
};

/* 0, or -EINVAL with entries in `diag`, or -ENOMEM. options_free() in any case. */
int options_read(int argc, char **argv, struct options *options, struct diag *diag);
void options_print_help(void);
void options_free(struct options *options);

#define OWNED_OPTIONS CLEANUP(options_free)

const char *attach_name(enum kernel_attach attach);
