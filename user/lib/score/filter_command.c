/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "command": commands that take other rights, start something later, or hand data on to
 * the network, each looked at as the shell would run it.
 */
#include "evaluation.h"

#define NUMBERS(NUMBER)                        \
	NUMBER(PIPE_TO_CURL, "pipe-to-curl")   \
	NUMBER(PIPE_TO_NC, "pipe-to-nc")       \
	NUMBER(PIPE_TO_WGET, "pipe-to-wget")   \
	NUMBER(BASE64_DECODE, "base64-decode") \
	NUMBER(SUDO, "sudo")                   \
	NUMBER(CHMOD_SET_ID, "chmod-set-id")   \
	NUMBER(CHOWN_ROOT, "chown-root")       \
	NUMBER(CRONTAB, "crontab")             \
	NUMBER(SYSTEMCTL, "systemctl")         \
	NUMBER(STARTUP_FILE, "startup-file")
#define LISTS(LIST)                                                    \
	LIST(LIST_NC, "nc", SCORE_WORDS)                               \
	LIST(LIST_SUDO, "sudo", SCORE_WORDS)                           \
	LIST(LIST_SYSTEMCTL_READING, "systemctl-reading", SCORE_WORDS) \
	LIST(LIST_STARTUP_FILES, "startup-files", SCORE_WORDS)
FILTER_INDICES(NUMBERS);
FILTER_INDICES(LISTS);

static void evaluate_pipe(const struct evaluation *e, const struct action *a)
{
	if (!a->command->piped_in)
		return;
	if (!strcmp(a->program, "curl"))
		eval_add(e, PIPE_TO_CURL, "output goes to curl");
	else if (!strcmp(a->program, "wget"))
		eval_add(e, PIPE_TO_WGET, "output goes to wget");
	else if (score_list_has(eval_list(e, LIST_NC), a->program))
		eval_add(e, PIPE_TO_NC, "output goes to the network");
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
static bool takes_rights(const struct evaluation *e, const struct action *a)
{
	const struct score_list *programs = eval_list(e, LIST_SUDO);

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

static void evaluate_owner(const struct evaluation *e, const struct action *a)
{
	const struct shell_word *first = action_operand(a, 0);

	if (!first)
		return;
	if (!strcmp(a->program, "chmod")) {
		/* "-s" and the like look like options, and take the bit away. */
		if (sets_id(first->text))
			eval_add(e, CHMOD_SET_ID, "a program would run as its owner");
	} else if (!strcmp(a->program, "chown")) {
		size_t n = strcspn(first->text, ":.");

		if ((n == 4 && !memcmp(first->text, "root", 4)) || (n == 1 && *first->text == '0'))
			eval_add(e, CHOWN_ROOT, "a file would become root's");
	}
}

static void evaluate_services(const struct evaluation *e, const struct action *a)
{
	const struct shell_word *verb;

	if (!strcmp(a->program, "crontab")) {
		if (!action_has(a, 'l', NULL) && !action_has(a, '\0', "--help"))
			eval_add(e, CRONTAB, "commands that run later");
	} else if (!strcmp(a->program, "systemctl")) {
		verb = action_operand(a, 0);
		/* Without one it lists the units. */
		if (verb && !score_list_has(eval_list(e, LIST_SYSTEMCTL_READING), verb->text))
			eval_add(e, SYSTEMCTL, "services of the system");
	}
}

/* Programs that write no file they name, and shells' own words for reading one. */
static bool only_reads(const struct action *a)
{
	static const char readers[] =
		"cat less more head tail grep egrep fgrep rg ls stat file wc diff cmp echo printf "
		"test [ [[ source . find md5sum realpath readlink bat awk cut sort sha256sum "
		"basename dirname";

	return words_have(readers, a->program) ||
	       (!strcmp(a->program, "sed") && !action_has(a, 'i', "--in-place"));
}

static bool is_startup_file(const struct evaluation *e, const struct shell_word *word)
{
	/* A text is no name of a file. */
	return !strpbrk(word->text, " \t\n") &&
	       score_list_has(eval_list(e, LIST_STARTUP_FILES), place_name(word->text));
}

static void evaluate_startup(const struct evaluation *e, const struct action *a)
{
	const struct shell_command *command = a->command;
	bool named = false;

	for (size_t i = 1; i < a->n_words && !named && !only_reads(a); i++)
		named = is_startup_file(e, &a->words[i]);
	for (size_t i = 0; i < command->n_redirects && !named; i++) {
		const struct shell_redirect *redirect = &command->redirects[i];

		named = redirect->kind != SHELL_READ && redirect->kind != SHELL_HERE &&
			is_startup_file(e, &redirect->target);
	}
	if (named)
		eval_add(e, STARTUP_FILE, "a file that shells run when they start");
}

static void evaluate(const struct evaluation *e)
{
	for (size_t i = 0; e->actions && i < e->actions->count; i++) {
		const struct action *a = &e->actions->list[i];

		evaluate_pipe(e, a);
		if (decodes(a))
			eval_add(e, BASE64_DECODE, "base64 is decoded");
		if (takes_rights(e, a))
			eval_add(e, SUDO, "runs with other rights");
		evaluate_owner(e, a);
		evaluate_services(e, a);
		evaluate_startup(e, a);
	}
}

FILTER(command, NUMBERS, LISTS, .evaluate = evaluate, .on_records = true);
