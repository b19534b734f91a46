/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What an answer is good for: the same thing asked of the same object, and nothing else.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "stage.h"

static int try_same_mode(void)
{
	int r = status_of(chmod(HELD "/file", 0640));

	return r ? r : status_of(chmod(HELD "/file", 0640));
}

static int try_modes(void)
{
	int r = status_of(chmod(HELD "/file", 0600));

	return r ? r : status_of(chmod(HELD "/file", 04755));
}

static int try_owners(void)
{
	int r = status_of(chown(HELD "/file", 1, 1));

	return r ? r : status_of(chown(HELD "/file", 1, 2));
}

/* A mode's number as an owner's. */
static int try_mode_or_owner(void)
{
	int r = status_of(chmod(HELD "/file", 0600));

	return r ? r : status_of(chown(HELD "/file", 0, 0600));
}

static int try_nodes(void)
{
	int r = status_of(mknod(HELD "/node", S_IFREG | 0600, 0));

	if (r == 0)
		r = status_of(unlink(HELD "/node"));
	return r ? r : status_of(mknod(HELD "/node", S_IFREG | 04755, 0));
}

static int try_overwriting(void)
{
	int r = status_of(open(HELD "/file", O_WRONLY));

	return r ? r : status_of(open(HELD "/file", O_WRONLY | O_TRUNC));
}

static int try_exchange(void)
{
	int r = status_of(
		renameat2(AT_FDCWD, HELD "/file", AT_FDCWD, HELD "/true", RENAME_EXCHANGE));

	return r ? r : status_of(rename(HELD "/file", HELD "/true"));
}

/* The same names, and another file. */
static int try_renames(void)
{
	int r = status_of(rename(HELD "/file", HELD "/moved"));

	if (r == 0)
		r = status_of(unlink(HELD "/moved"));
	if (r == 0)
		r = status_of(mknod(HELD "/file", S_IFREG | 0600, 0));
	return r ? r : status_of(rename(HELD "/file", HELD "/moved"));
}

static int try_links(void)
{
	int r = status_of(symlink("one", HELD "/link"));

	if (r == 0)
		r = status_of(unlink(HELD "/link"));
	return r ? r : status_of(symlink("two", HELD "/link"));
}

static int try_nameless(void)
{
	int r = status_of(open(HELD, O_RDWR | O_TMPFILE, 0600));

	return r ? r : status_of(open(HELD, O_RDWR | O_TMPFILE, 0600));
}

static void check_requests(struct stage *s)
{
	static const struct {
		const char *name;
		attempt_fn *attempt;
		unsigned int questions; /* with answers for the session */
	} requests[] = {
		{ "the same mode", try_same_mode, 1 },
		{ "two modes", try_modes, 2 },
		{ "two owners", try_owners, 2 },
		{ "mode or owner", try_mode_or_owner, 2 },
		{ "two modes of a new file", try_nodes, 3 },
		{ "overwriting", try_overwriting, 2 },
		{ "exchange", try_exchange, 2 },
		{ "another file of this name", try_renames, 4 },
		{ "two targets of a link", try_links, 3 },
		{ "files without a name", try_nameless, 1 },
	};

	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++) {
		int status;

		make_objects();
		stage_reset(s);
		status = run_answered(s, requests[i].attempt, GRITH_ALLOW, false);
		check(s->tally, status == 0 && s->holds == requests[i].questions,
		      "%s: %s, %u questions", requests[i].name, strerror(status), s->holds);
	}
}

/* An answer for one operation is used up by making the call again, although the file is another. */
static void check_nameless_once(struct stage *s)
{
	int status;

	make_objects();
	stage_reset(s);
	status = run_answered(s, try_nameless, GRITH_ALLOW, true);
	check(s->tally, status == 0 && s->holds == 2, "files without a name, once each: %s, %u",
	      strerror(status), s->holds);
}

static int try_attribute_one(void)
{
	return status_of(setxattr(HELD "/file", "trusted.test", "1", 1, 0));
}

static int try_attribute_two(void)
{
	return status_of(setxattr(HELD "/file", "trusted.test", "2", 1, 0));
}

static int try_attribute_other(void)
{
	return status_of(setxattr(HELD "/file", "trusted.other", "1", 1, 0));
}

static int try_attribute_removed(void)
{
	return status_of(removexattr(HELD "/file", "trusted.test"));
}

static void check_attributes(struct stage *s)
{
	attempt_fn *const others[] = { try_attribute_two, try_attribute_other,
				       try_attribute_removed };
	int status;

	make_objects();
	stage_reset(s);
	s->refused = 0;
	status = wait_ended(s, start(s, try_attribute_one));
	check(s->tally, status == EACCES && s->refused == 1, "attribute: %s, %u questions",
	      strerror(status), s->refused);
	answer(s, GRITH_ALLOW, false);
	status = wait_ended(s, start(s, try_attribute_one));
	check(s->tally, status == 0, "attribute: answered and refused: %s", strerror(status));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		status = wait_ended(s, start(s, others[i]));
		check(s->tally, status == EACCES, "attribute: other request %zu: %s", i,
		      strerror(status));
	}
}

void test_request(struct tally *tally)
{
	struct stage s;
	int r = stage_open(&s, tally);

	if (check(tally, r == 0, "no session: %s", strerror(-r))) {
		check_requests(&s);
		check_nameless_once(&s);
		check_attributes(&s);
	}
	stage_close(&s);
}
