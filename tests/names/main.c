/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Random renames, exchanges, links and mounts inside a session, and after each the question whether
 * any object may be used in more ways than under its first name, or lies where it could not have
 * been made. What a session does is done by a second process, the worker; this one is outside,
 * makes the tree, tells the worker what to try, and looks at what became of it.
 *
 *	names SEED STEPS DIRECTORY COMMAND...	COMMAND ends in "names worker", in a session
 *	names policy DIRECTORY			the rules that the names stand for
 */
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "names.h"

#define OBJECTS_MAX 512
#define STEPS_A_TREE 500 /* then it is made anew */
#define DEPTH_MAX 6
#define OBJECTS_WANTED 40
#define VIEW_EVERY 8 /* steps between two mounts, in the mean */
#define ATTEMPTS_EVERY 16 /* steps between real attempts on all objects */

struct object {
	ino_t inode;
	unsigned int first; /* guards of its first name */
	bool seen;
	char name[PATH_MAX]; /* the first one */
};

struct name {
	char path[PATH_MAX];
	ino_t inode;
	mode_t mode;
	nlink_t links;
};

static struct {
	const char *directory;
	uint64_t seed, state;
	unsigned long step;
	FILE *to, *from; /* the worker */
	struct object objects[OBJECTS_MAX];
	size_t n_objects;
	struct name names[OBJECTS_MAX];
	size_t n_names;
	ino_t views[VIEWS]; /* the directories; 0: none */
	unsigned long done, exdev, refused, failed, violations, attempts;
	unsigned long mounted, by_view; /* views made, and what was tried by one */
	char last[2 * PATH_MAX];
} t;

static uint32_t below(uint32_t n)
{
	t.state = t.state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (t.state >> 33) % n;
}

