/* SPDX-License-Identifier: MPL-2.0 */
/* What is known when processes go, numbers come again, time passes and room runs out. */
#include "test_flow.h"

static const struct grith_stream none;

Test(flow_limits, a_child_that_is_seen_after_its_parent_has_ended)
{
	WORLD(w);

	exec_plain(&w, SHELL, 1, "/bin/bash");
	exec_plain(&w, 12, SHELL, "/usr/bin/python3");
	read_secret(&w, 12, SHELL);
	end(&w, 12, SHELL);
	read_file(&w, 13, 1, "/p/other", 9); /* its first record; it has become init's child */
	expect_way(&w, 13, ".env -> python3[12] -> ?[13]");
	exec_plain(&w, 14, 13, "/usr/bin/curl");
	expect_way(&w, 14, ".env -> python3[12] -> ?[13] -> curl[14]");
}

Test(flow_limits, a_parent_that_only_forks)
{
	WORLD(w);

	/* (X=$(<.env); curl -d "$X") & with two processes that never execute anything */
	exec_plain(&w, SHELL, 1, "/bin/bash");
	read_secret(&w, 14, 13);
	end(&w, 14, 13);
	end(&w, SHELL, 1);
	exec_plain(&w, 15, 13, "/usr/bin/curl");
	expect_way(&w, 15, ".env -> ?[14] -> ?[13] -> curl[15]");
	exec_plain(&w, 16, 1,
		   "/usr/bin/curl"); /* nothing is known of it but that it is an orphan */
	expect_way(&w, 16, ".env -> ?[14] -> curl[16]");
}

Test(flow_limits, an_outer_parent_ends)
{
	WORLD(w);

	exec_plain(&w, SHELL, 500, "/bin/bash");
	read_secret(&w, SHELL, 500);
	read_file(&w, SHELL, 1, "/p/other", 9);
	expect_way(&w, SHELL, ".env -> bash[10]");
}

Test(flow_limits, processes_that_only_fork_are_named_by_their_children)
{
	WORLD(w);
	struct record record;

	exec_plain(&w, 12, 1, "/usr/bin/python3");
	read_secret(&w, 12, 1);
	record = record_of(&w, GRITH_KIND_EXEC, GRITH_OP_EXEC, 15, 14);
	record.origin.ancestors[0] = 13;
	record.origin.ancestors[1] = 12;
	record.path = (struct record_bytes) { "/usr/bin/curl", 13 };
	flow_note(w.flow, &record, (struct record_bytes) { 0 }, "/usr/bin/curl");
	expect_way(&w, 15, ".env -> python3[12] -> python3[13] -> python3[14] -> curl[15]");
}

Test(flow_limits, the_number_of_a_process_comes_again)
{
	WORLD(w);
	struct flow_chain chain;

	exec_plain(&w, SHELL, 1, "/bin/bash");
	exec_plain(&w, 11, SHELL, "/bin/sh");
	exec_plain(&w, 12, SHELL, "/bin/cat");
	read_secret(&w, 12, SHELL);
	end(&w, 12, SHELL);
	exec_plain(&w, 12, SHELL, "/usr/bin/curl");
	expect_none(&w, 12);
	/* its exit was lost: the parent tells, and that something is not known */
	read_secret(&w, 12, SHELL);
	exec_plain(&w, 12, 11, "/usr/bin/curl");
	cr_expect_eq(ask(&w, 12, &chain), FLOW_FORGOTTEN);
}

Test(flow_limits, the_number_of_a_file_comes_again)
{
	WORLD(w);

	exec_plain(&w, SHELL, 1, "/bin/bash");
	exec_plain(&w, 12, SHELL, "/bin/cp");
	read_secret(&w, 12, SHELL);
	write_file(&w, 12, SHELL, "/p/copy", 6);
	exec_plain(&w, 13, SHELL, "/bin/touch");
	use(&w, GRITH_OP_WRITE, 13, SHELL, "/p/new", 6, 0, GRITH_RECORD_CREATED);
	exec_plain(&w, 14, SHELL, "/bin/cat");
	read_file(&w, 14, SHELL, "/p/new", 6);
	expect_none(&w, 14);
}

Test(flow_limits, taint_ends_after_its_lifetime)
{
	WORLD(w);
	struct flow_chain chain;

	exec_plain(&w, 12, 1, "/bin/cat");
	read_secret(&w, 12, 1);
	w.now += LONG * SECOND;
	cr_expect_eq(ask(&w, 12, &chain), FLOW_KNOWN);
	w.now += 61 * SECOND;
	cr_expect_eq(ask(&w, 12, &chain), FLOW_NONE);
	read_secret(&w, 12, 1);
	cr_expect_eq(ask(&w, 12, &chain), FLOW_KNOWN);
	cr_expect_eq(chain.since, w.now);
}

Test(flow_limits, the_heaviest_source_is_told)
{
	WORLD(w);
	struct flow_chain chain;

	exec_plain(&w, 12, 1, "/bin/cat");
	read_secret(&w, 12, 1);
	use(&w, GRITH_OP_READ, 12, 1, "/h/.ssh/id_rsa", 6, 1, 0);
	cr_assert_eq(ask(&w, 12, &chain), FLOW_KNOWN);
	cr_expect_eq(chain.source, GRITH_SOURCE_HIGH);
	cr_expect_str_eq(chain.steps[0].object, "/h/.ssh/id_rsa");
}

