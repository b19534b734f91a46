/* SPDX-License-Identifier: MPL-2.0 */
/* Copies, and names for what was copied. */
#include "subject.h"

static struct record_bytes keep(struct record_bytes bytes, char **at)
{
	struct record_bytes kept = { *at, bytes.length };

	if (bytes.length)
		memcpy(*at, bytes.data, bytes.length);
	*at += bytes.length;
	return kept;
}

static int copy_record(const struct record *record, struct record_bytes argv,
		       struct subject *subject)
{
	char *at = malloc(record->path.length + record->second.length + argv.length + 1);

	if (!at)
		return -ENOMEM;
	subject->bytes = at;
	subject->record = *record;
	subject->record.path = keep(record->path, &at);
	subject->record.second = keep(record->second, &at);
	subject->argv = keep(argv, &at);
	subject->record.argv = (struct record_bytes) { 0 };
	subject->record.view = (struct record_bytes) { 0 };
	if (record->head.kind == GRITH_KIND_NET)
		address_format(record->address, subject->address);
	return 0;
}

static const char *host_of(const struct session *session, const struct record *record)
{
	return record->head.kind == GRITH_KIND_NET
		       ? session_hosts_name(&session->info.hosts, record->address)
		       : NULL;
}

static int copy_parents(const struct process_table *table, struct subject *subject)
{
	uint32_t pid = subject->record.head.ppid;

	while (pid && subject->n_parents < SUBJECT_PARENTS) {
		const struct process_entry *entry = process_table_find(table, pid);
		struct subject_parent *parent = &subject->parents[subject->n_parents];

		if (!entry)
			break;
		subject->n_parents++;
		parent->pid = pid;
		if (text_copy(entry->program, &parent->program) < 0)
			return -ENOMEM;
		pid = entry->ppid;
	}
	return 0;
}

/*
 * A `hold` rule wants a person's word. So does a default that holds, or a path that is not known;
 * their score is not what made them hold. What was inspected by its arguments has passed its rule.
 */
static bool is_by_rule(const struct session *session, const struct session_rule *rule,
		       const struct grith_record *head)
{
	if (head->flags & GRITH_RECORD_INSPECT_ARGV)
		return false;
	if (rule)
		return rule->holds;
	return !(head->filters & GRITH_CONTEXT_MASS) && head->score <= session->info.threshold_hold;
}

static int copy_rule(const struct session *session, struct subject *subject)
{
	const struct session_info *info = &session->info;
	const struct session_rule *rule = session_info_rule(info, subject->record.head.rule);

	subject->by_rule = is_by_rule(session, rule, &subject->record.head);
	if (!rule)
		return 0;
	subject->rule = text_format("%s:%u", info->files[rule->file], rule->line);
	return subject->rule ? text_copy(rule->reason, &subject->reason) : -ENOMEM;
}

int subject_make(struct session *session, const struct record *record, struct record_bytes argv,
		 const char *program, struct subject *subject)
{
	return copy_record(record, argv, subject)
		?: text_copy(program, &subject->program)
		?: text_copy(host_of(session, record), &subject->host)
		?: copy_parents(&session->processes, subject)
		?: copy_rule(session, subject);
}

void subject_free(struct subject *subject)
{
	free(subject->bytes);
	free(subject->program);
	free(subject->host);
	free(subject->rule);
	free(subject->reason);
	for (size_t i = 0; i < subject->n_parents; i++)
		free(subject->parents[i].program);
	*subject = (struct subject) { 0 };
}

bool subject_is_inspected(const struct subject *subject)
{
	return subject->record.head.flags & GRITH_RECORD_INSPECT_ARGV;
}

enum subject_kind subject_kind(const struct subject *subject)
{
	const struct record *record = &subject->record;

	if (record->head.kind == GRITH_KIND_NET)
		return record->port ? SUBJECT_ADDRESS : SUBJECT_OTHER;
	/* Of arguments that were cut, the rest may be anything. */
	if (subject_is_inspected(subject))
		return record->path.length && subject->argv.length &&
				       !(record->head.flags & GRITH_RECORD_TRUNCATED)
			       ? SUBJECT_COMMAND
			       : SUBJECT_OTHER;
	if (record->path.length && !(record->head.flags & GRITH_RECORD_UNKNOWN))
		return SUBJECT_PATH;
	return SUBJECT_OTHER;
}

