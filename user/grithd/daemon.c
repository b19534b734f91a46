/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Joins the rooms: gives each what is below it, and passes on the events of one that another has to
 * know. Nothing that was found wrong lets grithd run: it is ready only when it enforces and can
 * write down what it sees.
 */
#include <linux/sched/types.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <systemd/sd-daemon.h>

#include "check.h"
#include "daemon.h"

#define SLICE_NS 100000 /* the shortest that the kernel gives */
#define SCHED_NORMAL 0

/* --- callbacks: events of one room that others have to know of */

/* With `audit = strict` nothing runs while its log cannot be written. */
static void on_audit_written(void *arg, int r, bool grew)
{
	struct daemon *daemon = arg;

	if (daemon->options->audit_strict)
		sessions_freeze_for_log(&daemon->sessions, r < 0);
	if (grew)
		server_log_grew(&daemon->server);
}

static const struct audit_ops audit_ops = { .written = on_audit_written };

static int on_session_added(void *arg, struct session *session, bool adopted)
{
	struct daemon *daemon = arg;
	int r = reviews_session_added(&daemon->reviews, session, adopted);

	return r < 0 ? r : intake_session_added(&daemon->intake, session, adopted);
}

static void on_session_removed(void *arg, struct session *session)
{
	struct daemon *daemon = arg;

	intake_session_removed(&daemon->intake, session);
	reviews_session_removed(session);
}

static void on_session_ending(void *arg, struct session *session)
{
	struct daemon *daemon = arg;

	intake_session_ending(&daemon->intake, session);
}

static void on_session_ended(void *arg, const struct session_info *info, struct session *session)
{
	struct daemon *daemon = arg;

	reviews_session_ended(&daemon->reviews, info, session);
}

static const struct session_ops session_ops = {
	.added = on_session_added,
	.removed = on_session_removed,
	.ending = on_session_ending,
	.ended = on_session_ended,
};

static void on_review_changed(void *arg, const struct review *review)
{
	struct daemon *daemon = arg;

	verbs_review_changed(&daemon->server, review);
}

static const struct review_ops review_ops = { .changed = on_review_changed };

/* The setting, where the kernel can enforce it. */
static uint64_t pids_limit(const struct daemon *daemon)
{
	uint64_t pids = daemon->options->pids;

	if (!pids || root_cgroup_limits_pids(&daemon->root))
		return pids;
	log_line(LOG_WARNING,
		 "sessions have no limit of processes: the pids controller is not available in the "
		 "cgroup %s (it may be in use by cgroup v1); `pids = 0` says that this is wanted",
		 daemon->root.directory);
	return 0;
}

/* Each room gets what is below it; kernel and root are open. */
static void join(struct daemon *daemon)
{
	char *const *value = daemon->options->value;
	const char *attach = attach_name(kernel_attachment(daemon->kernel));

	daemon->sessions.ops = &session_ops;
	daemon->sessions.arg = daemon;
	daemon->sessions.event = daemon->event;
	daemon->sessions.kernel = daemon->kernel;
	daemon->sessions.root = &daemon->root;
	daemon->sessions.pids = pids_limit(daemon);
	daemon->sessions.audit = &daemon->audit;

	daemon->compiles.event = daemon->event;

	daemon->reviews.ops = &review_ops;
	daemon->reviews.arg = daemon;
	daemon->reviews.event = daemon->event;
	daemon->reviews.kernel = daemon->kernel;
	daemon->reviews.audit = &daemon->audit;
	daemon->reviews.sessions = &daemon->sessions;
	daemon->reviews.root = &daemon->root;
	reviews_init(&daemon->reviews);
	review_numbers_begin(&daemon->reviews.numbers,
			     daemon->first_start && !kernel_adopted(daemon->kernel));

	daemon->intake = (struct intake) {
		.kernel = daemon->kernel,
		.audit = &daemon->audit,
		.sessions = &daemon->sessions,
		.reviews = &daemon->reviews,
		.attach = attach,
		.strict = daemon->options->audit_strict,
	};
	daemon->verbs = (struct verbs) {
		.event = daemon->event,
		.kernel = daemon->kernel,
		.root = &daemon->root,
		.audit = &daemon->audit,
		.compiles = &daemon->compiles,
		.sessions = &daemon->sessions,
		.reviews = &daemon->reviews,
		.intake = &daemon->intake,
		.attach = attach,
		.socket = value[SETTING_SOCKET],
		.policy_dir = value[SETTING_POLICY_DIR],
		.state_dir = value[SETTING_STATE_DIR],
		.log_dir = value[SETTING_LOG_DIR],
	};
	daemon->server.request = verbs_request;
	daemon->server.arg = &daemon->verbs;
	daemon->server.event = daemon->event;
	daemon->server.root = daemon->root.path;
}

