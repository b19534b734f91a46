/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the shipped profiles promise to the kernel and to people, whatever else they say: reasons,
 * which objects have which classes, what waits, and what no context may disturb.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "lib/policy/policy.h"

static struct policy_context context = {
	.project = "/home/ann/project",
	.home = "/home/ann",
	.user = "ann",
	.uid = 1000,
	.directory = "policy",
};

static struct policy *read_profile(const char *name)
{
	struct policy *policy = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *errors = NULL;
	char path[64];

	snprintf(path, sizeof(path), "policy/%s.yaml", name);
	policy_read_file(path, &context, &diag, &policy);
	errors = diag_text(&diag);
	cr_assert(policy, "%s", errors);
	return policy;
}

static struct policy_image *compile(const struct policy *policy)
{
	struct policy_image *image = NULL;
	OWNED_DIAG struct diag diag = { 0 };

	cr_assert_eq(policy_compile(policy, NULL, 0, &diag, &image), 0);
	return image;
}

static const char *const profiles[] = { "generic", "generic-cli", "claude-code", "codex" };

static void expect_reasons(const char *profile)
{
	CLEANUP(policy_freep) struct policy *policy = read_profile(profile);

	policy_image_free(compile(policy));
	for (size_t k = 0; k < policy->n_rules; k++)
		cr_expect(policy->rules[k].reason, "%s:%u: a rule without its reason",
			  policy->rules[k].file, policy->rules[k].line);
}

Test(policy_shipped, rules_have_reasons)
{
	expect_reasons("base");
	for (size_t i = 0; i < ARRAY_SIZE(profiles); i++)
		expect_reasons(profiles[i]);
}

static const char *reason_for(const struct policy *policy, enum grith_op_class class,
			      const char *path)
{
	struct grith_outcome outcome = policy_eval_path(policy, class, path, strlen(path));

	cr_assert(outcome.rule, "%s", path);
	cr_assert_eq(outcome.verdict, GRITH_ALLOW, "%s", path);
	return policy->rules[outcome.rule - 1].reason;
}

/* Also where the project is the top of its repository, so that the rules for both match. */
Test(policy_shipped, the_project_is_allowed_as_the_project)
{
	static const char *const worktrees[] = { "/home/ann/project", "/home/ann" };
	const struct policy_context before = context;

	for (size_t i = 0; i < ARRAY_SIZE(profiles) * ARRAY_SIZE(worktrees); i++) {
		CLEANUP(policy_freep) struct policy *policy = NULL;

		context.worktree = worktrees[i % ARRAY_SIZE(worktrees)];
		policy = read_profile(profiles[i / ARRAY_SIZE(worktrees)]);
		for (unsigned int class = GRITH_OP_CLASS_READ; class <= GRITH_OP_CLASS_EXEC;
		     class ++)
			cr_expect_str_eq(reason_for(policy, class, "/home/ann/project/x"),
					 "the project, and the other work trees of its repository");
		if (i % ARRAY_SIZE(worktrees))
			cr_expect_str_eq(
				reason_for(policy, GRITH_OP_CLASS_READ, "/home/ann/other/x"),
				"the rest of the repository, for instructions and git");
	}
	context = before;
}

static uint16_t classes_for(const struct policy *policy, enum grith_op_class class,
			    const char *path)
{
	return policy_eval_path(policy, class, path, strlen(path)).labels;
}

Test(policy_shipped, profiles_mark_what_the_kernel_asks_for)
{
	for (size_t i = 0; i < ARRAY_SIZE(profiles); i++) {
		CLEANUP(policy_freep) struct policy *p = read_profile(profiles[i]);
		CLEANUP(policy_image_freep) struct policy_image *image = compile(p);
		const struct grith_image_header *h = policy_image_header(image);

		for (unsigned int class = 0; class <= GRITH_OP_CLASS_EXEC; class ++)
			cr_expect(classes_for(p, class, "/home/ann/project/x") & h->project,
				  "%s: class %u", profiles[i], class);
		cr_expect(classes_for(p, GRITH_OP_CLASS_DELETE, "/home/ann/project/.git/x") &
			  h->project);
		cr_expect_not(classes_for(p, GRITH_OP_CLASS_DELETE, "/home/ann/x") & h->project);
		cr_expect(classes_for(p, GRITH_OP_CLASS_READ, "/home/ann/project/.env") &
			  h->source[GRITH_SOURCE_MEDIUM]);
		cr_expect(classes_for(p, GRITH_OP_CLASS_READ, "/home/ann/.aws/credentials") &
			  h->source[GRITH_SOURCE_MEDIUM]);
		cr_expect(classes_for(p, GRITH_OP_CLASS_READ, "/home/ann/.ssh/id_rsa") &
			  h->source[GRITH_SOURCE_HIGH]);
		cr_expect(classes_for(p, GRITH_OP_CLASS_READ, "/etc/shadow") &
			  h->source[GRITH_SOURCE_HIGH]);
		cr_expect(classes_for(p, GRITH_OP_CLASS_READ, "/home/ann/.npmrc") &
			  h->source[GRITH_SOURCE_LOW]);
		cr_expect(classes_for(p, GRITH_OP_CLASS_READ, "/home/ann/.bash_history") &
			  h->source[GRITH_SOURCE_LOW]);
		cr_expect(classes_for(p, GRITH_OP_CLASS_EXEC, "/usr/bin/curl") & h->network_tool);
		cr_expect_not(classes_for(p, GRITH_OP_CLASS_EXEC, "/usr/bin/make") &
			      h->network_tool);
		cr_expect_not(classes_for(p, GRITH_OP_CLASS_READ, "/home/ann/project/x") &
			      (h->source[0] | h->source[1] | h->source[2]));
	}
}

