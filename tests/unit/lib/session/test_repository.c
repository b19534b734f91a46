/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Finding a project's git repository, on directories made here.
 */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/session/session.h"

static char top[PATH_MAX];

static void set_up(void)
{
	char template[] = "/tmp/grith-repository.XXXXXX";

	cr_assert(mkdtemp(template));
	cr_assert(realpath(template, top));
}

static void tear_down(void)
{
	OWNED_MEM char *command = NULL;

	cr_assert(asprintf(&command, "rm -rf '%s'", top) > 0);
	cr_assert_eq(system(command), 0);
}

static char *below(const char *name)
{
	char *path;

	cr_assert(asprintf(&path, "%s/%s", top, name) > 0);
	return path;
}

static void make_directory(const char *name)
{
	OWNED_MEM char *path = below(name);

	cr_assert_eq(mkdir(path, 0755), 0, "%s", path);
}

/* `%s` in the text stands for the top directory. */
static void make_file(const char *name, const char *before, const char *after)
{
	OWNED_MEM char *path = below(name);
	OWNED_FILE FILE *f = fopen(path, "w");

	cr_assert(f);
	fprintf(f, "%s%s%s\n", before, after[0] ? top : "", after);
}

static void make_git_directory(const char *name)
{
	OWNED_MEM char *head = NULL, *objects = NULL, *refs = NULL;

	make_directory(name);
	cr_assert(asprintf(&head, "%s/HEAD", name) > 0);
	cr_assert(asprintf(&objects, "%s/objects", name) > 0);
	cr_assert(asprintf(&refs, "%s/refs", name) > 0);
	make_file(head, "ref: refs/heads/main", "");
	make_directory(objects);
	make_directory(refs);
}

static void check_found(const char *project, const char *worktree, const char *git_directory)
{
	OWNED_MEM char *path = below(project), *home = below("home");
	OWNED_MEM char *tree = below(worktree), *git = below(git_directory);
	OWNED_REPOSITORY struct repository found = { 0 };

	cr_assert_eq(repository_find(path, home, getuid(), &found), 0);
	cr_expect_str_eq(found.worktree, tree);
	cr_expect_str_eq(found.git_directory, git);
}

/* home/mono is a repository; home/linked a work tree of it. */
static void make_tree(void)
{
	make_directory("home");
	make_directory("home/mono");
	make_directory("home/mono/service");
	make_git_directory("home/mono/.git");
	make_directory("home/linked");
	make_directory("home/plain");
}

static void link_worktree(const char *back)
{
	make_directory("home/mono/.git/worktrees");
	make_directory("home/mono/.git/worktrees/linked");
	make_file("home/mono/.git/worktrees/linked/gitdir", "", back);
	make_file("home/mono/.git/worktrees/linked/commondir", "../..", "");
	make_file("home/linked/.git", "gitdir: ", "/home/mono/.git/worktrees/linked");
}

TestSuite(repository, .init = set_up, .fini = tear_down);

Test(repository, above_and_at_the_project)
{
	make_tree();
	check_found("home/mono", "home/mono", "home/mono/.git");
	check_found("home/mono/service", "home/mono", "home/mono/.git");
}

Test(repository, none)
{
	make_tree();
	check_found("home/plain", "home/plain", "home/plain/.git");
}

Test(repository, home_itself_is_not_looked_at)
{
	make_tree();
	make_git_directory("home/.git");
	check_found("home/plain", "home/plain", "home/plain/.git");
}

Test(repository, a_directory_without_a_repository_in_it)
{
	make_tree();
	make_directory("home/plain/.git");
	check_found("home/plain", "home/plain", "home/plain/.git");
}

Test(repository, linked_work_tree)
{
	make_tree();
	link_worktree("/home/linked/.git");
	check_found("home/linked", "home/linked", "home/mono/.git");
}

Test(repository, a_link_that_is_not_returned_is_not_believed)
{
	make_tree();
	link_worktree("/home/other/.git");
	check_found("home/linked", "home/linked", "home/linked/.git");
}

Test(repository, a_link_to_any_directory_is_not_believed)
{
	make_tree();
	make_directory("home/.ssh");
	make_file("home/plain/.git", "gitdir: ", "/home/.ssh");
	check_found("home/plain", "home/plain", "home/plain/.git");
}

Test(repository, another_users_repository_is_not_believed)
{
	OWNED_MEM char *project = NULL, *home = NULL;
	OWNED_REPOSITORY struct repository found = { 0 };

	make_tree();
	project = below("home/mono/service");
	home = below("home");
	cr_assert_eq(repository_find(project, home, getuid() + 1, &found), 0);
	cr_expect_str_eq(found.worktree, project);
}

static void check_others(const char *project, const char *const *others, size_t n_others)
{
	OWNED_MEM char *path = below(project), *home = below("home");
	OWNED_REPOSITORY struct repository found = { 0 };

	cr_assert_eq(repository_find(path, home, getuid(), &found), 0);
	cr_assert_eq(found.n_worktrees, n_others);
	for (size_t i = 0; i < n_others; i++) {
		OWNED_MEM char *other = below(others[i]);

		cr_expect_str_eq(found.worktrees[i], other);
	}
}

Test(repository, other_work_trees)
{
	static const char *const linked[] = { "home/linked" };

	make_tree();
	link_worktree("/home/linked/.git");
	check_others("home/mono/service", linked, 1);
	check_others("home/linked", NULL, 0); /* it is the project itself */
}

/* Who can write to the repository alone must not be able to name any directory. */
Test(repository, other_work_trees_that_do_not_link_back)
{
	make_tree();
	link_worktree("/home/plain/.git");
	check_others("home/mono", NULL, 0);
	make_file("home/plain/.git", "gitdir: ", "/home/mono/.git/worktrees/none");
	check_others("home/mono", NULL, 0);
}
