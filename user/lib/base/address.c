/* SPDX-License-Identifier: MPL-2.0 */
/* inet_pton(3) and inet_ntop(3) do the work. */
#include <arpa/inet.h>
#include <string.h>

#include "address.h"

#define V4_AT 12
_Static_assert(ADDRESS_TEXT_SIZE == INET6_ADDRSTRLEN, "all that inet_ntop() writes");

static const uint8_t mapped[V4_AT] = { [10] = 0xff, [11] = 0xff };

bool address_is_v4(const uint8_t address[ADDRESS_BYTES])
{
	return !memcmp(address, mapped, V4_AT);
}

bool address_is_loopback(const uint8_t address[ADDRESS_BYTES])
{
	static const uint8_t loopback[ADDRESS_BYTES] = { [15] = 1 };

	return address_is_v4(address) ? address[V4_AT] == 127
				      : !memcmp(address, loopback, ADDRESS_BYTES);
}

bool address_parse(const char *text, size_t length, uint8_t ret_address[ADDRESS_BYTES])
{
	uint8_t address[ADDRESS_BYTES];
	char copy[ADDRESS_TEXT_SIZE];

	if (!length || length >= sizeof(copy))
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	if (inet_pton(AF_INET6, copy, address) != 1) {
		memcpy(address, mapped, V4_AT);
		if (inet_pton(AF_INET, copy, address + V4_AT) != 1)
			return false;
	}
	memcpy(ret_address, address, sizeof(address));
	return true;
}

void address_format(const uint8_t address[ADDRESS_BYTES], char ret_text[ADDRESS_TEXT_SIZE])
{
	if (address_is_v4(address))
		inet_ntop(AF_INET, address + V4_AT, ret_text, ADDRESS_TEXT_SIZE);
	else
		inet_ntop(AF_INET6, address, ret_text, ADDRESS_TEXT_SIZE);
}
