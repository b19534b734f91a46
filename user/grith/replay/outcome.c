/* SPDX-License-Identifier: MPL-2.0 */
/* Names are judged as the kernel has them: /proc/self is a link to the process's own directory. */
#include <arpa/inet.h>

#include "outcome.h"

/* As replay_stricter() of decide.bpf.h. */
struct grith_outcome replay_stricter(struct grith_outcome a, struct grith_outcome b)
{
	if (b.verdict > a.verdict || (b.verdict == a.verdict && (b.score > a.score || !a.rule)))
		return b;
	return a;
}

static struct grith_outcome of_class(const struct policy_image *image, enum grith_op_class class,
				     struct record_bytes path, bool unknown)
{
	return unknown ? policy_image_unknown(image, class)
		       : policy_image_path(image, class, path.data, path.length);
}

static struct grith_outcome of_path(const struct policy_image *image, const struct log_event *event,
				    struct record_bytes path)
{
	bool unknown = event->flags & GRITH_RECORD_UNKNOWN || !path.length;
	struct grith_outcome outcome = of_class(image, op_class(event->op), path, unknown);

	if (event->flags & GRITH_RECORD_READ_TOO)
		outcome = replay_stricter(of_class(image, GRITH_OP_CLASS_READ, path, unknown),
					  outcome);
	return outcome;
}

/* "/proc/self/x" is "/proc/12/x". */
static struct grith_outcome of_name(const struct policy_image *image, const struct log_event *event,
				    struct record_bytes path)
{
	static const char self[] = "/proc/self/", exe[] = "/proc/self/exe";
	OWNED_TEXT struct text own = { 0 };

	if (event->program.length && path.length == sizeof(exe) - 1 &&
	    !memcmp(path.data, exe, path.length))
		return of_path(image, event, event->program);
	if (path.length < sizeof(self) || memcmp(path.data, self, sizeof(self) - 1) != 0)
		return of_path(image, event, path);
	if (text_addf(&own, "/proc/%u/", event->pid) < 0 ||
	    text_add(&own, path.data + sizeof(self) - 1, path.length - sizeof(self) + 1) < 0)
		return of_path(image, event, path);
	return of_path(image, event, (struct record_bytes) { own.data, own.length });
}

static bool parse_address(struct record_bytes text, uint8_t address[16])
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	char copy[INET6_ADDRSTRLEN];

	if (!text.length || text.length >= sizeof(copy))
		return false;
	memcpy(copy, text.data, text.length);
	copy[text.length] = '\0';
	if (inet_pton(AF_INET6, copy, address) == 1)
		return true;
	memcpy(address, mapped, sizeof(mapped));
	return inet_pton(AF_INET, copy, address + sizeof(mapped)) == 1;
}

/* This machine: what the session did before does not weigh there. */
static bool is_here(const uint8_t address[16])
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff }, here[16] = { [15] = 1 };

	return memcmp(address, mapped, sizeof(mapped)) == 0 ? address[12] == 127
							    : memcmp(address, here, 16) == 0;
}

static bool of_net(const struct policy_image *image, const struct log_event *event,
		   uint8_t address[16], struct grith_outcome *ret_outcome)
{
	bool bind = event->op == GRITH_OP_BIND;

	if (!parse_address(event->address, address))
		return false;
	*ret_outcome = policy_image_net(image, bind ? GRITH_NET_BIND : GRITH_NET_CONNECT, address,
					event->port);
	if (!bind && is_here(address))
		ret_outcome->flags |= GRITH_OUTCOME_ALWAYS;
	return true;
}

bool replay_outcome(const struct policy_image *image, const struct log_event *event,
		    uint8_t ret_address[16], struct grith_outcome *ret_outcome)
{
	switch (event->kind) {
	case LOG_NET: /* is decided before the network has its say */
		return of_net(image, event, ret_address, ret_outcome);
	case LOG_FILE:
	case LOG_UNIX:
	case LOG_EXEC:
		break;
	default:
		return false;
	}
	if (event->error || op_class(event->op) >= GRITH_OP_CLASSES)
		return false;
	*ret_outcome = of_name(image, event, event->path);
	if (event->second.length)
		*ret_outcome = replay_stricter(*ret_outcome, of_name(image, event, event->second));
	return true;
}

bool replay_touches(const struct log_event *event, uint32_t *ret_pid)
{
	static const char *const guarded[] = {
		"environ", "mem", "maps", "smaps", "smaps_rollup", "numa_maps", "auxv", "pagemap",
	};
	char path[64], name[32];
	unsigned int pid;
	int end = 0;

	if (event->kind != LOG_FILE || !event->path.length || event->path.length >= sizeof(path))
		return false;
	memcpy(path, event->path.data, event->path.length);
	path[event->path.length] = '\0';
	if (sscanf(path, "/proc/%7u/%31s%n", &pid, name, &end) != 2 || path[end])
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(guarded); i++)
		if (!strcmp(name, guarded[i])) {
			*ret_pid = pid;
			return true;
		}
	return false;
}

const struct policy_rule *replay_rule(const struct policy *policy,
				      const struct grith_outcome *outcome)
{
	return outcome->rule && outcome->rule <= policy->n_rules ? &policy->rules[outcome->rule - 1]
								 : NULL;
}
