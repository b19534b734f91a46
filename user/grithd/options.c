/* SPDX-License-Identifier: MPL-2.0 */
/* One table of settings, from which the command line, the file and the help are made. */
#include <getopt.h>

#include "lib/proto/proto.h"
#include "installed.h"
#include "options.h"

#define CONFIG_FILE GRITH_SYSCONFDIR "/grith/grithd.conf"
#define LOCAL_POLICY_DIR GRITH_SYSCONFDIR "/grith/policy"
#define SHIPPED_POLICY_DIR GRITH_DATADIR "/policy"

#define AUDIT_SIZE_MIN (UINT64_C(64) << 10)
#define AUDIT_SIZE_MAX (UINT64_C(1) << 40)
#define AUDIT_KEEP_MAX 1000000
#define AUDIT_DAYS_MAX 100000
#define PIDS_MAX 4194304 /* PID_MAX_LIMIT: the kernel has no more */

#define REFUSE(diag, ...) (diag_add(diag, NULL, 0, 0, __VA_ARGS__), -EINVAL)

static const struct {
	const char *name, *argument, *fallback, *help;
} settings[SETTINGS] = {
	[SETTING_SOCKET] = { "socket", "PATH", PROTO_SOCKET, "where clients connect" },
	[SETTING_POLICY_DIR] = { "policy-dir", "DIR", NULL, "profiles and what they extend" },
	[SETTING_STATE_DIR] = { "state-dir", "DIR", "/var/lib/grith", "what is known of sessions" },
	[SETTING_LOG_DIR] = { "log-dir", "DIR", "/var/log/grith", "the audit log" },
	[SETTING_BPFFS] = { "bpffs", "DIR", "/sys/fs/bpf/grith", "where the programs are pinned" },
	[SETTING_CGROUP_ROOT] = { "cgroup-root", "DIR", NULL, "the cgroup above all sessions" },
	[SETTING_ATTACH] = { "attach", "HOW", "auto", "auto, lsm or fmod_ret" },
	[SETTING_PIDS] = { "pids", "N", "4096", "processes and threads of a session; 0: any" },
	[SETTING_AUDIT] = { "audit", "HOW", "normal", "strict: freeze what cannot be logged" },
	[SETTING_AUDIT_SIZE] = { "audit-size", "BYTES", "64M", "of a file of the audit log" },
	[SETTING_AUDIT_KEEP] = { "audit-keep", "N", "100", "such files are kept; 0: all" },
	[SETTING_AUDIT_DAYS] = { "audit-days", "N", "0", "they are kept at most; 0: any" },
};

static const char *const attachments[] = {
	[KERNEL_ATTACH_AUTO] = "auto",
	[KERNEL_ATTACH_LSM] = "lsm",
	[KERNEL_ATTACH_FMOD_RET] = "fmod_ret",
};

/* Options without a setting, numbered after the settings; last the actions, except ACTION_RUN. */
enum {
	GETOPT_CONFIG = SETTINGS,
	GETOPT_JSON,
	GETOPT_FORCE,
	GETOPT_ACTION,
	GETOPTS = GETOPT_ACTION + ACTIONS,
};
#define GETOPT_FIRST 1000 /* added to all of them: no character, so no short option */

static const struct option others[GETOPTS - SETTINGS] = {
	{ "config", required_argument, NULL, GETOPT_FIRST + GETOPT_CONFIG },
	{ "json", no_argument, NULL, GETOPT_FIRST + GETOPT_JSON },
	{ "force", no_argument, NULL, GETOPT_FIRST + GETOPT_FORCE },
	{ "check", no_argument, NULL, GETOPT_FIRST + GETOPT_ACTION + ACTION_CHECK },
	{ "unload", no_argument, NULL, GETOPT_FIRST + GETOPT_ACTION + ACTION_UNLOAD },
	{ "help", no_argument, NULL, GETOPT_FIRST + GETOPT_ACTION + ACTION_HELP },
	{ "version", no_argument, NULL, GETOPT_FIRST + GETOPT_ACTION + ACTION_VERSION },
};

