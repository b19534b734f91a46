/* SPDX-License-Identifier: MPL-2.0 */
/* A chain in few words, and the words of a command that name a file. */
#include "flow.h"

#define WORDS_MAX (2 * FLOW_CHAIN_MAX + 2)
#define WORD_MAX 40 /* bytes of one that are shown, with the NUL */

bool flow_argument_names(const char *argument, const char *path, const char *home)
{
	const char *behind = strpbrk(argument, "@=");
	size_t length = strlen(path), n = strlen(argument);

	/* "@FILE" and "NAME=FILE". */
	if (behind && flow_argument_names(behind + (behind[1] == '@' ? 2 : 1), path, home))
		return true;
	if (*argument == '/')
		return !strcmp(argument, path);
	if (*argument == '~' && argument[1] == '/' && home) {
		size_t skip = strlen(home);

		return !strncmp(path, home, skip) && !strcmp(path + skip, argument + 1);
	}
	while (!strncmp(argument, "./", 2) || !strncmp(argument, "../", 3)) {
		argument = strchr(argument, '/') + 1;
		n = strlen(argument);
	}
	return n && length > n && path[length - n - 1] == '/' &&
	       !strcmp(path + length - n, argument);
}

struct words {
	char list[WORDS_MAX][WORD_MAX];
	size_t count;
};

static void add_word(struct words *words, const char *word)
{
	if (words->count < WORDS_MAX &&
	    (!words->count || strcmp(words->list[words->count - 1], word) != 0))
		snprintf(words->list[words->count++], WORD_MAX, "%s", word);
}

static const char *base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Without a pipe's number, which means nothing to a reader. */
static void add_object(struct words *words, const char *object)
{
	if (!object)
		add_word(words, "a file");
	else if (!strncmp(object, "pipe:[", 6))
		add_word(words, "pipe");
	else if (!strncmp(object, "socket:[", 8))
		add_word(words, "socket");
	else
		add_word(words, base(object));
}

static void add_program(struct words *words, const struct flow_step *step)
{
	char word[WORD_MAX];

	snprintf(word, sizeof(word), "%.*s[%u]", WORD_MAX - 13,
		 step->program ? base(step->program) : "?", step->pid);
	add_word(words, word);
}

static void add_step(struct words *words, const struct flow_step *step)
{
	switch (step->how) {
	case FLOW_WROTE:
		add_program(words, step);
		add_object(words, step->object);
		break;
	case FLOW_STARTED:
	case FLOW_LEFT:
	case FLOW_RETURNED:
		add_program(words, step);
		break;
	default:
		add_object(words, step->object);
		add_program(words, step);
	}
}

/* The words but for `without` behind the first one; as snprintf(3), what it would take. */
static size_t join(const struct words *words, size_t without, char *ret_text, size_t size)
{
	size_t at = (size_t)snprintf(ret_text, size, "%s%s", words->count ? words->list[0] : "",
				     without ? " -> ..." : "");

	for (size_t i = without + 1; i < words->count; i++)
		at += (size_t)snprintf(at < size ? ret_text + at : NULL, at < size ? size - at : 0,
				       " -> %s", words->list[i]);
	return at;
}

void flow_chain_short(const struct flow_chain *chain, char *ret_text, size_t size)
{
	struct words words = { .count = 0 };
	size_t without = 0;

	if (chain->forgotten)
		add_word(&words, "...");
	for (size_t i = 0; i < chain->n_steps; i++) {
		add_step(&words, &chain->steps[i]);
		if (i == 0 && chain->omitted)
			add_word(&words, "...");
	}
	while (join(&words, without, ret_text, size) >= size && without + 1 < words.count)
		without++;
}
