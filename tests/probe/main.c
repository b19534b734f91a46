/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The probe's command line: finds the verb, runs it and turns how it went into the exit status.
 */
#include <stdarg.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "probe.h"

static const struct verb *const tables[] = {
	file_verbs,  metadata_verbs, exec_verbs,     net_verbs,	   option_verbs, unix_verbs,
	uring_verbs, late_verbs,     process_verbs,  adjust_verbs, kernel_verbs, way_verbs,
	tool_verbs,  ipc_verbs,	     terminal_verbs, mount_verbs,
};

static const struct {
	const char *name;
	int value;
} errnos[] = {
	{ "EACCES", EACCES }, { "EPERM", EPERM }, { "ENOENT", ENOENT },
	{ "ESRCH", ESRCH },   { "EXDEV", EXDEV },
};

int untried(const char *format, ...)
{
	va_list list;

	fputs("not tried: ", stderr);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fputc('\n', stderr);
	return PROBE_UNTRIED;
}

int outcome_fd(int fd)
{
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

int parse_number(const char *text, unsigned long max, unsigned long *ret_value)
{
	uint64_t value;

	if (text_parse_u64(text, max, &value) < 0)
		return untried("%s is not a number up to %lu", text, max);
	*ret_value = value;
	return 0;
}

int parse_pid(const char *text, pid_t *ret_pid)
{
	unsigned long value = 0;
	int r = parse_number(text, 4194304, &value); /* PID_MAX_LIMIT */

	if (!r)
		*ret_pid = (pid_t)value;
	return r;
}

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		for (const struct verb *v = tables[i]; v->name; v++)
			if (strcmp(v->name, name) == 0)
				return v;
	return NULL;
}

int run_verb(int argc, char **argv)
{
	const struct verb *verb;

	if (argc < 1)
		return untried("no verb given (see: probe list)");
	verb = find_verb(argv[0]);
	if (!verb)
		return untried("unknown verb %s (see: probe list)", argv[0]);
	if (argc - 1 < verb->min || (verb->max >= 0 && argc - 1 > verb->max))
		return untried("usage: probe %s %s", verb->name, verb->arguments);
	return verb->run(argc, argv);
}

/* 0 for a name that is not in the table. */
static int errno_by_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(errnos); i++)
		if (strcmp(errnos[i].name, name) == 0)
			return errnos[i].value;
	return 0;
}

int attempt(int argc, char **argv)
{
	int expected = EACCES, r;

	if (argc >= 2 && strcmp(argv[0], "--errno") == 0) {
		expected = errno_by_name(argv[1]);
		if (!expected) {
			untried("unknown errno %s", argv[1]);
			return 2;
		}
		argc -= 2;
		argv += 2;
	}
	r = run_verb(argc, argv);
	if (r == 0)
		return 0;
	if (r == PROBE_UNTRIED)
		return 2;
	if (r == PROBE_REFUSED || r == -expected)
		return 1;
	fprintf(stderr, "refused with %s (%s)\n", strerrorname_np(-r), strerror(-r));
	return 3;
}

static int print_verbs(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		for (const struct verb *v = tables[i]; v->name; v++)
			printf("%s%s%s\n", v->name, *v->arguments ? " " : "", v->arguments);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fputs("usage: probe [--errno NAME] VERB [ARGUMENT]... | probe list\n", stderr);
		return 2;
	}
	if (argc == 2 && strcmp(argv[1], "list") == 0)
		return print_verbs();
	return attempt(argc - 1, argv + 1);
}
