/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Any bytes as a connection's input: split into lines, each of which is a request or is refused
 * with a sentence that a reply can carry. The first line is tried as a pattern of the log, too.
 */
#include <sys/mman.h>

#include "lib/base/base.h"
#include "lib/event/event.h"
#include "lib/proto/proto.h"

static const char some_path[] = "/usr/lib/node_modules/npm/bin/npm-cli.js";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the parser promises of the requests about holds. */
static void check_review(const struct proto_request *request)
{
	if (request->verb == PROTO_ANSWER &&
	    (!request->review || request->review > PROTO_REVIEW_MAX ||
	     (request->directory && request->scope == PROTO_ONCE)))
		abort();
	if (request->directory && !proto_path_valid(request->directory))
		abort();
	if (request->verb == PROTO_WHY && request->newest == (request->event >= 0))
		abort();
	if (request->verb != PROTO_CANARY)
		return;
	if (request->path && !proto_path_valid(request->path))
		abort();
	if ((request->action != PROTO_CANARY_LIST) != !!request->name)
		abort();
}

static void check_request(const struct proto_request *request)
{
	if ((unsigned int)request->verb >= PROTO_VERBS)
		abort();
	if (request->verb == PROTO_START && (!request->n_command || !request->command[0]))
		abort();
	if (request->verb == PROTO_KILL && !request->session)
		abort();
	if (request->timeout < 1 || request->timeout > PROTO_TIMEOUT_MAX)
		abort();
	check_review(request);
	if (request->policy_text && strlen(request->policy_text) != request->policy_length)
		abort();
}

static void check_line(const char *line, size_t length)
{
	CLEANUP(proto_request_freep) struct proto_request *request = NULL;
	char why[256] = "";
	json_t *reply;

	if (proto_request_parse(line, length, why, sizeof(why), &request) == 0) {
		check_request(request);
		return;
	}
	if (!why[0])
		abort();
	reply = proto_error_reply(PROTO_BAD_REQUEST, why, NULL);
	if (!reply)
		abort();
	json_decref(reply);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	OWNED_LINES struct lines lines = { 0 };
	OWNED_FD int fd = memfd_create("input", MFD_CLOEXEC);
	size_t length, taken = 0;
	char *line;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	while (lines_read(&lines, fd, PROTO_START_MAX) > 0)
		while (lines_next(&lines, &line, &length)) {
			taken += length + 1;
			check_line(line, length);
			log_pattern_matches(
				line, (struct record_bytes) { some_path, sizeof(some_path) - 1 });
		}
	if (taken + lines_held(&lines) != size)
		abort();
	return 0;
}
