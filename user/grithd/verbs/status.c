/* SPDX-License-Identifier: MPL-2.0 */
/* The `status` request: how grithd and the kernel's programs are. */
#include <sys/utsname.h>

#include "installed.h"
#include "internal.h"

static json_t *hooks_to_json(const struct kernel *kernel)
{
	static const char *const states[] = {
		[KERNEL_HOOK_ATTACHED] = "attached",
		[KERNEL_HOOK_ABSENT] = "absent",
		[KERNEL_HOOK_REFUSED] = "refused",
	};
	size_t count;
	const struct kernel_hook *hooks = kernel_hooks(kernel, &count);
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		const char *why = hooks[i].state == KERNEL_HOOK_ATTACHED ? NULL : hooks[i].why;

		json_array_append_new(array,
				      json_pack("{s:s, s:s, s:s*, s:b}", "name", hooks[i].name,
						"state", states[hooks[i].state], "why", why,
						"mandatory", hooks[i].mandatory));
	}
	return array;
}

static json_t *counters_to_json(const struct verbs *verbs)
{
	const struct intake *intake = verbs->intake;
	const struct audit_log *log = verbs->audit->log;
	uint64_t counters[COUNTERS] = { 0 };
	bool known = kernel_counters(verbs->kernel, counters) == 0;
	json_t *object = json_object();

	counters[COUNTER_RECORDS] = intake->records;
	counters[COUNTER_BAD_RECORDS] = intake->bad_records;
	counters[COUNTER_STRAY_RECORDS] = intake->stray_records;
	counters[COUNTER_AUDIT_LINES] = audit_log_lines(log);
	counters[COUNTER_AUDIT_LOST] = audit_log_lost(log);
	for (unsigned int i = known ? 0 : GRITH_COUNTERS; i < COUNTERS; i++)
		json_object_set_new(object, counter_of(i)->name,
				    json_integer((json_int_t)counters[i]));
	return object;
}

static json_t *policies_to_json(const struct compiles *compiles)
{
	return json_pack("{s:I, s:I, s:I}", "compiled", (json_int_t)compiles->compiled, "reused",
			 (json_int_t)compiles->reused, "damaged", (json_int_t)compiles->damaged);
}

json_t *verb_status(struct verbs *verbs, struct client *client, const struct proto_request *request)
{
	json_t *reply = proto_ok_reply();
	struct utsname system;
	int r;

	(void)client;
	(void)request;
	uname(&system);
	r = json_object_update_new(
		reply,
		json_pack("{s:s, s:s, s:s, s:b, s:o, s:o, s:o, s:I, s:s, s:s, s:s, s:s, s:s, s:i}",
			  "version", GRITH_VERSION, "attach", verbs->attach, "kernel",
			  system.release, "adopted", kernel_adopted(verbs->kernel), "hooks",
			  hooks_to_json(verbs->kernel), "counters", counters_to_json(verbs),
			  "policies", policies_to_json(verbs->compiles), "sessions",
			  (json_int_t)verbs->sessions->count, "socket", verbs->socket, "policy_dir",
			  verbs->policy_dir, "state_dir", verbs->state_dir, "log_dir",
			  verbs->log_dir, "cgroup_root", verbs->root->directory, "pid",
			  (int)getpid()));
	if (r == 0)
		return reply;
	json_decref(reply);
	return NULL;
}
