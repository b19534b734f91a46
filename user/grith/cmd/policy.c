/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith policy: checks policies, and evaluates one for an operation. Needs no grithd, no root
 * and no kernel that can enforce.
 */
#include <limits.h>
#include <pwd.h>

#include "grith/policy/policy.h"
#include "cmd.h"
#include "installed.h"

#define EXIT_REFUSED 3 /* of `test`: the policy says anything but allow */

struct options {
	struct policy_context context;
	const char *path, *op;
	const char *connect, *bind, *listen;
	const char *address;
	bool json;
	char project[PATH_MAX]; /* where no option gave it */
};

static int check_weights(const struct options *options, const char *file)
{
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_TEXT struct text name = { 0 };
	OWNED_MEM char *text = NULL;
	int r = load_text(file, &diag, &text);

	if (r == 0)
		r = weights_check(file, text, strlen(text), &options->context, &diag);
	if (r == 0)
		r = text_add_escaped(&name, file, strlen(file));
	if (r < 0)
		return output_diag(&diag, NULL, r);
	printf("%s: ok: weights\n", name.data);
	return COMMAND_OK;
}

static int check_policy(const struct options *options, const char *file)
{
	CLEANUP(loaded_clear) struct loaded loaded = { 0 };
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_TEXT struct text name = { 0 };
	int r = load_policy(file, &options->context, &diag, &loaded);

	if (r == 0)
		r = text_add_escaped(&name, file, strlen(file));
	if (r < 0)
		return output_diag(&diag, NULL, r);
	printf("%s: ok: %zu rules, %zu states, %zu networks, %zu KiB\n", name.data,
	       loaded.policy->n_rules, loaded.image->n_states, loaded.image->n_nets,
	       (loaded.image->n_words * sizeof(uint32_t) + 1023) / 1024);
	return COMMAND_OK;
}

static int check(const struct options *options, int argc, char **argv)
{
	int status = COMMAND_OK;

	if (optind == argc)
		return command_misused(&cmd_policy);
	for (int i = optind; i < argc; i++)
		if ((weights_named(argv[i]) ? check_weights(options, argv[i])
					    : check_policy(options, argv[i])) != COMMAND_OK)
			status = COMMAND_FAILED;
	return status;
}

/* Exactly one of a path and an endpoint. */
static int read_question(const struct options *o, struct question *ret_question)
{
	const char *endpoint = o->connect ? o->connect : o->bind ? o->bind : o->listen;
	enum grith_net_op op = o->connect ? GRITH_NET_CONNECT
			       : o->bind  ? GRITH_NET_BIND
					  : GRITH_NET_LISTEN;

	if (!!o->path + !!o->connect + !!o->bind + !!o->listen != 1 || !o->path != !o->op) {
		message("policy test needs --op and --path, or one of --connect, --bind, --listen");
		return -EINVAL;
	}
	if (o->path && question_path(o->op, o->path, ret_question) < 0) {
		message("--op: nothing that is done to a path");
		return -EINVAL;
	}
	if (endpoint && question_net(op, endpoint, o->address, ret_question) < 0) {
		message("expected HOST:PORT or [ADDRESS]:PORT, and --address only with the name of "
			"a host");
		return -EINVAL;
	}
	return 0;
}

static int print(const struct options *options, const struct policy *policy,
		 const struct grith_outcome *outcome, const struct policy_parts *parts)
{
	OWNED_TEXT struct text out = { 0 };
	json_auto_t *object = NULL;

	if (options->json) {
		object = view_outcome_json(policy, outcome, parts);
		if (!object)
			return -ENOMEM;
		json_dumpf(object, stdout, JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12));
		putchar('\n');
		return 0;
	}
	if (view_outcome(policy, outcome, parts, &out) < 0)
		return -ENOMEM;
	fputs(out.data, stdout);
	return 0;
}

