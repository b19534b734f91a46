/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Prepares an operation for the filters: one text with all that patterns are searched in, what each
 * span of it is, and the hits of one scan.
 */
#include "egress.h"
#include "evaluation.h"

#define TEXT_MAX (1u << 20) /* nested commands repeat their text at each level */
#define HITS_MAX 2048 /* of one pattern in one section there is one, but for credentials */

/* The text that is built; the first error stays in `r`. */
struct builder {
	struct evaluation *e;
	struct text text;
	int r;
};

static void add_bytes(struct builder *b, const char *bytes, size_t length)
{
	if (b->r == 0 && b->text.length + length > TEXT_MAX)
		b->r = -E2BIG;
	b->r = b->r ?: text_add(&b->text, bytes, length) ?: text_add(&b->text, "", 1);
}

static void close_section(struct builder *b, struct score_section section)
{
	struct evaluation *e = b->e;

	b->r = b->r ?: ARRAY_GROW(e->sections, e->n_sections);
	if (b->r < 0)
		return;
	section.to = b->text.length;
	e->sections[e->n_sections++] = section;
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

/* Whether the command's output goes through a pipe to one of the programs; NULL: that sends. */
static bool pipes_to(const struct evaluation *e, const struct action *action,
		     const struct score_list *programs)
{
	const struct action *end = e->actions->list + e->actions->count;

	for (const struct action *later = action + 1; action->command->piped_out && later < end;
	     later++)
		if (later->script == action->script &&
		    later->command->pipeline == action->command->pipeline &&
		    (programs ? score_list_has(programs, later->program) : later->sends))
			return true;
	return false;
}

bool eval_feeds(const struct evaluation *e, const struct action *action,
		const struct score_list *programs)
{
	return score_list_has(programs, action->program) || pipes_to(e, action, programs);
}

static void add_action(struct builder *b, const struct action *action)
{
	const struct shell_command *command = action->command;
	struct score_section section = {
		.kind = SECTION_ACTION,
		.from = b->text.length,
		.action = action,
		.leaves = action->sends || pipes_to(b->e, action, NULL),
	};

	add_words(b, command->words, command->n_words);
	add_words(b, command->assignments, command->n_assignments);
	for (size_t i = 0; i < command->n_redirects && b->r == 0; i++)
		add_words(b, &command->redirects[i].target, 1);
	close_section(b, section);
	if (action->sends)
		add_hosts(b, action);
}

static void read_actions(struct evaluation *e)
{
	const struct score_operation *o = e->operation;
	const struct score_list *tools = score_network_tools(e->weights);
	bool cut = o->flags & GRITH_RECORD_TRUNCATED;
	const char *failure = NULL;

	if (o->op != GRITH_OP_EXEC || !o->argv.length)
		return;
	if (actions_read(&o->argv, &o->path, cut, &e->actions, &failure) < 0)
		failure = "no memory to take the command apart";
	if (failure)
		score_fail(e->score, FILTER_COMMAND, "%s", failure);
	for (size_t i = 0; e->actions && i < e->actions->count; i++) {
		struct action *action = &e->actions->list[i];

		action->sends = score_list_has(tools, action->program);
	}
}

static void add_section(struct builder *b, enum score_section_kind kind, struct record_bytes bytes)
{
	struct score_section section = {
		.kind = kind,
		.from = b->text.length,
		.leaves = kind == SECTION_HOST,
	};

	add_bytes(b, bytes.data, bytes.length);
	close_section(b, section);
}

static void build_text(struct builder *b)
{
	const struct evaluation *e = b->e;
	const struct score_operation *o = e->operation;
	const char *host = o->host ? o->host : o->shown_host;

	b->r = text_add(&b->text, "", 1);
	for (size_t i = 0; e->actions && i < e->actions->count && b->r == 0; i++)
		add_action(b, &e->actions->list[i]);
	if (o->op != GRITH_OP_EXEC && o->path.length)
		add_section(b, SECTION_PATH, o->path);
	if (o->op != GRITH_OP_EXEC && o->second.length)
		add_section(b, SECTION_PATH, o->second);
	if (eval_is_net(e) && host)
		add_section(b, SECTION_HOST, bytes_of(host));
}

struct scan {
	struct evaluation *e;
	size_t *latest; /* by pattern: its latest hit, plus one */
	int r;
};

static const struct score_section *section_at(const struct evaluation *e, size_t at)
{
	size_t low = 0, high = e->n_sections;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct score_section *section = &e->sections[middle];

		if (at < section->from)
			high = middle;
		else if (at >= section->to)
			low = middle + 1;
		else
			return section;
	}
	return NULL;
}

const struct score_section *eval_section(const struct evaluation *e, const struct score_hit *hit)
{
	return section_at(e, hit->to - 1);
}

/*
 * Whether a hit adds nothing to the latest one of its pattern. The library reports every end: of a
 * credential, whose format has no last byte, the last one counts; of other patterns, whether they
 * are in a section.
 */
static bool is_known(struct scan *scan, unsigned int id, size_t to)
{
	struct evaluation *e = scan->e;
	struct score_hit *latest;

	if (!scan->latest[id])
		return false;
	latest = &e->hits[scan->latest[id] - 1];
	if (latest->pattern->filter != FILTER_SECRET_SCAN)
		return eval_section(e, latest) == section_at(e, to - 1);
	if (to > latest->to + 1)
		return false;
	latest->to = to;
	return true;
}

static int on_match(unsigned int id, unsigned long long from, unsigned long long to,
		    unsigned int flags, void *context)
{
	struct scan *scan = context;
	struct evaluation *e = scan->e;

	(void)from; /* the library knows it only where it is asked to, at a price */
	(void)flags;
	if (!to || is_known(scan, id, to))
		return 0;
	scan->r = e->n_hits == HITS_MAX ? -E2BIG : ARRAY_GROW(e->hits, e->n_hits);
	if (scan->r < 0)
		return 1;
	e->hits[e->n_hits++] = (struct score_hit) { &e->weights->patterns[id], to };
	scan->latest[id] = e->n_hits;
	return 0;
}

static int scan_text(struct evaluation *e)
{
	const struct score_weights *weights = e->weights;
	OWNED_MEM size_t *latest = calloc(weights->n_patterns + 1, sizeof(*latest));
	struct scan scan = { .e = e, .latest = latest };
	hs_error_t failed;

	if (!latest)
		return -ENOMEM;
	failed = hs_scan(weights->database, e->text, e->length, 0, weights->scratch, on_match,
			 &scan);
	if (scan.r < 0)
		return scan.r;
	return failed == HS_SUCCESS ? 0 : -EIO;
}

const struct score_hit *eval_next(const struct evaluation *e, unsigned int list, size_t *at)
{
	while (*at < e->n_hits) {
		const struct score_hit *hit = &e->hits[(*at)++];

		if (hit->pattern->filter == e->filter && hit->pattern->list == list)
			return hit;
	}
	return NULL;
}

void eval_prepare(struct evaluation *e)
{
	struct builder b = { .e = e };

	read_actions(e);
	build_text(&b);
	e->text = b.text.data;
	e->length = b.text.length;
	b.r = b.r ?: scan_text(e);
	if (b.r < 0)
		score_fail(e->score, FILTER_SECRET_SCAN, "%s",
			   b.r == -E2BIG ? "too much to look through"
					 : "could not be looked through");
}

void eval_clear(struct evaluation *e)
{
	actions_free(e->actions);
	free(e->text);
	free(e->sections);
	free(e->hits);
}
