/* SPDX-License-Identifier: MPL-2.0 */
/* Calls with an address, and what strace -yy says of the socket. */
#include <arpa/inet.h>
#include <sys/socket.h>

#include "internal.h"

/* An address of a struct sockaddr as strace prints it. */
struct endpoint {
	int family;
	uint16_t port;
	uint8_t address[16]; /* IPv4 as ::ffff:a.b.c.d */
	bool abstract;
};

/* What follows `before` in the text; length 0: nothing does. */
static struct record_bytes after(struct record_bytes t, const char *before)
{
	size_t at = strace_find(t, before);

	t = strace_from(t, at);
	return t.length ? strace_from(t, strlen(before)) : t;
}

static int read_port(struct record_bytes t, const char *field, uint16_t *ret_port)
{
	uint64_t port;

	if (!strace_number(after(t, field), &port) || port > UINT16_MAX)
		return -EBADMSG;
	*ret_port = (uint16_t)port;
	return 0;
}

static int read_address(struct record_bytes quoted, int family, uint8_t *address)
{
	char text[INET6_ADDRSTRLEN];
	size_t n = strace_find(quoted, "\"");

	if (!n || n >= sizeof(text))
		return -EBADMSG;
	memcpy(text, quoted.data, n);
	text[n] = '\0';
	return inet_pton(family, text, address) == 1 ? 0 : -EBADMSG;
}

static int read_v4(struct record_bytes t, struct endpoint *e)
{
	e->family = AF_INET;
	e->address[10] = e->address[11] = 0xff;
	if (read_port(t, "sin_port=htons(", &e->port) < 0)
		return -EBADMSG;
	return read_address(after(t, "sin_addr=inet_addr(\""), AF_INET, e->address + 12);
}

static int read_v6(struct record_bytes t, struct endpoint *e)
{
	e->family = AF_INET6;
	if (read_port(t, "sin6_port=htons(", &e->port) < 0)
		return -EBADMSG;
	return read_address(after(t, "inet_pton(AF_INET6, \""), AF_INET6, e->address);
}

/* The name, into log->path: absolute, or "@name". */
static int read_unix(const struct strace_context *c, struct record_bytes t, struct endpoint *e,
		     unsigned int *flags)
{
	struct strace_log *log = c->log;
	struct strace_call call = *c->call;
	struct strace_context named = *c;
	bool cut;
	int r;

	e->family = AF_UNIX;
	t = after(t, "sun_path=");
	e->abstract = bytes_start(t, "@");
	if (!e->abstract) {
		call.args[0] = t;
		named.call = &call;
		r = strace_path(&named, false, 0, &log->path, flags);
		return r > 0 ? 0 : r < 0 ? r : -EBADMSG;
	}
	log->path.length = 0;
	r = text_add(&log->path, "@", 1);
	return r < 0 ? r : strace_string(strace_from(t, 1), &log->path, &cut);
}

/* A connection to "any" address is one to this machine, in the kernel and here. */
static void any_is_loopback(struct endpoint *e)
{
	static const uint8_t any[16], any_v4[16] = { [10] = 0xff, [11] = 0xff };

	if (!memcmp(e->address, any, sizeof(any)))
		e->address[15] = 1;
	else if (!memcmp(e->address, any_v4, sizeof(any_v4))) {
		e->address[12] = 127;
		e->address[15] = 1;
	}
}

static int read_endpoint(const struct strace_context *c, struct record_bytes t, struct endpoint *e,
			 unsigned int *flags)
{
	if (bytes_start(t, "{sa_family="))
		t = after(t, "=");
	else if (bytes_start(t, "{")) /* in older versions */
		t = strace_from(t, 1);
	if (bytes_start(t, "AF_INET,"))
		return read_v4(t, e);
	if (bytes_start(t, "AF_INET6,"))
		return read_v6(t, e);
	if (bytes_start(t, "AF_UNIX,"))
		return read_unix(c, t, e, flags);
	return -EBADMSG; /* of a family that has no rules; AF_UNSPEC ends a connection */
}

static struct record_bytes socket_type(struct record_bytes descriptor)
{
	static const struct {
		const char *annotation, *type;
	} types[] = {
		{ "<TCP", "stream" },	      { "<UDP", "dgram" },
		{ "<UNIX-STREAM", "stream" }, { "<UNIX-DGRAM", "dgram" },
		{ "<UNIX-SEQ", "seqpacket" }, { "<RAW", "raw" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (strace_find(descriptor, types[i].annotation) < descriptor.length)
			return bytes_of(types[i].type);
	return (struct record_bytes) { 0 };
}

static int emit_unix(const struct strace_context *c, enum grith_op op, const struct endpoint *e,
		     unsigned int flags)
{
	struct log_event event = {
		.kind = LOG_UNIX,
		.op = op,
		.path = strace_bytes(&c->log->path),
		.flags = flags | GRITH_RECORD_UNIX | (e->abstract ? GRITH_RECORD_ABSTRACT : 0),
		.type = socket_type(c->call->args[0]),
	};

	return strace_emit(c, &event);
}

static int emit_net(const struct strace_context *c, enum grith_op op, struct endpoint *e)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	struct strace_log *log = c->log;
	struct log_event event = {
		.kind = LOG_NET,
		.op = op,
		.port = e->port,
		.type = socket_type(c->call->args[0]),
	};

	if (op != GRITH_OP_BIND)
		any_is_loopback(e);
	if (!memcmp(e->address, mapped, sizeof(mapped)))
		inet_ntop(AF_INET, e->address + 12, log->address, sizeof(log->address));
	else
		inet_ntop(AF_INET6, e->address, log->address, sizeof(log->address));
	event.address = bytes_of(log->address);
	event.family = bytes_of(e->family == AF_INET ? "inet" : "inet6");
	return strace_emit(c, &event);
}

int strace_take_address(const struct strace_context *c, enum grith_op op, size_t arg)
{
	struct record_bytes t = c->call->args[arg];
	struct endpoint e = { 0 };
	unsigned int flags = 0;
	int r;

	if (arg == 1 && op == GRITH_OP_SEND) /* in a struct msghdr, whose first field it is */
		t = after(t, "msg_name=");
	r = read_endpoint(c, t, &e, &flags);
	if (r < 0)
		return r == -EBADMSG ? 0 : r;
	return e.family == AF_UNIX ? emit_unix(c, op, &e, flags) : emit_net(c, op, &e);
}
