/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the shipped profiles say of files that others run or that hold secrets, a few of each group
 * of base.yaml, and of the ordinary day of git.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "lib/policy/policy.h"

#define HOME "/home/ann"
#define PROJECT HOME "/project"

static const char *const profiles[] = { "generic", "generic-cli", "claude-code", "codex" };

/* With a project in the home, and with as many work trees as there may be. */
static struct policy *read_profile(const char *name, size_t n_worktrees)
{
	static char *const worktrees[16] = {
		HOME "/w1",  HOME "/w2",  HOME "/w3",  HOME "/w4",  HOME "/w5",	 HOME "/w6",
		HOME "/w7",  HOME "/w8",  "/srv/w9",   "/srv/w10",  HOME "/w11", HOME "/w12",
		HOME "/w13", HOME "/w14", HOME "/w15", HOME "/w16",
	};
	const struct policy_context context = {
		.project = PROJECT,
		.worktrees = worktrees,
		.n_worktrees = n_worktrees,
		.home = HOME,
		.user = "ann",
		.uid = 1000,
		.directory = "policy",
	};
	CLEANUP(policy_image_freep) struct policy_image *image = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *errors = NULL;
	struct policy *policy = NULL;
	char path[64];

	snprintf(path, sizeof(path), "policy/%s.yaml", name);
	policy_read_file(path, &context, &diag, &policy);
	if (policy && n_worktrees)
		cr_expect_eq(policy_compile(policy, NULL, 0, &diag, &image), 0);
	errors = diag_text(&diag);
	cr_assert(policy, "%s", errors);
	return policy;
}

Test(policy_guarded, profiles_fit_with_many_worktrees)
{
	for (size_t i = 0; i < ARRAY_SIZE(profiles); i++)
		policy_free(read_profile(profiles[i], 16));
	policy_free(read_profile("agents", 16));
}

