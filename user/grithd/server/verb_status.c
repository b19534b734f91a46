/* SPDX-License-Identifier: MPL-2.0 */
/* The `status` request: how grithd and the kernel's programs are. */
#include <sys/utsname.h>

#include "grithd/audit/audit.h"
#include "grithd/daemon.h"
#include "lib/base/base.h"
#include "installed.h"
#include "verbs.h"

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

static json_t *counters_to_json(struct daemon *daemon)
{
	uint64_t counters[GRITH_COUNTERS] = { 0 };
	json_t *object = json_object();

	if (kernel_counters(daemon->kernel, counters) == 0)
		for (unsigned int i = 0; i < GRITH_COUNTERS; i++)
			json_object_set_new(object, counter_name(i), json_integer(counters[i]));
	json_object_set_new(object, "records", json_integer(daemon->records));
	json_object_set_new(object, "bad_records", json_integer(daemon->bad_records));
	json_object_set_new(object, "stray_records", json_integer(daemon->stray_records));
	json_object_set_new(object, "audit_lines",
			    json_integer(audit_log_lines(daemon->audit.log)));
	json_object_set_new(object, "audit_lost", json_integer(audit_log_lost(daemon->audit.log)));
	return object;
}

json_t *verb_status(struct daemon *daemon)
{
	char *const *value = daemon->options->value;
	json_t *reply = proto_ok_reply(), *fields;
	struct utsname kernel;

	uname(&kernel);
	fields = json_pack("{s:s, s:s, s:s, s:b, s:o, s:o, s:I, s:s, s:s, s:s, s:s, s:s, s:i}",
			   "version", GRITH_VERSION, "attach",
			   attach_name(kernel_attachment(daemon->kernel)), "kernel", kernel.release,
			   "adopted", kernel_adopted(daemon->kernel), "hooks",
			   hooks_to_json(daemon->kernel), "counters", counters_to_json(daemon),
			   "sessions", (json_int_t)daemon->sessions.count, "socket",
			   value[SETTING_SOCKET], "policy_dir", value[SETTING_POLICY_DIR],
			   "state_dir", value[SETTING_STATE_DIR], "log_dir", value[SETTING_LOG_DIR],
			   "cgroup_root", daemon->root.directory, "pid", (int)getpid());
	if (!reply || !fields || json_object_update(reply, fields) < 0) {
		json_decref(reply);
		reply = NULL;
	}
	json_decref(fields);
	return reply;
}
