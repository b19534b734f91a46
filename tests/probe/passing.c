/* SPDX-License-Identifier: MPL-2.0 */
/* One message with one byte, since a stream socket passes no descriptor without data. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "passing.h"

/* Aligned as the kernel wants it. */
union control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

int fd_send(int socket, int fd)
{
	union control control = { 0 };
	struct iovec data = { (char[]) { 'x' }, 1 };
	struct msghdr message = { .msg_iov = &data,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	return sendmsg(socket, &message, MSG_NOSIGNAL) < 0 ? -1 : 0;
}

int fd_receive(int socket, bool *ret_cut)
{
	union control control;
	struct iovec data = { (char[1]) { 0 }, 1 };
	struct msghdr message = { .msg_iov = &data,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	struct cmsghdr *header;
	int fd;

	*ret_cut = false;
	if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1)
		return -1;
	*ret_cut = message.msg_flags & MSG_CTRUNC;
	header = CMSG_FIRSTHDR(&message);
	errno = ENOMSG;
	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
	    header->cmsg_len < CMSG_LEN(sizeof(fd)))
		return -1;
	memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
}
