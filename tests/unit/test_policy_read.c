/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Reading policies: every error with its place and what was expected, settings and what extending
 * does to them, limits, files that must not be trusted, and the choice of a profile. What rules
 * mean is in the table of policy cases.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "policy.h"
#include "policy_image.h"
#include "text.h"

static const struct policy_context context = {
	.project = "/home/ann/project",
	.home = "/home/ann",
	.user = "ann",
	.uid = 1000,
	.directory = "tests/golden/policies",
};

/* Reads a text, with "grith: 1" on its first line, that must fail. */
static void expect_error(const char *body, const char *expected)
{
	CLEANUP(policy_freep) struct policy *policy = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_TEXT struct text text = { 0 };
	OWNED_MEM char *errors = NULL;
	int r;

	text_addf(&text, "grith: 1\n%s", body);
	r = policy_read_text("p", text.data, text.length, &context, &diag, &policy);
	errors = diag_text(&diag);
	cr_expect_eq(r, -EINVAL, "not refused:\n%s", text.data);
	cr_expect(strstr(errors, expected), "expected \"%s\" and not \"%s\" of\n%s", expected,
		  errors, text.data);
	cr_expect_null(policy);
}

static struct policy *expect_ok(const char *body)
{
	struct policy *policy = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_TEXT struct text text = { 0 };
	OWNED_MEM char *errors = NULL;

	text_addf(&text, "grith: 1\n%s", body);
	policy_read_text("p", text.data, text.length, &context, &diag, &policy);
	errors = diag_text(&diag);
	cr_assert(policy, "%s", errors);
	return policy;
}

