/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The kernel's decisions against the evaluator's, through the program `test_lookup`: the table of
 * cases, and paths made from its paths by chance, from a fixed seed.
 */
#include <errno.h>
#include <string.h>

#include "grithd/kernel/internal.h"
#include "cases.h"
#include "grith.skel.h"
#include "tests.h"

#define SESSION 1
#define CHANCE_ROUNDS 4 /* changed paths for each path of the table */
#define SCRATCH_SPACE (192 + 2 * GRITH_PATH_MAX) /* as in maps.bpf.h */

struct asker {
	struct grith_bpf *object;
	struct kernel kernel; /* only its maps */
	char *scratch; /* a value of the map, as `test_lookup` will see it */
	size_t scratch_size;
	uint64_t seed;
};

static void asker_free(struct asker *a)
{
	grith_bpf__destroy(a->object);
	free(a->scratch);
}

static int asker_open(struct asker *a)
{
	struct bpf_program *program;

	a->object = grith_bpf__open();
	if (!a->object)
		return -errno;
	bpf_object__for_each_program (program, a->object->obj)
		bpf_program__set_autoload(program,
					  !strcmp(bpf_program__name(program), "test_lookup"));
	if (grith_bpf__load(a->object))
		return -errno;
	a->scratch_size = bpf_map__value_size(a->object->maps.scratches);
	a->scratch = calloc(1, a->scratch_size);
	a->kernel.maps[MAP_SESSIONS] = bpf_map__fd(a->object->maps.sessions);
	a->kernel.maps[MAP_IMAGES] = bpf_map__fd(a->object->maps.images);
	a->kernel.maps[MAP_NETS] = bpf_map__fd(a->object->maps.nets);
	return a->scratch ? 0 : -ENOMEM;
}

/* The text goes to the end of the scratch's data, the outcome comes from its beginning. */
static int asker_ask(struct asker *a, struct grith_lookup *ask, const char *text,
		     struct grith_outcome *ret_outcome)
{
	LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = ask, .ctx_size_in = sizeof(*ask));
	const size_t data = a->scratch_size - 2 * SCRATCH_SPACE;
	int map = bpf_map__fd(a->object->maps.scratches);
	const uint32_t zero = 0;

	ask->session = SESSION;
	if (text)
		memcpy(a->scratch + data + SCRATCH_SPACE - ask->length, text, ask->length);
	if (bpf_map_update_elem(map, &zero, a->scratch, BPF_ANY) < 0)
		return -errno;
	if (bpf_prog_test_run_opts(bpf_program__fd(a->object->progs.test_lookup), &run) < 0)
		return -errno;
	if (run.retval)
		return -EIO;
	if (bpf_map_lookup_elem(map, &zero, a->scratch) < 0)
		return -errno;
	memcpy(ret_outcome, a->scratch + data, sizeof(*ret_outcome));
	return 0;
}

static int ask_path(struct asker *a, enum grith_op_class class, const char *path, size_t length,
		    struct grith_outcome *ret_outcome)
{
	struct grith_lookup ask = { .kind = GRITH_LOOKUP_PATH, .column = class, .length = length };

	return asker_ask(a, &ask, path, ret_outcome);
}

static int ask_case(struct asker *a, const struct policy_case *c, struct grith_outcome *ret_outcome)
{
	static const enum grith_lookup_kind kinds[] = {
		[CASE_PATH] = GRITH_LOOKUP_PATH,       [CASE_NET] = GRITH_LOOKUP_NET,
		[CASE_SOCKET] = GRITH_LOOKUP_SOCKET,   [CASE_TOUCH] = GRITH_LOOKUP_PTRACE_ACCESS,
		[CASE_SIGNAL] = GRITH_LOOKUP_SIGNAL,   [CASE_RING] = GRITH_LOOKUP_RING,
		[CASE_UNKNOWN] = GRITH_LOOKUP_UNKNOWN,
	};
	struct grith_lookup ask = { .kind = kinds[c->kind], .column = c->class };

	if (c->kind == CASE_PATH)
		return ask_path(a, c->class, c->object, c->length, ret_outcome);
	if (c->kind == CASE_NET) {
		ask.column = c->op;
		ask.extra = c->port;
		memcpy(ask.address, c->address, sizeof(ask.address));
	}
	if (c->kind == CASE_SOCKET) {
		ask.column = c->family;
		ask.extra = c->raw;
	}
	return asker_ask(a, &ask, NULL, ret_outcome);
}