static void die(const char *what)
{
	fprintf(stderr, "names: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* --- what is there */

static int note_name(const char *path, const struct stat *status, int type, struct FTW *where)
{
	struct name *name = &t.names[t.n_names];

	(void)type;
	if (!where->level)
		return 0;
	if (t.n_names == OBJECTS_MAX) {
		errno = E2BIG;
		die(path);
	}
	snprintf(name->path, sizeof(name->path), "%s", path);
	name->inode = status->st_ino;
	name->mode = status->st_mode;
	name->links = status->st_nlink;
	t.n_names++;
	return 0;
}

static struct object *object_of(const struct name *name)
{
	for (size_t i = 0; i < t.n_objects; i++)
		if (t.objects[i].inode == name->inode)
			return &t.objects[i];
	return NULL;
}

/* What an object is used for, by its type; another name of it can be deleted where that may be. */
static unsigned int uses_of(const struct name *name)
{
	if (S_ISDIR(name->mode))
		return GUARD_LIST | GUARD_METADATA | GUARD_DELETE | GUARD_WRITE;
	if (S_ISLNK(name->mode))
		return GUARD_METADATA | GUARD_DELETE;
	return GUARD_READ | GUARD_WRITE | GUARD_METADATA | GUARD_EXEC |
	       (name->links == 1 ? GUARD_DELETE : 0);
}

static void check_name(const struct name *name, const struct object *object)
{
	unsigned int now = guards_of(name->path + strlen(t.directory));
	unsigned int lost = object->first & ~now & uses_of(name);
	unsigned int planted = now & ~object->first & GUARD_WRITE;

	if (!lost && !planted)
		return;
	t.violations++;
	printf("VIOLATION seed %llu step %lu: after %s: %s is now %s (lost %#x, planted %#x)\n",
	       (unsigned long long)t.seed, t.step, t.last, object->name, name->path, lost, planted);
}

/* All names anew: new objects are entered, those that are gone are forgotten. */
static void look(bool check)
{
	t.n_names = 0;
	for (size_t i = 0; i < t.n_objects; i++)
		t.objects[i].seen = false;
	if (nftw(t.directory, note_name, 16, FTW_PHYS) < 0)
		die(t.directory);
	for (size_t i = 0; i < t.n_names; i++) {
		struct object *object = object_of(&t.names[i]);

		if (!object) {
			if (t.n_objects == OBJECTS_MAX)
				die("too many objects");
			object = &t.objects[t.n_objects++];
			object->inode = t.names[i].inode;
			object->first = guards_of(t.names[i].path + strlen(t.directory));
			snprintf(object->name, sizeof(object->name), "%s", t.names[i].path);
		}
		object->seen = true;
		if (check)
			check_name(&t.names[i], object);
	}
	for (size_t i = 0; i < t.n_objects;)
		if (t.objects[i].seen)
			i++;
		else
			t.objects[i] = t.objects[--t.n_objects];
}

/* --- what is tried */

/* 0 or the errno. */
static int ask(const char *op, const char *one, const char *other)
{
	int error = 0;

	fprintf(t.to, "%s %s %s\n", op, one, other);
	fflush(t.to);
	if (fscanf(t.from, "%d", &error) != 1)
		die("the worker has ended");
	return error;
}

/* As the worker knows it; "" is the view itself. */
static void view_name(char name[PATH_MAX], unsigned int view, const char *below)
{
	if (view < VIEWS_BOUND)
		snprintf(name, PATH_MAX, "%s-at/%u%s", t.directory, view, below);
	else
		snprintf(name, PATH_MAX, "#%u%s", view, below);
}

/* The same object by the view. false: it is not below its directory. */
static bool by_view(char path[PATH_MAX], unsigned int view, const char *plain)
{
	for (size_t i = 0; i < t.n_names && t.views[view]; i++) {
		size_t n = strlen(t.names[i].path);

		if (t.names[i].inode != t.views[view])
			continue;
		if (strncmp(plain, t.names[i].path, n) || plain[n] != '/')
			return false;
		view_name(path, view, plain + n);
		return true;
	}
	return false;
}

/* Its plain name or, half of the time, its name by the view. */
static const char *some_way(char path[PATH_MAX], unsigned int view, const char *plain)
{
	return below(2) && by_view(path, view, plain) ? path : plain;
}

/* The worker mounts a directory of the tree once more. */
static void make_view(void)
{
	unsigned int view = below(VIEWS);
	const struct name *name = &t.names[below(t.n_names)];
	char at[PATH_MAX];

	if (!S_ISDIR(name->mode))
		return;
	view_name(at, view, "");
	t.views[view] = ask("view", name->path, at) ? 0 : name->inode;
	t.mounted += t.views[view] != 0;
}

static void make_mountpoints(void)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s-at", t.directory);
	mkdir(path, 0777);
	for (unsigned int i = 0; i < VIEWS_BOUND; i++) {
		view_name(path, i, "");
		if (mkdir(path, 0777) < 0 && errno != EEXIST)
			die(path);
	}
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status;
	(void)type;
	return where->level ? remove(path) : 0;
}

/* Made from outside, so that there are objects under every name. */
static void make_tree(void)
{
	if (nftw(t.directory, remove_one, 16, FTW_PHYS | FTW_DEPTH) < 0)
		die(t.directory);
	t.n_names = t.n_objects = 0;
	for (int i = 0; i < OBJECTS_WANTED; i++) {
		struct name *parent = t.n_names ? &t.names[below(t.n_names)] : NULL;
		char path[PATH_MAX + NAME_MAX];
		int fd;

		snprintf(path, sizeof(path), "%s/%s",
			 parent && S_ISDIR(parent->mode) ? parent->path : t.directory,
			 guarded_name(below(GUARDED_NAMES)));
		if (below(3))
			mkdir(path, 0777);
		else if ((fd = open(path, O_CREAT | O_WRONLY, 0777)) >= 0)
			close(fd);
		t.n_names = 0;
		if (nftw(t.directory, note_name, 16, FTW_PHYS) < 0)
			die(t.directory);
	}
	for (size_t i = 0; i < t.n_names; i++)
		chmod(t.names[i].path, 0777);
	look(false);
}

static unsigned int depth_of(const char *path)
{
	unsigned int depth = 0;

	for (path += strlen(t.directory); *path; path++)
		depth += *path == '/';
	return depth;
}

/* A name, of something that is there or not, in some directory. */
static void some_name(char path[PATH_MAX + NAME_MAX])
{
	const char *parent = t.directory;

	for (int i = 0; i < 8; i++) {
		const struct name *name = &t.names[below(t.n_names)];

		if (S_ISDIR(name->mode) && depth_of(name->path) < DEPTH_MAX) {
			parent = name->path;
			break;
		}
	}
	snprintf(path, PATH_MAX + NAME_MAX, "%s/%s", parent, guarded_name(below(GUARDED_NAMES)));
}

static void try_step(void)
{
	static const char *const ops[] = { "rename", "rename", "rename", "rename", "exchange",
					   "link",   "create", "mkdir",	 "symlink" };
	const struct name *old = &t.names[below(t.n_names)];
	const char *op = ops[below(ARRAY_SIZE(ops))];
	unsigned int view = below(VIEWS);
	char new[PATH_MAX + NAME_MAX], by[PATH_MAX], new_by[PATH_MAX];
	const char *from = old->path, *to = new;
	int error;

	some_name(new);
	if (!strcmp(op, "exchange"))
		snprintf(new, sizeof(new), "%s", t.names[below(t.n_names)].path);
	/* Under the second name the first one's guard against deleting says nothing. */
	if (!strcmp(op, "link") && guards_of(old->path + strlen(t.directory)) & GUARD_DELETE)
		op = "rename";
	if (t.n_names > 2 * OBJECTS_WANTED)
		op = "delete";
	/* The kernel lets nothing go from one mount to another: both by the same. */
	if (by_view(new_by, view, new) && by_view(by, view, old->path)) {
		from = by;
		to = new_by;
		t.by_view++;
	}
	error = ask(op, from, to);
	snprintf(t.last, sizeof(t.last), "%s %.1000s %.1000s", op, from, to);
	t.done += !error;
	t.exdev += error == EXDEV;
	t.refused += error == EACCES;
	t.failed += error && error != EXDEV && error != EACCES;
	look(true);
}

/* The kernel's word for it: what the first name refused is refused. */
static void try_objects(void)
{
	for (size_t i = 0; i < t.n_names; i++) {
		const struct name *name = &t.names[i];
		const struct object *object = object_of(name);
		unsigned int now = guards_of(name->path + strlen(t.directory));
		char by[PATH_MAX];

		if (!object || !S_ISREG(name->mode))
			continue;
		for (unsigned int use = GUARD_READ; use <= GUARD_WRITE; use <<= 1) {
			const char *path = some_way(by, below(VIEWS), name->path);
			int error = ask(use == GUARD_READ ? "read" : "write", path, "-");

			t.attempts++;
			t.by_view += path == by;
			if ((object->first & use && error != EACCES) || (!(now & use) && error)) {
				t.violations++;
				printf("VIOLATION seed %llu step %lu: %s, first %s: use %u: %s\n",
				       (unsigned long long)t.seed, t.step, path, object->name, use,
				       strerror(error));
			}
		}
	}
}

static void start_worker(char **command)
{
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) < 0 || pipe2(from, O_CLOEXEC) < 0)
		die("pipe");
	if (!fork()) {
		dup2(to[0], STDIN_FILENO);
		dup2(from[1], STDOUT_FILENO);
		execvp(command[0], command);
		die(command[0]);
	}
	close(to[0]);
	close(from[1]);
	t.to = fdopen(to[1], "w");
	t.from = fdopen(from[0], "r");
	if (!t.to || !t.from)
		die("fdopen");
}

