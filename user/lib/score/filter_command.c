/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "command": commands that take other rights, start something later, or hand data on to
 * the network, each looked at as the shell would run it.
 */
#include <string.h>

#include "internal.h"

enum {
	PIPE_TO_CURL = 0,
	PIPE_TO_NC,
	PIPE_TO_WGET,
	BASE64_DECODE,
	SUDO,
	CHMOD_SET_ID,
	CHOWN_ROOT,
	CRONTAB,
	SYSTEMCTL,
	STARTUP_FILE,
};
enum { LIST_NC = 0, LIST_SUDO, LIST_SYSTEMCTL_READING, LIST_STARTUP_FILES };

static const char *const numbers[] = {
	[PIPE_TO_CURL] = "pipe-to-curl",
	[PIPE_TO_NC] = "pipe-to-nc",
	[PIPE_TO_WGET] = "pipe-to-wget",
	[BASE64_DECODE] = "base64-decode",
	[SUDO] = "sudo",
	[CHMOD_SET_ID] = "chmod-set-id",
	[CHOWN_ROOT] = "chown-root",
	[CRONTAB] = "crontab",
	[SYSTEMCTL] = "systemctl",
	[STARTUP_FILE] = "startup-file",
};
static const struct score_list_kind lists[] = {
	[LIST_NC] = { "nc", SCORE_WORDS },
	[LIST_SUDO] = { "sudo", SCORE_WORDS },
	[LIST_SYSTEMCTL_READING] = { "systemctl-reading", SCORE_WORDS },
	[LIST_STARTUP_FILES] = { "startup-files", SCORE_WORDS },
};

#define SYSTEMCTL_VALUED "-H --host -M --machine -t --type -p --property -P -n --lines -o --output"

static const struct score_list *list_of(const struct judged *judged, size_t list)
{
	return score_list(judged->weights, FILTER_COMMAND, list);
}

static void add(const struct judged *judged, struct score *score, size_t number, const char *why)
{
	score_add(score, FILTER_COMMAND, score_number(judged->weights, FILTER_COMMAND, number),
		  "%s", why);
}

static void judge_pipe(const struct judged *judged, const struct action *a, struct score *score)
{
	if (!a->command->piped_in)
		return;
	if (!strcmp(a->program, "curl"))
		add(judged, score, PIPE_TO_CURL, "output goes to curl");
	else if (!strcmp(a->program, "wget"))
		add(judged, score, PIPE_TO_WGET, "output goes to wget");
	else if (score_list_has(list_of(judged, LIST_NC), a->program))
		add(judged, score, PIPE_TO_NC, "output goes to the network");
}

static bool decodes(const struct action *a)
{
	bool by_openssl = !strcmp(a->program, "openssl") && a->n_words > 1 &&
			  (action_is(&a->words[1], "base64") || action_is(&a->words[1], "enc"));

	if (by_openssl) {
		for (size_t i = 2; i < a->n_words; i++)
			if (action_is(&a->words[i], "-d"))
				return true;
		return false;
	}
	return (!strcmp(a->program, "base64") || !strcmp(a->program, "base32") ||
		!strcmp(a->program, "basenc")) &&
	       (action_has(a, 'd', "--decode") || action_has(a, 'D', NULL));
}

/* The words up to the program that runs in the end: sudo may be any of them. */
static bool takes_rights(const struct judged *judged, const struct action *a)
{
	const struct score_list *programs = list_of(judged, LIST_SUDO);

	for (const struct shell_word *word = a->command->words; word < a->words; word++)
		if (score_list_has(programs, place_name(word->text)))
			return true;
	return score_list_has(programs, a->program);
}

/* Whether a mode of chmod(1) sets the user or group at execution: "u+s", "+xs", "4755", "02755". */
static bool sets_id(const char *mode)
{
	size_t length = strspn(mode, "01234567");
	const char *sign;

	if (!mode[length])
		return length >= 4 && strchr("234567", mode[length - 4]);
	for (sign = strpbrk(mode, "+="); sign; sign = strpbrk(sign + 1, "+=")) {
		size_t n = strspn(sign + 1, "rwxXstugo");

		if (memchr(sign + 1, 's', n))
			return true;
	}
	return false;
}

