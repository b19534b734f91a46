/* SPDX-License-Identifier: MPL-2.0 */
/* Servers of names: what of resolv.conf(5) counts. */
#include <criterion/criterion.h>

#include "lib/session/session.h"

Test(session_resolvers, only_servers_count)
{
	struct resolvers resolvers = { 0 };

	resolvers_parse("# nameserver 192.0.2.1\n"
			"nameserver 192.0.2.2\n"
			"nameserver\tfe80::1%eth0 \n"
			"nameservers 192.0.2.3\n"
			"nameserver192.0.2.4\n"
			"nameserver 192.0.2.2\n"
			"nameserver no address\n"
			"search example.org\n"
			"nameserver",
			&resolvers);
	cr_assert_eq(resolvers.count, 2);
	cr_expect_eq(resolvers.list[0].address[15], 2);
	cr_expect_eq(resolvers.list[1].address[0], 0xfe);
	cr_expect_eq(resolvers.list[1].bits, 128);
}

Test(session_resolvers, a_long_list_is_cut)
{
	OWNED_TEXT struct text text = { 0 };
	struct resolvers resolvers = { 0 };

	for (unsigned int i = 0; i < 2 * RESOLVERS_MAX; i++)
		text_addf(&text, "nameserver 192.0.2.%u\n", i);
	resolvers_parse(text.data, &resolvers);
	cr_expect_eq(resolvers.count, RESOLVERS_MAX);
}
