/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From an argument vector to the commands in it. The grammar is lib/shell/shell.h's; an argument
 * vector that is no shell's goes through it too, each argument quoted, because find, xargs and
 * others have commands in their arguments. Options and operands of a command follow
 * getopt_long(3).
 */
#include "actions.h"
#include "place.h"

/*
 * Options whose value is a word of its own. One that is missing here makes an operand of its value,
 * which then hides the subcommand.
 */
static const struct {
	const char *programs, *options;
} valued[] = {
	{ "aws", "--profile --region --endpoint-url --output --query --ca-bundle" },
	{ "gcloud", "--project --account --configuration --profile --region" },
	{ "az doctl", "--profile --region --project" },
	{ "gsutil", "-o -h" },
	{ "s3cmd", "-c --config" },
	{ "rclone", "--config" },
	{ "kubectl oc k3s",
	  "-n --namespace --context --cluster --user --kubeconfig -s --server --as -l -o -f" },
	{ "helm", "-n --namespace --kube-context --kubeconfig" },
	{ "docker podman nerdctl", "-H --host -c --context --config -l --log-level" },
	{ "systemctl loginctl machinectl busctl",
	  "-H --host -M --machine -t --type -p --property -P -n --lines -o --output" },
	{ "tmux", "-L -S -f" },
	{ "ssh", "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w" },
	{ "curl",
	  "-o --output -d --data --data-raw --data-binary --data-urlencode --json -F --form -H "
	  "--header -X --request -u --user -A --user-agent -b --cookie -c --cookie-jar -e --referer "
	  "-m --max-time --connect-timeout --retry --retry-delay -w --write-out -T --upload-file" },
	{ "wget",
	  "-O --output-document -o --output-file -T --timeout -t --tries -w --wait -P -U --header "
	  "--post-data --user --password" },
	{ "nc ncat netcat", "-w -p -s" },
};

bool action_is(const struct shell_word *word, const char *text)
{
	return !word->unknown && !strcmp(word->text, text);
}

static bool is_option(const struct shell_word *word)
{
	return word->text[0] == '-' && word->text[1];
}

static bool is_end(const struct shell_word *word)
{
	return action_is(word, "--");
}

/* Whether the word is the long option; where a value follows its '=', that too. */
static bool is_long(const struct shell_word *word, const char *name, const char **ret_value)
{
	size_t n = name ? strlen(name) : 0;

	if (!n || strncmp(word->text, name, n) != 0 || (word->text[n] && word->text[n] != '='))
		return false;
	*ret_value = word->text[n] ? word->text + n + 1 : NULL;
	return true;
}

bool action_has(const struct action *action, char letter, const char *name)
{
	for (size_t i = 1; i < action->n_words; i++) {
		const struct shell_word *word = &action->words[i];
		const char *value = NULL;

		if (is_end(word))
			return false;
		if (is_long(word, name, &value))
			return true;
		if (letter && is_option(word) && word->text[1] != '-' &&
		    strchr(word->text + 1, letter))
			return true;
	}
	return false;
}

const char *action_value(const struct action *action, char letter, const char *name, size_t *at)
{
	for (size_t i = *at ? *at : 1; i < action->n_words; i++) {
		const struct shell_word *word = &action->words[i];
		bool separate = i + 1 < action->n_words;
		const char *value = NULL;

		if (is_end(word))
			break;
		if (is_long(word, name, &value)) {
			*at = i + (value ? 1 : 2);
			if (value || separate)
				return value ? value : action->words[i + 1].text;
		} else if (letter && word->text[0] == '-' && word->text[1] == letter) {
			value = word->text[2] ? word->text + 2 : NULL;
			*at = i + (value ? 1 : 2);
			if (value || separate)
				return value ? value : action->words[i + 1].text;
		}
	}
	*at = action->n_words;
	return NULL;
}

static bool words_have_bytes(const char *words, struct record_bytes name)
{
	for (const char *p = words; p && *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");

		if (n == name.length && !memcmp(p, name.data, n))
			return true;
		p += n;
	}
	return false;
}

bool words_have(const char *words, const char *name)
{
	return words_have_bytes(words, bytes_of(name));
}

const char *action_valued(struct record_bytes program)
{
	for (size_t i = 0; i < ARRAY_SIZE(valued); i++)
		if (words_have_bytes(valued[i].programs, program))
			return valued[i].options;
	return NULL;
}

const struct shell_word *action_next(const struct action *action, struct action_cursor *cursor)
{
	while (++cursor->at < action->n_words) {
		const struct shell_word *word = &action->words[cursor->at];

		if (!cursor->behind_end && is_end(word))
			cursor->behind_end = true;
		else if (cursor->behind_end || !is_option(word))
			return word;
		else if (words_have(action->valued, word->text))
			cursor->at++;
	}
	return NULL;
}

const struct shell_word *action_operand(const struct action *action, size_t n)
{
	struct action_cursor cursor = { 0 };
	const struct shell_word *word = action_next(action, &cursor);

	while (word && n--)
		word = action_next(action, &cursor);
	return word;
}

bool action_operands_are(const struct action *action, const char *words)
{
	struct action_cursor cursor = { 0 };

	while (*words) {
		const struct shell_word *word = action_next(action, &cursor);
		size_t length = strcspn(words, " ");

		if (!word || word->unknown || word->length != length ||
		    memcmp(word->text, words, length) != 0)
			return false;
		words += length;
		words += strspn(words, " ");
	}
	return true;
}

