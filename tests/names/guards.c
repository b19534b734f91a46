/* SPDX-License-Identifier: MPL-2.0 */
/* Guards by the components of a path, once as rules and once as what is expected of them. */
#include "lib/base/base.h"
#include "names.h"

static const struct {
	const char *above, *name; /* components; above NULL: any */
	unsigned int guard;
	const char *rule, *section;
} guards[] = {
	{ NULL, "r", GUARD_READ, "deny: read", "files" },
	{ NULL, "w", GUARD_WRITE, "deny: [write, create]", "files" },
	{ NULL, "m", GUARD_METADATA, "deny: metadata", "files" },
	{ NULL, "l", GUARD_LIST, "deny: list", "files" },
	{ NULL, "d", GUARD_DELETE, "deny: delete", "files" },
	{ "k", "s", GUARD_READ, "deny: read", "files" },
	{ "g", "h", GUARD_WRITE, "deny: [write, create]", "files" },
	{ NULL, "x", GUARD_EXEC, "deny: exec", "exec" },
};

static const char *const names[GUARDED_NAMES] = { "a", "b", "c", "r", "w", "m",	  "l",	"d",
						  "x", "k", "s", "g", "h", "a.y", "b.y" };

const char *guarded_name(unsigned int number)
{
	return names[number % GUARDED_NAMES];
}

static bool is(const char *component, size_t length, const char *name)
{
	return strlen(name) == length && !memcmp(component, name, length);
}

unsigned int guards_of(const char *path)
{
	const char *above = NULL, *component;
	size_t above_length = 0, length;
	unsigned int found = 0;

	for (component = path; *component; component += length) {
		while (*component == '/')
			component++;
		length = strcspn(component, "/");
		for (size_t i = 0; i < ARRAY_SIZE(guards); i++)
			if (is(component, length, guards[i].name) &&
			    (!guards[i].above ||
			     (above && is(above, above_length, guards[i].above))))
				found |= guards[i].guard;
		if (!component[length] && length > 2 && !strcmp(component + length - 2, ".y"))
			found |= GUARD_READ;
		above = component;
		above_length = length;
	}
	return found;
}

static void print_rules(const char *directory, const char *section)
{
	printf("%s:\n", section);
	for (size_t i = 0; i < ARRAY_SIZE(guards); i++)
		if (!strcmp(guards[i].section, section))
			printf("  - {%s, path: \"%s/**/%s%s%s/**\"}\n", guards[i].rule, directory,
			       guards[i].above ? guards[i].above : "", guards[i].above ? "/" : "",
			       guards[i].name);
}

int print_policy(const char *directory)
{
	printf("grith: 1\nname: names\nextends: lenient\nnamespaces: allow\n");
	print_rules(directory, "files");
	printf("  - {deny: read, path: \"%s/**/*.y\"}\n", directory);
	print_rules(directory, "exec");
	return 0;
}