int subject_add_address(const struct subject *subject, struct text *text)
{
	const char *address = subject->address;
	unsigned int port = subject->record.port;

	return strchr(address, ':') ? text_addf(text, "[%s]:%u", address, port)
				    : text_addf(text, "%s:%u", address, port);
}

/* One word of a command line, so that no two command lines are the same text. */
static int add_word(struct text *text, const char *word, size_t length)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_@%+=:,./-";
	int r;

	if (length && strspn(word, plain) >= length)
		return text_add(text, word, length);
	r = text_add(text, "'", 1);
	for (size_t i = 0; r == 0 && i < length; i++)
		r = word[i] == '\'' ? text_add(text, "'\\''", 4) : text_add(text, word + i, 1);
	return r ?: text_add(text, "'", 1);
}

static int add_command(const struct subject *subject, struct text *text)
{
	struct record_bytes path = subject->record.path, argv = subject->argv;
	OWNED_MEM char *copy = malloc(path.length + argv.length + 2);
	size_t at = path.length + 1, end = at + argv.length;
	int r;

	/* Each word with a NUL behind it, as strspn() wants it. */
	if (!copy)
		return -ENOMEM;
	memcpy(copy, path.data, path.length);
	copy[path.length] = '\0';
	memcpy(copy + at, argv.data, argv.length);
	copy[end] = '\0';
	r = add_word(text, copy, path.length);
	while (r == 0 && at < end) {
		size_t length = strlen(copy + at);

		r = text_add(text, " ", 1) ?: add_word(text, copy + at, length);
		at += length + 1;
	}
	return r;
}

static int add_other(const struct record *record, struct text *text)
{
	switch (record->head.kind) {
	case GRITH_KIND_PROCESS:
		return text_addf(text, "process %u (%s)", record->target, record->target_comm);
	case GRITH_KIND_RING:
		return text_addf(text, "io_uring");
	case GRITH_KIND_NET:
		return text_addf(text, "socket of family %u, type %u", record->family,
				 record->type);
	case GRITH_KIND_EXEC:
		return record->path.length ? text_add(text, record->path.data, record->path.length)
					   : text_addf(text, "a program that cannot be known");
	default:
		return text_addf(text, "a path that cannot be known");
	}
}

int subject_add_object(const struct subject *subject, struct text *text)
{
	const struct record *record = &subject->record;

	switch (subject_kind(subject)) {
	case SUBJECT_PATH:
		return text_add(text, record->path.data, record->path.length);
	case SUBJECT_ADDRESS:
		return subject->host ? text_addf(text, "%s:%u", subject->host, record->port)
				     : subject_add_address(subject, text);
	case SUBJECT_COMMAND:
		return add_command(subject, text);
	default:
		return add_other(record, text);
	}
}

int subject_add_shown(const struct subject *subject, struct text *text)
{
	if (subject_kind(subject) != SUBJECT_ADDRESS || !subject->host)
		return subject_add_object(subject, text);
	return text_addf(text, "%s (%s):%u", subject->host, subject->address, subject->record.port);
}

struct score_operation record_operation(const struct record *record, struct record_bytes argv,
					const char *program, const struct session *session)
{
	const struct session_info *info = &session->info;
	const struct grith_record *head = &record->head;
	const struct session_rule *rule = session_info_rule(info, head->rule);
	struct score_operation operation = {
		.op = head->op,
		.flags = head->flags,
		.time = head->time,
		.path = record->path,
		.second = record->second,
		.argv = argv,
		.host = host_of(session, record),
		.trusted = rule && rule->trusts,
		.argv_follows = rule && rule->judges && !(head->flags & GRITH_RECORD_INSPECT_ARGV),
		.port = record->port,
		.family = record->family,
		.type = record->type,
		.protocol = record->protocol,
		.program = program,
		.home = info->home,
		.project = info->project,
		.user = info->user,
		.static_score = head->score - head->context,
		.classes = head->labels,
		.context = head->context,
		.context_filters = head->filters,
	};

	memcpy(operation.address, record->address, sizeof(operation.address));
	memcpy(operation.source, info->sources, sizeof(operation.source));
	return operation;
}

struct score_operation subject_operation(const struct subject *subject,
					 const struct session *session)
{
	struct score_operation operation =
		record_operation(&subject->record, subject->argv, subject->program, session);

	operation.shown_host = subject->address[0] ? subject->address : NULL;
	return operation;
}