static int split_words(const struct record_bytes *argv, struct actions *actions)
{
	struct shell_command *outer = &actions->outer;
	size_t count = 0, at = 0;

	/* The last argument may have been cut before its NUL. */
	actions->names = malloc(argv->length + 1);
	if (!actions->names)
		return -ENOMEM;
	memcpy(actions->names, argv->data, argv->length);
	actions->names[argv->length] = '\0';
	for (size_t i = 0; i < argv->length; i++)
		count += !argv->data[i];
	outer->words = calloc(count + 1, sizeof(*outer->words));
	if (!outer->words)
		return -ENOMEM;
	while (at < argv->length) {
		const char *text = actions->names + at;
		size_t length = strlen(text);

		outer->words[outer->n_words++] = (struct shell_word) {
			.text = text,
			.length = length,
			.variables = "",
		};
		at += length + 1;
	}
	return 0;
}

static int add_quoted(struct text *t, const struct shell_word *word)
{
	const char *p = word->text, *quote;
	int r = text_add(t, "'", 1);

	while (r == 0 && (quote = strchr(p, '\''))) {
		r = text_add(t, p, quote - p);
		if (r == 0)
			r = text_add(t, "'\\''", 4);
		p = quote + 1;
	}
	if (r == 0)
		r = text_add(t, p, strlen(p));
	return r == 0 ? text_add(t, "' ", 2) : r;
}

/* The commands of an argument vector that is no shell's. */
static int parse_quoted(const struct shell_command *outer, struct shell_script **ret_script)
{
	OWNED_TEXT struct text t = { 0 };
	int r = 0;

	for (size_t i = 0; i < outer->n_words && r == 0; i++)
		r = add_quoted(&t, &outer->words[i]);
	if (r < 0)
		return r;
	return t.length ? shell_parse(t.data, t.length, NULL, ret_script) : -EINVAL;
}

static void set_program(struct action *action)
{
	const struct shell_command *command = action->command;
	size_t at = shell_effective_program(command->words, command->n_words);

	action->program = "";
	action->words = command->words + at;
	action->n_words = command->n_words - at;
	if (!action->n_words || action->words[0].unknown)
		return;
	action->program = place_name(action->words[0].text);
	if (words_have("busybox toybox", action->program) && action->n_words > 1) {
		action->words++;
		action->n_words--;
		action->program = place_name(action->words[0].text);
	}
	action->valued = action_valued(bytes_of(action->program));
}

static void add(struct actions *actions, const struct shell_command *command, bool outer,
		size_t script)
{
	struct action *action = &actions->list[actions->count++];

	*action = (struct action) { .command = command, .outer = outer, .script = script };
	set_program(action);
}

/* The first command under the name of the program's file, where that is another one. */
static int add_by_file(struct actions *actions, const struct record_bytes *path)
{
	const struct action *first = &actions->list[0];
	struct action *action = &actions->list[actions->count];
	char *copy;

	if (!path->length || !first->n_words || first->words != first->command->words ||
	    place_has_name(path->data, path->length, first->program))
		return 0;
	copy = strndup(path->data, path->length);
	if (!copy)
		return -ENOMEM;
	actions->file = copy;
	*action = *first;
	action->program = place_name(copy);
	action->valued = action_valued(bytes_of(action->program));
	actions->count++;
	return 0;
}

static int fill(struct actions *actions, const struct record_bytes *argv, bool cut,
		const char **ret_failure)
{
	const char *text;
	size_t length = 0, n_commands;
	int r;

	text = shell_command_text(actions->names, argv->length, &length);
	if (text)
		r = cut ? -E2BIG : shell_parse(text, length, NULL, &actions->script);
	else
		r = cut ? -E2BIG : parse_quoted(&actions->outer, &actions->script);
	if (r == -ENOMEM)
		return r;
	n_commands = actions->script ? actions->script->n_commands : 0;
	actions->list = calloc(n_commands + 2, sizeof(*actions->list));
	if (!actions->list)
		return -ENOMEM;
	if (text || r < 0 || !n_commands)
		add(actions, &actions->outer, true, 0);
	for (size_t i = 0; i < n_commands; i++)
		add(actions, &actions->script->commands[i], !text && !i, 1);
	if (text && r < 0)
		*ret_failure = r == -EINVAL ? "the shell's command line cannot be understood"
					    : "the shell's command line is too long";
	return 0;
}

int actions_read(const struct record_bytes *argv, const struct record_bytes *path, bool cut,
		 struct actions **ret_actions, const char **ret_failure)
{
	CLEANUP(actions_freep) struct actions *actions = calloc(1, sizeof(*actions));
	const char *failure = NULL;
	int r;

	if (!actions)
		return -ENOMEM;
	r = split_words(argv, actions);
	if (r == 0)
		r = fill(actions, argv, cut, &failure);
	if (r == 0)
		r = add_by_file(actions, path);
	if (r < 0)
		return r;
	*ret_actions = TAKE_PTR(actions);
	if (failure)
		*ret_failure = failure;
	return 0;
}

void actions_free(struct actions *actions)
{
	if (!actions)
		return;
	shell_script_free(actions->script);
	free(actions->outer.words);
	free(actions->list);
	free(actions->names);
	free(actions->file);
	free(actions);
}
