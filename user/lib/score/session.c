/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What is remembered of one session: counts of operations, sources of secrets that were read, and
 * the planted values that must not leave, each in the forms that it may leave in.
 */
#include "place.h"
#include "session.h"

#define SECOND UINT64_C(1000000000)
#define CANARY_BYTES_MAX 512
#define CANARY_BYTES_LEAST 8 /* shorter ones would be found by chance */

struct score_session *score_session_new(void)
{
	return calloc(1, sizeof(struct score_session));
}

static void free_canary(struct score_canary *canary)
{
	free(canary->name);
	for (size_t f = 0; f < SCORE_FORMS; f++)
		free(canary->forms[f]);
}

void score_session_free(struct score_session *session)
{
	if (!session)
		return;
	for (size_t i = 0; i < session->n_canaries; i++)
		free_canary(&session->canaries[i]);
	for (size_t i = 0; i < SCORE_TAINTED_MAX; i++)
		free(session->tainted[i].path);
	free(session);
}

uint64_t score_session_count(const struct score_session *session, enum grith_op op)
{
	return op < GRITH_OPS ? session->counts[op] : 0;
}

static char *hexadecimal(const char *value, size_t length, const char *digits)
{
	char *text = malloc(length * 2 + 1);

	for (size_t i = 0; text && i < length; i++) {
		text[i * 2] = digits[(unsigned char)value[i] >> 4];
		text[i * 2 + 1] = digits[(unsigned char)value[i] & 15];
	}
	if (text)
		text[length * 2] = '\0';
	return text;
}

/*
 * The middle of the base64 (RFC 4648) of any text that has the value behind `offset` bytes, modulo
 * 3: the digits that depend on the value alone. A digit has 6 bits, the value begins with bit
 * 8 * offset.
 */
static char *base64(const char *value, size_t length, size_t offset)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t first = (8 * offset + 5) / 6, end = 8 * (offset + length) / 6, to = 0;
	char *text = malloc(end - first + 1);

	for (size_t d = first; text && d < end; d++) {
		unsigned int digit = 0;

		for (size_t bit = 6 * d; bit < 6 * d + 6; bit++) {
			unsigned char byte = value[bit / 8 - offset];

			digit = digit << 1 | (byte >> (7 - bit % 8) & 1);
		}
		text[to++] = digits[digit];
	}
	if (text)
		text[to] = '\0';
	return text;
}

static char *reversed(const char *value, size_t length)
{
	char *text = malloc(length + 1);

	for (size_t i = 0; text && i < length; i++)
		text[i] = value[length - 1 - i];
	if (text)
		text[length] = '\0';
	return text;
}

int score_session_add_canary(struct score_session *session, const char *name, const char *value)
{
	size_t length = strnlen(value, CANARY_BYTES_MAX + 1), i = 0;
	struct score_canary canary;

	while (i < session->n_canaries && strcmp(session->canaries[i].forms[0], value) != 0)
		i++;
	if (i < session->n_canaries) /* is watched for already */
		return 0;
	if (length > CANARY_BYTES_MAX || session->n_canaries == SCORE_CANARIES_MAX ||
	    strnlen(name, GRITH_PATH_MAX) == GRITH_PATH_MAX)
		return -E2BIG;
	if (length < CANARY_BYTES_LEAST)
		return -EINVAL;
	canary = (struct score_canary) {
		.name = strdup(name),
		.forms = {
			strdup(value),
			hexadecimal(value, length, "0123456789abcdef"),
			hexadecimal(value, length, "0123456789ABCDEF"),
			base64(value, length, 0),
			base64(value, length, 1),
			base64(value, length, 2),
			reversed(value, length),
		},
	};
	for (size_t f = 0; f < SCORE_FORMS; f++)
		if (!canary.name || !canary.forms[f]) {
			free_canary(&canary);
			return -ENOMEM;
		}
	session->canaries[session->n_canaries++] = canary;
	return 0;
}

bool score_is_recent(uint64_t since, uint64_t now, size_t seconds)
{
	return since && (now < since || now - since <= seconds * SECOND);
}

bool score_source_is_recent(const struct score_session *session, uint64_t now, size_t seconds)
{
	for (size_t i = 0; i < GRITH_SOURCES; i++)
		if (score_is_recent(session->source[i], now, seconds))
			return true;
	return false;
}

bool score_is_ssh(const struct score_operation *operation)
{
	const char *program = operation->program;

	return program && (!strcmp(program, "/usr/bin/ssh") || !strcmp(program, "/bin/ssh"));
}

static bool is_source(const struct score_operation *o, enum grith_source source)
{
	return o->classes & o->source[source];
}

/* The oldest name goes where there are too many. */
static bool remember_path(struct score_session *session, const struct score_operation *o)
{
	struct score_tainted *tainted = NULL;
	char *path;

	for (size_t i = 0; i < SCORE_TAINTED_MAX && !tainted; i++)
		if (session->tainted[i].path && bytes_are(o->path, session->tainted[i].path))
			tainted = &session->tainted[i];
	if (!tainted) {
		path = strndup(o->path.data, o->path.length);
		if (!path)
			return false;
		tainted = &session->tainted[session->next_tainted++ % SCORE_TAINTED_MAX];
		free(tainted->path);
		tainted->path = path;
	}
	tainted->time = o->time;
	return true;
}

static bool remember_read(struct score_session *session, const struct score_operation *o)
{
	uint64_t now = o->time ? o->time : 1;
	bool sensitive = false;

	for (size_t i = 0; i < GRITH_SOURCES; i++) {
		if (!is_source(o, i))
			continue;
		sensitive = true;
		session->source[i] = now;
	}
	if (is_source(o, GRITH_SOURCE_HIGH) &&
	    !(score_is_ssh(o) && place_is_ssh_key(o->path.data, o->path.length)))
		session->high_by_others = now;
	if (place_is_env_file(o->path.data, o->path.length)) {
		sensitive = true;
		session->env_read = now;
	}
	for (size_t i = 0; i < session->n_canaries; i++)
		if (bytes_are(o->path, session->canaries[i].name))
			sensitive = session->armed = true;
	return !sensitive || remember_path(session, o);
}

bool score_remember(struct score_session *session, const struct score_operation *o)
{
	bool reads = o->op == GRITH_OP_READ || o->op == GRITH_OP_RECEIVE ||
		     (o->op == GRITH_OP_WRITE && (o->flags & GRITH_RECORD_READ_TOO));

	/* Listing processes is ptrace access to all of them: it would drown the other kinds. */
	session->operations += o->op != GRITH_OP_PTRACE_ACCESS;
	if (o->op < GRITH_OPS)
		session->counts[o->op]++;
	return !reads || !o->path.length || remember_read(session, o);
}
