/* SPDX-License-Identifier: MPL-2.0 */
/* Names are looked up as the kernel has them: /proc/self is a link to /proc/PID. */
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
	static const char self[] = "/proc/self/";
	OWNED_TEXT struct text own = { 0 };

	if (event->program.length && bytes_are(path, "/proc/self/exe"))
		return of_path(image, event, event->program);
	if (path.length <= strlen(self) || !bytes_start(path, self) ||
	    text_addf(&own, "/proc/%u/", event->pid) < 0 ||
	    text_add(&own, path.data + strlen(self), path.length - strlen(self)) < 0)
		return of_path(image, event, path);
	return of_path(image, event, (struct record_bytes) { own.data, own.length });
}

static bool of_net(const struct policy_image *image, const struct log_event *event,
		   uint8_t address[16], struct grith_outcome *ret_outcome)
{
	bool bind = event->op == GRITH_OP_BIND;

	if (!address_parse(event->address.data, event->address.length, address))
		return false;
	*ret_outcome = policy_image_net(image, bind ? GRITH_NET_BIND : GRITH_NET_CONNECT, address,
					event->port);
	/* What the session did before has no weight on what stays in it. */
	if (!bind && event->flags & GRITH_RECORD_OWN)
		ret_outcome->flags |= GRITH_OUTCOME_ALWAYS;
	return true;
}

bool replay_outcome(const struct policy_image *image, const struct log_event *event,
		    uint8_t ret_address[16], struct grith_outcome *ret_outcome)
{
	switch (event->kind) {
	case LOG_NET: /* is decided before the network answers */
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
	if (event->flags & GRITH_RECORD_OWN) {
		*ret_outcome = (struct grith_outcome) {
			.verdict = GRITH_ALLOW,
			.flags = GRITH_OUTCOME_ALWAYS,
		};
		return true;
	}
	*ret_outcome = of_name(image, event, event->path);
	if (event->second.length)
		*ret_outcome = replay_stricter(*ret_outcome, of_name(image, event, event->second));
	return true;
}

const struct policy_rule *replay_rule(const struct policy *policy,
				      const struct grith_outcome *outcome)
{
	return outcome->rule && outcome->rule <= policy->n_rules ? &policy->rules[outcome->rule - 1]
								 : NULL;
}