/* Under each of `profiles`: a allowed, ? held, d denied, h hidden. */
static const struct {
	enum grith_op_class class;
	const char *path;
	const char *expected;
} cases[] = {
#define R GRITH_OP_CLASS_READ
#define W GRITH_OP_CLASS_WRITE
#define C GRITH_OP_CLASS_CREATE
#define D GRITH_OP_CLASS_DELETE
#define N GRITH_OP_CLASS_RENAME
#define L GRITH_OP_CLASS_LINK
#define M GRITH_OP_CLASS_METADATA
#define E GRITH_OP_CLASS_EXEC
	/* Shells, sessions of the desktop. */
	{ R, HOME "/.bashrc", "aaaa" },
	{ W, HOME "/.bash_aliases", "dddd" },
	{ C, HOME "/.zshrc.d/x", "dddd" },
	{ N, HOME "/.config/fish/conf.d/x.fish", "dddd" },
	{ W, HOME "/.pam_environment", "dddd" },
	{ L, HOME "/.config/autostart/x.desktop", "dddd" },
	{ C, HOME "/.local/share/applications/x.desktop", "dddd" },
	/* Editors, debuggers, tools. */
	{ W, HOME "/.vimrc", "dddd" },
	{ C, HOME "/.config/nvim/init.lua", "dddd" },
	{ C, HOME "/.config/Code/User/settings.json", "dddd" },
	{ C, HOME "/.vscode/extensions/x/extension.js", "dddd" },
	{ C, HOME "/.gdbinit", "dddd" },
	{ W, HOME "/.tmux.conf", "dddd" },
	{ W, HOME "/.curlrc", "dddd" },
	{ W, HOME "/.gitconfig", "dddd" },
	{ R, HOME "/.gitconfig", "aaaa" },
	{ C, HOME "/.config/direnv/direnvrc", "dddd" },
	{ C, HOME "/.local/share/direnv/allow/x", "dddd" },
	{ C, HOME "/.config/husky/init.sh", "dddd" },
	/* Run-times. */
	{ W, HOME "/.cargo/config.toml", "dddd" },
	{ W, HOME "/.config/go/env", "dddd" },
	{ C, HOME "/.gradle/init.d/x.gradle", "dddd" },
	{ C, HOME "/.pnpmfile.cjs", "dddd" },
	{ C, HOME "/node_modules/x/index.js", "dddd" },
	{ C, HOME "/.Rprofile", "dddd" },
	{ W, HOME "/.irbrc", "dddd" },
	{ C, HOME "/AGENTS.md", "dddd" },
	/* What is found by its name; settings that no list names. */
	{ C, HOME "/.local/lib/python3.11/site-packages/x.pth", "d?dd" },
	{ C, HOME "/.local/lib/python3.11/site-packages/x.py", "dadd" },
	{ C, HOME "/.local/bin/x", "d?dd" },
	{ W, HOME "/.nvm/nvm.sh", "d?dd" },
	{ W, HOME "/.unheard-of/settings", "d?dd" },
	{ W, HOME "/.unheard-ofrc", "d?dd" },
	{ W, HOME "/other/notes", "dadd" },
	/* The project's own, and a settings file that the project merely has. */
	{ C, PROJECT "/.mcp.json", "????" },
	{ N, PROJECT "/.claude/settings.local.json", "????" },
	{ W, PROJECT "/.vscode/tasks.json", "????" },
	{ C, PROJECT "/node_modules/x/.vscode/tasks.json", "aaaa" },
	{ C, PROJECT "/.envrc", "aaaa" },
	{ W, PROJECT "/.idea/workspace.xml", "????" },
	{ W, PROJECT "/.idea/vcs.xml", "aaaa" },
	{ C, PROJECT "/x.code-workspace", "????" },
	{ C, PROJECT "/.devcontainer/devcontainer.json", "????" },
	{ N, PROJECT "/.devcontainer/a/devcontainer.json", "????" },
	{ C, PROJECT "/.devcontainer/Dockerfile", "aaaa" },
	{ W, PROJECT "/.aider.conf.yml", "????" },
	{ C, PROJECT "/.husky/pre-commit", "????" },
	{ C, PROJECT "/.husky/_/pre-commit", "aaaa" },
	{ W, PROJECT "/mise.toml", "????" },
	{ L, PROJECT "/.mise/config.toml", "????" },
	{ C, PROJECT "/.config/mise/config.toml", "????" },
	{ N, PROJECT "/.tool-versions", "????" },
	{ W, PROJECT "/.hg/hgrc", "????" },
	{ W, PROJECT "/.jj/repo/config.toml", "????" },
	{ W, PROJECT "/Makefile", "aaaa" },
	{ W, PROJECT "/package.json", "aaaa" },
	/* Git: hooks and settings in any repository, and what makes a directory one. */
	{ C, PROJECT "/.git/hooks/post-checkout", "????" },
	{ C, PROJECT "/.git/modules/a/b/hooks/post-checkout", "????" },
	{ N, PROJECT "/sub/bare.git/hooks/pre-receive", "????" },
	{ M, PROJECT "/.git/hooks/pre-commit", "????" },
	{ C, "/tmp/x/.git/hooks/pre-commit", "????" },
	{ W, PROJECT "/.git/config.worktree", "????" },
	{ W, PROJECT "/.git/worktrees/x/config.worktree", "????" },
	{ W, PROJECT "/.git/commondir", "????" },
	{ C, PROJECT "/.git/info/attributes", "????" },
	{ C, PROJECT "/.git/hooks/pre-commit.sample", "aaaa" },
	{ C, PROJECT "/.git", "aaaa" },
	{ W, PROJECT "/sub/.git", "aaaa" },
	{ C, PROJECT "/.git/config.lock", "????" },
	{ L, PROJECT "/.git/config.lock", "????" },
	{ N, PROJECT "/.git/config", "????" },
	{ W, PROJECT "/.git/config", "????" },
	{ C, PROJECT "/.git/modules/a/b/config", "????" },
	{ N, PROJECT "/sub/.git/config", "????" },
	{ W, PROJECT "/sub/bare.git/config", "????" },
	{ W, "/tmp/x/.git/config", "????" },
	{ N, HOME "/.cargo/git/db/x/config", "d?dd" },
	{ R, PROJECT "/.git/config", "aaaa" },
	{ D, PROJECT "/.git/config.lock", "aaaa" },
	{ W, PROJECT "/config", "aaaa" },
	{ C, PROJECT "/sub/HEAD", "????" },
	{ N, "/tmp/x/HEAD", "????" },
	{ N, PROJECT "/.git/HEAD", "aaaa" },
	{ C, PROJECT "/.git/refs/remotes/origin/HEAD", "aaaa" },
	{ C, PROJECT "/sub/.git/HEAD", "aaaa" },
	{ C, "/tmp/x.git/HEAD", "aaaa" },
	{ R, PROJECT "/sub/HEAD", "aaaa" },
	{ C, PROJECT "/.git/worktrees/x/gitdir", "aaaa" },
	{ N, PROJECT "/.git/refs/heads/main", "aaaa" },
	{ D, PROJECT "/.git/hooks/pre-commit", "aaaa" },
	/* Another user's authority; grith itself. */
	{ E, "/usr/bin/sudo", "dddd" },
	{ E, "/usr/bin/pkexec", "dddd" },
	{ W, "/etc/grith/policy/x.yaml", "dddd" },
	{ R, "/var/log/grith/audit.jsonl", "dddd" },
	{ D, "/sys/fs/bpf/grith/maps", "dddd" },
	/* Agents, each with its own. */
	{ R, HOME "/.claude/.credentials.json", "ddad" },
	{ R, HOME "/.codex/auth.json", "ddda" },
	{ R, HOME "/.gemini/oauth_creds.json", "dddd" },
	{ W, HOME "/.claude/projects/x.jsonl", "ddad" },
	{ W, HOME "/.claude/settings.json", "dd?d" },
	{ N, HOME "/.codex/config.toml", "ddd?" },
	/* Secrets. */
	{ R, HOME "/.ssh/work", "dddd" },
	{ R, HOME "/.ssh/work.pub", "d?dd" },
	{ R, HOME "/.ssh/config", "aaaa" },
	{ R, HOME "/.config/solana/id.json", "hhhh" },
	{ R, HOME "/.ethereum/keystore/x", "hhhh" },
	{ R, HOME "/.zsh_history", "hhhh" },
	{ R, HOME "/.local/share/fish/fish_history", "hhhh" },
	{ R, HOME "/.var/app/org.mozilla.firefox/x", "hhhh" },
	{ R, HOME "/.config/Signal/config.json", "hhhh" },
	{ R, HOME "/.config/glab-cli/config.yml", "hhhh" },
	{ R, HOME "/Documents/x.kdbx", "hhhh" },
	{ R, PROJECT "/.env", "a?aa" },
	{ R, "/tmp/x/.env", "a?aa" },
	{ R, PROJECT "/.env.example", "aaaa" },
};

