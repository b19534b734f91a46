/* SPDX-License-Identifier: MPL-2.0 */
/* Calls with an address, and what strace -yy says of the socket. */
#include <sys/socket.h>

#include "internal.h"

/* An address of a struct sockaddr as strace prints it. */
struct endpoint {
	int family;
	uint16_t port;
	uint8_t address[ADDRESS_BYTES];
	bool abstract;
};

/* What follows `before` in the text; length 0: nothing does. */
static struct record_bytes after(struct record_bytes t, const char *before)
{
	size_t at = strace_find(t, before);

	t = strace_from(t, at);
	return t.length ? strace_from(t, strlen(before)) : t;
}

/* `address` is what comes before the address, up to its quote. */
static int read_net(struct record_bytes t, const char *port, const char *address,
		    struct endpoint *e)
{
	uint64_t number;

	if (!strace_number(after(t, port), &number) || number > UINT16_MAX)
		return -EBADMSG;
	e->port = (uint16_t)number;
	t = after(t, address);
	if (!address_parse(t.data, strace_find(t, "\""), e->address) ||
	    (e->family == AF_INET && !address_is_v4(e->address)))
		return -EBADMSG;
	return 0;
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
static void any_is_loopback(uint8_t *address)
{
	static const uint8_t any[ADDRESS_BYTES];
	const bool is_v4 = address_is_v4(address);

	if (memcmp(address + (is_v4 ? 12 : 0), any, is_v4 ? 4 : 16) != 0)
		return;
	address[12] = is_v4 ? 127 : 0;
	address[15] = 1;
}

static int read_endpoint(const struct strace_context *c, struct record_bytes t, struct endpoint *e,
			 unsigned int *flags)
{
	if (bytes_start(t, "{sa_family="))
		t = after(t, "=");
	else if (bytes_start(t, "{")) /* in older versions */
		t = strace_from(t, 1);
	e->family = bytes_start(t, "AF_INET6,") ? AF_INET6 : AF_INET;
	if (bytes_start(t, "AF_INET,"))
		return read_net(t, "sin_port=htons(", "sin_addr=inet_addr(\"", e);
	if (bytes_start(t, "AF_INET6,"))
		return read_net(t, "sin6_port=htons(", "inet_pton(AF_INET6, \"", e);
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
	struct strace_log *log = c->log;
	struct log_event event = {
		.kind = LOG_NET,
		.op = op,
		.port = e->port,
		.type = socket_type(c->call->args[0]),
	};

	if (op != GRITH_OP_BIND)
		any_is_loopback(e->address);
	address_format(e->address, log->address);
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