Test(policy_read, errors_have_places)
{
	static const struct {
		const char *body, *error;
	} cases[] = {
		/* keys and words */
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
		{ "defaults: {reed: deny}",
		  "p:2:12: unknown key \"reed\": did you mean \"read\"?" },
		{ "defaults: {socket: score}", "p:2:20: unknown word \"score\"" },
		{ "thresholds: {hold: x}", "p:2:20: expected a number" },
		{ "thresholds: {hold: -1}", "p:2:20: a threshold is 0 or more" },
		{ "thresholds: {hold: -5, deny: -1}", "p:2:30: a threshold is 0 or more" },
		{ "thresholds: {hold: 9, deny: 8}", "p:2:13: the threshold of hold is above" },
		/* rules */
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
		{ "files: [{allow: read, path: /x, reason: a, b}]",
		  "p:2:44: \"b\" has no value: a" },
		{ "files: [{allow: read, path: /x, final: true}]",
		  "p:2:9: `final` has no meaning" },
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
		{ "network: [{allow: connect, cidr: 10.0.0.1/8}]",
		  "p:2:34: \"10.0.0.1/8\" has bits" },
		{ "network: [{allow: connect, cidr: 10.0.0.0/33}]", "has a wrong number of bits" },
		{ "network: [{allow: connect, cidr: 10.0.0}]", "p:2:34: \"10.0.0\" is not an" },
		{ "network: [{allow: connect, cidr: []}]",
		  "p:2:34: expected at least one network" },
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
		/* YAML */
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
		{ "files: [[[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]]]",
		  "nested too deep (YAML_DEPTH_MAX)" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		expect_error(cases[i].body, cases[i].error);
}

Test(policy_read, all_errors_are_reported)
{
	const char *text = "grith: 2\n"
			   "nane: x\n"
			   "files:\n"
			   "  - {alow: read, path: relative}\n"
			   "  - {allow: [read, raed], path: \"/a/../b\", final: 1}\n";
	CLEANUP(policy_freep) struct policy *policy = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	static const unsigned int lines[] = { 1, 2, 4, 4, 4, 5, 5, 5 };

	cr_assert_eq(policy_read_text("p", text, strlen(text), &context, &diag, &policy), -EINVAL);
	cr_assert_eq(diag.count, ARRAY_SIZE(lines));
	for (size_t i = 0; i < diag.count; i++)
		cr_expect_eq(diag.entries[i].line, lines[i], "%s", diag.entries[i].message);
}

Test(policy_read, version_is_needed)
{
	static const char *const texts[] = { "",  "name: x\n",	 "[]",
					     "x", "# nothing\n", "grith: '1'\n" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CLEANUP(policy_freep) struct policy *policy = NULL;
		OWNED_DIAG struct diag diag = { 0 };

		cr_expect_eq(
			policy_read_text("p", texts[i], strlen(texts[i]), &context, &diag, &policy),
			-EINVAL, "\"%s\"", texts[i]);
		cr_expect_geq(diag.count, 1u);
	}
}

Test(policy_read, settings)
{
	CLEANUP(policy_freep)
	struct policy *p = expect_ok("name: n\nmode: observe\nmatch: [a, b]\n"
				     "thresholds: {hold: 1.5, deny: 2.25}\n"
				     "defaults: {read: allow, unix: hold}\n"
				     "unknown: hide\n");

	cr_expect_str_eq(p->name, "n");
	cr_expect_eq(p->mode, GRITH_OBSERVE);
	cr_expect_eq(p->n_match, 2u);
	cr_expect_eq(p->threshold_hold, 150);
	cr_expect_eq(p->threshold_deny, 225);
	cr_expect_eq(p->defaults[GRITH_CLASS_READ], GRITH_ALLOW);
	cr_expect_eq(p->defaults[GRITH_CLASS_WRITE], GRITH_DENY);
	cr_expect_eq(p->defaults[GRITH_CLASS_CONNECT], GRITH_HOLD);
	cr_expect_eq(p->defaults[GRITH_CLASS_BIND], GRITH_HOLD);
	cr_expect_eq(p->net_defaults[GRITH_NET_CONNECT], GRITH_DENY);
	cr_expect_eq(p->unknown, GRITH_HIDE);
	cr_expect_eq(p->ring, GRITH_ALLOW);
	cr_expect_eq(p->touch, GRITH_DENY);
}

Test(policy_read, what_extending_takes_over)
{
	CLEANUP(policy_freep)
	struct policy *p = expect_ok("name: mine\nextends: parent\nthresholds: {hold: 1}\n"
				     "processes: {outside: deny}\n");

	cr_expect_str_eq(p->name, "mine");
	cr_expect_eq(p->n_match, 0u); /* a parent's commands are not its children's */
	cr_expect_eq(p->mode, GRITH_OBSERVE);
	cr_expect_eq(p->threshold_hold, 100);
	cr_expect_eq(p->threshold_deny, 600);
	cr_expect_eq(p->touch, GRITH_DENY);
	cr_expect_eq(p->signal, GRITH_DENY); /* follows `outside` of the same mapping */
	cr_expect_eq(p->unknown, GRITH_DENY);
	cr_expect_eq(p->n_rules, 3u);
	cr_expect_str_eq(p->rules[0].file, "parent.yaml");
	cr_expect_eq(p->rules[0].line, 11u);
	cr_expect_eq(p->n_classes, 1u);
	cr_expect_str_eq(p->classes[0], "credential");
}

Test(policy_read, reason_and_place_of_a_rule)
{
	CLEANUP(policy_freep)
	struct policy *p = expect_ok("files:\n"
				     "  # a comment\n"
				     "  - allow: read\n"
				     "    path: /x\n"
				     "    reason: \"why, indeed\"\n");

	cr_assert_eq(p->n_rules, 1u);
	cr_expect_eq(p->rules[0].line, 4u);
	cr_expect_str_eq(p->rules[0].file, "p");
	cr_expect_str_eq(p->rules[0].reason, "why, indeed");
}

/* A scalar of many pieces, in each style; sanitizers see what is lost. */
Test(policy_read, scalars_of_many_pieces)
{
	OWNED_TEXT struct text body = { 0 };
	CLEANUP(policy_freep) struct policy *p = NULL;

	text_addf(&body, "files:\n - {deny: read, path: /a, reason: '");
	for (int i = 0; i < 50; i++)
		text_addf(&body, "x''");
	text_addf(&body, "'}\n - {deny: read, path: /a, reason: \"");
	for (int i = 0; i < 50; i++)
		text_addf(&body, "x\\x41");
	text_addf(&body, "\"}\n - deny: read\n   path: /a\n   reason: >-\n");
	for (int i = 0; i < 50; i++)
		text_addf(&body, "     x\n");
	p = expect_ok(body.data);
	cr_assert_eq(p->n_rules, 3u);
	cr_expect_eq(strlen(p->rules[0].reason), 100u);
	cr_expect_eq(strncmp(p->rules[0].reason, "x'x'x'", 6), 0);
	cr_expect_eq(strlen(p->rules[1].reason), 100u);
	cr_expect_eq(strncmp(p->rules[1].reason, "xAxAxA", 6), 0);
	cr_expect_eq(strlen(p->rules[2].reason), 99u);
	cr_expect_eq(strncmp(p->rules[2].reason, "x x x ", 6), 0);
}

Test(policy_read, anchors)
{
	CLEANUP(policy_freep)
	struct policy *p = expect_ok("files:\n"
				     "  - {allow: &ops [read, list], path: &dirs [/a, /b]}\n"
				     "  - {deny: *ops, path: *dirs}\n");

	cr_assert_eq(p->n_rules, 2u);
	cr_expect_eq(p->rules[1].n_globs, 2u);
	cr_expect_eq(p->rules[1].operations, p->rules[0].operations);
}

/* Ten aliases of ten aliases of ...: refused by weight, and soon. */
Test(policy_read, aliases_do_not_multiply)
{
	OWNED_TEXT struct text body = { 0 };

	text_addf(&body, "a: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
	for (int i = 1; i < 12; i++)
		text_addf(&body, "b%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i,
			  i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	expect_error(body.data, "YAML_NODES_MAX");
}

Test(policy_read, keys_are_limited)
{
	OWNED_TEXT struct text body = { 0 };

	for (int i = 0; i < 70; i++)
		text_addf(&body, "k%d: x\n", i);
	expect_error(body.data, "too many keys");
}

Test(policy_read, classes_are_limited)
{
	OWNED_TEXT struct text body = { 0 };

	text_addf(&body, "files:\n");
	for (int i = 0; i < POLICY_CLASSES_MAX; i++)
		text_addf(&body, "  - {deny: read, path: /x, class: c%d}\n", i);
	policy_free(expect_ok(body.data));
	text_addf(&body, "  - {deny: read, path: /x, class: [c0, more]}\n");
	expect_error(body.data, "p:19:40: \"more\": too many classes (POLICY_CLASSES_MAX");
}

Test(policy_read, rules_are_limited)
{
	OWNED_TEXT struct text body = { 0 };

	text_addf(&body, "sockets:\n");
	for (int i = 0; i < POLICY_RULES_MAX; i++)
		text_addf(&body, " - {deny: socket}\n");
	policy_free(expect_ok(body.data));
	text_addf(&body, " - {deny: socket}\n");
	expect_error(body.data, "p:60003:4: too many rules (POLICY_RULES_MAX");
}

Test(policy_read, globs_are_limited)
{
	OWNED_TEXT struct text body = { 0 };

	text_addf(&body, "files:\n");
	for (int i = 0; i < POLICY_GLOBS_MAX / 64 + 1; i++)
		text_addf(&body, " - {deny: read, path: \"/{,a}{,b}{,c}{,d}{,e}{,f}\"}\n");
	expect_error(body.data, "too many globs (POLICY_GLOBS_MAX");
}

Test(policy_read, ports_of_one_address_are_limited)
{
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(policy_image_freep) struct policy_image *image = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_TEXT struct text body = { 0 };

	text_addf(&body, "network:\n");
	for (int i = 0; i < 40; i++)
		text_addf(&body, "  - {allow: connect, port: %d}\n", 2 * i + 1);
	policy = expect_ok(body.data);
	cr_assert_eq(policy_compile(policy, NULL, 0, &diag, &image), -E2BIG);
	cr_assert_eq(diag.count, 1u);
	cr_expect(strstr(diag.entries[0].message, "GRITH_PORT_RANGES"));
}

static void write_file(const char *directory, const char *name, const char *text, mode_t mode)
{
	OWNED_MEM char *path = NULL;
	OWNED_FILE FILE *file = NULL;

	cr_assert_geq(asprintf(&path, "%s/%s", directory, name), 0);
	file = fopen(path, "we");
	cr_assert(file);
	fputs(text, file);
	cr_assert_eq(fchmod(fileno(file), mode), 0);
}

static void remove_directory(const char *directory)
{
	OWNED_MEM char *command = NULL;

	cr_assert_geq(asprintf(&command, "rm -rf '%s'", directory), 0);
	cr_expect_eq(system(command), 0);
}

static int read_in(const char *directory, const char *name, bool trusted, struct text *errors)
{
	const struct policy_context c = { .directory = directory, .trusted = trusted };
	CLEANUP(policy_freep) struct policy *policy = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *path = NULL;
	OWNED_MEM char *text = NULL;
	int r;

	cr_assert_geq(asprintf(&path, "%s/%s", directory, name), 0);
	r = policy_read_file(path, &c, &diag, &policy);
	text = diag_text(&diag);
	errors->length = 0;
	text_addf(errors, "%s", text);
	return r;
}

Test(policy_read, files)
{
	char directory[] = "/tmp/grith-test-XXXXXX";
	OWNED_TEXT struct text errors = { 0 };
	OWNED_TEXT struct text large = { 0 };

	cr_assert(mkdtemp(directory));
	write_file(directory, "one.yaml", "grith: 1\nextends: two\n", 0644);
	write_file(directory, "two.yaml", "grith: 1\nextends: three\n", 0644);
	write_file(directory, "three.yaml", "grith: 1\nextends: one\n", 0644);
	write_file(directory, "good.yaml", "grith: 1\n", 0644);
	write_file(directory, "child.yaml", "grith: 1\nextends: shared\n", 0644);
	write_file(directory, "shared.yaml", "grith: 1\n", 0666);
	write_file(directory, "missing.yaml", "grith: 1\nextends: nothing\n", 0644);
	write_file(directory, "outside.yaml", "grith: 1\nextends: ../good\n", 0644);
	write_file(directory, "bad.yaml", "grith: 1\nextends: wrong\n", 0644);
	write_file(directory, "wrong.yaml", "grith: 1\nmode: x\n", 0644);

	cr_expect_eq(read_in(directory, "one.yaml", false, &errors), -EINVAL);
	cr_expect(strstr(errors.data, "one.yaml:2:10: \"two\" extends itself in the end"), "%s",
		  errors.data);
	cr_expect_eq(read_in(directory, "missing.yaml", false, &errors), -EINVAL);
	cr_expect(strstr(errors.data, "missing.yaml:2:10: \"nothing\" cannot be read"), "%s",
		  errors.data);
	cr_expect_eq(read_in(directory, "outside.yaml", false, &errors), -EINVAL);
	cr_expect(strstr(errors.data, "outside.yaml:2:10: \"../good\" is not a name"), "%s",
		  errors.data);
	cr_expect_eq(read_in(directory, "bad.yaml", false, &errors), -EINVAL);
	cr_expect(strstr(errors.data, "wrong.yaml:2:7: unknown word"), "%s", errors.data);
	cr_expect_eq(read_in(directory, "none.yaml", false, &errors), -EINVAL);
	cr_expect(strstr(errors.data, "none.yaml: cannot be read: No such file"), "%s",
		  errors.data);
	cr_expect_eq(read_in(directory, ".", false, &errors), -EINVAL);
	cr_expect(strstr(errors.data, "not a regular file"), "%s", errors.data);

	/* A file that others can write is one that they can loosen. */
	cr_expect_eq(read_in(directory, "child.yaml", false, &errors), 0, "%s", errors.data);
	cr_expect_eq(read_in(directory, "child.yaml", true, &errors), -EINVAL);
	cr_expect(strstr(errors.data, geteuid() ? "must be owned by root" : "must not be writable"),
		  "%s", errors.data);
	cr_expect_eq(read_in(directory, "good.yaml", true, &errors), geteuid() ? -EINVAL : 0);

	for (unsigned int i = 0; i <= POLICY_TEXT_MAX / 64; i++)
		text_addf(&large, "# %061d\n", 0);
	write_file(directory, "large.yaml", large.data, 0644);
	cr_expect_eq(read_in(directory, "large.yaml", false, &errors), -EINVAL);
	cr_expect(strstr(errors.data, "POLICY_TEXT_MAX"), "%s", errors.data);
	remove_directory(directory);
}

Test(policy_read, extending_is_limited)
{
	char directory[] = "/tmp/grith-test-XXXXXX";
	OWNED_TEXT struct text errors = { 0 };

	cr_assert(mkdtemp(directory));
	for (int i = 0; i <= POLICY_EXTENDS_MAX + 1; i++) {
		char name[32], text[64];

		snprintf(name, sizeof(name), "p%d.yaml", i);
		snprintf(text, sizeof(text), "grith: 1\n%s%.0d", "extends: p", 0);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%d\n", i + 1);
		write_file(directory, name, text, 0644);
	}
	write_file(directory, "p9.yaml", "grith: 1\n", 0644);
	cr_expect_eq(read_in(directory, "p1.yaml", false, &errors), 0, "%s", errors.data);
	cr_expect_eq(read_in(directory, "p0.yaml", false, &errors), -EINVAL);
	cr_expect(strstr(errors.data, "p8.yaml:2:10: \"p9\" is too deep"), "%s", errors.data);
	remove_directory(directory);
}

static int pick(const char *directory, const char *command, struct text *name)
{
	const struct policy_context c = { .directory = directory };
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *found = NULL;
	int r = policy_pick(command, &c, &diag, &found);

	name->length = 0;
	text_addf(name, "%s", found ? found : diag.count ? diag.entries[0].message : "");
	return r;
}

Test(policy_read, profile_of_a_command)
{
	char directory[] = "/tmp/grith-test-XXXXXX";
	OWNED_TEXT struct text name = { 0 };

	cr_assert(mkdtemp(directory));
	write_file(directory, "agent.yaml", "grith: 1\nmatch: [claude, claude-code]\n", 0644);
	write_file(directory, "other.yaml", "grith: 1\nmatch: codex\n", 0644);
	write_file(directory, ".hidden.yaml", "not: [a policy", 0644);
	write_file(directory, "notes.txt", "not: [a policy", 0644);
	cr_expect_eq(pick(directory, "/usr/local/bin/claude", &name), 0);
	cr_expect_str_eq(name.data, "agent");
	cr_expect_eq(pick(directory, "codex", &name), 0);
	cr_expect_str_eq(name.data, "other");
	cr_expect_eq(pick(directory, "vi", &name), -ENOENT);
	write_file(directory, "generic.yaml", "grith: 1\n", 0644);
	cr_expect_eq(pick(directory, "vi", &name), 0);
	cr_expect_str_eq(name.data, "generic");
	write_file(directory, "twice.yaml", "grith: 1\nmatch: [codex]\n", 0644);
	cr_expect_eq(pick(directory, "codex", &name), -EINVAL);
	cr_expect(strstr(name.data, "and so is other.yaml"), "%s", name.data);
	cr_expect_eq(pick(directory, "claude", &name), 0);
	write_file(directory, "broken.yaml", "match: [", 0644);
	cr_expect_eq(pick(directory, "claude", &name), -EINVAL);
	remove_directory(directory);
}

/* The profiles that are shipped. */
Test(policy_read, shipped_profiles)
{
	static const char *const names[] = { "base", "generic", "claude-code", "codex" };
	struct policy_context c = context;

	c.directory = "policy";
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		CLEANUP(policy_freep) struct policy *policy = NULL;
		CLEANUP(policy_image_freep) struct policy_image *image = NULL;
		OWNED_DIAG struct diag diag = { 0 };
		OWNED_MEM char *path = NULL;
		OWNED_MEM char *errors = NULL;
		int r;

		cr_assert_geq(asprintf(&path, "policy/%s.yaml", names[i]), 0);
		r = policy_read_file(path, &c, &diag, &policy);
		if (r == 0)
			r = policy_compile(policy, NULL, 0, &diag, &image);
		errors = diag_text(&diag);
		cr_assert_eq(r, 0, "%s", errors);
		for (size_t k = 0; k < policy->n_rules; k++)
			cr_expect(policy->rules[k].reason, "%s:%u: a rule without its reason",
				  policy->rules[k].file, policy->rules[k].line);
	}
}
