/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the files that read a policy share: one reader that walks the tree of a text, complains and
 * goes on. Only for this room.
 */
#pragma once

#include "lib/base/base.h"
#include "model.h"
#include "yaml.h"

struct reader {
	const struct policy_context *context;
	struct diag *diag;
	struct policy *policy; /* what is being filled */
	const char *file; /* being read; owned by the policy */
	const struct reader *extended_by; /* NULL: the file a person named */
	bool numbers_only; /* of weights: nothing is scored by rules */
	size_t first_rule; /* the number of the first one of this text, for limits */
	size_t n_globs; /* so far, of POLICY_GLOBS_MAX */
	bool no_memory; /* something could not be stored: what was read is of no use */
};

#define BIT(n) (1u << (n))
#define WORDS_MAX 32 /* in one table of words */

/* One key of a mapping: what it is called and what reads its value into where. */
struct setting {
	const char *name;
	/* NULL: nothing is to be done. */
	void (*set)(struct reader *reader, const struct yaml_node *value, size_t index);
	size_t index;
};

/* A word of the policy language and the value that it has in one place. */
struct word {
	const char *text;
	unsigned int value;
};

/* "allow", "deny", "hide" where nothing can wait for an answer; those and "hold"; and "score". */
enum { REFUSALS = 3, VERDICTS, VERDICTS_OR_SCORE };

/* The words for enum grith_verdict; "score" is GRITH_VERDICTS. */
extern const struct word verdict_words[VERDICTS_OR_SCORE];

/* Where a file has words for operations, besides the rules of each enum policy_section. */
enum {
	OPS_FILTERS = POLICY_SOCKETS + 1, /* rules of filters for paths */
	OPS_DEFAULTS,
	OPS_RISK, /* of the filter operation-risk */
};

#define N_OP_WORDS (GRITH_OP_CLASSES + 13)

extern const struct op_word {
	const char *text;
	unsigned int places; /* bits of the above, and of the sections whose rules know it */
	enum policy_section section;
	uint32_t operations; /* as in struct policy_rule of that section */
} op_words[N_OP_WORDS];

/* Adds the operations that a list names. */
void read_ops(struct reader *reader, unsigned int place, const struct yaml_node *node,
	      uint32_t *operations);

/* A mapping of words for operations; `set` gets the number of the word. */
void read_op_settings(struct reader *reader, unsigned int place, const struct yaml_node *node,
		      void (*set)(struct reader *reader, const struct yaml_node *value,
				  size_t number));

void reader_error(struct reader *reader, const struct yaml_node *node, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The values of the language. Each returns false after it complained, with the out-parameter
 * untouched. A single value may stand wherever a list may: value_count() and value_at() see it as a
 * list of one.
 */
size_t value_count(const struct yaml_node *node);
const struct yaml_node *value_at(const struct yaml_node *node, size_t index);
bool value_text(struct reader *reader, const struct yaml_node *node, size_t max,
		const char **ret_text);
bool value_name(struct reader *reader, const struct yaml_node *node, const char **ret_name);
bool value_word(struct reader *reader, const struct yaml_node *node, const struct word *words,
		size_t n_words, unsigned int *ret_value);
bool value_bool(struct reader *reader, const struct yaml_node *node, bool *ret_value);
bool value_score(struct reader *reader, const struct yaml_node *node, int16_t *ret_hundredths);
bool value_port(struct reader *reader, const struct yaml_node *node, struct policy_port *ret_port);
bool value_prefix(struct reader *reader, const struct yaml_node *node,
		  struct policy_prefix *ret_prefix);
bool value_host(struct reader *reader, const struct yaml_node *node, char **ret_host);

/* Without a complaint: whether it is that text without quotes, or one of the words. */
bool value_is(const struct yaml_node *node, const char *text);
bool known_word(const struct yaml_node *node, const struct word *words, size_t n_words,
		unsigned int *ret_value);

/* Complains of a word that is none of `words`, with all of them and the nearest. */
void unknown_word(struct reader *reader, const struct yaml_node *node, const char *what,
		  const struct word *words, size_t n_words);

/* The keys of a mapping; others than these are errors. */
void read_settings(struct reader *reader, const struct yaml_node *node,
		   const struct setting *settings, size_t n_settings);

/* All rules of one enum policy_section. */
void read_section(struct reader *reader, const struct yaml_node *node, size_t section);

/* All score rules of one filter. */
void read_filter_rules(struct reader *reader, enum filter_id filter, const struct yaml_node *node);

/* The whole text of one file into reader->policy, what it extends first. */
void read_policy(struct reader *reader, const char *text, size_t length);

/* A policy's file by the name of what it is; file.c. */
void read_extended(struct reader *reader, const struct yaml_node *name);

/*
 * The text of a file that may be a policy, of context->files where there are such. 0, or a negative
 * errno with the reason in words. The checks are made on what was opened. file.c.
 */
int load_file(const struct policy_context *context, const char *path, struct text *text,
	      const char **ret_why);

/* Reads the file of weights, if there is one, into what the policy needs. weights_join.c. */
void read_weights(struct reader *reader);

/*
 * The numbers of a filter; those that the kernel computes with go to `weights`. need_numbers()
 * complains of each of these that is missing. weights_numbers.c.
 */
struct weights_filter;
void read_numbers(struct reader *reader, const struct weights_filter *filter,
		  struct grith_context_weights *weights);
void need_numbers(struct reader *reader, const struct weights_filter *filter,
		  const struct yaml_node *place);

/* A copy owned by the policy. NULL and reader->no_memory where there is no memory. */
const char *keep_file_name(struct reader *reader, const char *name);