/* --- signals */

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

/* The weights in force are kept if the new ones have an error. */
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
	score_weights_free(daemon->reviews.weights);
	daemon->reviews.weights = weights;
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

/* --- start and stop */

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
	int r = sd_event_new(&daemon->event) ?: add_signals(daemon);

	if (r < 0) {
		log_line(LOG_ERR, "cannot make the event loop: %s", strerror(-r));
		return r;
	}
	r = daemon_open_state(daemon) ?: daemon_open_log(daemon) ?: daemon_open_kernel(daemon);
	if (r < 0)
		return r;
	join(daemon);
	read_weights(daemon);
	r = daemon_adopt(daemon);
	if (r < 0)
		return r;
	r = intake_start(&daemon->intake, daemon->event);
	if (r < 0) {
		log_line(LOG_ERR, "cannot watch the ring buffer: %s", strerror(-r));
		return r;
	}
	intake_catch_up(&daemon->intake); /* holds whose records are there need not ask again */
	intake_scan(&daemon->intake);
	return daemon_open_compiles(daemon) ?: daemon_open_server(daemon);
}

/* Pinned programs and placed processes are left alone: enforcement goes on. */
static void tear_down(struct daemon *daemon)
{
	server_stop(&daemon->server);
	if (daemon->intake.ring)
		intake_catch_up(&daemon->intake);
	intake_stop(&daemon->intake);
	compiles_close(&daemon->compiles);
	reviews_free(&daemon->reviews);
	sessions_free(&daemon->sessions);
	kernel_free(daemon->kernel);
	audit_free(&daemon->audit);
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

/*
 * A process that is held waits for grithd. With a short slice grithd has its turn before the
 * process that woke it has come to its stop, where they share a processor, and an operation that
 * grithd answers by itself goes on without ever having stopped. Kernels before 6.12 accept that and
 * do nothing. 0 or -errno.
 */
static int shorten_time_slice(void)
{
	struct sched_attr attributes = { .size = sizeof(attributes) };

	if (syscall(SYS_sched_getattr, 0, &attributes, sizeof(attributes), 0) < 0)
		return -errno;
	/* Under another policy sched_runtime has another meaning. */
	if (attributes.sched_policy != SCHED_NORMAL)
		return 0;
	attributes.sched_runtime = SLICE_NS;
	return syscall(SYS_sched_setattr, 0, &attributes, 0) < 0 ? -errno : 0;
}

int daemon_run(const struct options *options)
{
	struct daemon daemon = {
		.options = options,
		.root = { .fd = -1 },
		.audit = { .ops = &audit_ops, .arg = &daemon },
		.compiles = COMPILES_NONE,
		.sessions = { .store = SESSION_STORE_CLOSED },
		.reviews = {
			.remembered = REMEMBERED_CLOSED,
			.trust = TRUST_STORE_CLOSED,
			.canaries = CANARIES_CLOSED,
			.numbers = REVIEW_NUMBERS_CLOSED,
		},
		.server = { .fd = -1 },
	};
	int r;

	if (!can_enforce(options))
		return EXIT_CANNOT_ENFORCE;
	umask(022);
	raise_limits();
	r = shorten_time_slice();
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
