/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Who the requester is, and the policy's texts; the policy with all its errors, from another
 * process; what its host names stand for, and the image with them; the session.
 */
#include <poll.h>

#include "internal.h"

struct start {
	struct client *client;
	struct verbs *verbs;
	struct proto_request *request;
	struct requester requester;
	struct session_info info; /* what is known so far */
	struct compile *compile;
	struct compile_result policy;
	struct resolver *resolver;
	const struct policy_host *hosts; /* of the resolver */
	size_t n_hosts;
	json_t *notes;
};

static void refuse(struct start *start, enum proto_error error, const char *message)
{
	client_reply(start->client, proto_error_reply(error, message, NULL));
}

static void refuse_errno(struct start *start, const char *what, int r)
{
	char message[256];
	bool full = r == -ENOSPC || r == -E2BIG || r == -EMFILE || r == -ENFILE;

	snprintf(message, sizeof(message), "%s: %s", what, strerror(-r));
	refuse(start, full ? PROTO_NO_SPACE : PROTO_INTERNAL, message);
}

/* With a line for each complaint. */
static void refuse_policy(struct start *start, const struct diag *diag)
{
	client_reply(start->client, proto_error_reply(PROTO_POLICY, "the policy cannot be used",
						      json_of_diag(diag)));
}

static bool find_asker(struct start *start)
{
	char why[256];
	int r = requester_find(&start->client->peer, &start->requester, why, sizeof(why));

	if (r < 0)
		refuse(start, r == -EINVAL ? PROTO_BAD_REQUEST : PROTO_INTERNAL, why);
	return r == 0;
}

/* A copy that people can see and JSON can hold. */
static char *printable(const char *bytes)
{
	OWNED_TEXT struct text safe = { 0 };

	if (text_add_escaped(&safe, bytes, strlen(bytes)) < 0)
		return NULL;
	return strdup(safe.data ? safe.data : "");
}

static bool is_taken(const struct sessions *sessions, const char *name)
{
	struct session *session;

	return sessions_find(sessions, name, 0, &session) != -ENOENT;
}

/* The command's, with a number where several sessions run it; NULL: no memory. */
static char *make_name(const struct sessions *sessions, const char *command)
{
	const char *slash = strrchr(command, '/'), *base = slash ? slash + 1 : command;
	char name[PROTO_NAME_MAX + 1];

	if (!proto_name_valid(base) || strlen(base) > PROTO_NAME_MAX - 8)
		base = "session";
	snprintf(name, sizeof(name), "%s", base);
	for (unsigned int i = 2; is_taken(sessions, name); i++)
		snprintf(name, sizeof(name), "%.*s-%u", PROTO_NAME_MAX - 8, base, i);
	return strdup(name);
}

static int copy_list(const char *const *list, size_t count, char *(*copy)(const char *),
		     char ***ret_list, size_t *ret_count)
{
	*ret_list = calloc(count + 1, sizeof(char *));
	if (!*ret_list)
		return -ENOMEM;
	for (; *ret_count < count; ++*ret_count) {
		(*ret_list)[*ret_count] = copy(list[*ret_count]);
		if (!(*ret_list)[*ret_count])
			return -ENOMEM;
	}
	return 0;
}

static int fill_in(struct start *start)
{
	const struct proto_request *request = start->request;
	const struct repository *repository = &start->requester.repository;
	struct session_info *info = &start->info;

	*info = start->policy.info; /* what the policy says */
	start->policy.info = (struct session_info) { 0 };
	info->mode = request->observe ? GRITH_OBSERVE : info->mode;
	info->uid = start->client->peer.uid;
	info->on_hold = request->on_hold;
	info->timeout = (uint32_t)request->timeout;
	info->home = printable(start->requester.home);
	info->mounts = start->requester.mounts;
	info->user = printable(start->requester.user);
	info->project = printable(start->requester.project);
	info->name = request->name ? strdup(request->name)
				   : make_name(start->verbs->sessions, request->command[0]);
	if (!info->user || !info->home || !info->project || !info->name)
		return -ENOMEM;
	/* Worktrees count as the project in reports, too. */
	return copy_list(request->command, request->n_command, strdup, &info->command,
			 &info->n_command)
		       ?: copy_list((const char *const *)repository->worktrees,
				    repository->n_worktrees, printable, &info->worktrees,
				    &info->n_worktrees);
}

static bool has_place(struct start *start)
{
	const struct sessions *sessions = start->verbs->sessions;
	uint32_t uid = start->client->peer.uid;
	const char *name = start->request->name;
	struct session *other;

	if (sessions->count >= GRITH_MAX_SESSIONS ||
	    (uid && sessions_of_user(sessions, uid) >= SESSIONS_PER_USER)) {
		refuse(start, PROTO_NO_SPACE, "too many sessions are running");
		return false;
	}
	if (name && sessions_find(sessions, name, uid, &other) != -ENOENT) {
		refuse(start, PROTO_BAD_REQUEST, "a session of that name is running");
		return false;
	}
	return true;
}

/* Checked last, so that no session is made for a client that has gone meanwhile. */
static bool is_there(struct start *start)
{
	struct pollfd poll_fd = { .fd = start->client->fd, .events = POLLRDHUP };

	if (poll(&poll_fd, 1, 0) == 0 && peer_is_alive(&start->client->peer))
		return true;
	refuse(start, PROTO_DENIED, "the process that asked has ended");
	return false;
}

