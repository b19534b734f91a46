/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "session-containment", as far as it is about arguments: a network tool that is started
 * soon after a secret was read. The kernel sees the program only, so what it adds to one that is
 * stopped once more with its arguments is left to here, where the destination is known. A tool that
 * stays on this machine is none.
 */
#include <string.h>

#include "egress.h"
#include "internal.h"

enum { NETWORK_PROGRAMS = 0 };

/* Options of programs whose value is a word of its own, and those that lead elsewhere. */
static const struct known_program {
	const char *name;
	const char *valued;
	const char *away; /* letters */
} known_programs[] = {
	{ "curl",
	  "-o --output -d --data --data-raw --data-binary --data-urlencode --json -F --form -H "
	  "--header -X --request -u --user -A --user-agent -b --cookie -c --cookie-jar -e --referer "
	  "-m --max-time --connect-timeout --retry --retry-delay -w --write-out -T --upload-file",
	  "xK" },
	{ "wget",
	  "-O --output-document -o --output-file -T --timeout -t --tries -w --wait -P -U --header "
	  "--post-data --user --password",
	  "ie" },
	{ "nc ncat netcat", "-w -p -s", "xXce" },
};

static const char *const leading_away[] = {
	"--proxy",	     "--preproxy", "--socks4",	"--socks4a", "--socks5",
	"--socks5-hostname", "--resolve",  "--config",	"--url",     "--input-file",
	"--connect-to",	     "--exec",	   "--sh-exec",
};

static const char *const numbers[] = {
	[CONTAIN_CONNECT] = "connect",
	[CONTAIN_SPAWN] = "network-spawn",
	[CONTAIN_SHELL] = "shell-network-tool",
	[CONTAIN_SECONDS] = "seconds",
};
static const struct score_list_kind lists[] = {
	[NETWORK_PROGRAMS] = { "network-programs", SCORE_WORDS },
};

static const struct known_program *find(const struct action *action)
{
	for (size_t i = 0; i < ARRAY_SIZE(known_programs); i++)
		if (words_have(known_programs[i].name, action->program))
			return &known_programs[i];
	return NULL;
}

static bool leads_away(const struct action *action, const struct known_program *known)
{
	for (size_t i = 0; i < ARRAY_SIZE(leading_away); i++)
		if (action_has(action, '\0', leading_away[i]))
			return true;
	for (const char *letter = known->away; *letter; letter++)
		if (action_has(action, *letter, NULL))
			return true;
	return false;
}

/* A port beside its host, as nc has it. */
static bool is_number(const struct shell_word *word)
{
	return !word->unknown && word->length && strspn(word->text, "0123456789") == word->length;
}

static bool is_here(const struct judged *judged, const struct shell_word *word)
{
	size_t length = 0;
	const char *host = egress_authority(word->text, &length);

	return !word->unknown && score_is_local_name(judged->weights, host, length);
}

/* Whether it names destinations, and all of them are this machine. */
static bool stays_here(const struct judged *judged, const struct action *action)
{
	const struct known_program *known = find(action);
	struct action_cursor cursor = { 0 };
	const struct shell_word *word;
	bool named = false;

	if (!known)
		return false;
	while ((word = action_next(action, known->valued, &cursor))) {
		if (is_number(word))
			continue;
		if (!is_here(judged, word))
			return false;
		named = true;
	}
	return named && !leads_away(action, known);
}

static bool is_contained(const struct judged *judged)
{
	size_t seconds = score_count(judged->weights, FILTER_CONTAINMENT, CONTAIN_SECONDS);

	for (size_t i = 0; i < GRITH_SOURCES; i++)
		if (score_is_recent(judged->session->source[i], judged->operation->time, seconds))
			return true;
	return false;
}

static void judge(const struct judged *judged, struct score *score)
{
	const struct score_list *programs =
		score_list(judged->weights, FILTER_CONTAINMENT, NETWORK_PROGRAMS);

	if (!judged->actions || !is_contained(judged))
		return;
	for (size_t i = 0; i < judged->actions->count; i++) {
		const struct action *action = &judged->actions->list[i];

		if (!score_list_has(programs, action->program) || stays_here(judged, action))
			continue;
		score_add(score, FILTER_CONTAINMENT,
			  score_number(judged->weights, FILTER_CONTAINMENT,
				       action->outer ? CONTAIN_SPAWN : CONTAIN_SHELL),
			  action->outer ? "a network tool, soon after a secret was read"
					: "a shell with a network tool, soon after a secret was "
					  "read");
	}
}

const struct filter filter_containment = {
	.numbers = numbers,
	.n_numbers = ARRAY_SIZE(numbers),
	.lists = lists,
	.n_lists = ARRAY_SIZE(lists),
	.judge = judge,
};
