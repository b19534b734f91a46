/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Makes the parts, connects them to the event loop, and takes them apart. Nothing that was found
 * wrong lets grithd run: it is ready only when it enforces and can write down what it sees.
 */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <systemd/sd-daemon.h>

#include "grithd/audit/audit.h"
#include "grithd/intake/intake.h"
#include "grithd/server/server.h"
#include "check.h"
#include "daemon.h"
#include "daemon_open.h"

#define POLL_USEC UINT64_C(50000) /* records that did not wake us are at most this old */

/* With `audit = strict` nothing runs while its log cannot be written. */
static void on_audit_written(void *arg, int r, bool grew)
{
	struct daemon *daemon = arg;

	if (daemon->options->audit_strict)
		sessions_freeze_for_log(daemon, r < 0);
	if (grew && daemon->server)
		server_log_grew(daemon->server);
}

static const struct audit_ops audit_ops = { .written = on_audit_written };

static int set_turn(struct daemon *daemon, enum priority priority)
{
	int r = sd_event_source_set_priority(daemon->ring, priority);

	return r < 0 ? r : sd_event_source_set_priority(daemon->poll, priority);
}

/*
 * Where records come faster than they are taken in, the ring buffer waits its turn behind those who
 * ask something: else nobody could end the session that makes them.
 */
static int take_in(struct daemon *daemon)
{
	enum intake_end end = INTAKE_EMPTY;
	int r = intake_run(daemon, UINT64_MAX, &end);

	audit_write(&daemon->audit);
	if (r == 0)
		r = set_turn(daemon, end == INTAKE_FULL ? PRIORITY_LOG : PRIORITY_RECORDS);
	if (r < 0)
		log_line(LOG_ERR, "cannot read records: %s", strerror(-r));
	return r;
}

void daemon_catch_up(struct daemon *daemon)
{
	uint64_t until = clock_mono();
	enum intake_end end = INTAKE_FULL;
	int r = 0;

	for (int i = 0; i < 64 && end == INTAKE_FULL && r == 0; i++)
		r = intake_run(daemon, until, &end);
	if (r < 0)
		log_line(LOG_ERR, "cannot read records: %s", strerror(-r));
	audit_write(&daemon->audit);
}

static int on_ring(sd_event_source *source, int fd, uint32_t events, void *arg)
{
	(void)source;
	(void)fd;
	(void)events;
	return take_in(arg); /* an error ends the event loop */
}

static int on_poll(sd_event_source *source, uint64_t time, void *arg)
{
	struct daemon *daemon = arg;
	int r = take_in(daemon);

	(void)time;
	if (r < 0)
		return r;
	intake_expire(daemon);
	r = sd_event_source_set_time_relative(source, POLL_USEC);
	return r < 0 ? r : sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

void daemon_update_poll(struct daemon *daemon)
{
	if (!daemon->poll)
		return;
	if (daemon->sessions.count)
		sd_event_source_set_time_relative(daemon->poll, POLL_USEC);
	sd_event_source_set_enabled(daemon->poll,
				    daemon->sessions.count ? SD_EVENT_ONESHOT : SD_EVENT_OFF);
}

/* Policies are read when a session starts; this only says early what would fail then. */
static void report_policies(struct daemon *daemon)
{
	OWNED_DIAG struct diag diag = { 0 };
	const char *directory = daemon->options->value[SETTING_POLICY_DIR];
	size_t count = 0;

	if (check_policies(directory, &diag, &count) < 0)
		log_diag(LOG_ERR, &diag);
	else
		log_line(LOG_INFO,
			 "%zu policies in %s are right; they are read when a session starts", count,
			 directory);
}

/* Those that are in force stay where the new ones are wrong. */
static void read_weights(struct daemon *daemon)
{
	OWNED_DIAG struct diag diag = { 0 };
	struct score_weights *weights = NULL;
	int r = weights_load(daemon->options->value[SETTING_POLICY_DIR], &diag, &weights);

	log_diag(LOG_ERR, &diag);
	if (r == -ENOENT)
		log_line(LOG_NOTICE, "there are no weights: what is held waits for a person");
	if (r < 0)
		return;
	score_weights_free(daemon->weights);
	daemon->weights = weights;
}

static int on_reload(sd_event_source *source, const struct signalfd_siginfo *info, void *arg)
{
	(void)source;
	(void)info;
	sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%llu",
		   (unsigned long long)(clock_mono() / 1000));
	report_policies(arg);
	read_weights(arg);
	sd_notify(0, "READY=1");
	return 0;
}

static int on_stop(sd_event_source *source, const struct signalfd_siginfo *info, void *arg)
{
	(void)info;
	(void)arg;
	return sd_event_exit(sd_event_source_get_event(source), 0);
}

