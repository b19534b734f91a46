/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The parts of grithd that are outside of it: state directory, audit log, kernel, socket. Each is
 * opened here, and what is wrong with it said in words that tell what to do.
 */
#include <string.h>

#include "audit_log.h"
#include "canaries.h"
#include "daemon.h"
#include "daemon_open.h"
#include "log.h"
#include "server.h"
#include "session_store.h"
#include "trust_store.h"

int daemon_open_state(struct daemon *daemon)
{
	const char *directory = daemon->options->value[SETTING_STATE_DIR];
	int r = session_store_open(directory, &daemon->store);

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
	return r;
}

static int report_open(const char *what, int r)
{
	if (r < 0)
		log_line(LOG_ERR, "cannot use the %s in the state directory: %s", what,
			 r == -EBADMSG ? "the file is damaged" : strerror(-r));
	return r;
}

int daemon_open_learned(struct daemon *daemon)
{
	const char *directory = daemon->options->value[SETTING_STATE_DIR];
	int r;

	holds_init(&daemon->holds);
	reviews_init(&daemon->reviews);
	r = report_open("remembered answers", remembered_open(directory, &daemon->remembered));
	if (r == 0)
		r = report_open("learned trust", trust_store_open(directory, &daemon->trust));
	if (r == 0)
		r = report_open("canaries", canaries_open(directory, &daemon->canaries));
	return r;
}

int daemon_open_log(struct daemon *daemon)
{
	const char *directory = daemon->options->value[SETTING_LOG_DIR];
	struct event_gap gap = { .reason = "the last line was not written whole" };
	bool torn = false;
	int r = audit_log_open(directory, &daemon->audit, &torn);

	if (r == -EPERM)
		log_line(LOG_ERR,
			 "the log directory %s and the audit log in it must belong to root, "
			 "and nobody else may write to them",
			 directory);
	else if (r < 0)
		log_line(LOG_ERR, "cannot write the audit log in %s: %s", directory, strerror(-r));
	if (r < 0 || !torn)
		return r;
	log_line(LOG_WARNING,
		 "the last line of the audit log was not written whole and was cut off");
	gap.head = audit_now(NULL);
	gap.lost = 1;
	audit_log_gap(daemon->audit, &gap);
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

int daemon_open_server(struct daemon *daemon)
{
	const char *path = daemon->options->value[SETTING_SOCKET];
	int r = server_new(daemon, path, &daemon->server);

	if (r == -EADDRINUSE)
		log_line(LOG_ERR, "another program listens on %s", path);
	else if (r < 0)
		log_line(LOG_ERR, "cannot listen on %s: %s", path, strerror(-r));
	return r;
}

int daemon_adopt(struct daemon *daemon)
{
	int r = sessions_adopt(daemon);

	if (r < 0)
		log_line(LOG_ERR, "cannot take over the sessions that are there: %s", strerror(-r));
	else
		session_store_prune(daemon->store);
	daemon_write_log(daemon);
	return r;
}
