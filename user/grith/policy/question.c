/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Questions to a policy.
 */
#include "lib/base/base.h"
#include "question.h"

int question_path(const char *op, const char *path, struct question *ret_question)
{
	struct question q = { .path = path };
	enum grith_op number;

	if (op_parse(op, &number) < 0)
		return -EINVAL;
	q.class = op_class(number);
	if (q.class >= GRITH_OP_CLASSES)
		return -EINVAL;
	*ret_question = q;
	return 0;
}

int question_net(enum grith_net_op op, const char *endpoint, const char *address,
		 struct question *ret_question)
{
	struct question q = { .is_net = true, .op = op };
	const char *colon = strrchr(endpoint, ':');
	size_t length = colon ? colon - endpoint : 0;
	uint64_t port;

	if (!length || length >= sizeof(q.host) || text_parse_u64(colon + 1, UINT16_MAX, &port) < 0)
		return -EINVAL;
	q.port = port;
	if (endpoint[0] == '[' && endpoint[length - 1] == ']') {
		endpoint++;
		length -= 2;
	}
	memcpy(q.host, endpoint, length);
	q.host[length] = '\0';
	if (address_parse(q.host, strlen(q.host), q.address)) {
		q.host[0] = '\0';
	} else {
		memset(q.address, 0, sizeof(q.address));
		if (strchr(q.host, ':'))
			return -EINVAL; /* an IPv6 address that is none */
	}
	if (address && (!q.host[0] || !address_parse(address, strlen(address), q.address)))
		return -EINVAL;
	*ret_question = q;
	return 0;
}

static const char *host_of(const struct question *q)
{
	return q->host[0] ? q->host : NULL;
}

struct grith_outcome question_ask(const struct question *q, const struct policy *policy)
{
	if (!q->is_net)
		return policy_eval_path(policy, q->class, q->path, strlen(q->path));
	return policy_eval_net(policy, q->op, q->address, q->port, host_of(q));
}

int question_ask_parts(const struct question *q, const struct policy *policy,
		       struct policy_parts *ret_parts)
{
	if (!q->is_net)
		return policy_eval_parts(policy, q->class, q->path, strlen(q->path), ret_parts);
	return policy_eval_net_parts(policy, q->op, q->address, q->port, host_of(q), ret_parts);
}