static char letter_of(const struct policy *policy, const struct grith_outcome *outcome)
{
	return "a?dh"[policy_verdict(policy, outcome)];
}

Test(policy_guarded, table)
{
	for (size_t i = 0; i < ARRAY_SIZE(profiles); i++) {
		CLEANUP(policy_freep) struct policy *policy = read_profile(profiles[i], 0);

		for (size_t k = 0; k < ARRAY_SIZE(cases); k++) {
			struct grith_outcome outcome = policy_eval_path(
				policy, cases[k].class, cases[k].path, strlen(cases[k].path));

			cr_expect_eq(letter_of(policy, &outcome), cases[k].expected[i],
				     "%s: operation %u of %s: %c, score %d", profiles[i],
				     cases[k].class, cases[k].path, letter_of(policy, &outcome),
				     outcome.score);
		}
	}
}

/* What is only seen is seen as what it is. */
Test(policy_guarded, what_runs_later_has_its_label)
{
	static const char *const paths[] = {
		PROJECT "/.envrc",
		PROJECT "/.nvim.lua",
		PROJECT "/.husky/_/pre-push",
		PROJECT "/.husky/pre-push",
		PROJECT "/.git/config",
		PROJECT "/sub/HEAD",
		PROJECT "/.vscode/tasks.json",
		PROJECT "/.tool-versions",
		HOME "/.bashrc",
	};

	for (size_t i = 0; i < ARRAY_SIZE(profiles); i++) {
		CLEANUP(policy_freep) struct policy *policy = read_profile(profiles[i], 0);
		uint16_t bit = 0;

		for (size_t k = 0; k < policy->n_labels; k++)
			if (!strcmp(policy->labels[k], "persistence"))
				bit = (uint16_t)(1u << k);
		cr_assert(bit);
		for (size_t k = 0; k < ARRAY_SIZE(paths); k++)
			cr_expect(policy_eval_path(policy, C, paths[k], strlen(paths[k])).labels &
					  bit,
				  "%s: %s", profiles[i], paths[k]);
		cr_expect_not(
			policy_eval_path(policy, C, PROJECT "/x", strlen(PROJECT "/x")).labels &
			bit);
	}
}

/* A query carries data to whoever answers it. */
Test(policy_guarded, names_are_asked_of_resolvers)
{
	static const struct policy_prefix resolver = {
		.address = { [10] = 0xff, [11] = 0xff, [12] = 203, [14] = 113, [15] = 7 },
		.bits = 128,
	};
	struct policy_context context = {
		.project = PROJECT,
		.home = HOME,
		.user = "ann",
		.directory = "policy",
		.resolvers = &resolver,
		.n_resolvers = 1,
	};
	uint8_t other[16];

	memcpy(other, resolver.address, sizeof(other));
	other[15]++;
	for (size_t i = 0; i < ARRAY_SIZE(profiles); i++) {
		CLEANUP(policy_freep) struct policy *policy = NULL;
		OWNED_DIAG struct diag diag = { 0 };
		struct grith_outcome own, foreign;
		char path[64];

		snprintf(path, sizeof(path), "policy/%s.yaml", profiles[i]);
		cr_assert_eq(policy_read_file(path, &context, &diag, &policy), 0);
		own = policy_eval_net(policy, GRITH_NET_CONNECT, resolver.address, 53, NULL);
		foreign = policy_eval_net(policy, GRITH_NET_CONNECT, other, 53, NULL);
		cr_expect_eq(policy_verdict(policy, &own), GRITH_ALLOW, "%s", profiles[i]);
		cr_expect_eq(policy_verdict(policy, &foreign), GRITH_HOLD, "%s", profiles[i]);
		foreign = policy_eval_net(policy, GRITH_NET_CONNECT, other, 853, NULL);
		cr_expect_eq(policy_verdict(policy, &foreign), GRITH_HOLD, "%s", profiles[i]);
	}
}
