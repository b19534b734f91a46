/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Addresses and ports: who connected, bound, listened and sent where. In the kernel's records a
 * connect that was allowed counts as made until a `result` of the same thread says that it failed.
 */
#include "internal.h"

enum { TRIED, CONNECTED, FAILED, REFUSED };

/* A connect that goes on in the background has not failed. */
static bool is_failure(int error)
{
	return error && error != EINPROGRESS && error != EALREADY && error != EISCONN;
}

/* How the thread's connects ended, of which each tally has one at most. */
static void add_result(struct report *report, const struct report_event *event)
{
	struct report_process *thread = report_process(report, event->thread);

	for (size_t i = 0; i < CONNECT_TALLIES; i++) {
		struct tally *tally = &report->tallies[TALLY_FIRST_CONNECT + i];
		uint32_t row = thread->connects[i];

		thread->connects[i] = 0;
		if (!row || row > tally->keys.count || !is_failure(event->log->error))
			continue;
		tally->entries[row - 1].n[CONNECTED]--;
		tally->entries[row - 1].n[FAILED]++;
	}
}

/* `ret_row`: number of the row plus one, where the connect may still fail; else 0. */
static int count(struct report *report, const struct report_event *event, enum tally_number tally,
		 const struct tally_key *key, uint32_t *ret_row)
{
	const int error = event->log->error;
	struct tally_entry *entry;
	uint32_t number;
	int r = tally_at(&report->tallies[tally], key, event->log->time, &entry, &number);

	if (r < 0)
		return r;
	entry->n[TRIED]++;
	entry->n[REFUSED] += event->refused;
	entry->n[FAILED] += !event->refused && is_failure(error);
	entry->n[CONNECTED] += event->happened || error == EINPROGRESS;
	*ret_row = event->happened ? number + 1 : 0;
	return 0;
}

static int add(struct report *report, const struct report_event *event)
{
	const struct log_event *log = event->log;
	struct tally_key key = { .b = event->program, .d = log->port, .e = log->op };
	struct tally_key destination = { .d = log->port };
	uint32_t *connects = report_process(report, event->thread)->connects, row;
	int r;

	if (log->kind == LOG_RESULT)
		add_result(report, event);
	if (log->kind != LOG_NET || !log->address.length || log->flags & GRITH_RECORD_HELD)
		return 0;
	r = report_name_add(report, log->address, &key.a);
	destination.a = key.a;
	if (r == 0)
		r = report_name_add(report, log->name, &key.c);
	if (r == 0)
		r = count(report, event, TALLY_NETWORK, &key, &row);
	if (r < 0 || log->op != GRITH_OP_CONNECT)
		return r;
	connects[0] = row; /* of TALLY_NETWORK, the first of them */
	return count(report, event, TALLY_DESTINATIONS, &destination,
		     &connects[TALLY_DESTINATIONS - TALLY_FIRST_CONNECT]);
}

/* The range that an address is of; it knows nothing of routes. */
static const char *scope(const struct report *report, const struct tally_key *key)
{
	struct record_bytes text = report_name(&report->names, key->a);
	uint8_t a[ADDRESS_BYTES];

	if (!address_parse(text.data, text.length, a))
		return "not known";
	if (address_is_loopback(a))
		return "this machine";
	if (address_is_v4(a)) {
		uint32_t v4 = (uint32_t)a[12] << 24 | a[13] << 16 | a[14] << 8 | a[15];
		bool is_private = v4 >> 24 == 10 || v4 >> 20 == 0xac1 || v4 >> 16 == 0xc0a8 ||
				  v4 >> 22 == 0x191; /* RFC 1918, and 100.64.0.0/10 of RFC 6598 */

		return v4 >> 16 == 0xa9fe ? "link" : is_private ? "private" : "internet";
	}
	if (a[0] == 0xfe && (a[1] & 0xc0) == 0x80)
		return "link";
	return (a[0] & 0xfe) == 0xfc ? "private" : "internet";
}

/*
 * What one expects a program to talk to outside: ssh, DNS, HTTP, HTTPS, DNS over TLS, git.
 * On this machine every port is usual.
 */
static const char *remark(const struct report *report, const struct tally_key *key)
{
	static const uint16_t usual[] = { 22, 53, 80, 443, 853, 9418 };

	if (!op_is_egress(key->e) || !strcmp(scope(report, key), "this machine"))
		return "";
	for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
		if (usual[i] == key->d)
			return "";
	return "unusual port";
}

const struct report_section report_network = {
	.key = "network",
	.title = "Network",
	.about = "Destinations and local ports, and who used them.",
	.columns = {
		{ "host", "host", REPORT_TEXT, ROW_C },
		{ "address", "address", REPORT_TEXT, ROW_A },
		{ "port", "port", REPORT_PORT, ROW_D },
		{ "op", "operation", REPORT_WORD, ROW_OP },
		{ "program", "program", REPORT_PROGRAM, ROW_B },
		{ "tried", "tried", REPORT_NUMBER, ROW_COUNT(TRIED) },
		{ "done", "done", REPORT_NUMBER, ROW_COUNT(CONNECTED) },
		{ "failed", "failed", REPORT_NUMBER, ROW_COUNT(FAILED) },
		{ "refused", "refused", REPORT_NUMBER, ROW_COUNT(REFUSED) },
		{ "scope", "where", REPORT_WORD, ROW_WORD(0) },
		{ "remark", "remark", REPORT_WORD, ROW_WORD(1) },
	},
	.words = { scope, remark },
	.sort = 5,
	.tally = TALLY_NETWORK,
	.add = add,
};