static void reply_started(struct start *start, const struct session *session)
{
	const struct session_info *info = &session->info;
	json_t *reply =
		json_pack("{s:i, s:b, s:s, s:s, s:s, s:s, s:O, s:s}", "v", PROTO_VERSION, "ok", 1,
			  "session", info->id, "name", info->name, "profile", info->profile, "mode",
			  mode_name(info->mode), "notes", start->notes, "hint",
			  "why something was refused: grith why --last; what waits for an answer: "
			  "grith review");

	log_line(LOG_INFO, "session %s (%s) of %s started: policy %s, process %d", info->id,
		 info->name, info->user, info->profile, (int)start->client->peer.pid);
	client_reply(start->client, reply);
	start->client->last_reply = true;
}

static void create(struct start *start, const struct policy_host *hosts, size_t n_hosts,
		   struct policy_image *image)
{
	struct session *session;
	const char *what = "cannot start";
	int r = fill_in(start) ?: session_hosts_set(&start->info.hosts, hosts, n_hosts);

	if (r < 0)
		policy_image_free(image);
	else
		r = session_create(start->verbs->sessions, &start->info, image,
				   &start->client->peer, &what, &session);
	if (r < 0) {
		refuse_errno(start, what, r);
		return;
	}
	audit_write(start->verbs->audit);
	reply_started(start, session);
}

static void end(struct start *start)
{
	struct client *client = start->client;

	client_end_job(client);
	client_resume(client);
}

/* 0, or a refusal. */
static int refuse_compile(struct start *start, int r)
{
	if (r == -EBUSY)
		refuse(start, PROTO_NO_SPACE,
		       "too many of your policies wait to be compiled: try again");
	else if (r < 0)
		refuse_errno(start, "cannot compile the policy", r);
	return r;
}

static void on_hosts(void *arg, const struct policy_host *hosts, size_t n_hosts, bool complete)
{
	struct start *start = arg;

	if (!complete)
		json_array_append_new(start->notes, json_string("looking up host names failed or "
								"took too long"));
	host_names_note(&start->policy, hosts, n_hosts, start->notes);
	start->hosts = hosts;
	start->n_hosts = n_hosts;
	if (refuse_compile(start, compile_with_hosts(start->compile, hosts, n_hosts)) < 0)
		end(start);
}

static bool look_up(struct start *start)
{
	const struct compile_result *policy = &start->policy;
	int r = resolver_new(start->verbs->event, (const char *const *)policy->names,
			     policy->n_names, on_hosts, start, &start->resolver);

	if (r < 0)
		refuse_errno(start, "cannot look up host names", r);
	return r == 0;
}

/* A session, or another step, or a refusal. */
static void on_compiled(void *arg, int r, struct compile_result *result)
{
	struct start *start = arg;

	if (refuse_compile(start, r) < 0) {
		end(start);
		return;
	}
	compile_result_clear(&start->policy);
	start->policy = *result;
	*result = (struct compile_result) { 0 };
	if (start->policy.diag.count)
		refuse_policy(start, &start->policy.diag);
	else if (!start->policy.image && look_up(start))
		return;
	else if (start->policy.image && has_place(start) && is_there(start))
		create(start, start->hosts, start->n_hosts, TAKE_PTR(start->policy.image));
	end(start);
}

/* All files of the directory, for what the policy extends is not known before it is read. */
static int pack_input(struct start *start, struct diag *diag, struct text *out)
{
	const struct proto_request *request = start->request;
	const struct requester *requester = &start->requester;
	OWNED_POLICY_DIRECTORY struct policy_directory files = { 0 };
	struct compile_input input = {
		.name = request->policy_name,
		.text = request->policy_text,
		.length = request->policy_length,
		.profile = request->profile,
		.command = request->command[0],
		.context = {
			.project = requester->project,
			.worktree = requester->repository.worktree,
			.worktrees = requester->repository.worktrees,
			.n_worktrees = requester->repository.n_worktrees,
			.git_directory = requester->repository.git_directory,
			.home = requester->home,
			.user = requester->user,
			.uid = start->client->peer.uid,
			.resolvers = requester->resolvers.list,
			.n_resolvers = requester->resolvers.count,
			.directory = start->verbs->policy_dir,
		},
	};
	int r = policy_directory_read(start->verbs->policy_dir, true, &files);

	if (r < 0) {
		diag_add(diag, start->verbs->policy_dir, 0, 0, "cannot be read: %s", strerror(-r));
		return r;
	}
	input.files = files;
	return compile_input_pack(&input, out);
}

static bool compile(struct start *start)
{
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_TEXT struct text input = { 0 };
	int r = pack_input(start, &diag, &input);

	if (diag.count) {
		refuse_policy(start, &diag);
		return false;
	}
	r = r
		    ?: compile_start(start->verbs->compiles, start->client->peer.uid, &input,
				     on_compiled, start, &start->compile);
	return refuse_compile(start, r) == 0;
}

static void start_free(void *job)
{
	struct start *start = job;

	compile_free(start->compile);
	compile_result_clear(&start->policy);
	resolver_free(start->resolver);
	session_info_free(&start->info);
	requester_free(&start->requester);
	proto_request_free(start->request);
	json_decref(start->notes);
	free(start);
}

static const struct job_ops start_ops = { .free = start_free };

void verb_start(struct verbs *verbs, struct client *client, struct proto_request *request)
{
	struct start *start = calloc(1, sizeof(*start));

	if (!start) {
		proto_request_free(request);
		client_reply(client, NULL);
		return;
	}
	start->client = client;
	start->verbs = verbs;
	start->request = request;
	start->notes = json_array();
	if (find_asker(start) && has_place(start) && compile(start))
		client_start_job(client, &start_ops, start, false);
	else
		start_free(start);
}
