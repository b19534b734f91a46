/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith audit: verifies the audit log, and exports lines so that they can be verified elsewhere.
 * Reads the files itself, so it needs no grithd, and does not believe one.
 */
#include <fcntl.h>

#include "grith/log/log.h"
#include "lib/audit/audit.h"
#include "cmd.h"

#define LOG_DIR "/var/log/grith"
#define STATE_DIR "/var/lib/grith"

struct options {
	const char *log_dir, *state_dir, *key, *file;
	const char *session;
	struct audit_range range;
	bool json;
};

static int failed(const char *what, const char *name, int r)
{
	message("%s %s: %s", what, name, r == -EBADMSG ? "it is damaged" : strerror(-r));
	return COMMAND_FAILED;
}

static int open_path(const char *path, int flags)
{
	int fd = open(path, flags | O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* The key that is asked for, or that of the state directory; and what only that directory knows. */
static int read_key(const struct options *options, struct audit_key *ret_key,
		    struct audit_chain *ret_head)
{
	OWNED_FD int state = open_path(options->state_dir, O_DIRECTORY);
	int r;

	if (options->key) {
		r = audit_key_read_public(AT_FDCWD, options->key, ret_key);
		return r < 0 ? failed("cannot read the key", options->key, r) : COMMAND_OK;
	}
	if (state < 0)
		return failed("cannot use --key FILE, or the state directory", options->state_dir,
			      state);
	r = audit_key_read_secret(state, AUDIT_KEY_FILE, ret_key);
	if (r == 0) {
		r = audit_head_read(state, ret_key, ret_head);
		if (r < 0 && r != -ENOENT)
			return failed("cannot read what the state directory says of the log,",
				      AUDIT_HEAD_FILE, r);
		return COMMAND_OK;
	}
	r = audit_key_read_public(state, AUDIT_PUBLIC_FILE, ret_key);
	return r < 0 ? failed("there is no key (--key FILE) in", options->state_dir, r)
		     : COMMAND_OK;
}

static int print(const struct options *options, const struct audit_verify *verify)
{
	OWNED_TEXT struct text out = { 0 };
	int r = options->json ? view_audit_json(verify, &out) : view_audit(verify, &out);
	int status = output_text(&out, r);

	return verify->fault ? COMMAND_FAILED : status;
}

static int verify(const struct options *options)
{
	bool exported = options->file;
	const char *name = exported ? options->file : options->log_dir;
	OWNED_FD int fd = open_path(name, exported ? 0 : O_DIRECTORY);
	struct audit_verify found = { 0 };
	struct audit_key key;
	/* What was written until now; lines that come meanwhile do not matter. */
	int r, status = read_key(options, &key, &found.head);

	if (status != COMMAND_OK)
		return status;
	found.key = &key;
	r = fd;
	if (r >= 0)
		r = exported ? audit_verify_export(&found, fd)
			     : audit_verify_directory(&found, fd, &options->range);
	audit_key_wipe(&key);
	if (r < 0)
		return failed(exported ? "cannot read" : "cannot read the audit log in", name, r);
	return print(options, &found);
}

static int export(const struct options *options)
{
	struct audit_export wanted = { .range = options->range, .session = options->session };
	OWNED_FD int directory = open_path(options->log_dir, O_DIRECTORY);
	struct audit_key key;
	int r, status = read_key(options, &key, &wanted.head);

	if (status != COMMAND_OK)
		return status;
	if (options->session && !key.signs) {
		message("lines of one session alone are signed anew, with the key in the state "
			"directory that only root can read; export a range instead (--from, --to)");
		return COMMAND_FAILED;
	}
	wanted.key = &key;
	r = directory < 0 ? directory : audit_export(&wanted, directory, stdout);
	audit_key_wipe(&key);
	if (r == -ENOENT)
		message("there are no such lines in the audit log");
	else if (r == -EBADMSG)
		message("the lines do not hold together; 'grith audit verify' says which");
	else if (r < 0)
		return failed("cannot export from", options->log_dir, r);
	if (r == 0 && !options->session && wanted.unsigned_lines)
		message("the last %llu lines are not signed yet; there is a checkpoint within a "
			"minute",
			(unsigned long long)wanted.unsigned_lines);
	return r < 0 ? COMMAND_FAILED : COMMAND_OK;
}

static int take_number(const struct option_entry *entry, const char *value)
{
	uint64_t *number = entry->to;

	if (text_parse_u64(value, UINT64_MAX - 1, number) == 0 && *number)
		return 0;
	message("--%s: a line's number is 1 or more", entry->name);
	return -EINVAL;
}

static int take_session(const struct option_entry *entry, const char *value)
{
	if (!session_id_valid(value)) {
		message("--session: the session's id, as the log has it");
		return -EINVAL;
	}
	*(const char **)entry->to = value;
	return 0;
}

static int parse(struct options *options, int argc, char **argv)
{
	const struct option_entry known[] = {
		{ "log-dir", .value = &options->log_dir },
		{ "state-dir", .value = &options->state_dir },
		{ "key", .value = &options->key },
		{ "file", .value = &options->file },
		{ "session", .take = take_session, .to = &options->session },
		{ "from", .take = take_number, .to = &options->range.from },
		{ "to", .take = take_number, .to = &options->range.to },
		{ "json", .flag = &options->json },
		{ 0 },
	};

	return options_read(argc, argv, known);
}

static bool fits_together(const struct options *options, bool exports)
{
	const struct audit_range *range = &options->range;

	if (range->to && range->from > range->to)
		return false;
	if (exports)
		return !options->file && !options->json;
	return !options->session && !(options->file && (range->from || range->to));
}

static int run(int argc, char **argv)
{
	struct options options = { .log_dir = LOG_DIR, .state_dir = STATE_DIR };
	bool exports;

	if (argc < 2 || (strcmp(argv[1], "verify") != 0 && strcmp(argv[1], "export") != 0))
		return command_misused(&cmd_audit);
	exports = !strcmp(argv[1], "export");
	if (parse(&options, argc - 1, argv + 1) < 0 || optind < argc - 1 ||
	    !fits_together(&options, exports))
		return command_misused(&cmd_audit);
	if (audit_key_init() < 0)
		return output_failure("cannot use libsodium", 0);
	return exports ? export(&options) : verify(&options);
}

const struct command cmd_audit = {
	.name = "audit",
	.arguments = "verify [--file FILE] [--from N] [--to N] [--json] | export [--session ID]",
	.summary = "verify the audit log, and export lines of it",
	.help = "  verify             whether the log is as it was written; names the first line\n"
		"                     that is not, and what is wrong with it\n"
		"    --file FILE      an export instead of the log\n"
		"    --json           for programs\n"
		"  export             lines as they are, up to the next checkpoint, which signs them\n"
		"    --session ID     only that session's, with a signed statement that these are\n"
		"                     all; needs root\n"
		"\n"
		"  --from N, --to N   numbers of lines (\"n\"); default: the first, the last\n"
		"  --log-dir DIR      default: " LOG_DIR "\n"
		"  --state-dir DIR    of the key, and of what says where the log ends; default:\n"
		"                     " STATE_DIR "\n"
		"  --key FILE         a copy of audit.pub, to verify a copy of the log; then nothing\n"
		"                     says whether lines are missing at its end\n"
		"\n"
		"Exit status: 0 all is well; 1 something is wrong with the log, or it cannot be read;\n"
		"2 wrong usage.\n",
	.run = run,
};
