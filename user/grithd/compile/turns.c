/* SPDX-License-Identifier: MPL-2.0 */
/* Who runs a child and when, and what its end means. Users take turns, one child each. */
#include <signal.h>
#include <sys/wait.h>

#include "internal.h"

void compile_stop_child(struct compile *compile)
{
	child_clear(&compile->child);
	compile->ended = sd_event_source_disable_unref(compile->ended);
	compile->timer = sd_event_source_disable_unref(compile->timer);
}

/* For the one who asked: why there is no result. NULL: there is one. */
static void explain(const struct compile *compile, int status, struct diag *diag)
{
	if (compile->timed_out || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
		diag_add(diag, NULL, 0, 0,
			 "compiling the policy takes too long (%s): write fewer rules, and begin "
			 "their globs with a directory and not with **",
			 compile->timed_out ? "COMPILE_SECONDS" : "COMPILE_CPU_SECONDS");
	else if (WIFSIGNALED(status))
		diag_add(diag, NULL, 0, 0,
			 "the process that compiles the policy was ended by signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) != EXIT_SUCCESS)
		diag_add(diag, NULL, 0, 0,
			 "the process that compiles the policy failed, or had too little memory "
			 "(COMPILE_MEMORY_MAX, %u MiB)",
			 COMPILE_MEMORY_MAX >> 20);
}

static int take_result(struct compile *compile, struct compile_result *result)
{
	OWNED_TEXT struct text bytes = { 0 };
	struct unpack from;
	int status, r = child_end(&compile->child, &status);

	if (r < 0)
		return r;
	explain(compile, status, &result->diag);
	if (result->diag.count)
		return 0;
	r = child_result(&compile->child, &bytes);
	if (r < 0 && r != -EFBIG)
		return r;
	from = (struct unpack) { bytes.data, bytes.data + bytes.length, r < 0 || !bytes.data };
	r = compile_result_unpack(&from, result);
	if (r == -EBADMSG) {
		log_line(LOG_ERR, "a policy of user %u: what was compiled is no image",
			 compile->uid);
		diag_add(&result->diag, NULL, 0, 0,
			 "the process that compiles the policy made something that is no image");
		return 0;
	}
	if (r == 0 && result->image)
		compile_keep(compile, &bytes);
	return r;
}

static int on_ended(sd_event_source *source, int fd, uint32_t events, void *arg)
{
	OWNED_COMPILE_RESULT struct compile_result result = { 0 };
	struct compile *compile = arg;
	struct compiles *compiles = compile->compiles;
	int r = take_result(compile, &result);

	(void)source;
	(void)fd;
	(void)events;
	compile_stop_child(compile);
	compile_tell(compile, r, &result);
	compiles_ask_turn(compiles);
	return 0;
}

/* Its end is told as that of any other. */
static int on_timer(sd_event_source *source, uint64_t time, void *arg)
{
	struct compile *compile = arg;

	(void)source;
	(void)time;
	compile->timed_out = true;
	kill(compile->child.pid, SIGKILL);
	return 0;
}

static int run(struct compile *compile)
{
	OWNED_TEXT struct text input = { 0 };
	sd_event *event = compile->compiles->event;
	int r = text_add(&input, compile->input.data, compile->input.length)
			?: text_add(&input, compile->hosts.data, compile->hosts.length)
			?: child_start(compile->compiles->program, &input, &compile->child);

	if (r < 0)
		return r;
	r = sd_event_add_io(event, &compile->ended, compile->child.pidfd, EPOLLIN, on_ended,
			    compile);
	if (r < 0)
		return r;
	return sd_event_add_time_relative(event, &compile->timer, CLOCK_MONOTONIC,
					  COMPILE_SECONDS * UINT64_C(1000000), 0, on_timer,
					  compile);
}

size_t compiles_count_of(const struct compiles *compiles, enum compile_state state, uint32_t uid)
{
	size_t count = 0;

	for (size_t i = 0; i < compiles->count; i++)
		count += compiles->list[i]->state == state && compiles->list[i]->uid == uid;
	return count;
}

/* Those of a user who had a turn go behind those of all others. */
static void move_behind(struct compiles *compiles, uint32_t uid)
{
	size_t kept = 0, n = compiles->count;

	for (size_t i = 0; i < n; i++) {
		struct compile *compile = compiles->list[kept];

		if (compile->uid != uid) {
			kept++;
			continue;
		}
		memmove(&compiles->list[kept], &compiles->list[kept + 1],
			(n - kept - 1) * sizeof(struct compile *));
		compiles->list[n - 1] = compile;
	}
}

/* NULL: all that may run do. */
static struct compile *next_turn(const struct compiles *compiles)
{
	struct compile *next = NULL;
	size_t running = 0;

	for (size_t i = 0; i < compiles->count; i++) {
		struct compile *compile = compiles->list[i];

		running += compile->state == RUNNING;
		if (!next && compile->state == WAITING &&
		    !compiles_count_of(compiles, RUNNING, compile->uid))
			next = compile;
	}
	return running < COMPILES_AT_ONCE ? next : NULL;
}

void compiles_ask_turn(struct compiles *compiles)
{
	sd_event_source_set_enabled(compiles->turn, SD_EVENT_ONESHOT);
}

int compiles_on_turn(sd_event_source *source, void *arg)
{
	struct compiles *compiles = arg;

	(void)source;
	for (struct compile *next; (next = next_turn(compiles));) {
		int r = run(next);

		if (r < 0) {
			compile_stop_child(next);
			compile_tell(next, r, NULL);
			continue;
		}
		next->state = RUNNING;
		compiles->compiled++;
		move_behind(compiles, next->uid);
	}
	return 0;
}
