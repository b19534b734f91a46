/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Arguments, and which of them is a text for a shell.
 */
#include <string.h>

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

bool slice_in(struct slice slice, const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (slice_is(slice, texts[i]))
			return true;
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
	static const char *const shells[] = { "sh",   "bash", "dash",  "ash",	"ksh",
					      "mksh", "zsh",  "rbash", "ksh93", "yash",
					      "posh", "fish", "lksh" };

	return slice_in(name, shells, ARRAY_SIZE(shells));
}

/* What the options of a shell say. */
struct shell_options {
	bool text; /* -c: the first operand is one */
	bool input; /* -s */
};

/* Moves over the options to the first operand. */
static struct shell_options skip_shell_options(struct args *args)
{
	static const char *const long_valued[] = { "--rcfile", "--init-file" };
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
			values = slice_in(arg, long_valued, ARRAY_SIZE(long_valued));
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

/* -c TEXT, -lc TEXT, -cTEXT, --command TEXT, --command=TEXT anywhere among the arguments. */
static bool option_text(struct args *args, size_t *ret_skip)
{
	static const char *const names[] = { "--command", "--session-command" };
	struct slice arg;

	for (args_step(args); args_get(args, &arg); args_step(args)) {
		const char *c;

		for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
			size_t n = strlen(names[i]);

			if (arg.length > n && memcmp(arg.data, names[i], n) == 0 &&
			    arg.data[n] == '=') {
				*ret_skip = n + 1;
				return true;
			}
		}
		*ret_skip = 0;
		if (slice_in(arg, names, ARRAY_SIZE(names))) {
			args_step(args);
			return args_get(args, &arg);
		}
		if (arg.length < 2 || arg.data[0] != '-' || arg.data[1] == '-')
			continue;
		c = memchr(arg.data, 'c', arg.length);
		if (!c)
			continue;
		if (c + 1 < arg.data + arg.length) {
			*ret_skip = c + 1 - arg.data;
			return true;
		}
		args_step(args);
		return args_get(args, &arg);
	}
	return false;
}

/* env -S TEXT, -STEXT, --split-string=TEXT. */
static bool split_text(struct args *args, size_t *ret_skip)
{
	static const char name[] = "--split-string";
	struct slice arg;

	for (args_step(args); args_get(args, &arg) && arg.length > 1 && arg.data[0] == '-';
	     args_step(args)) {
		const char *letter = arg.data[1] == '-' ? NULL : memchr(arg.data, 'S', arg.length);

		*ret_skip = 0;
		if (letter && letter + 1 < arg.data + arg.length) {
			*ret_skip = letter + 1 - arg.data;
			return true;
		}
		if (letter || slice_is(arg, name)) {
			args_step(args);
			return args_get(args, &arg);
		}
		if (arg.length >= sizeof(name) && memcmp(arg.data, name, sizeof(name) - 1) == 0 &&
		    arg.data[sizeof(name) - 1] == '=') {
			*ret_skip = sizeof(name);
			return true;
		}
	}
	return false;
}

bool programs_text(struct args *args, size_t *ret_skip)
{
	static const char *const with_option[] = { "su", "runuser", "script", "flock", "sg" };
	struct args ahead = *args;
	size_t skip = 0;
	struct slice arg;
	bool found = false;

	if (!args_get(args, &arg))
		return false;
	arg = program_name(arg);
	if (program_is_shell(arg))
		found = skip_shell_options(&ahead).text && args_get(&ahead, &arg);
	else if (slice_in(arg, with_option, ARRAY_SIZE(with_option)))
		found = option_text(&ahead, &skip);
	else if (slice_is(arg, "env"))
		found = split_text(&ahead, &skip);
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
	static const char *const names[] = { "-exec", "-execdir", "-ok", "-okdir" };
	struct slice arg;

	while (args_get(args, &arg)) {
		args_step(args);
		if (slice_in(arg, names, ARRAY_SIZE(names)))
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