static void run_case(struct asker *a, const struct policy_case *c, const struct policy *policy,
		     struct tally *tally)
{
	OWNED_TEXT struct text error = { 0 };
	struct grith_outcome outcome;
	int r = ask_case(a, c, &outcome);

	if (check(tally, r == 0, "policy-cases:%u: cannot ask: %s", c->line, strerror(-r)))
		check(tally, cases_check(c, policy, &outcome, "the kernel", &error), "%s",
		      error.data);
}

static uint32_t chance(struct asker *a, uint32_t below)
{
	a->seed = a->seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (a->seed >> 33) % below;
}

/* A path near `path`: cut, lengthened up to the longest there is, or with one byte changed. */
static size_t change(struct asker *a, const struct policy_case *c, char *ret_path)
{
	size_t length = c->length;

	memcpy(ret_path, c->object, length);
	switch (chance(a, 3)) {
	case 0:
		return 1 + chance(a, length);
	case 1:
		while (length < GRITH_PATH_MAX && chance(a, 200))
			ret_path[length++] = chance(a, 8) ? 'a' + chance(a, 26) : '/';
		return length;
	default:
		ret_path[chance(a, length)] = "/.*a\x80z_0"[chance(a, 8)];
		return length;
	}
}

static void run_chance(struct asker *a, const struct policy_case *c, const struct policy *policy,
		       struct tally *tally)
{
	char path[GRITH_PATH_MAX];

	for (int i = 0; i < CHANCE_ROUNDS && c->length; i++) {
		struct grith_outcome outcome = { 0 }, wanted;
		size_t length = change(a, c, path);
		int r = ask_path(a, c->class, path, length, &outcome);

		wanted = policy_eval_path(policy, c->class, path, length);
		check(tally, r == 0 && !memcmp(&outcome, &wanted, sizeof(wanted)),
		      "class %d of \"%.*s\" (from policy-cases:%u): "
		      "the kernel says verdict %u rule %u, the evaluator %u rule %u",
		      c->class, (int)length, path, c->line, outcome.verdict, outcome.rule,
		      wanted.verdict, wanted.rule);
	}
}

static void run_group(struct asker *a, const struct policy_group *group, struct tally *tally)
{
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(policy_image_freep) struct policy_image *image = NULL;
	OWNED_DIAG struct diag diag = { 0 };
	struct grith_session session = { 0 };
	int r = cases_load(group, &diag, &policy, &image);

	if (!check(tally, r == 0, "%s: %s", group->file, strerror(-r)))
		return;
	r = kernel_image_add(&a->kernel, image, &session.image);
	if (!check(tally, r == 0, "%s: no slot: %s", group->file, strerror(-r)))
		return;
	kernel_session_set(&a->kernel, SESSION, &session);
	for (size_t i = 0; i < group->n_cases; i++) {
		run_case(a, &group->cases[i], policy, tally);
		if (group->cases[i].kind == CASE_PATH)
			run_chance(a, &group->cases[i], policy, tally);
	}
	/* What one image leaves behind would answer for the next one in its slot. */
	check(tally, kernel_image_remove(&a->kernel, session.image) == 0, "%s: cannot be removed",
	      group->file);
}

void test_parity(struct tally *tally)
{
	CLEANUP(asker_free) struct asker asker = { .seed = 1 };
	OWNED_TEXT struct text error = { 0 };
	struct policy_cases cases = { 0 };
	int r = asker_open(&asker);

	if (!check(tally, r == 0, "cannot load `test_lookup`: %s", strerror(-r)))
		return;
	r = cases_read(".", &cases, &error);
	check(tally, r == 0, "%s", error.data ? error.data : "no cases");
	for (size_t i = 0; i < cases.n_groups; i++)
		run_group(&asker, &cases.groups[i], tally);
	cases_free(&cases);
}
