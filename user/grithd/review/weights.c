/* SPDX-License-Identifier: MPL-2.0 */
/* The file is checked on the open descriptor, as policies are. */
#include <fcntl.h>
#include <sys/stat.h>

#include "review.h"

static int check(int fd, const char *path, struct diag *diag)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 022)) {
		diag_add(diag, path, 0, 0, "must belong to root, and nobody else may write to it");
		return -EPERM;
	}
	if (st.st_size > SCORE_WEIGHTS_MAX) {
		diag_add(diag, path, 0, 0, "must have at most %u bytes", SCORE_WEIGHTS_MAX);
		return -E2BIG;
	}
	return 0;
}

int weights_load(const char *directory, struct diag *diag, struct score_weights **ret_weights)
{
	OWNED_TEXT struct text text = { 0 };
	OWNED_MEM char *path = text_format("%s/%s", directory, POLICY_WEIGHTS_FILE);
	OWNED_FD int fd = -1;
	int r;

	if (!path)
		return -ENOMEM;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return -ENOENT;
	r = fd < 0 ? -errno : check(fd, path, diag);
	r = r ?: read_to_end(fd, SCORE_WEIGHTS_MAX, &text);
	if (r == 0)
		return score_weights_read(POLICY_WEIGHTS_FILE, text.data ? text.data : "",
					  text.length, diag, ret_weights);
	if (!diag->count)
		diag_add(diag, path, 0, 0, "cannot be read: %s", strerror(-r));
	return r;
}
