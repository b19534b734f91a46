/* SPDX-License-Identifier: MPL-2.0 */
/* Descriptors over a unix socket (unix(7), SCM_RIGHTS), one in a message. */
#pragma once

#include <stdbool.h>

/* 0 or -1 with errno. */
int fd_send(int socket, int fd);

/*
 * The descriptor, which is the caller's; -1 with errno: none came, and *ret_cut is whether one was
 * taken out of the message.
 */
int fd_receive(int socket, bool *ret_cut);
