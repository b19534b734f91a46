/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One operation on its way through the filters: what they share, and what each may ask. Only for
 * user/lib/score.
 */
#pragma once

#include "actions.h"
#include "operation.h"
#include "parts.h"
#include "place.h"
#include "session.h"
#include "weights_internal.h"

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
	bool leaves; /* goes to the network, as far as is known */
};

/*
 * The text holds all that patterns are searched in, so that it is scanned once: words of commands,
 * names and addresses, with a NUL before and behind each.
 */
struct evaluation {
	const struct score_weights *weights;
	const struct score_session *session;
	const struct score_operation *operation;
	struct score *score;
	enum filter_id filter; /* the one that runs */
	struct actions *actions; /* EXEC; NULL where there are none */
	char *text;
	size_t length;
	struct score_section *sections;
	size_t n_sections;
	struct score_hit *hits;
	size_t n_hits;
};

/* Reads the commands, builds the text and scans it; what fails is a failure in the score. */
void eval_prepare(struct evaluation *e);
void eval_clear(struct evaluation *e);

/* Parts of filters, made from what the kernel added; see filters.c. */
void eval_context(const struct evaluation *e);

/* A number or a list of the filter that runs. */
static inline int eval_number(const struct evaluation *e, size_t number)
{
	return score_number(e->weights, e->filter, number);
}

static inline size_t eval_count(const struct evaluation *e, size_t number)
{
	return score_count(e->weights, e->filter, number);
}

static inline const struct score_list *eval_list(const struct evaluation *e, size_t list)
{
	return score_list(e->weights, e->filter, list);
}

/* Adds a number of the filter that runs, with the reason as for printf(3). */
#define eval_add(e, number, ...) \
	score_add((e)->score, (e)->filter, eval_number(e, number), __VA_ARGS__)

/* The section that a hit ends in. NULL: none. */
const struct score_section *eval_section(const struct evaluation *e, const struct score_hit *hit);

/* The next hit of a list of the filter that runs, from `*at` on, which moves behind it, or NULL. */
const struct score_hit *eval_next(const struct evaluation *e, unsigned int list, size_t *at);

/* Whether the command is one of the programs, or what it prints goes to one through a pipe. */
bool eval_feeds(const struct evaluation *e, const struct action *action,
		const struct score_list *programs);

static inline bool eval_is_net(const struct evaluation *e)
{
	const struct score_operation *o = e->operation;

	return op_is_egress(o->op) && !o->path.length;
}

/* Whether a source was read within the lifetime of taint. */
bool eval_is_tainted(const struct evaluation *e);

/* taint and session-containment: the kernel has a part of each; see filters.c. */
#define TAINT_NUMBERS(NUMBER)                          \
	NUMBER(TAINT_CONNECT_HIGH, "connect-high")     \
	NUMBER(TAINT_CONNECT_OTHER, "connect-other")   \
	NUMBER(TAINT_SPAWN, "spawn")                   \
	NUMBER(TAINT_EGRESS_SOON, "egress-soon")       \
	NUMBER(TAINT_EGRESS_SECONDS, "egress-seconds") \
	NUMBER(TAINT_LIFETIME, "lifetime-seconds")
FILTER_INDICES(TAINT_NUMBERS);

#define CONTAIN_NUMBERS(NUMBER)                     \
	NUMBER(CONTAIN_CONNECT, "connect")          \
	NUMBER(CONTAIN_SPAWN, "network-spawn")      \
	NUMBER(CONTAIN_SHELL, "shell-network-tool") \
	NUMBER(CONTAIN_SECONDS, "seconds")
FILTER_INDICES(CONTAIN_NUMBERS);

/* The next credential in the text, from `*at` on, that counts; its points and its name. */
const struct score_hit *secret_next(const struct evaluation *e, size_t *at, int *ret_points,
				    const char **ret_name);
