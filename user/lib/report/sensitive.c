/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Files with secrets, or with what helps to find some, and what was done to them. A file is one by
 * its name, whatever the policy has of it; the policy's reason is a column of its own.
 */
#include "internal.h"

#define NOT_COUNTED REPORT_COUNTS

/*
 * The first pattern that matches counts. `home`: below the home directory. An asterisk matches
 * slashes too; a pattern that starts with one does not end with one.
 */
static const struct {
	const char *what, *patterns[5];
	bool home;
	enum report_count count; /* of its reads, or NOT_COUNTED */
} list[] = {
	{ "git's settings", { ".gitconfig" }, true, REPORT_GITCONFIG },
	{ "npm's settings and token", { ".npmrc" }, true, REPORT_NPMRC },
	{ "ssh's settings", { ".ssh/config" }, true, REPORT_SSH_CONFIG },
	{ "where ssh connects to", { ".ssh/known_hosts" }, true, REPORT_SSH_HOSTS },
	{ "ssh keys", { ".ssh/*" }, true, NOT_COUNTED },
	{ "OpenPGP keys", { ".gnupg/*" }, true, NOT_COUNTED },
	{ "cloud credentials", { ".aws/*", ".azure/*", ".config/gcloud/*" }, true, NOT_COUNTED },
	{ "cluster credentials", { ".kube/*" }, true, NOT_COUNTED },
	{ "registry credentials",
	  { ".docker/config.json", ".pypirc", ".yarnrc*", ".cargo/credentials*" },
	  true,
	  NOT_COUNTED },
	{ "passwords of hosts", { ".netrc" }, true, NOT_COUNTED },
	{ "database passwords", { ".pgpass", ".my.cnf" }, true, NOT_COUNTED },
	{ "passwords of repositories", { ".git-credentials" }, true, NOT_COUNTED },
	{ "git's settings", { ".config/git/*" }, true, NOT_COUNTED },
	{ "token of a repository host", { ".config/gh/*" }, true, NOT_COUNTED },
	{ "keyring", { ".local/share/keyrings/*" }, true, NOT_COUNTED },
	{ "password store", { ".password-store/*" }, true, NOT_COUNTED },
	{ "history of commands", { ".*_history" }, true, NOT_COUNTED },
	{ "browser profile",
	  { ".mozilla/*", ".config/google-chrome/*", ".config/chromium/*",
	    ".config/BraveSoftware/*" },
	  true,
	  NOT_COUNTED },
	{ "mail", { ".thunderbird/*" }, true, NOT_COUNTED },
	{ "user accounts", { "/etc/passwd" }, false, REPORT_PASSWD },
	{ "passwords of the system", { "/etc/shadow*", "/etc/gshadow*" }, false, NOT_COUNTED },
	{ "who may become root", { "/etc/sudoers*" }, false, NOT_COUNTED },
	{ "keys of this host", { "/etc/ssh/*_key", "/etc/ssl/private/*" }, false, NOT_COUNTED },
	{ "secrets of a container",
	  { "/var/run/secrets/*", "/run/secrets/*" },
	  false,
	  NOT_COUNTED },
	{ "secrets of a project",
	  { "*/.env", "*/.env.local", "*/.env.production" },
	  false,
	  NOT_COUNTED },
	{ "ssh keys", { "*/id_rsa", "*/id_ed25519" }, false, NOT_COUNTED },
};
_Static_assert(ARRAY_SIZE(list) < UINT8_MAX, "fits path_facts.sensitive");

enum { TRIED, READ, WRITTEN, REFUSED, REASON };

/* The fast path: nearly all paths differ in one of their first two bytes, or in the last one. */
static bool matches(const char *pattern, struct record_bytes path)
{
	if (path.length < 2)
		return false;
	if (*pattern == '*' ? path.data[path.length - 1] != pattern[strlen(pattern) - 1]
			    : path.data[0] != pattern[0] ||
				      (pattern[1] != '*' && path.data[1] != pattern[1]))
		return false;
	return log_pattern_matches(pattern, path);
}

uint8_t report_classify_sensitive(const struct report *report, struct record_bytes path)
{
	struct record_bytes below = report_below_home(report, path);

	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		for (const char *const *pattern = list[i].patterns; *pattern; pattern++)
			if ((!list[i].home || below.length) &&
			    matches(*pattern, list[i].home ? below : path))
				return i + 1;
	return 0;
}

/* What the policy scores or refuses, it holds to be sensitive as well. */
static bool is_sensitive(const struct path_facts *facts, const struct report_event *event)
{
	if (facts->sensitive)
		return true;
	return event->reason && (event->refused || event->log->score >= 100);
}

static bool is_use(enum grith_op op)
{
	return op != GRITH_OP_STAT && op != GRITH_OP_LIST && op != GRITH_OP_EXEC &&
	       op != GRITH_OP_MAP;
}

static int add(struct report *report, const struct report_event *event)
{
	const struct log_event *log = event->log;
	struct path_facts *facts;
	struct tally_entry *row;
	int r;

	if (log->kind != LOG_FILE || !event->path)
		return 0;
	facts = &report->facts[event->path];
	if (!is_use(log->op) || !is_sensitive(facts, event))
		return 0;
	r = report_row(report, event, TALLY_SENSITIVE,
		       (struct tally_key) { .a = event->path, .b = event->program }, &row);
	if (r < 0)
		return r;
	row->n[TRIED]++;
	row->n[REFUSED] += event->refused;
	if (event->reason)
		row->n[REASON] = event->reason;
	if (event->happened && log->op != GRITH_OP_OPENDIR)
		row->n[log->op == GRITH_OP_READ ? READ : WRITTEN]++;
	if (event->happened && log->op == GRITH_OP_READ && facts->sensitive &&
	    list[facts->sensitive - 1].count != NOT_COUNTED)
		report->counts[list[facts->sensitive - 1].count]++;
	return 0;
}

static const char *what(const struct report *report, const struct tally_key *key)
{
	uint8_t sensitive = report->facts[key->a].sensitive;

	return sensitive ? list[sensitive - 1].what : "";
}

const struct report_section report_sensitive = {
	.key = "sensitive",
	.title = "Sensitive files",
	.about = "Known by name, or held to be so by the policy.",
	.columns = {
		{ "path", "file", REPORT_TEXT, ROW_A },
		{ "program", "program", REPORT_PROGRAM, ROW_B },
		{ "tried", "tried", REPORT_NUMBER, ROW_COUNT(TRIED) },
		{ "read", "read", REPORT_NUMBER, ROW_COUNT(READ) },
		{ "written", "written", REPORT_NUMBER, ROW_COUNT(WRITTEN) },
		{ "refused", "refused", REPORT_NUMBER, ROW_COUNT(REFUSED) },
		{ "what", "what", REPORT_WORD, ROW_WORD(0) },
		{ "reason", "reason", REPORT_TEXT, ROW_COUNT(REASON) },
	},
	.words = { what },
	.sort = 2,
	.tally = TALLY_SENSITIVE,
	.add = add,
};
