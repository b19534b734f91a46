/* SPDX-License-Identifier: MPL-2.0 */
/* What grithd makes of the file of weights: with it, with a broken one, and without. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <criterion/criterion.h>

#include "harness_hold.h"

TestSuite(weights, .init = harness_set_up, .fini = harness_tear_down, .timeout = 120);

/* The readers of policies take any list of texts; that nobody knows it only the filters see. */
Test(weights, check_reads_all_of_them)
{
	char *said;

	write_file(at("policy/weights.yaml"), "grith-weights: 1\n"
					      "filters:\n"
					      "  secret-scan:\n"
					      "    enabled: true\n"
					      "    lists: {nonsense: [a]}\n");
	cr_assert_eq(daemon_fails("--check"), 1);
	said = read_file(at("err"));
	cr_assert_not_null(strstr(said, "weights.yaml:5:"), "%s", said);
	free(said);
}

Test(weights, check_of_the_shipped_ones)
{
	char *text = read_file("policy/weights.yaml");

	write_file(at("policy/weights.yaml"), text);
	cr_assert_eq(daemon_fails("--check"), 0);
	free(text);
}

Test(weights, what_was_learned_is_forgotten_without_them)
{
	static const char learned[] =
		"{\"v\":1,\"users\":{\"0\":{\"trust\":1,\"keys\":[{\"profile\":\"generic\","
		"\"op\":\"write\",\"program\":\"/usr/bin/sed\",\"object\":\"/a/b\","
		"\"approved\":3.5,\"denied\":0.0,\"time\":1700000000}]}}}";
	char *text;

	mkdir(at("state"), 0700);
	write_file(at("state/trust.json"), learned);
	chmod(at("state/trust.json"), 0600);
	daemon_start();
	cr_assert_str_eq(error_of(ask("{\"v\":1,\"do\":\"trust\",\"reset\":\"none\"}")),
			 "not_found");
	cr_assert(is_ok(
		ask("{\"v\":1,\"do\":\"trust\",\"reset\":\"0 generic write /usr/bin/sed /a/b\"}")));
	text = read_file(at("state/trust.json"));
	cr_assert_null(strstr(text, "sed"), "%s", text);
	free(text);
}