static void judge_owner(const struct judged *judged, const struct action *a, struct score *score)
{
	const struct shell_word *first = action_operand(a, 0, NULL);

	if (!first)
		return;
	if (!strcmp(a->program, "chmod")) {
		/* "-s" and the like look like options, and take the bit away. */
		if (sets_id(first->text))
			add(judged, score, CHMOD_SET_ID, "a program would run as its owner");
	} else if (!strcmp(a->program, "chown")) {
		size_t n = strcspn(first->text, ":.");

		if ((n == 4 && !memcmp(first->text, "root", 4)) || (n == 1 && *first->text == '0'))
			add(judged, score, CHOWN_ROOT, "a file would become root's");
	}
}

static void judge_services(const struct judged *judged, const struct action *a, struct score *score)
{
	const struct shell_word *verb;

	if (!strcmp(a->program, "crontab")) {
		if (!action_has(a, 'l', NULL) && !action_has(a, '\0', "--help"))
			add(judged, score, CRONTAB, "commands that run later");
	} else if (!strcmp(a->program, "systemctl")) {
		verb = action_operand(a, 0, SYSTEMCTL_VALUED);
		/* Without one it lists the units. */
		if (verb && !score_list_has(list_of(judged, LIST_SYSTEMCTL_READING), verb->text))
			add(judged, score, SYSTEMCTL, "services of the system");
	}
}

/* Programs that write no file they name, and shells' own words for reading one. */
static bool only_reads(const struct action *a)
{
	static const char *const readers[] = {
		"cat",	 "less", "more",      "head",	  "tail",     "grep", "egrep",
		"fgrep", "rg",	 "ls",	      "stat",	  "file",     "wc",   "diff",
		"cmp",	 "echo", "printf",    "test",	  "[",	      "[[",   "source",
		".",	 "find", "md5sum",    "realpath", "readlink", "bat",  "awk",
		"cut",	 "sort", "sha256sum", "basename", "dirname",
	};

	for (size_t i = 0; i < ARRAY_SIZE(readers); i++)
		if (!strcmp(a->program, readers[i]))
			return true;
	return !strcmp(a->program, "sed") && !action_has(a, 'i', "--in-place");
}

static bool is_startup_file(const struct judged *judged, const struct shell_word *word)
{
	/* A text is no name of a file. */
	return !strpbrk(word->text, " \t\n") &&
	       score_list_has(list_of(judged, LIST_STARTUP_FILES), place_name(word->text));
}

static void judge_startup(const struct judged *judged, const struct action *a, struct score *score)
{
	const struct shell_command *command = a->command;
	bool named = false;

	for (size_t i = 1; i < a->n_words && !named && !only_reads(a); i++)
		named = is_startup_file(judged, &a->words[i]);
	for (size_t i = 0; i < command->n_redirects && !named; i++) {
		const struct shell_redirect *redirect = &command->redirects[i];

		named = redirect->kind != SHELL_READ && redirect->kind != SHELL_HERE &&
			is_startup_file(judged, &redirect->target);
	}
	if (named)
		add(judged, score, STARTUP_FILE, "a file that shells run when they start");
}

static void judge(const struct judged *judged, struct score *score)
{
	for (size_t i = 0; judged->actions && i < judged->actions->count; i++) {
		const struct action *a = &judged->actions->list[i];

		judge_pipe(judged, a, score);
		if (decodes(a))
			add(judged, score, BASE64_DECODE, "base64 is decoded");
		if (takes_rights(judged, a))
			add(judged, score, SUDO, "runs with other rights");
		judge_owner(judged, a, score);
		judge_services(judged, a, score);
		judge_startup(judged, a, score);
	}
}

const struct filter filter_command = {
	.numbers = numbers,
	.n_numbers = ARRAY_SIZE(numbers),
	.lists = lists,
	.n_lists = ARRAY_SIZE(lists),
	.judge = judge,
};
