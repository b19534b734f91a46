/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The parts of grithd that are outside of it: state directory, audit log, kernel, socket. Each is
 * opened here, and what is wrong with it said in words that tell what to do.
 */
#include "daemon.h"

static int report_open(const char *what, int r)
{
	if (r < 0)
		log_line(LOG_ERR, "cannot use the %s in the state directory: %s", what,
			 r == -EBADMSG ? "the file is damaged" : strerror(-r));
	return r;
}

int daemon_open_state(struct daemon *daemon)
{
	const char *directory = daemon->options->value[SETTING_STATE_DIR];
	struct reviews *reviews = &daemon->reviews;
	int r = session_store_open(&daemon->sessions.store, directory);

	if (r == -EBUSY)
		log_line(LOG_ERR, "another grithd is running with the state directory %s",
			 directory);
	else if (r == -EPERM)
		log_line(LOG_ERR,
			 "the state directory %s must belong to root, and nobody else may "
			 "write to it",
			 directory);
	else if (r < 0)
		log_line(LOG_ERR, "cannot use the state directory %s: %s", directory, strerror(-r));
	return r ?: report_open("remembered answers",
				remembered_open(&reviews->remembered, directory))
		 ?: report_open("learned trust", trust_store_open(&reviews->trust, directory))
		 ?: report_open("canaries", canaries_open(&reviews->canaries, directory))
		 ?: report_open("numbers of reviews",
				review_numbers_open(&reviews->numbers, directory));
}

static void note_gap(struct daemon *daemon, uint64_t lost, const char *reason)
{
	struct event_gap gap = { .head = event_now(NULL), .lost = lost, .reason = reason };

	log_line(LOG_WARNING, "the audit log: %s", reason);
	audit_log_gap(daemon->audit.log, &gap);
}

/* A log that differs from how it was closed gets gap entries. */
static void note_found(struct daemon *daemon, const struct audit_found *found)
{
	if (found->key_made)
		log_line(LOG_NOTICE,
			 "made a key for the audit log; %s/" AUDIT_PUBLIC_FILE
			 " is what others need to verify it",
			 daemon->options->value[SETTING_STATE_DIR]);
	if (found->torn)
		/* Where it was of a record, that is missing in its session, and counted there. */
		note_gap(daemon, 0, "the last line was not written whole and was cut off");
	if (found->missing)
		note_gap(daemon, found->missing, "lines that had been written are missing");
	if (found->changed)
		note_gap(daemon, 0, "the last line is not as it was written");
	if (found->no_head)
		note_gap(daemon, 0, "nothing says where the log ended; lines may be missing");
}

static void report_log(const struct options *options, int r)
{
	const char *directory = options->value[SETTING_LOG_DIR];

	if (r == -EPERM)
		log_line(LOG_ERR,
			 "the log directory %s and the audit log in it must belong to root, "
			 "and nobody else may write to them",
			 directory);
	else if (r == -EBADMSG)
		log_line(LOG_ERR,
			 "the key of the audit log, %s/" AUDIT_KEY_FILE ", is damaged: put it back "
			 "from a copy, or remove it to have a new one made",
			 options->value[SETTING_STATE_DIR]);
	else
		log_line(LOG_ERR, "cannot write the audit log in %s: %s", directory, strerror(-r));
}

int daemon_open_log(struct daemon *daemon)
{
	const struct options *options = daemon->options;
	struct audit_settings settings = {
		.directory = options->value[SETTING_LOG_DIR],
		.size = options->audit_size,
		.keep = options->audit_keep,
		.days = options->audit_days,
	};
	CLEANUP(audit_log_freep) struct audit_log *log = NULL;
	struct audit_found found;
	OWNED_FD int state = -1;
	int r = state_open(options->value[SETTING_STATE_DIR], NULL, &state);

	if (r == 0) {
		settings.state = state;
		r = audit_log_open(&settings, &log, &found);
	}
	if (r < 0) {
		report_log(options, r);
		return r;
	}
	r = audit_start(&daemon->audit, daemon->event, log);
	if (r < 0) {
		log_line(LOG_ERR, "cannot make the audit log's timer: %s", strerror(-r));
		return r;
	}
	TAKE_PTR(log);
	daemon->first_start = found.key_made && !found.no_head;
	note_found(daemon, &found);
	return 0;
}

int daemon_open_kernel(struct daemon *daemon)
{
	OWNED_DIAG struct diag diag = { 0 };
	const struct options *options = daemon->options;
	struct kernel_options wanted = {
		.attach = options->attach,
		.bpffs = options->value[SETTING_BPFFS],
	};
	int r = root_cgroup_open(options->value[SETTING_CGROUP_ROOT], &diag, &daemon->root);

	if (r == 0) {
		wanted.root_cgroup = daemon->root.id;
		wanted.root_level = daemon->root.level;
		r = kernel_open(&wanted, &diag, &daemon->kernel);
	}
	if (r < 0 && !diag.count)
		diag_add(&diag, NULL, 0, 0, "cannot set up the kernel: %s", strerror(-r));
	log_diag(r < 0 ? LOG_ERR : LOG_NOTICE, &diag);
	return r;
}

int daemon_adopt(struct daemon *daemon)
{
	struct sessions *sessions = &daemon->sessions;
	int r = sessions_adopt(sessions)
			?: intake_find_sequences(sessions, daemon->options->value[SETTING_LOG_DIR]);

	if (r == 0) {
		sessions_end_empty(sessions);
		session_store_prune(&sessions->store);
	} else {
		log_line(LOG_ERR, "cannot take over the sessions that are there: %s", strerror(-r));
	}
	audit_write(&daemon->audit);
	return r;
}

int daemon_open_compiles(struct daemon *daemon)
{
	int r = compiles_open(&daemon->compiles, daemon->options->value[SETTING_STATE_DIR]);

	if (r < 0)
		log_line(LOG_ERR, "cannot keep policies in the state directory: %s", strerror(-r));
	return r;
}

int daemon_open_server(struct daemon *daemon)
{
	const char *path = daemon->options->value[SETTING_SOCKET];
	int r = server_start(&daemon->server, path);

	if (r == -EADDRINUSE)
		log_line(LOG_ERR, "another program listens on %s", path);
	else if (r < 0)
		log_line(LOG_ERR, "cannot listen on %s: %s", path, strerror(-r));
	return r;
}
