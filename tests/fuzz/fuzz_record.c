/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Any bytes as a record: refused, or a line of the audit log that a JSON reader accepts and that
 * the log's own reader reads back as it was. The flow of secrets takes in all records of one input.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "lib/event/event.h"
#include "lib/flow/flow.h"
#include "lib/record/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_same(struct record_bytes a, struct record_bytes b)
{
	return a.length == b.length && (!a.length || !memcmp(a.data, b.data, a.length));
}

/* What is read is what was written. */
static void check_read_back(const struct text *text, const struct record *record)
{
	OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
	struct log_event event;

	if (log_event_read(&reader, text->data, text->length - 1, &event) < 0)
		abort();
	if (event.op != record->head.op || event.sequence != record->head.sequence ||
	    !is_same(event.path, record->path) || !is_same(event.second, record->second) ||
	    (event.decided && event.verdict != record->head.verdict))
		abort();
}

static void check_line(const struct record *record, struct record_bytes argv)
{
	OWNED_TEXT struct text text = { 0 };
	struct event_operation event = {
		.head = { record->head.time & INT64_MAX, record->head.time, "abcdefghij" },
		.record = record,
		.argv = argv,
		.program = record->comm,
		.reason = record->target_comm,
	};
	struct log_head head;
	json_t *read;

	if (event_add_operation(&text, &event) < 0)
		return;
	if (text.data[text.length - 1] != '\n')
		abort();
	/* 64-bit numbers above INT64_MAX are JSON, but jansson keeps them as reals only. */
	read = json_loadb(text.data, text.length - 1,
			  JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
	if (!read || json_object_size(read) < 10)
		abort();
	json_decref(read);
	if (!log_head_parse(text.data, text.length - 1, &head) || head.session[0] != 'a')
		abort();
	check_read_back(&text, record);
}

/* Each record as it is, and as one of a child of its process. */
static void check_flow(const uint8_t *data, size_t size)
{
	static const uint16_t sources[GRITH_SOURCES] = { 1, 2, 4 };
	CLEANUP(flow_freep) struct flow *flow = flow_new(sources);
	struct record record;

	while (flow && record_decode(data, size, &record) == 0) {
		struct flow_chain chain;
		char text[64];

		for (int i = 0; i < 2; i++) {
			flow_note(flow, &record, record.argv, record.comm);
			if (flow_ask(flow, record.head.pid, record.head.time, 10, &chain) ==
			    FLOW_KNOWN) {
				if (chain.n_steps > FLOW_CHAIN_MAX)
					abort();
				flow_chain_short(&chain, text, sizeof(text));
			}
			record.head.ppid = record.head.pid;
			record.head.pid++;
		}
		data += record.head.length;
		size -= record.head.length;
	}
}

static void on_exec(void *arg, const struct record *record, struct record_bytes argv)
{
	(void)arg;
	check_line(record, argv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct exec_join join = { 0 };
	struct record record;

	if (record_decode(data, size, &record) < 0)
		return 0;
	check_flow(data, size);
	check_line(&record, record.argv);
	exec_join_add(&join, &record, on_exec, NULL);
	exec_join_add(&join, &record, on_exec, NULL);
	exec_join_flush(&join, 0, on_exec, NULL);
	exec_join_free(&join);
	return 0;
}
