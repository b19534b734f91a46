/* SPDX-License-Identifier: MPL-2.0 */
/* What is wrong with a policy: every error, with its place and what was expected. */
#include "test_policy.h"

struct error_case {
	const char *body, *error;
};

static const struct error_case keys[] = {
	{ "fles: []", "p:2:1: unknown key \"fles\": did you mean \"files\"?" },
	{ "zzz: 1", "p:2:1: unknown key \"zzz\": expected: grith, name, extends" },
	{ "grith: 1", "p:2:1: \"grith\" was given before, on line 1" },
	{ "mode: enforced", "p:2:7: unknown word \"enforced\": did you mean \"enforce\"?" },
	{ "mode: [enforce]", "p:2:7: expected a word: enforce, observe" },
	{ "name: -x", "p:2:7: \"-x\" is not a name" },
	{ "name:", "p:2:1: expected text" },
	{ "match: [a, b/c]", "p:2:12: \"b/c\" is not a name" },
	{ "unknown: maybe", "p:2:10: unknown word \"maybe\"" },
	{ "io_uring: allow", "p:2:11: unknown word \"allow\": expected: enforce, deny" },
	{ "processes: {outside: hold}", "p:2:22: unknown word \"hold\"" },
	{ "processes: {inside: deny}",
	  "p:2:13: unknown key \"inside\": expected: outside, signal" },
	{ "processes: deny", "p:2:12: unknown mapping with some of these keys" },
	{ "defaults: {reed: deny}", "p:2:12: unknown key \"reed\": did you mean \"read\"?" },
	{ "defaults: {socket: score}", "p:2:20: unknown word \"score\"" },
	{ "thresholds: {hold: x}", "p:2:20: expected a number" },
	{ "thresholds: {hold: -1}", "p:2:20: a threshold is 0 or more" },
	{ "thresholds: {hold: -5, deny: -1}", "p:2:30: a threshold is 0 or more" },
	{ "thresholds: {hold: 9, deny: 8}", "p:2:13: the threshold of hold is above" },
};

static const struct error_case rules[] = {
	{ "files: {}", "p:2:8: expected a list of rules" },
	{ "files:", "p:2:1: expected a list of rules" },
	{ "files: [x]", "p:2:9: expected a rule" },
	{ "files: [{path: /x}]", "p:2:9: a rule needs allow, deny, hide, hold or score" },
	{ "files: [{allow: read}]", "p:2:9: a path is missing" },
	{ "files: [{allow: read, deny: write, path: /x}]", "p:2:23: \"deny\" besides" },
	{ "files: [{allow: raed, path: /x}]",
	  "p:2:17: unknown operation \"raed\": did you mean \"read\"?" },
	{ "files: [{allow: connect, path: /x}]", "p:2:17: unknown operation \"connect\"" },
	{ "files: [{allow: [], path: /x}]", "p:2:17: expected at least one operation" },
	{ "files: [{allow: read, path: []}]", "p:2:29: expected at least one glob" },
	{ "files: [{allow: read, path: x}]", "p:2:29: \"x\" must start with /" },
	{ "files: [{allow: read, path: [/a, \"/b{1\"]}]", "p:2:34: \"/b{1\" a brace" },
	{ "files: [{allow: read, path: \"@x\"}]", "p:2:29: \"@x\": names of abstract" },
	{ "files: [{allow: read, path: \"${HOEM}/x\"}]", "p:2:29: \"${HOEM}/x\" has a" },
	{ "files: [{allow: read, path: {a: b}}]", "p:2:29: expected text" },
	{ "files: [{allow: read, path: /x, host: h}]", "p:2:33: unknown key \"host\"" },
	{ "files: [{allow: read, path: /x, reason: a, b}]", "p:2:44: \"b\" has no value: a" },
	{ "files: [{allow: read, path: /x, final: true}]", "p:2:9: `final` has no meaning" },
	{ "files: [{deny: read, path: /x, final: yes}]", "p:2:39: expected true or false" },
	{ "files: [{deny: read, path: /x, final: \"true\"}]", "p:2:39: expected true or" },
	{ "files: [{score: 1, path: /x}]", "p:2:9: a score needs `on:" },
	{ "files: [{score: 1.234, on: read, path: /x}]", "p:2:17: expected a number" },
	{ "files: [{score: 101, on: read, path: /x}]", "p:2:17: expected a number" },
	{ "files: [{score: 1., on: read, path: /x}]", "p:2:17: expected a number" },
	{ "files: [{score: .5, on: read, path: /x}]", "p:2:17: expected a number" },
	{ "files: [{score: --1, on: read, path: /x}]", "p:2:17: expected a number" },
	{ "files: [{allow: read, on: read, path: /x}]", "p:2:27: `on` belongs to score" },
	{ "files: [{judge: argv, path: /x}]", "p:2:10: unknown key \"judge\"" },
	{ "exec: [{judge: arg, path: /x}]", "p:2:16: unknown word \"arg\": did you mean" },
	{ "exec: [{allow: read, path: /x}]", "p:2:16: unknown operation \"read\"" },
};