int main(int argc, char **argv)
{
	unsigned long steps;

	if (argc == 2 && !strcmp(argv[1], "worker"))
		return worker();
	if (argc == 3 && !strcmp(argv[1], "policy"))
		return print_policy(argv[2]);
	if (argc < 5) {
		fputs("usage: names SEED STEPS DIRECTORY COMMAND...\n", stderr);
		return 2;
	}
	umask(0);
	signal(SIGPIPE, SIG_IGN);
	t.seed = t.state = strtoull(argv[1], NULL, 0);
	steps = strtoul(argv[2], NULL, 0);
	t.directory = argv[3];
	make_mountpoints();
	start_worker(argv + 4);
	for (t.step = 0; t.step < steps; t.step++) {
		if (t.step % STEPS_A_TREE == 0 || !t.n_names)
			make_tree();
		if (!below(VIEW_EVERY))
			make_view();
		try_step();
		if (t.step % ATTEMPTS_EVERY == 0)
			try_objects();
	}
	fclose(t.to);
	printf("seed %llu: %lu steps: %lu done, %lu EXDEV, %lu EACCES, %lu failed; %lu attempts; "
	       "%lu mounts, %lu by one; %lu violations\n",
	       (unsigned long long)t.seed, steps, t.done, t.exdev, t.refused, t.failed, t.attempts,
	       t.mounted, t.by_view, t.violations);
	wait(NULL);
	return t.violations || !t.done || !t.exdev || !t.refused || !t.by_view;
}
