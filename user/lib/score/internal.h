/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the filters share: the weights by name, one operation prepared for judging, and the memory
 * of a session. Only for user/lib/score.
 */
#pragma once

#include <hs/hs.h>

#include "actions.h"
#include "place.h"
#include "scoring.h"

/* --- weights ----------------------------------------------------------------------------------*/

/* What the strings of a list are, beyond words that a filter compares. */
enum score_list_form {
	SCORE_WORDS = 0,
	SCORE_HOSTS, /* a name, and all below it */
	SCORE_TLDS, /* top-level domains */
	SCORE_SUFFIXES, /* ends of host names, wherever they stand */
	SCORE_MARKERS, /* whole words of letters and digits, in either case */
	SCORE_FORMATS, /* "NAME: REGULAR EXPRESSION" */
};

struct score_list_kind {
	const char *name;
	enum score_list_form form;
};

/* A pattern that comes with a filter: what words of a language mean is no weight. */
struct score_phrase {
	const char *expression; /* of either case */
	unsigned int number; /* the filter's own */
};

struct judged;

/* One filter. Names of numbers and lists are those of the file; their place is their index. */
struct filter {
	const char *const *numbers;
	size_t n_numbers;
	const struct score_list_kind *lists;
	size_t n_lists;
	const struct score_phrase *phrases;
	size_t n_phrases;
	void (*judge)(const struct judged *judged, struct score *score); /* NULL: not here */
};

/* NULL for a number without an entry in the file. */
const struct filter *filter_of(unsigned int filter);

#define FILTER_DECLARE(id, symbol, ...) extern const struct filter filter_##symbol;
FILTER_LIST(FILTER_DECLARE)
#undef FILTER_DECLARE

struct score_item {
	char *text;
	unsigned int line, column; /* in the file, for what only the pattern library can tell */
};

struct score_list {
	struct score_item *items;
	size_t count;
};

/* A pattern of the database, by its number there. */
struct score_pattern {
	enum filter_id filter;
	unsigned int list; /* index of the list; n_lists for phrases */
	unsigned int item; /* index in it; a phrase's number */
};

struct score_weights {
	bool enabled[N_FILTERS];
	int *numbers[N_FILTERS]; /* hundredths */
	struct score_list *lists[N_FILTERS];
	struct score_pattern *patterns;
	size_t n_patterns;
	hs_database_t *database;
	hs_scratch_t *scratch; /* room for one scan at a time: grithd has one thread */
};

/* Hundredths. `index` is one of the filter's own. */
int score_number(const struct score_weights *weights, enum filter_id filter, size_t index);

/* A number that counts something, rounded down; 0 where it is negative. */
size_t score_count(const struct score_weights *weights, enum filter_id filter, size_t index);
const struct score_list *score_list(const struct score_weights *weights, enum filter_id filter,
				    size_t index);
bool score_list_has(const struct score_list *list, const char *word);

/* Weights with room for all numbers and lists, empty. NULL: no memory. */
struct score_weights *score_weights_new(void);

/* Compiles the patterns of all lists and filters. 0, -EINVAL with entries in `diag`, -ENOMEM. */
int score_compile_patterns(const char *name, struct diag *diag, struct score_weights *weights);

/* --- an operation that is judged --------------------------------------------------------------*/

struct score_hit {
	const struct score_pattern *pattern;
	size_t to; /* the byte of the text behind it */
};

enum score_section_kind {
	SECTION_ACTION, /* a command */
	SECTION_PATH,
	SECTION_HOST, /* where it is connected to, or the host of a URL */
	SECTION_NAME, /* an argument that may be the name of a host */
};

/* A span of the text that belongs together. */
struct score_section {
	enum score_section_kind kind;
	size_t from, to;
	const struct action *action; /* ACTION, and HOST of a URL in one's arguments */
	bool leaves; /* goes to the network, as far as can be told */
};

/*
 * All that patterns are looked for in, so that they are looked for once: words of commands, names
 * and addresses, with a NUL before and behind each.
 */
struct judged {
	const struct score_weights *weights;
	const struct score_session *session;
	const struct score_operation *operation;
	struct actions *actions; /* EXEC; NULL where there are none */
	char *text;
	size_t length;
	struct score_section *sections;
	size_t n_sections;
	struct score_hit *hits;
	size_t n_hits;
};

/*
 * Prepares an operation. What cannot be looked at is a failure in `score`. The caller frees with
 * judged_free() in any case.
 */
void judged_prepare(struct judged *judged, struct score *score);
void judged_free(struct judged *judged);

static inline void judged_freep(struct judged *judged)
{
	judged_free(judged);
}

/* Looks for the patterns in judged->text. 0, -E2BIG (too many), -ENOMEM, -EIO (the library). */
int score_scan(struct judged *judged);

/* The section that the byte at `at` of the text is in. NULL: none. */
const struct score_section *judged_section(const struct judged *judged, size_t at);

/* The next hit of a filter and list from `*at` on, which moves behind it. NULL: no more. */
const struct score_hit *judged_next(const struct judged *judged, enum filter_id filter,
				    unsigned int list, size_t *at);

