/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Arguments, and which of them is a text for a shell.
 */
#include "programs.h"

bool args_get(const struct args *args, struct slice *ret_arg)
{
	const char *end;

	if (args->at >= args->length)
		return false;
	if (args->words) {
		*ret_arg =
			(struct slice) { args->words[args->at].text, args->words[args->at].length };
		return true;
	}
	end = memchr(args->bytes + args->at, '\0', args->length - args->at);
	ret_arg->data = args->bytes + args->at;
	ret_arg->length = end ? (size_t)(end - ret_arg->data) : args->length - args->at;
	return true;
}

void args_step(struct args *args)
{
	struct slice arg;

	if (args_get(args, &arg))
		args->at += args->words ? 1 : arg.length + 1;
}

bool slice_is(struct slice slice, const char *text)
{
	return slice.length == strlen(text) && memcmp(slice.data, text, slice.length) == 0;
}

bool slice_in(struct slice slice, const char *words)
{
	for (const char *p = words; p && *p;) {
		size_t n = strcspn(p, " ");

		if (n == slice.length && memcmp(p, slice.data, n) == 0)
			return true;
		p += n + (p[n] == ' ');
	}
	return false;
}

struct slice program_name(struct slice path)
{
	const char *slash = path.length ? memrchr(path.data, '/', path.length) : NULL;

	if (!slash)
		return path;
	return (struct slice) { slash + 1, path.length - (slash + 1 - path.data) };
}

bool program_is_shell(struct slice name)
{
	return slice_in(name, "sh bash dash ash ksh mksh zsh rbash ksh93 yash posh fish lksh");
}

bool program_is_exec_option(struct slice option)
{
	return slice_in(option, "-exec -execdir -ok -okdir");
}

/* Where a shell that has these options reads commands from. */
struct shell_options {
	bool text; /* -c: the first operand is one */
	bool input; /* -s */
};

/* Moves over the options to the first operand. */
static struct shell_options skip_shell_options(struct args *args)
{
	struct shell_options options = { 0 };
	struct slice arg;

	for (args_step(args); args_get(args, &arg); args_step(args)) {
		bool unknown = args->words && args->words[args->at].unknown && !arg.length &&
			       !options.text;
		size_t values = 0;

		if (unknown)
			continue;
		if (slice_is(arg, "--") || slice_is(arg, "-")) {
			args_step(args);
			break;
		}
		if (!arg.length || (arg.data[0] != '-' && arg.data[0] != '+'))
			break;
		if (arg.length > 2 && memcmp(arg.data, "--", 2) == 0) {
			values = slice_in(arg, "--rcfile --init-file");
		} else {
			for (size_t i = 1; i < arg.length; i++) {
				options.text |= arg.data[i] == 'c' && arg.data[0] == '-';
				options.input |= arg.data[i] == 's' && arg.data[0] == '-';
				values += arg.data[i] == 'o' || arg.data[i] == 'O';
			}
		}
		while (values--)
			args_step(args);
	}
	return options;
}

bool programs_reads_input(const struct args *args)
{
	struct args ahead = *args;
	struct shell_options options;
	struct slice arg;

	if (!args_get(args, &arg) || !program_is_shell(program_name(arg)))
		return false;
	options = skip_shell_options(&ahead);
	return !options.text && (options.input || !args_get(&ahead, &arg));
}

/* An option that has a text for a shell as its value: a letter, and one or two long names. */
struct text_option {
	char letter;
	const char *names[2];
};

/*
 * Whether `arg` is the option: 1 where the next argument is its value, 2 where its own bytes from
 * *ret_skip on are (-cTEXT, --command=TEXT), 0 where it is another one.
 */
static int match_option(struct slice arg, const struct text_option *option, size_t *ret_skip)
{
	const char *letter;

	for (size_t i = 0; i < ARRAY_SIZE(option->names) && option->names[i]; i++) {
		size_t n = strlen(option->names[i]);

		*ret_skip = n + 1;
		if (arg.length < n || memcmp(arg.data, option->names[i], n) != 0)
			continue;
		if (arg.length == n)
			return 1;
		if (arg.data[n] == '=')
			return 2;
	}
	if (arg.length < 2 || arg.data[0] != '-' || arg.data[1] == '-')
		return 0;
	letter = memchr(arg.data, option->letter, arg.length);
	if (!letter)
		return 0;
	*ret_skip = letter + 1 - arg.data;
	return *ret_skip < arg.length ? 2 : 1;
}

/* Among all arguments, or (`options_only`) among the options in front. */
static bool option_text(struct args *args, const struct text_option *option, bool options_only,
			size_t *ret_skip)
{
	struct slice arg;

	for (args_step(args); args_get(args, &arg); args_step(args)) {
		int found;

		if (options_only && (arg.length < 2 || arg.data[0] != '-'))
			return false;
		found = match_option(arg, option, ret_skip);
		if (found == 2)
			return true;
		if (found == 0)
			continue;
		*ret_skip = 0;
		args_step(args);
		return args_get(args, &arg);
	}
	return false;
}

bool programs_text(struct args *args, size_t *ret_skip)
{
	static const struct text_option command = { 'c', { "--command", "--session-command" } };
	static const struct text_option split = { 'S', { "--split-string" } };
	struct args ahead = *args;
	size_t skip = 0;
	struct slice arg;
	bool found = false;

	if (!args_get(args, &arg))
		return false;
	arg = program_name(arg);
	if (program_is_shell(arg))
		found = skip_shell_options(&ahead).text && args_get(&ahead, &arg);
	else if (slice_in(arg, "su runuser script flock sg"))
		found = option_text(&ahead, &command, false, &skip);
	else if (slice_is(arg, "env"))
		found = option_text(&ahead, &split, true, &skip);
	else
		found = wrapper_text(&ahead);
	if (!found)
		return false;
	*args = ahead;
	*ret_skip = skip;
	return true;
}

/* Moves behind the next -exec of find's arguments. */
static bool next_exec(struct args *args)
{
	struct slice arg;

	while (args_get(args, &arg)) {
		args_step(args);
		if (program_is_exec_option(arg))
			return true;
	}
	return false;
}

const char *shell_command_text(const char *argv, size_t length, size_t *ret_length)
{
	struct args args = { .bytes = argv, .length = length };
	struct slice arg;
	size_t skip;
	bool found;

	programs_effective(&args);
	if (!args_get(&args, &arg))
		return NULL;
	found = programs_text(&args, &skip);
	if (!found && slice_is(program_name(arg), "find"))
		while (!found && next_exec(&args)) {
			struct args inner = args;

			programs_effective(&inner);
			found = programs_text(&inner, &skip);
			if (found)
				args = inner;
		}
	if (!found || !args_get(&args, &arg))
		return NULL;
	*ret_length = arg.length - skip;
	return arg.data + skip;
}