const char *attach_name(enum kernel_attach attach)
{
	return (unsigned int)attach < ARRAY_SIZE(attachments) ? attachments[attach] : "unknown";
}

static int replace(char **field, const char *value)
{
	char *copy = strdup(value);

	if (!copy)
		return -ENOMEM;
	free(*field);
	*field = copy;
	return 0;
}

/* Where the file comes second: what the command line said stays. */
static const char *set_from_file(void *arg, const char *key, const char *value)
{
	struct options *options = arg;

	for (int i = 0; i < SETTINGS; i++)
		if (!strcmp(key, settings[i].name)) {
			if (options->value[i])
				return NULL;
			return replace(&options->value[i], value) < 0 ? "out of memory" : NULL;
		}
	return "unknown key: expected one of socket, policy-dir, state-dir, log-dir, bpffs, "
	       "cgroup-root, attach, pids, audit, audit-size, audit-keep, audit-days";
}

static int take(int which, struct options *options, char **config)
{
	if (which < SETTINGS)
		return replace(&options->value[which], optarg);
	if (which == GETOPT_CONFIG)
		return replace(config, optarg);
	if (which == GETOPT_JSON)
		options->json = true;
	else if (which == GETOPT_FORCE)
		options->force = true;
	else
		options->action = (enum action)(which - GETOPT_ACTION);
	return 0;
}

static int read_command_line(int argc, char **argv, struct options *options, char **config,
			     struct diag *diag)
{
	struct option table[GETOPTS + 1] = { 0 };
	int c, r;

	for (int i = 0; i < SETTINGS; i++)
		table[i] = (struct option) { settings[i].name, required_argument, NULL,
					     GETOPT_FIRST + i };
	memcpy(table + SETTINGS, others, sizeof(others));

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", table, NULL)) != -1) {
		if (c == ':')
			return REFUSE(diag, "%s needs a value", argv[optind - 1]);
		if (c < GETOPT_FIRST)
			return REFUSE(diag, "unknown option %s (see --help)", argv[optind - 1]);
		r = take(c - GETOPT_FIRST, options, config);
		if (r < 0)
			return r;
	}
	return optind < argc ? REFUSE(diag, "unexpected argument %s (see --help)", argv[optind])
			     : 0;
}

/* The file of the default name need not be there. */
static int read_file(const char *config, struct options *options, struct diag *diag)
{
	const char *path = config ? config : CONFIG_FILE;
	int r = config_read(path, set_from_file, options, diag);

	if (r == -ENOENT && !config)
		return 0;
	if (r < 0 && r != -EINVAL)
		diag_add(diag, path, 0, 0, "cannot be read: %s", strerror(-r));
	return r < 0 ? -EINVAL : 0;
}

static int fill_in(struct options *options)
{
	for (int i = 0; i < SETTINGS; i++)
		if (!options->value[i] && text_copy(settings[i].fallback, &options->value[i]) < 0)
			return -ENOMEM;
	if (options->value[SETTING_POLICY_DIR])
		return 0;
	return replace(&options->value[SETTING_POLICY_DIR],
		       access(LOCAL_POLICY_DIR, F_OK) == 0 ? LOCAL_POLICY_DIR : SHIPPED_POLICY_DIR);
}

static int parse_attach(struct options *options, struct diag *diag)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(attachments); i++)
		if (!strcmp(options->value[SETTING_ATTACH], attachments[i])) {
			options->attach = i;
			return 0;
		}
	return REFUSE(diag, "attach must be auto, lsm or fmod_ret, not %s",
		      options->value[SETTING_ATTACH]);
}

static int parse_pids(struct options *options, struct diag *diag)
{
	const char *pids = options->value[SETTING_PIDS];

	if (text_parse_u64(pids, PIDS_MAX, &options->pids) < 0)
		return REFUSE(diag, "pids must be a number up to 4194304, not %s", pids);
	return 0;
}

