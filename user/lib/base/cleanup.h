/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Owning locals: each is declared with one of these attributes and an initialiser, and what it owns
 * is released when it goes out of scope. TAKE_PTR and TAKE_FD hand ownership on.
 */
#pragma once

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CLEANUP(function) __attribute__((cleanup(function)))

/* Defines function##p, for CLEANUP of a pointer, from a free function that accepts NULL. */
#define DEFINE_CLEANUP(type, function)           \
	static inline void function##p(type **p) \
	{                                        \
		function(*p);                    \
	}

static inline void cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_close(int *fd)
{
	if (*fd >= 0) {
		int saved = errno;

		close(*fd);
		errno = saved;
	}
}

static inline void cleanup_fclose(FILE **f)
{
	if (*f)
		fclose(*f);
}

static inline void cleanup_closedir(DIR **d)
{
	if (*d)
		closedir(*d);
}

#define OWNED_MEM CLEANUP(cleanup_free)
#define OWNED_FD CLEANUP(cleanup_close)
#define OWNED_FILE CLEANUP(cleanup_fclose)
#define OWNED_DIR CLEANUP(cleanup_closedir)

#define TAKE_PTR(p)                         \
	({                                  \
		__typeof__(p) taken_ = (p); \
		(p) = NULL;                 \
		taken_;                     \
	})

#define TAKE_FD(fd)                \
	({                         \
		int taken_ = (fd); \
		(fd) = -1;         \
		taken_;            \
	})

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
