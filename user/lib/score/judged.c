/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Prepares an operation for the filters: one text with all that patterns are looked for in, and
 * what each span of it is.
 */

#include "lib/base/base.h"
#include "egress.h"
#include "internal.h"

#define TEXT_MAX (1u << 20) /* nested commands repeat their text at each level */

/* A text that is built; `failed` sticks. */
struct builder {
	struct judged *judged;
	struct text text;
	int r;
};

static void add_bytes(struct builder *b, const char *bytes, size_t length)
{
	if (b->r == 0 && b->text.length + length > TEXT_MAX)
		b->r = -E2BIG;
	if (b->r == 0)
		b->r = text_add(&b->text, bytes, length);
	if (b->r == 0)
		b->r = text_add(&b->text, "", 1);
}

static void close_section(struct builder *b, struct score_section section)
{
	struct judged *judged = b->judged;

	if (b->r == 0)
		b->r = ARRAY_GROW(judged->sections, judged->n_sections);
	if (b->r < 0)
		return;
	section.to = b->text.length;
	judged->sections[judged->n_sections++] = section;
}

static void add_words(struct builder *b, const struct shell_word *words, size_t n_words)
{
	for (size_t i = 0; i < n_words && b->r == 0; i++)
		add_bytes(b, words[i].text, words[i].length);
}

/* The hosts that the words of a command that sends name, each a section of its own. */
static void add_hosts(struct builder *b, const struct action *action)
{
	for (size_t i = 1; i < action->n_words && b->r == 0; i++) {
		struct score_section section = {
			.from = b->text.length,
			.action = action,
			.leaves = true,
		};
		bool is_url = false;
		size_t length = 0;
		const char *host = egress_host(action->words[i].text, &length, &is_url);

		if (!host)
			continue;
		section.kind = is_url ? SECTION_HOST : SECTION_NAME;
		add_bytes(b, host, length);
		close_section(b, section);
	}
}

static void add_action(struct builder *b, const struct action *action, bool leaving)
{
	const struct shell_command *command = action->command;
	struct score_section section = {
		.kind = SECTION_ACTION,
		.from = b->text.length,
		.action = action,
		.leaves = leaving,
	};

	add_words(b, command->words, command->n_words);
	add_words(b, command->assignments, command->n_assignments);
	for (size_t i = 0; i < command->n_redirects && b->r == 0; i++)
		add_bytes(b, command->redirects[i].target.text,
			  command->redirects[i].target.length);
	close_section(b, section);
	if (action->sends)
		add_hosts(b, action);
}

bool judged_feeds(const struct judged *judged, const struct action *action,
		  const struct score_list *programs)
{
	const struct actions *actions = judged->actions;

	if (score_list_has(programs, action->program))
		return true;
	for (size_t i = (size_t)(action - actions->list) + 1;
	     action->command->piped_out && i < actions->count; i++) {
		const struct action *later = &actions->list[i];

		if (later->script == action->script &&
		    later->command->pipeline == action->command->pipeline &&
		    score_list_has(programs, later->program))
			return true;
	}
	return false;
}

/* As judged_feeds(), for the programs that send, which each command is asked for. */
static bool leaves(const struct actions *actions, const struct action *action)
{
	const struct action *end = actions->list + actions->count;

	if (action->sends || !action->command->piped_out)
		return action->sends;
	for (const struct action *later = action + 1; later < end; later++)
		if (later->sends && later->script == action->script &&
		    later->command->pipeline == action->command->pipeline)
			return true;
	return false;
}

static void read_actions(struct judged *judged, struct score *score)
{
	const struct score_operation *o = judged->operation;
	const struct score_list *tools =
		score_list(judged->weights, FILTER_DLP_GATE, DLP_NETWORK_TOOLS);
	bool cut = o->flags & GRITH_RECORD_TRUNCATED;
	const char *failure = NULL;

	if (o->op != GRITH_OP_EXEC || !o->argv.length)
		return;
	if (actions_read(&o->argv, &o->path, cut, &judged->actions, &failure) < 0)
		failure = "no memory to take the command apart";
	if (failure)
		score_fail(score, FILTER_COMMAND, "%s", failure);
	for (size_t i = 0; judged->actions && i < judged->actions->count; i++) {
		struct action *action = &judged->actions->list[i];

		action->sends = score_list_has(tools, action->program);
	}
}

static void add_path(struct builder *b, const struct record_bytes *path)
{
	struct score_section section = { .kind = SECTION_PATH, .from = b->text.length };

	if (!path->length)
		return;
	add_bytes(b, path->data, path->length);
	close_section(b, section);
}

static void build_text(struct builder *b)
{
	const struct judged *judged = b->judged;
	const struct score_operation *o = judged->operation;
	const char *host = o->host ? o->host : o->shown_host;
	struct score_section section = { .kind = SECTION_HOST, .leaves = true };

	b->r = text_add(&b->text, "", 1);
	for (size_t i = 0; judged->actions && i < judged->actions->count && b->r == 0; i++)
		add_action(b, &judged->actions->list[i],
			   leaves(judged->actions, &judged->actions->list[i]));
	if (o->op != GRITH_OP_EXEC) {
		add_path(b, &o->path);
		add_path(b, &o->second);
	}
	section.from = b->text.length;
	if (judged_is_net(judged) && host) {
		add_bytes(b, host, strlen(host));
		close_section(b, section);
	}
}

void judged_prepare(struct judged *judged, struct score *score)
{
	struct builder b = { .judged = judged };

	read_actions(judged, score);
	build_text(&b);
	judged->text = b.text.data;
	judged->length = b.text.length;
	if (b.r == 0)
		b.r = score_scan(judged);
	if (b.r < 0)
		score_fail(score, FILTER_SECRET_SCAN, "%s",
			   b.r == -E2BIG ? "too much to look through"
					 : "could not be looked through");
}

void judged_free(struct judged *judged)
{
	if (!judged)
		return;
	actions_free(judged->actions);
	free(judged->text);
	free(judged->sections);
	free(judged->hits);
	*judged = (struct judged) { 0 };
}
