/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Addresses of the internet in 16 bytes, as policies, records and scores have them: IPv4 is mapped
 * into IPv6 (::ffff:a.b.c.d, RFC 4291), and shown as IPv4. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ADDRESS_BYTES 16
#define ADDRESS_TEXT_SIZE 46 /* INET6_ADDRSTRLEN */

bool address_is_v4(const uint8_t address[ADDRESS_BYTES]);
bool address_is_loopback(const uint8_t address[ADDRESS_BYTES]); /* of this machine */

/* false: the text is none. */
bool address_parse(const char *text, size_t length, uint8_t ret_address[ADDRESS_BYTES]);

void address_format(const uint8_t address[ADDRESS_BYTES], char ret_text[ADDRESS_TEXT_SIZE]);
