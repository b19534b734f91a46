/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Socket addresses as the probe's arguments name them. No names are looked up.
 */
#include <arpa/inet.h>
#include <stddef.h>
#include <string.h>

#include "address.h"
#include "probe.h"

int parse_inet(const char *host, const char *port, struct address *ret_address)
{
	struct address a = { 0 };
	unsigned long number;
	int r = parse_number(port, 65535, &number);

	if (r)
		return r;
	if (inet_pton(AF_INET, host, &a.in.sin_addr) == 1) {
		a.in.sin_family = AF_INET;
		a.in.sin_port = htons((unsigned short)number);
		a.length = sizeof(a.in);
	} else if (inet_pton(AF_INET6, host, &a.in6.sin6_addr) == 1) {
		a.in6.sin6_family = AF_INET6;
		a.in6.sin6_port = htons((unsigned short)number);
		a.length = sizeof(a.in6);
	} else {
		return untried("%s is not an address", host);
	}
	*ret_address = a;
	return 0;
}

int parse_unix(const char *name, struct address *ret_address)
{
	struct address a = { 0 };
	size_t length = strlen(name);

	if (length >= sizeof(a.un.sun_path))
		return untried("%s is too long for a socket", name);
	a.un.sun_family = AF_UNIX;
	memcpy(a.un.sun_path, name, length);
	a.length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
	if (name[0] == '@')
		a.un.sun_path[0] = '\0';
	else
		a.length++;
	*ret_address = a;
	return 0;
}
