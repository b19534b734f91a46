/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Files whose content is worth something to somebody else, and what was done to them. Whether a
 * file is one is known by its name here, whatever the policy says; the policy's reason stands
 * beside it.
 */
#include "lib/event/event.h"
#include "internal.h"

#define NOT_COUNTED REPORT_COUNTS

/*
 * In the order of looking: the first pattern that fits. `home`: below the home directory. An
 * asterisk matches slashes too.
 */
static const struct {
	bool home;
	const char *pattern, *what;
	enum report_count count; /* of its reads, or NOT_COUNTED */
} list[] = {
	{ true, ".gitconfig", "git's settings", REPORT_GITCONFIG },
	{ true, ".npmrc", "npm's settings and token", REPORT_NPMRC },
	{ true, ".ssh/config", "ssh's settings", REPORT_SSH_CONFIG },
	{ true, ".ssh/known_hosts", "where ssh connects to", REPORT_SSH_HOSTS },
	{ true, ".ssh/*", "ssh keys", NOT_COUNTED },
	{ true, ".gnupg/*", "OpenPGP keys", NOT_COUNTED },
	{ true, ".aws/*", "cloud credentials", NOT_COUNTED },
	{ true, ".azure/*", "cloud credentials", NOT_COUNTED },
	{ true, ".config/gcloud/*", "cloud credentials", NOT_COUNTED },
	{ true, ".kube/*", "cluster credentials", NOT_COUNTED },
	{ true, ".docker/config.json", "registry credentials", NOT_COUNTED },
	{ true, ".netrc", "passwords of hosts", NOT_COUNTED },
	{ true, ".pgpass", "database passwords", NOT_COUNTED },
	{ true, ".my.cnf", "database passwords", NOT_COUNTED },
	{ true, ".pypirc", "registry credentials", NOT_COUNTED },
	{ true, ".yarnrc*", "registry credentials", NOT_COUNTED },
	{ true, ".cargo/credentials*", "registry credentials", NOT_COUNTED },
	{ true, ".git-credentials", "passwords of repositories", NOT_COUNTED },
	{ true, ".config/git/*", "git's settings", NOT_COUNTED },
	{ true, ".config/gh/*", "token of a repository host", NOT_COUNTED },
	{ true, ".local/share/keyrings/*", "keyring", NOT_COUNTED },
	{ true, ".password-store/*", "password store", NOT_COUNTED },
	{ true, ".*_history", "history of commands", NOT_COUNTED },
	{ true, ".mozilla/*", "browser profile", NOT_COUNTED },
	{ true, ".config/google-chrome/*", "browser profile", NOT_COUNTED },
	{ true, ".config/chromium/*", "browser profile", NOT_COUNTED },
	{ true, ".config/BraveSoftware/*", "browser profile", NOT_COUNTED },
	{ true, ".thunderbird/*", "mail", NOT_COUNTED },
	{ false, "/etc/passwd", "user accounts", REPORT_PASSWD },
	{ false, "/etc/shadow*", "passwords of the system", NOT_COUNTED },
	{ false, "/etc/gshadow*", "passwords of the system", NOT_COUNTED },
	{ false, "/etc/sudoers*", "who may become root", NOT_COUNTED },
	{ false, "/etc/ssh/*_key", "keys of this host", NOT_COUNTED },
	{ false, "/etc/ssl/private/*", "keys of this host", NOT_COUNTED },
	{ false, "/var/run/secrets/*", "secrets of a container", NOT_COUNTED },
	{ false, "/run/secrets/*", "secrets of a container", NOT_COUNTED },
	{ false, "*/.env", "secrets of a project", NOT_COUNTED },
	{ false, "*/.env.local", "secrets of a project", NOT_COUNTED },
	{ false, "*/.env.production", "secrets of a project", NOT_COUNTED },
	{ false, "*/id_rsa", "ssh keys", NOT_COUNTED },
	{ false, "*/id_ed25519", "ssh keys", NOT_COUNTED },
};
_Static_assert(ARRAY_SIZE(list) < UINT8_MAX, "fits path_facts.sensitive");

enum { TRIED, READ, WRITTEN, REFUSED, REASON };

uint8_t report_classify_sensitive(const struct report *report, struct record_bytes path)
{
	struct record_bytes below = report_below_home(report, path);

	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		if ((!list[i].home || below.length) &&
		    log_pattern_matches(list[i].pattern, list[i].home ? below : path))
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

int report_add_sensitive(struct report *report, const struct report_event *event)
{
	const struct log_event *log = event->log;
	struct path_facts *facts;
	struct tally_entry *entry;
	int r;

	if (log->kind != LOG_FILE || !event->path)
		return 0;
	facts = report_path(report, event->path);
	if (!facts)
		return -ENOMEM;
	if (!is_use(log->op) || !is_sensitive(facts, event))
		return 0;
	r = tally_at(&report->sensitive,
		     &(struct tally_key) { .a = event->path, .b = event->program }, log->time,
		     &entry, NULL);
	if (r < 0)
		return r;
	entry->n[TRIED]++;
	entry->n[REFUSED] += event->refused;
	if (event->reason)
		entry->n[REASON] = event->reason;
	if (!event->happened)
		return 0;
	if (log->op == GRITH_OP_READ) {
		entry->n[READ]++;
		if (facts->sensitive && list[facts->sensitive - 1].count != NOT_COUNTED)
			report->counts[list[facts->sensitive - 1].count]++;
	} else if (log->op != GRITH_OP_OPENDIR) {
		entry->n[WRITTEN]++;
	}
	return 0;
}

void report_table_sensitive(struct table_writer *w)
{
	static const struct report_column columns[] = {
		{ "path", "file", REPORT_TEXT },	 { "program", "program", REPORT_TEXT },
		{ "tried", "tried", REPORT_NUMBER },	 { "read", "read", REPORT_NUMBER },
		{ "written", "written", REPORT_NUMBER }, { "refused", "refused", REPORT_NUMBER },
		{ "what", "what", REPORT_TEXT },	 { "reason", "reason", REPORT_TEXT },
	};
	const struct tally *sensitive = &w->report->sensitive;

	TABLE_COLUMNS_SET(w->table, columns);
	w->table->beyond = sensitive->beyond;
	for (uint32_t i = 0; i < sensitive->keys.count; i++) {
		const struct tally_entry *entry = &sensitive->entries[i];
		const struct tally_key *key = tally_key(sensitive, i);
		uint8_t place = w->report->facts[key->a].sensitive;

		table_name(w, key->a);
		table_name(w, key->b);
		for (size_t n = TRIED; n <= REFUSED; n++)
			table_number(w, entry->n[n]);
		table_string(w, place ? list[place - 1].what : "");
		table_name(w, entry->n[REASON]);
	}
	table_finish(w, 2);
}