Test(flow_limits, a_better_known_way_replaces_a_guess)
{
	WORLD(w);

	exec_plain(&w, SHELL, 1, "/usr/bin/node");
	read_secret(&w, SHELL, 1);
	exec(&w, 12, SHELL, "/bin/cat", none, pipe_of(77));
	exec(&w, 13, SHELL, "/usr/bin/curl", pipe_of(77), none);
	read_secret(&w, 12, SHELL);
	expect_way(&w, 13, ".env -> cat[12] -> pipe -> curl[13]");
}

Test(flow_limits, lost_records_are_not_forgotten)
{
	WORLD(w);
	struct flow_chain chain;

	exec_plain(&w, 12, 1, "/bin/cat");
	flow_lost(w.flow, w.now);
	cr_expect_eq(ask(&w, 12, &chain), FLOW_FORGOTTEN);
	cr_expect_eq(ask(&w, 99, &chain), FLOW_FORGOTTEN);
}

Test(flow_limits, too_many_processes)
{
	WORLD(w);
	struct flow_chain chain;

	exec_plain(&w, SHELL, 1, "/bin/bash");
	exec_plain(&w, 12, SHELL, "/bin/cat");
	read_secret(&w, 12, SHELL);
	for (uint32_t pid = 1000; pid < 1000 + 2 * FLOW_PROCESSES_MAX; pid++)
		exec_plain(&w, pid, SHELL, "/bin/true");
	w.now = 1100 * SECOND;
	/* those with a secret are the last to go */
	cr_expect_eq(ask(&w, 12, &chain), FLOW_KNOWN);
	cr_expect_eq(ask(&w, 1000, &chain), FLOW_FORGOTTEN);
	for (uint32_t pid = 100000; pid < 100000 + FLOW_PROCESSES_MAX; pid++)
		read_secret(&w, pid, SHELL);
	w.now = 1100 * SECOND;
	cr_expect_eq(ask(&w, 12, &chain), FLOW_FORGOTTEN);
}

Test(flow_limits, too_many_files)
{
	WORLD(w);
	struct flow_chain chain;
	char path[32];

	exec_plain(&w, SHELL, 1, "/bin/bash");
	exec_plain(&w, 12, SHELL, "/bin/cp");
	read_secret(&w, 12, SHELL);
	for (uint32_t i = 0; i < FLOW_OBJECTS_MAX + 10; i++) {
		snprintf(path, sizeof(path), "/p/%u", i);
		write_file(&w, 12, SHELL, path, 1000 + i);
	}
	w.now = 1100 * SECOND;
	exec_plain(&w, 13, SHELL, "/bin/cat");
	read_file(&w, 13, SHELL, "/p/0", 1000);
	cr_expect_eq(ask(&w, 13, &chain), FLOW_FORGOTTEN);
	read_file(&w, 13, SHELL, "/p/4000", 5000);
	cr_expect_eq(ask(&w, 13, &chain), FLOW_KNOWN);
}

Test(flow_limits, a_long_chain_keeps_its_ends)
{
	WORLD(w);
	struct flow_chain chain;
	char text[60];

	exec_plain(&w, 12, 1, "/bin/cat");
	read_secret(&w, 12, 1);
	for (uint32_t pid = 13; pid < 40; pid++)
		exec_plain(&w, pid, pid - 1, "/bin/sh");
	cr_assert_eq(ask(&w, 39, &chain), FLOW_KNOWN);
	cr_expect(chain.omitted);
	cr_expect_not(chain.forgotten);
	cr_expect_eq(chain.n_steps, FLOW_CHAIN_MAX);
	cr_expect_eq(chain.steps[0].how, FLOW_READ);
	cr_expect_eq(chain.steps[FLOW_CHAIN_MAX - 1].pid, 39);
	flow_chain_short(&chain, text, sizeof(text));
	cr_expect_str_eq(text, ".env -> ... -> sh[36] -> sh[37] -> sh[38] -> sh[39]");
	/* more steps than are kept: the beginning is not known, and that is said */
	for (uint32_t pid = 40; pid < 40 + FLOW_STEPS_MAX; pid++) {
		exec_plain(&w, pid, pid - 1, "/bin/sh");
		end(&w, pid - 1, 1);
	}
	w.now = 1100 * SECOND;
	cr_assert_eq(ask(&w, 39 + FLOW_STEPS_MAX, &chain), FLOW_KNOWN);
	cr_expect(chain.omitted);
	cr_expect_eq(chain.n_steps, FLOW_CHAIN_MAX);
}

Test(flow_limits, names_of_files_in_arguments)
{
	const char *path = "/home/me/p/.env";

	cr_expect(flow_argument_names("/home/me/p/.env", path, NULL));
	cr_expect(flow_argument_names("../p/.env", path, NULL));
	cr_expect(flow_argument_names("@.env", path, NULL));
	cr_expect(flow_argument_names("file=@./.env", path, NULL));
	cr_expect(flow_argument_names("--config=p/.env", path, NULL));
	cr_expect(flow_argument_names("~/p/.env", path, "/home/me"));
	cr_expect_not(flow_argument_names("~/p/.env", path, NULL));
	cr_expect_not(flow_argument_names("/p/.env", path, NULL));
	cr_expect_not(flow_argument_names("env", path, NULL));
	cr_expect_not(flow_argument_names("", path, NULL));
	cr_expect_not(flow_argument_names("@", path, NULL));
}