static int test(const struct options *options, int argc, char **argv)
{
	CLEANUP(loaded_clear) struct loaded loaded = { 0 };
	CLEANUP(policy_parts_clear) struct policy_parts parts = { 0 };
	OWNED_DIAG struct diag diag = { 0 };
	struct grith_outcome outcome;
	struct question question;
	int r;

	if (optind != argc - 1 || read_question(options, &question) < 0)
		return command_misused(&cmd_policy);
	r = load_policy(argv[optind], &options->context, &diag, &loaded);
	if (r < 0)
		return output_diag(&diag, NULL, r);
	outcome = question_ask(&question, loaded.policy);
	outcome.verdict = policy_verdict(loaded.policy, &outcome);
	r = question_ask_parts(&question, loaded.policy, &parts);
	if (r == 0)
		r = print(options, loaded.policy, &outcome, &parts);
	if (r < 0)
		return output_diag(&diag, NULL, r);
	return outcome.verdict == GRITH_ALLOW ? COMMAND_OK : EXIT_REFUSED;
}

/* The defaults of what a policy is for: the caller, in the current directory. */
static void set_context(struct options *options)
{
	const struct passwd *user = getpwuid(getuid());

	options->context.uid = getuid();
	options->context.user = user ? user->pw_name : NULL;
	options->context.home = user ? user->pw_dir : getenv("HOME");
	if (getcwd(options->project, sizeof(options->project)))
		options->context.project = options->project;
}

static int parse(struct options *o, int argc, char **argv)
{
	const struct option_entry known[] = {
		{ "policy-dir", .value = &o->context.directory },
		{ "project", .value = &o->context.project },
		{ "home", .value = &o->context.home },
		{ "op", .value = &o->op },
		{ "path", .value = &o->path },
		{ "connect", .value = &o->connect },
		{ "bind", .value = &o->bind },
		{ "listen", .value = &o->listen },
		{ "address", .value = &o->address },
		{ "json", .flag = &o->json },
		{ 0 },
	};

	return options_read(argc, argv, known);
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };

	set_context(&options);
	if (argc < 2 || parse(&options, argc - 1, argv + 1) < 0)
		return command_misused(&cmd_policy);
	if (strcmp(argv[1], "check") == 0)
		return check(&options, argc - 1, argv + 1);
	if (strcmp(argv[1], "test") == 0)
		return test(&options, argc - 1, argv + 1);
	return command_misused(&cmd_policy);
}

const struct command cmd_policy = {
	.name = "policy",
	.arguments = "check FILE... | test FILE (--op OP --path PATH | --connect HOST:PORT)",
	.summary = "check policies, and ask what one says of an operation",
	.help = "  check FILE...        every error in the files, with its place; a file called\n"
		"                       weights.yaml is one of the filters' weights\n"
		"  test FILE            the verdict for one operation, its rule and the reason, the\n"
		"                       score of the object alone and its parts; what a session\n"
		"                       did before is not in it\n"
		"    --op OP            read, write, create, delete, rename, link, metadata,\n"
		"                       list, exec; connect, bind for unix sockets\n"
		"    --path PATH        absolute, @NAME of an abstract socket, pipefs: and such\n"
		"    --connect HOST:PORT, --bind, --listen\n"
		"    --address ADDRESS  what HOST stands for; names are not resolved\n"
		"    --json             for programs\n"
		"\n"
		"  --policy-dir DIR     where `extends` looks; default: the directory of FILE\n"
		"                       if it has a base.yaml, else " GRITH_SYSCONFDIR
		"/grith/policy or\n"
		"                       " GRITH_DATADIR "/policy\n"
		"  --project DIR        ${PROJECT}; default: the current directory\n"
		"  --home DIR           ~; default: yours\n"
		"\n"
		"Exit status: 0 all is well, or test: allow; 1 an error in a policy;\n"
		"2 wrong usage; 3 test: deny, hide or hold.\n",
	.run = run,
};