static const struct error_case rules_of_the_network[] = {
	{ "network: [{allow: connect, cidr: 10.0.0.1/8}]", "p:2:34: \"10.0.0.1/8\" has bits" },
	{ "network: [{allow: connect, cidr: 10.0.0.0/33}]", "has a wrong number of bits" },
	{ "network: [{allow: connect, cidr: 10.0.0}]", "p:2:34: \"10.0.0\" is not an" },
	{ "network: [{allow: connect, cidr: []}]", "p:2:34: expected at least one network" },
	{ "network: [{allow: connect, port: 65536}]", "p:2:34: expected a port" },
	{ "network: [{allow: connect, port: 9-1}]", "p:2:34: expected a port" },
	{ "network: [{allow: connect, port: -1}]", "p:2:34: expected a port" },
	{ "network: [{allow: connect, port: 0x50}]", "p:2:34: expected a port" },
	{ "network: [{allow: connect, host: 1.2.3.4}]", "addresses go to cidr" },
	{ "network: [{allow: connect, host: \"*.*.x\"}]", "is not a host name" },
	{ "network: [{allow: connect, host: a..b}]", "is not a host name" },
	{ "network: [{allow: connect, host: \"a.example\\nb\"}]", "is not a host name" },
	{ "network: [{allow: connect, except: /x}]", "p:2:28: unknown key \"except\"" },
	{ "sockets: [{allow: socket, family: ipv4}]", "p:2:35: unknown word \"ipv4\"" },
	{ "sockets: [{allow: socket, type: stream}]", "p:2:33: unknown word \"stream\"" },
	{ "sockets: [{score: 1, on: socket}]", "p:2:12: unknown key \"score\"" },
};

static const struct error_case yaml[] = {
	{ "files: [", "p:" },
	{ "a: \"x", "not YAML" },
	{ "\tname: x", "not YAML" },
	{ "%YAML 1.2\n---\nname: x", "p:2:1: directives" },
	{ "name: x\ny: \xff", "p:3: not UTF-8" },
	{ "name: \x01x", "p:2:7: a control character" },
	{ "name: !!str x", "p:2:13: tags" },
	{ "name: *x", "p:2:7: an alias without an anchor" },
	{ "files: &a [*a]", "p:2:12: an alias to what it is a part of" },
	{ "? [a]\n: b", "a key must be a word" },
	{ "name: x\n---\nname: y", "only one YAML document" },
	{ "name: \"a\\0b\"", "p:2:7: a NUL byte" },
	{ "files: [[[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]]]", "nested too deep (YAML_DEPTH_MAX)" },
};

static void expect_errors(const struct error_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		expect_error(cases[i].body, cases[i].error);
}

Test(policy_errors, have_places)
{
	expect_errors(keys, ARRAY_SIZE(keys));
	expect_errors(rules, ARRAY_SIZE(rules));
	expect_errors(rules_of_the_network, ARRAY_SIZE(rules_of_the_network));
	expect_errors(yaml, ARRAY_SIZE(yaml));
}

Test(policy_errors, are_all_reported)
{
	const char *text = "grith: 2\n"
			   "nane: x\n"
			   "files:\n"
			   "  - {alow: read, path: relative}\n"
			   "  - {allow: [read, raed], path: \"/a/../b\", final: 1}\n";
	CLEANUP(policy_freep) struct policy *policy = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	static const unsigned int lines[] = { 1, 2, 4, 4, 4, 5, 5, 5 };

	cr_assert_eq(policy_read_text("p", text, strlen(text), &test_context, &diag, &policy),
		     -EINVAL);
	cr_assert_eq(diag.count, ARRAY_SIZE(lines));
	for (size_t i = 0; i < diag.count; i++)
		cr_expect_eq(diag.entries[i].line, lines[i], "%s", diag.entries[i].message);
}

Test(policy_errors, version_is_needed)
{
	static const char *const texts[] = { "",  "name: x\n",	 "[]",
					     "x", "# nothing\n", "grith: '1'\n" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CLEANUP(policy_freep) struct policy *policy = NULL;
		OWNED_DIAG struct diag diag = { 0 };

		cr_expect_eq(policy_read_text("p", texts[i], strlen(texts[i]), &test_context, &diag,
					      &policy),
			     -EINVAL, "\"%s\"", texts[i]);
		cr_expect_geq(diag.count, 1u);
	}
}