/* Digits, perhaps with K, M or G behind them. */
static int parse_bytes(const char *text, uint64_t *ret_bytes)
{
	static const char units[] = "KMG";
	char digits[24];
	size_t length = strlen(text);
	const char *unit = length ? strchr(units, text[length - 1]) : NULL;
	unsigned int shift = unit ? 10 * (unsigned int)(unit - units + 1) : 0;
	int r;

	if (length - !!unit >= sizeof(digits))
		return -ERANGE;
	memcpy(digits, text, length - !!unit);
	digits[length - !!unit] = '\0';
	r = text_parse_u64(digits, AUDIT_SIZE_MAX >> shift, ret_bytes);
	if (r == 0)
		*ret_bytes <<= shift;
	return r;
}

static int parse_audit(struct options *options, struct diag *diag)
{
	const char *how = options->value[SETTING_AUDIT], *size = options->value[SETTING_AUDIT_SIZE];
	const char *keep = options->value[SETTING_AUDIT_KEEP];
	const char *days = options->value[SETTING_AUDIT_DAYS];

	options->audit_strict = !strcmp(how, "strict");
	if (!options->audit_strict && strcmp(how, "normal") != 0)
		return REFUSE(diag, "audit must be normal or strict, not %s", how);
	if (parse_bytes(size, &options->audit_size) < 0 || options->audit_size < AUDIT_SIZE_MIN)
		return REFUSE(diag,
			      "audit-size must be a number of bytes from 64K to 1024G, not %s",
			      size);
	if (text_parse_u64(keep, AUDIT_KEEP_MAX, &options->audit_keep) < 0)
		return REFUSE(diag, "audit-keep must be a number up to 1000000, not %s", keep);
	if (text_parse_u64(days, AUDIT_DAYS_MAX, &options->audit_days) < 0)
		return REFUSE(diag, "audit-days must be a number up to 100000, not %s", days);
	return 0;
}

int options_read(int argc, char **argv, struct options *options, struct diag *diag)
{
	OWNED_MEM char *config = NULL;
	int r = read_command_line(argc, argv, options, &config, diag);

	if (r < 0 || options->action == ACTION_HELP || options->action == ACTION_VERSION)
		return r;
	return read_file(config, options, diag)
		?: fill_in(options)
		?: parse_attach(options, diag)
		?: parse_pids(options, diag)
		?: parse_audit(options, diag);
}

void options_print_help(void)
{
	printf("usage: grithd [OPTION]...\n\n"
	       "Supervises AI coding agents: loads the programs that decide their operations in\n"
	       "the kernel, makes sessions and writes the audit log. Runs in the foreground.\n\n");
	for (int i = 0; i < SETTINGS; i++) {
		char left[40];

		snprintf(left, sizeof(left), "--%s %s", settings[i].name, settings[i].argument);
		printf("  %-20s %s%s%s%s\n", left, settings[i].help,
		       settings[i].fallback ? " (" : "",
		       settings[i].fallback ? settings[i].fallback : "",
		       settings[i].fallback ? ")" : "");
	}
	printf("  --config FILE        the same settings as `key = value` lines (%s)\n"
	       "  --check              say whether this machine can enforce, and what is missing\n"
	       "  --json               with --check: for programs\n"
	       "  --unload             take the programs out of the kernel: enforcement ends\n"
	       "  --force              with --unload: although there are sessions\n"
	       "  --help, --version\n\n"
	       "Exit status: 0 after a clean stop, 1 when something failed, 2 when this machine\n"
	       "cannot enforce or an option is wrong. See grithd(8).\n",
	       CONFIG_FILE);
}

void options_free(struct options *options)
{
	for (int i = 0; i < SETTINGS; i++)
		free(options->value[i]);
	*options = (struct options) { 0 };
}
