/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From the caller's words to the command in its session. Everything that needs a file or can be
 * refused comes before the process is placed; after that there is only the execve.
 */
#include <fcntl.h>

#include "grith/client/client.h"
#include "lib/policy/policy.h"
#include "lib/proto/proto.h"
#include "launch.h"

#define WORDS_BYTES (32u << 10) /* of the command, in the request */

static json_t *command_json(char **argv)
{
	json_auto_t *words = json_array();
	size_t bytes = 0;

	for (size_t i = 0; i < PROTO_COMMAND_MAX && argv[i]; i++) {
		size_t length = strlen(argv[i]);

		bytes += length;
		if (i && bytes > WORDS_BYTES)
			break;
		if (json_array_append_new(words, json_of_bytes(argv[i], length)) < 0)
			return NULL;
	}
	return TAKE_PTR(words);
}

static int set_text(json_t *object, const char *key, const char *value)
{
	if (!value)
		return 0;
	return json_object_set_new(object, key, json_of_bytes(value, strlen(value)));
}

json_t *launch_request(const struct launch *launch)
{
	json_auto_t *request = json_object();
	json_t *policy;
	int r = 0;

	r |= json_object_set_new(request, "do", json_string(proto_verb_name(PROTO_START)));
	r |= json_object_set_new(request, "command", command_json(launch->argv));
	r |= set_text(request, "profile", launch->profile);
	r |= set_text(request, "name", launch->name);
	if (launch->observe)
		r |= json_object_set_new(request, "observe", json_true());
	r |= set_text(request, "on_hold", launch->on_hold);
	if (launch->timeout)
		r |= json_object_set_new(request, "timeout", json_integer(launch->timeout));
	if (launch->policy_text) {
		policy = json_object();
		r |= set_text(policy, "name", launch->policy_name);
		r |= set_text(policy, "text", launch->policy_text);
		r |= json_object_set_new(request, "policy", policy);
	}
	return r < 0 ? NULL : TAKE_PTR(request);
}

int launch_read_policy(const char *path, char **ret_text)
{
	OWNED_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	OWNED_TEXT struct text text = { 0 };
	/* To the end of input, not by the file's size: it may be a pipe. */
	int r = fd < 0 ? -errno : read_to_end(fd, POLICY_TEXT_MAX, &text);

	if (r < 0)
		return r;
	if (!text_is_utf8(text.data, text.length))
		return -EILSEQ;
	*ret_text = TAKE_PTR(text.data);
	return 0;
}

int launch_ask(const struct launch *launch, json_t *request, json_t **ret_reply, struct text *error)
{
	json_auto_t *reply = NULL;
	const char *id;
	int r;

	r = channel_ask(launch->socket, launch->trusted, request, &reply, error);
	if (r < 0)
		return r;
	/* It goes into the environment and from there anywhere. */
	id = json_string_value(json_object_get(reply, "session"));
	if (!id || !session_id_valid(id)) {
		channel_explain(-EBADMSG, launch->socket, error);
		return -EBADMSG;
	}
	*ret_reply = TAKE_PTR(reply);
	return 0;
}

void launch_notes(const json_t *reply, struct text *out)
{
	struct line line = { .out = out };
	const json_t *note;
	size_t i;

	json_array_foreach (json_object_get(reply, "notes"), i, note) {
		if (!json_is_string(note))
			continue;
		line_add(&line, "grith: note: ");
		line_add_string(&line, note);
		line_add(&line, "\n");
	}
}

void launch_hint(const json_t *reply, struct text *out)
{
	const json_t *hint = json_object_get(reply, "hint");
	struct line line = { .out = out };

	line_add(&line, "grith: ");
	if (json_is_string(hint))
		line_add_string(&line, hint);
	else
		line_addf(&line,
			  "session %s: 'grith why --last' says why something was refused, "
			  "'grith review' answers what is held",
			  member_string(reply, "session"));
	line_add(&line, "\n");
}

int launch_execute(const struct launch *launch, const json_t *reply, struct text *error)
{
	const char *session = member_string(reply, "session");
	struct line line = { .out = error };
	int failure;

	if (setenv(PROTO_SESSION_ENV, session, 1) < 0) {
		line_add(&line, strerror(errno));
		return LAUNCH_FAILED;
	}
	execvp(launch->program, launch->argv);
	failure = errno;

	line_add(&line, "cannot execute ");
	line_add_bytes(&line, bytes_of(launch->program));
	line_addf(&line, ": %s", strerror(failure));
	/* It was found and executable before: it is the session that refuses it. */
	if (failure == EACCES || failure == ENOENT)
		line_addf(
			&line,
			"; 'grith log --session %s --refused' shows whether the policy refused it, "
			"'grith why --last --session %s' why",
			session, session);
	return failure == ENOENT ? LAUNCH_NOT_FOUND : LAUNCH_NOT_EXECUTABLE;
}
