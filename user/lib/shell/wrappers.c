/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Programs that run another one, which is among their arguments. Their options are those of
 * coreutils 9, util-linux 2.38, findutils 4.9, sudo 1.9, busybox 1.35 and bash 5.2.
 */
#include "programs.h"

struct wrapper {
	const char *names; /* separated by spaces */
	const char *valued; /* short options that take a value */
	const char *long_valued; /* --long options whose value may be the next argument */
	const char *never; /* short options with which no program is run */
	const char *only; /* if not NULL: a program is run only with one of these */
	unsigned int operands; /* before the program */
	bool assignments; /* NAME=value before the program */
	bool text; /* one argument alone is a text for a shell */
};

static const struct wrapper wrappers[] = {
	{ .names = "nohup setsid builtin coproc nocorrect noglob busybox toybox setarch linux32 "
		   "linux64 valgrind unbuffer eatmydata torify" },
	{ .names = "env",
	  .valued = "uCS",
	  .long_valued = "unset chdir split-string",
	  .never = "S",
	  .assignments = true },
	{ .names = "sudo",
	  .valued = "ACDghpRrtTUu",
	  .long_valued = "close-from chdir group host prompt chroot role type command-timeout "
			 "other-user user askpass",
	  .never = "lveKV",
	  .assignments = true },
	{ .names = "doas", .valued = "Cu", .never = "L" },
	{ .names = "pkexec", .long_valued = "user" },
	{ .names = "nice", .valued = "n", .long_valued = "adjustment" },
	{ .names = "ionice", .valued = "cnpPu", .long_valued = "class classdata", .never = "pPu" },
	{ .names = "timeout", .valued = "ks", .long_valued = "kill-after signal", .operands = 1 },
	{ .names = "stdbuf", .valued = "ioe", .long_valued = "input output error" },
	{ .names = "time", .valued = "fo", .long_valued = "format output" },
	{ .names = "xargs",
	  .valued = "adEILnPs",
	  .long_valued = "arg-file delimiter max-lines max-args max-procs max-chars "
			 "process-slot-var" },
	{ .names = "command", .never = "vV" },
	{ .names = "exec", .valued = "a" },
	{ .names = "chroot", .long_valued = "groups userspec", .operands = 1 },
	{ .names = "unshare",
	  .valued = "RSGw",
	  .long_valued = "root wd setuid setgid propagation map-user map-group map-users "
			 "map-groups setgroups" },
	{ .names = "nsenter", .valued = "tSGN", .long_valued = "target setuid setgid" },
	{ .names = "setpriv",
	  .long_valued = "ruid euid ruid reuid rgid egid regid groups inh-caps ambient-caps "
			 "bounding-set securebits pdeathsig selinux-label apparmor-profile" },
	{ .names = "taskset", .never = "p", .operands = 1 },
	{ .names = "chrt", .valued = "TPD", .never = "pm", .operands = 1 },
	{ .names = "prlimit", .never = "p", .valued = "o" },
	{ .names = "flock",
	  .valued = "Ew",
	  .long_valued = "timeout wait conflict-exit-code",
	  .operands = 1 },
	{ .names = "runuser",
	  .valued = "cgGsTwu",
	  .long_valued =
		  "command session-command group supp-group shell whitelist-environment user",
	  .only = "u" },
	{ .names = "strace", .valued = "abeEIoOpPsSuUX", .never = "p" },
	{ .names = "ltrace", .valued = "aAeDFlnopsuwx", .never = "p" },
	{ .names = "gdb", .only = "-" },
	{ .names = "watch", .valued = "nq", .long_valued = "interval equexit", .text = true },
	{ .names = "systemd-run",
	  .valued = "EHMputw",
	  .long_valued = "unit property description slice uid gid nice working-directory setenv "
			 "service-type host machine" },
	{ .names = "systemd-inhibit", .long_valued = "what who why mode" },
	{ .names = "dbus-run-session", .long_valued = "dbus-daemon config-file" },
	{ .names = "xvfb-run",
	  .valued = "efnpsw",
	  .long_valued = "error-file auth-file server-num "
			 "server-args wait xauth-protocol" },
	{ .names = "fakeroot", .valued = "lsib" },
	{ .names = "torsocks", .valued = "aPup" },
	{ .names = "proxychains proxychains4", .valued = "f" },
	{ .names = "gosu su-exec", .operands = 1 },
	{ .names = "tini", .valued = "pe" },
	{ .names = "dumb-init", .valued = "r" },
	{ .names = "ld.so", .long_valued = "library-path preload argv0 audit" },
};