static int add_signals(struct daemon *daemon)
{
	static const int stopping[] = { SIGTERM, SIGINT };
	sigset_t set;
	int r;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -errno;
	for (size_t i = 0; i < ARRAY_SIZE(stopping); i++) {
		r = sd_event_add_signal(daemon->event, NULL, stopping[i], on_stop, daemon);
		if (r < 0)
			return r;
	}
	return sd_event_add_signal(daemon->event, NULL, SIGHUP, on_reload, daemon);
}

static int add_ring(struct daemon *daemon)
{
	int r = sd_event_add_io(daemon->event, &daemon->ring, kernel_ring_fd(daemon->kernel),
				EPOLLIN, on_ring, daemon);

	if (r < 0)
		return r;
	r = sd_event_add_time_relative(daemon->event, &daemon->poll, CLOCK_MONOTONIC, POLL_USEC, 0,
				       on_poll, daemon);
	if (r < 0)
		return r;
	daemon_update_poll(daemon);
	return set_turn(daemon, PRIORITY_RECORDS);
}

static void report_hooks(const struct daemon *daemon)
{
	size_t count;
	const struct kernel_hook *hooks = kernel_hooks(daemon->kernel, &count);

	for (size_t i = 0; i < count; i++)
		if (hooks[i].state != KERNEL_HOOK_ATTACHED)
			log_line(LOG_NOTICE, "hook %s is %s: %s", hooks[i].name,
				 hooks[i].state == KERNEL_HOOK_ABSENT ? "absent" : "refused",
				 hooks[i].why);
}

static int set_up(struct daemon *daemon)
{
	int r = sd_event_new(&daemon->event);

	if (r == 0)
		r = add_signals(daemon);
	if (r < 0) {
		log_line(LOG_ERR, "cannot make the event loop: %s", strerror(-r));
		return r;
	}
	r = daemon_open_state(daemon);
	if (r == 0)
		r = daemon_open_learned(daemon);
	if (r == 0)
		r = daemon_open_log(daemon);
	if (r == 0)
		r = daemon_open_kernel(daemon);
	if (r < 0)
		return r;
	read_weights(daemon);
	r = daemon_adopt(daemon);
	if (r < 0)
		return r;
	r = add_ring(daemon);
	if (r < 0) {
		log_line(LOG_ERR, "cannot watch the ring buffer: %s", strerror(-r));
		return r;
	}
	daemon_catch_up(daemon); /* holds whose records are there need not ask again */
	reviews_scan(daemon);
	return daemon_open_server(daemon);
}

/* What is pinned and placed stays as it is. */
static void tear_down(struct daemon *daemon)
{
	server_free(TAKE_PTR(daemon->server));
	if (daemon->kernel && daemon->audit.log && daemon->ring)
		daemon_catch_up(daemon);
	sd_event_source_disable_unref(daemon->ring);
	sd_event_source_disable_unref(daemon->poll);
	daemon->poll = NULL;
	reviews_free(&daemon->reviews);
	holds_free(&daemon->holds);
	sessions_free(daemon);
	canaries_free(daemon->canaries);
	trust_store_free(daemon->trust);
	remembered_free(daemon->remembered);
	score_weights_free(daemon->weights);
	images_free(&daemon->images);
	kernel_free(daemon->kernel);
	audit_free(&daemon->audit);
	session_store_free(daemon->store);
	root_cgroup_close(&daemon->root);
	sd_event_unref(daemon->event);
}

/* One line for each missing thing comes before anything is made. */
static bool can_enforce(const struct options *options)
{
	OWNED_DIAG struct diag diag = { 0 };
	enum kernel_attach attach;
	int r = kernel_probe(options->attach, &diag, &attach);

	log_diag(LOG_ERR, &diag);
	return r == 0;
}

/* A descriptor for each session and two for each client are more than the usual soft limit. */
static void raise_limits(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == limit.rlim_max)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int daemon_run(const struct options *options)
{
	struct daemon daemon = {
		.options = options,
		.root = { .fd = -1 },
		.audit = { .ops = &audit_ops, .arg = &daemon },
	};
	int r;

	if (!can_enforce(options))
		return EXIT_CANNOT_ENFORCE;
	umask(022);
	raise_limits();
	r = time_slice_shorten();
	if (r < 0)
		log_line(LOG_NOTICE, "no short time slice: %s (held processes wait longer)",
			 strerror(-r));
	signal(SIGPIPE, SIG_IGN);
	r = set_up(&daemon);
	if (r == 0) {
		report_policies(&daemon);
		report_hooks(&daemon);
		log_line(LOG_INFO, "ready: attachment %s%s, %zu sessions, socket %s",
			 attach_name(kernel_attachment(daemon.kernel)),
			 kernel_adopted(daemon.kernel) ? " (adopted)" : "", daemon.sessions.count,
			 options->value[SETTING_SOCKET]);
		sd_notify(0, "READY=1");
		r = sd_event_loop(daemon.event);
		sd_notify(0, "STOPPING=1");
		log_line(r < 0 ? LOG_ERR : LOG_INFO,
			 "stopping: %zu sessions go on under supervision", daemon.sessions.count);
	}
	tear_down(&daemon);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