/* Who would do the work outside the session never does so unasked. */
Test(policy_shipped, profiles_let_delegation_wait)
{
	static const char *const programs[] = {
		"docker",   "podman",	 "nerdctl", "kubectl",	  "tmux",
		"screen",   "systemctl", "busctl",  "flatpak",	  "nsenter",
		"loginctl", "gdbus",	 "qdbus",   "dbus-send",  "at",
		"batch",    "crontab",	 "run0",    "machinectl", "systemd-run",
	};
	static const char *const sockets[] = {
		"/run/docker.sock",	      "/run/containerd/containerd.sock",
		"/run/podman/podman.sock",    "/run/libvirt/libvirt-sock",
		"/run/systemd/private",	      "/run/dbus/system_bus_socket",
		"/run/user/1000/bus",	      "/tmp/tmux-1000/default",
		"/run/screen/S-ann/1.tty",    "/tmp/.X11-unix/X0",
		"@/tmp/.X11-unix/X0",	      "/run/user/1000/wayland-0",
		"/tmp/ssh-abc/agent.1",	      "/run/user/1000/gnupg/S.gpg-agent",
		"/run/snapd.socket",	      "/home/ann/.gnupg/S.gpg-agent",
		"/run/user/1000/keyring/ssh",
	};

	for (size_t i = 0; i < ARRAY_SIZE(profiles); i++) {
		CLEANUP(policy_freep) struct policy *policy = read_profile(profiles[i]);

		for (size_t k = 0; k < ARRAY_SIZE(programs); k++) {
			struct grith_outcome o;
			char path[64];

			snprintf(path, sizeof(path), "/usr/bin/%s", programs[k]);
			o = policy_eval_path(policy, GRITH_OP_CLASS_EXEC, path, strlen(path));
			cr_expect(o.verdict != GRITH_ALLOW || o.flags & GRITH_OUTCOME_INSPECT_ARGV,
				  "%s: %s", profiles[i], path);
		}
		for (size_t k = 0; k < ARRAY_SIZE(sockets); k++)
			cr_expect_neq(policy_eval_path(policy, GRITH_OP_CLASS_CONNECT, sockets[k],
						       strlen(sockets[k]))
					      .verdict,
				      GRITH_ALLOW, "%s: %s", profiles[i], sockets[k]);
	}
}

/* What a session can mount itself is its own; all else without a name at home is not. */
Test(policy_shipped, profiles_refuse_what_is_mounted_elsewhere)
{
	static const struct {
		const char *path;
		bool allowed;
	} cases[] = {
		{ "tmpfs:/x", true },	  { "overlay:/x/y", true }, { "mqueue:/x", true },
		{ "ext4:/x", false },	  { "btrfs:/x/y", false },  { "9p:/x", false },
		{ "device:/sda", false }, { "nfs4:/x", false },	    { "pidfs:/", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(profiles); i++) {
		CLEANUP(policy_freep) struct policy *policy = read_profile(profiles[i]);

		for (size_t k = 0; k < ARRAY_SIZE(cases); k++)
			cr_expect_eq(policy_eval_path(policy, GRITH_OP_CLASS_READ, cases[k].path,
						      strlen(cases[k].path))
					     .verdict,
				     cases[k].allowed ? GRITH_ALLOW : GRITH_DENY, "%s: %s",
				     profiles[i], cases[k].path);
	}
}

/* What programs do all the time must not depend on what the session did before. */
Test(policy_shipped, profiles_leave_the_everyday_alone)
{
	static const struct {
		enum grith_op_class class;
		const char *path;
		bool always;
	} cases[] = {
		{ GRITH_OP_CLASS_READ, "/usr/lib/libc.so.6", true },
		{ GRITH_OP_CLASS_READ, "/etc/passwd", true },
		{ GRITH_OP_CLASS_DELETE, "/tmp/x", true },
		{ GRITH_OP_CLASS_WRITE, "/home/ann/.cache/x", true },
		{ GRITH_OP_CLASS_DELETE, "/home/ann/.npm/x", true },
		{ GRITH_OP_CLASS_WRITE, "pipefs:", true },
		{ GRITH_OP_CLASS_WRITE, "/dev/null", true },
		{ GRITH_OP_CLASS_READ, "/proc/self/stat", true },
		/* To run something is never among it, nor is the project. */
		{ GRITH_OP_CLASS_EXEC, "/usr/bin/curl", false },
		{ GRITH_OP_CLASS_EXEC, "/tmp/x", false },
		{ GRITH_OP_CLASS_EXEC, "/home/ann/.cache/x", false },
		{ GRITH_OP_CLASS_EXEC, "tmpfs:memfd:x", false },
		{ GRITH_OP_CLASS_READ, "/home/ann/project/.env", false },
		{ GRITH_OP_CLASS_WRITE, "/home/ann/project/x", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(profiles); i++) {
		CLEANUP(policy_freep) struct policy *policy = read_profile(profiles[i]);

		for (size_t k = 0; k < ARRAY_SIZE(cases); k++) {
			struct grith_outcome o = policy_eval_path(
				policy, cases[k].class, cases[k].path, strlen(cases[k].path));

			cr_expect_eq(o.verdict, GRITH_ALLOW, "%s: %s", profiles[i], cases[k].path);
			cr_expect_eq(!!(o.flags & GRITH_OUTCOME_ALWAYS), cases[k].always, "%s: %s",
				     profiles[i], cases[k].path);
		}
	}
}
