/* SPDX-License-Identifier: MPL-2.0 */
/* Lines of the stream, each of which has one review or, the first one, many. */
#include "lib/proto/proto.h"
#include "stream.h"

static int pass_on(const json_t *line, review_fn *each, void *arg)
{
	json_t *review = json_object_get(line, "review");
	size_t i;
	int r = json_is_object(review) ? each(arg, review) : 0;

	json_array_foreach (json_object_get(line, "reviews"), i, review)
		if (r == 0 && json_is_object(review))
			r = each(arg, review);
	return r;
}

int review_stream_open(const char *socket, const char *session, review_fn *each, void *arg,
		       struct channel **ret_channel, struct text *error)
{
	json_auto_t *request = review_request(session, false, true);
	CLEANUP(channel_freep) struct channel *channel = NULL;
	json_auto_t *reply = NULL;
	int r = channel_start(socket, 0, request, &channel, &reply, error);

	if (r == 0)
		r = pass_on(reply, each, arg);
	if (r == 0)
		*ret_channel = TAKE_PTR(channel);
	return r;
}

int review_stream_take(struct channel *channel, bool more, review_fn *each, void *arg)
{
	int r = more ? channel_read(channel) : 0;

	if (r == -EAGAIN)
		r = 0;
	while (r == 0) {
		json_auto_t *line = NULL;

		r = channel_take(channel, &line);
		if (r == 0)
			r = pass_on(line, each, arg);
	}
	return r == -EAGAIN ? 0 : r;
}

int review_stream_answer(const char *socket, const struct review_answer *answer, struct text *error)
{
	json_auto_t *request = review_answer_request(answer);
	json_auto_t *reply = NULL;

	return channel_ask(socket, 0, request, &reply, error);
}