static const struct wrapper *find_wrapper(struct slice name)
{
	if ((name.length > 8 && memcmp(name.data, "ld-linux", 8) == 0) ||
	    (name.length > 7 && memcmp(name.data, "ld-musl", 7) == 0))
		name = (struct slice) { "ld.so", 5 };
	for (size_t i = 0; i < ARRAY_SIZE(wrappers); i++)
		if (slice_in(name, wrappers[i].names))
			return &wrappers[i];
	return NULL;
}

static bool has_letter(const char *letters, char c)
{
	return letters && c && strchr(letters, c);
}

struct options {
	bool stopped; /* no program is run */
	bool wanted; /* one of `only` was there */
};

/* Short options of one argument; a value may be the next one. */
static void short_options(const struct wrapper *w, struct slice arg, struct args *args,
			  struct options *options)
{
	for (size_t i = 1; i < arg.length; i++) {
		char c = arg.data[i];

		options->stopped |= has_letter(w->never, c);
		options->wanted |= has_letter(w->only, c);
		if (!has_letter(w->valued, c))
			continue;
		if (i + 1 == arg.length)
			args_step(args);
		return;
	}
}

/* Moves over options and operands, to the program. */
static void skip_options(const struct wrapper *w, struct args *args, struct options *options)
{
	unsigned int operands = 0;
	bool no_more = false;
	struct slice arg;

	for (; args_get(args, &arg); args_step(args)) {
		if (!no_more && slice_is(arg, "--")) {
			no_more = true;
		} else if (!no_more && arg.length > 2 && memcmp(arg.data, "--", 2) == 0) {
			struct slice name = { arg.data + 2, arg.length - 2 };

			options->wanted |= w->only && slice_is(name, "user");
			if (slice_in(name, w->long_valued))
				args_step(args);
		} else if (!no_more && arg.length && arg.data[0] == '-') {
			short_options(w, arg, args, options);
		} else if (w->assignments && arg.length && arg.data[0] != '=' &&
			   memchr(arg.data, '=', arg.length)) {
			no_more = true;
		} else if (operands == w->operands) {
			return;
		} else {
			operands++;
			/* What may follow the file in `flock FILE -c TEXT` is no option of ours. */
			no_more = true;
		}
	}
}

static const struct wrapper *wrapper_at(const struct args *args)
{
	struct slice arg;

	return args_get(args, &arg) ? find_wrapper(program_name(arg)) : NULL;
}

/* Moves to the program, or behind all arguments. */
static struct options enter(const struct wrapper *w, struct args *args)
{
	struct options options = { 0 };

	args_step(args);
	skip_options(w, args, &options);
	return options;
}

bool wrapper_text(struct args *args)
{
	const struct wrapper *w = wrapper_at(args);
	struct args ahead = *args, behind;
	struct slice arg;

	if (!w || !w->text)
		return false;
	enter(w, &ahead);
	behind = ahead;
	args_step(&behind);
	if (!args_get(&ahead, &arg) || args_get(&behind, &arg))
		return false;
	*args = ahead;
	return true;
}

/* Moves to the program that this one runs. False, with `args` untouched, where it runs none. */
static bool step_inside(struct args *args)
{
	const struct wrapper *w = wrapper_at(args);
	struct args ahead = *args;
	struct options options;
	struct slice arg;

	if (!w || wrapper_text(&ahead))
		return false;
	options = enter(w, &ahead);
	if (options.stopped || (w->only && !options.wanted) || !args_get(&ahead, &arg) ||
	    slice_is(arg, "-c") /* flock FILE -c TEXT */)
		return false;
	*args = ahead;
	return true;
}

void programs_effective(struct args *args)
{
	while (step_inside(args))
		;
}

size_t shell_effective_program(const struct shell_word *words, size_t n)
{
	struct args args = { .words = words, .length = n };

	if (!n)
		return n;
	programs_effective(&args);
	return args.at;
}
