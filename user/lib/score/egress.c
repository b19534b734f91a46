/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Where an argument or an address leads. Parses URLs as curl does (RFC 3986, with what is missing
 * left out); what it takes for a host is compared, never connected to.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <strings.h>

#include "egress.h"
#include "weights_internal.h"

const char *egress_scheme(const char *argument, size_t *ret_length)
{
	const char *end = strstr(argument, "://"), *start = end;

	while (start && start > argument &&
	       (isalnum((unsigned char)start[-1]) || strchr("+-.", start[-1])))
		start--;
	if (!end || start == end)
		return NULL;
	*ret_length = end - start;
	return start;
}

/* The host at the beginning of an authority. */
static const char *host_of(const char *authority, size_t *ret_length)
{
	const char *end = authority + strcspn(authority, "/?#\\ \t\n'\"");
	const char *at = end > authority ? memrchr(authority, '@', end - authority) : NULL;
	const char *host = at ? at + 1 : authority;
	const char *bracket = *host == '[' ? memchr(host, ']', end - host) : NULL;

	if (bracket) {
		*ret_length = bracket - (host + 1);
		return host + 1;
	}
	*ret_length = strcspn(host, ":/?#\\ \t\n'\"");
	return host;
}

static bool may_be_host(const char *host, size_t length)
{
	bool dot = false;

	for (size_t i = 0; i < length; i++) {
		unsigned char c = host[i];

		if (!isalnum(c) && c != '-' && c != '_' && c != '.')
			return false;
		dot = dot || (c == '.' && i && i + 1 < length);
	}
	return dot;
}

const char *egress_host(const char *argument, size_t *ret_length, bool *ret_is_url)
{
	const char *scheme = strstr(argument, "://");
	const char *host = NULL;
	size_t length = 0;

	if (scheme)
		host = host_of(scheme + 3, &length);
	else if (*argument != '-' && *argument != '.' && *argument != '/')
		host = host_of(argument, &length);
	if (!host || !length || (!scheme && !may_be_host(host, length)))
		return NULL;
	*ret_length = length;
	*ret_is_url = scheme;
	return host;
}

const char *egress_authority(const char *argument, size_t *ret_length)
{
	const char *scheme = strstr(argument, "://");

	return host_of(scheme ? scheme + 3 : argument, ret_length);
}

bool egress_is_address(const char *host, size_t length)
{
	char text[INET6_ADDRSTRLEN];
	struct in6_addr six;
	struct in_addr four;

	if (!length || length >= sizeof(text))
		return false;
	memcpy(text, host, length);
	text[length] = '\0';
	if (inet_pton(AF_INET6, text, &six) == 1)
		return true;
	/* Also 10.1, 0x7f000001 and the other spellings of inet_aton(3). */
	return text[strspn(text, "0123456789abcdefABCDEFxX.")] == '\0' &&
	       isdigit((unsigned char)text[0]) && inet_aton(text, &four) != 0;
}

bool egress_is_local_name(const struct score_weights *weights, const char *host, size_t length)
{
	const struct score_list *names = score_loopback_names(weights);

	if (length > 4 && !memcmp(host, "127.", 4) && egress_is_address(host, length))
		return true;
	for (size_t i = 0; i < names->count; i++) {
		const char *name = names->items[i].text;

		if (strlen(name) == length && !strncasecmp(name, host, length))
			return true;
	}
	return false;
}

bool egress_is_local(const struct score_weights *weights, const struct score_operation *operation)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	static const uint8_t zero[16] = { 0 };
	const uint8_t *address = operation->address;

	if (!memcmp(address, mapped, sizeof(mapped)))
		return address[12] == 127 || !memcmp(address + 12, zero, 4);
	if (memcmp(address, zero, 15) != 0 || address[15] > 1)
		return false;
	/* Address 0 also means that it is unknown: then the host name decides. */
	return address[15] || !operation->host ||
	       egress_is_local_name(weights, operation->host, strlen(operation->host));
}
