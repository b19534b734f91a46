/* SPDX-License-Identifier: MPL-2.0 */
/* A request and its reply, with a connection of their own. */
#include "grith/base/base.h"
#include "ask.h"
#include "channel.h"

int ask_grithd(const char *socket, json_t *request, json_t **ret_reply)
{
	OWNED_TEXT struct text error = { 0 };
	int r = channel_ask(channel_socket(socket), 0, request, ret_reply, &error);

	return r < 0 ? output_failure(error.data, r) : COMMAND_OK;
}

int ask_and_print(const char *socket, json_t *request, const char *key, bool json, ask_view *view)
{
	struct term term = term_of(STDOUT_FILENO);
	OWNED_TEXT struct text out = { 0 };
	json_auto_t *reply = NULL;
	int status = ask_grithd(socket, request, &reply);
	const json_t *part = json_object_get(reply, key);

	if (status != COMMAND_OK)
		return status;
	return json ? output_json(part) : output_text(&out, view(part, &term, &out));
}