/* Whether the command is one of the programs, or what it prints goes to one through a pipe. */
bool judged_feeds(const struct judged *judged, const struct action *action,
		  const struct score_list *programs);

static inline bool judged_is_net(const struct judged *judged)
{
	const struct score_operation *o = judged->operation;

	return (o->op == GRITH_OP_CONNECT || o->op == GRITH_OP_SEND) && !o->path.length;
}

/* Whether a connection stays on this machine: a loopback or unspecified address, or its name. */
bool score_is_local(const struct score_weights *weights, const struct score_operation *operation);

/* A filter that cannot judge: at least a hold, with a part that says so. */
void score_fail(struct score *score, enum filter_id filter, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What a filter has added so far. */
int score_points(const struct score *score, enum filter_id filter);

/* Whether the text of a host is an address, and whether it is this machine. */
bool score_is_address(const char *host, size_t length);
bool score_is_local_name(const struct score_weights *weights, const char *host, size_t length);

/* Whether what leaves looks encoded rather than written; see egress-policy. */
bool score_is_encoded(const struct score_weights *weights, const char *text, size_t length);

/* Whether the bytes are a UUID as a whole. */
bool score_is_uuid(const char *text, size_t length);

/* --- the memory of a session ------------------------------------------------------------------*/

#define SCORE_CANARIES_MAX 32
#define SCORE_CANARY_BYTES 512
#define SCORE_CANARY_LEAST 8 /* shorter ones would be found by chance */
#define SCORE_TAINTED_MAX 64 /* names of sources that are remembered; beyond it the oldest goes */
#define SCORE_FORMS 7 /* of a canary: plain, hexadecimal twice, base64 at three offsets, reversed */

struct score_canary {
	char *name;
	char *forms[SCORE_FORMS];
};

struct score_tainted {
	char *path; /* NULL: a free place */
	uint64_t time;
};

struct score_session {
	struct score_canary canaries[SCORE_CANARIES_MAX];
	size_t n_canaries;
	bool armed; /* a canary's file was read */
	uint64_t operations, counts[GRITH_OPS];
	struct score_tainted tainted[SCORE_TAINTED_MAX];
	size_t next_tainted;
	uint64_t source[GRITH_SOURCES]; /* when such a source was read last; 0: never */
	uint64_t env_read; /* when a .env file was; 0: never */
	uint64_t high_by_others; /* a source of GRITH_SOURCE_HIGH, but not an ssh key by ssh */
};

/* Notes what an operation means for later ones. False where memory was short: it is not known. */
bool score_remember(struct score_session *session, const struct score_operation *operation);

/* Whether `seconds` have not passed since `since`; false where that is 0. */
bool score_is_recent(uint64_t since, uint64_t now, size_t seconds);

/* Whether a source was read within the lifetime of taint. */
bool score_is_tainted(const struct judged *judged);

/* Whether the operation's program is the ssh of the system. */
bool score_is_ssh(const struct score_operation *operation);

/* --- numbers and lists that more than one file needs ------------------------------------------*/

enum { SECRET_CERTAIN = 0, SECRET_LIKELY, SECRET_POSSIBLE, SECRET_PUBLISHED };

/* The next credential in the text, from `*at` on, that counts. Its points and what it is. */
const struct score_hit *score_next_secret(const struct judged *judged, size_t *at, int *ret_points,
					  const char **ret_name);

enum { DLP_NETWORK_TOOLS = 0 };
enum { EGRESS_BLOCKED_SCHEMES = 0, EGRESS_BLOCKED_HOSTS };
enum { DELEGATION_PROGRAMS = 0, DELEGATION_LOOPBACK, DELEGATION_READING };
enum { TAINT_SECRET_VARIABLES = 0 };
enum { CONTAIN_CONNECT = 0, CONTAIN_SPAWN, CONTAIN_SHELL, CONTAIN_SECONDS };

enum {
	TAINT_CONNECT_HIGH = 0,
	TAINT_CONNECT_OTHER,
	TAINT_SPAWN,
	TAINT_EGRESS_SOON,
	TAINT_EGRESS_SECONDS,
	TAINT_LIFETIME,
};

enum {
	EGRESS_TRUSTED = 0,
	EGRESS_UNKNOWN,
	EGRESS_BLOCKED,
	EGRESS_RAW_SOCKET,
	EGRESS_ENCODED,
	EGRESS_BASE64_CHARACTERS,
	EGRESS_ENTROPY_BITS,
	EGRESS_ENTROPY_CHARACTERS,
};

enum {
	TRUST_STEP_APPROVE = 0,
	TRUST_STEP_APPROVE_ALWAYS,
	TRUST_STEP_DENY,
	TRUST_STEP_DENY_STOP,
	TRUST_DECAY,
	TRUST_EVIDENCE,
	TRUST_LEAST,
	TRUST_SCORE_MAX,
	TRUST_PART_BELOW,
	TRUST_MOVE_MAX,
};

/* Parts of other filters that context.c makes from what the kernel added. */
void score_add_context(const struct judged *judged, struct score *score);
