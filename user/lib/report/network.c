/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Addresses and ports: who connected, bound, listened and sent where. In the kernel's records a
 * connect that was allowed counts as made until a `result` of the same thread says that it failed.
 */
#include <arpa/inet.h>

#include "lib/base/base.h"
#include "internal.h"

enum { TRIED, CONNECTED, FAILED, REFUSED };

/* A connect that goes on in the background has not failed. */
static bool is_failure(int error)
{
	return error && error != EINPROGRESS && error != EALREADY && error != EISCONN;
}

static void take_back(struct tally *tally, uint32_t number)
{
	if (number && number <= tally->keys.count) {
		tally->entries[number - 1].n[CONNECTED]--;
		tally->entries[number - 1].n[FAILED]++;
	}
}

static void add_result(struct report *report, const struct report_event *event)
{
	struct report_process *thread = report_process(report, event->thread);

	if (is_failure(event->log->error)) {
		take_back(&report->network, thread->connect);
		take_back(&report->destinations, thread->destination);
		take_back(&report->sockets, thread->unix_connect);
	}
	thread->connect = thread->destination = thread->unix_connect = 0;
}

static void count(struct tally_entry *entry, const struct report_event *event)
{
	bool failed = !event->refused && is_failure(event->log->error);

	entry->n[TRIED]++;
	entry->n[REFUSED] += event->refused;
	entry->n[FAILED] += failed;
	entry->n[CONNECTED] += event->happened || event->log->error == EINPROGRESS;
}

int report_add_network(struct report *report, const struct report_event *event)
{
	const struct log_event *log = event->log;
	struct tally_key key = { .b = event->program, .d = log->port, .e = log->op };
	struct report_process *thread = report_process(report, event->thread);
	uint32_t number, destination;
	struct tally_entry *entry;
	int r;

	if (log->kind == LOG_RESULT)
		add_result(report, event);
	if (log->kind != LOG_NET || !log->address.length || log->flags & GRITH_RECORD_HELD)
		return 0;
	r = report_name_add(report, log->address, &key.a);
	if (r == 0)
		r = report_name_add(report, log->name, &key.c);
	if (r == 0)
		r = tally_at(&report->network, &key, log->time, &entry, &number);
	if (r < 0)
		return r;
	count(entry, event);
	if (log->op != GRITH_OP_CONNECT)
		return 0;
	r = tally_at(&report->destinations, &(struct tally_key) { .a = key.a, .d = key.d },
		     log->time, &entry, &destination);
	if (r < 0)
		return r;
	count(entry, event);
	thread->connect = event->happened ? number + 1 : 0;
	thread->destination = event->happened ? destination + 1 : 0;
	return 0;
}

static bool is_loopback(uint32_t address)
{
	return address >> 24 == 127;
}

static bool is_private(uint32_t address)
{
	return address >> 24 == 10 || address >> 20 == 0xac1 || address >> 16 == 0xc0a8 ||
	       address >> 22 == 0x191; /* RFC 1918, and 100.64.0.0/10 of RFC 6598 */
}

/* Where an address is, as far as it tells by itself. */
static const char *scope_of(struct record_bytes address)
{
	char text[INET6_ADDRSTRLEN];
	struct in6_addr six;
	struct in_addr four;

	if (address.length >= sizeof(text))
		return "not known";
	memcpy(text, address.data, address.length);
	text[address.length] = '\0';
	if (inet_pton(AF_INET, text, &four) == 1) {
		uint32_t number = ntohl(four.s_addr);

		if (is_loopback(number))
			return "this machine";
		if (number >> 16 == 0xa9fe)
			return "link";
		return is_private(number) ? "private" : "internet";
	}
	if (inet_pton(AF_INET6, text, &six) != 1)
		return "not known";
	if (IN6_IS_ADDR_LOOPBACK(&six))
		return "this machine";
	if (IN6_IS_ADDR_LINKLOCAL(&six))
		return "link";
	return (six.s6_addr[0] & 0xfe) == 0xfc ? "private" : "internet";
}

/*
 * What one expects a program to talk to outside: ssh, DNS, HTTP, HTTPS, DNS over TLS, git.
 * On this machine every port is usual.
 */
static const char *remark_of(const struct tally_key *key, const char *scope)
{
	static const uint16_t usual[] = { 22, 53, 80, 443, 853, 9418 };

	if (key->e != GRITH_OP_CONNECT && key->e != GRITH_OP_SEND)
		return "";
	if (!strcmp(scope, "this machine"))
		return "";
	for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
		if (usual[i] == key->d)
			return "";
	return "unusual port";
}

void report_table_network(struct table_writer *w)
{
	static const struct report_column columns[] = {
		{ "host", "host", REPORT_TEXT },	 { "address", "address", REPORT_TEXT },
		{ "port", "port", REPORT_NUMBER },	 { "op", "operation", REPORT_TEXT },
		{ "program", "program", REPORT_TEXT },	 { "tried", "tried", REPORT_NUMBER },
		{ "done", "done", REPORT_NUMBER },	 { "failed", "failed", REPORT_NUMBER },
		{ "refused", "refused", REPORT_NUMBER }, { "scope", "where", REPORT_TEXT },
		{ "remark", "remark", REPORT_TEXT },
	};
	const struct tally *network = &w->report->network;

	TABLE_COLUMNS_SET(w->table, columns);
	w->table->beyond = network->beyond;
	for (uint32_t i = 0; i < network->keys.count; i++) {
		const struct tally_key *key = tally_key(network, i);
		const char *scope = scope_of(report_name(&w->report->names, key->a));

		table_name(w, key->c);
		table_name(w, key->a);
		table_number(w, key->d);
		table_string(w, op_name(key->e) ? op_name(key->e) : "");
		table_name(w, key->b);
		for (size_t n = TRIED; n <= REFUSED; n++)
			table_number(w, network->entries[i].n[n]);
		table_string(w, scope);
		table_string(w, remark_of(key, scope));
	}
	table_finish(w, 5);
}
