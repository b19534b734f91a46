/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One compile goes: kept result or child, perhaps names and then once more, the result to who
 * asked. Who has a child when is turns.c.
 */
#include <fcntl.h>
#include <sodium.h>

#include "internal.h"

/* --- the kept result */

static int hash_key(struct compile *compile)
{
	crypto_generichash_state state;

	if (crypto_generichash_init(&state, NULL, 0, sizeof(compile->key.bytes)) != 0 ||
	    crypto_generichash_update(&state, compile->compiles->build,
				      sizeof(compile->compiles->build)) != 0 ||
	    crypto_generichash_update(&state, (const uint8_t *)compile->input.data,
				      compile->input.length) != 0 ||
	    crypto_generichash_final(&state, compile->key.bytes, sizeof(compile->key.bytes)) != 0)
		return -EIO;
	return 0;
}

static struct unpack kept_result(const struct compile *compile)
{
	return (struct unpack) {
		.at = compile->kept.data + compile->kept_hosts,
		.end = compile->kept.data + compile->kept.length,
	};
}

static void drop_kept(struct compile *compile)
{
	text_free(&compile->kept);
	compile->kept = (struct text) { 0 };
}

static void read_kept(struct compile *compile)
{
	struct compiles *compiles = compile->compiles;
	struct unpack all;
	int r = compiles->kept < 0
			? -ENOENT
			: kept_read(compiles->kept, compile->uid, &compile->key, &compile->kept);

	if (r == 0) {
		all = (struct unpack) { compile->kept.data,
					compile->kept.data + compile->kept.length, false };
		unpack_bytes(&all, &compile->kept_hosts);
		compile->kept_hosts += sizeof(uint32_t);
		r = all.bad ? -EBADMSG : compile_result_unpack(&all, &compile->result);
	}
	if (r == 0)
		return;
	drop_kept(compile);
	if (r == -ENOENT)
		return;
	compiles->damaged++;
	log_line(LOG_WARNING,
		 "a kept policy of user %u is damaged, or cannot be read (%s): compiled anew",
		 compile->uid, strerror(-r));
}

/* Whether it is of the hosts that there are now. */
static bool kept_fits(const struct compile *compile)
{
	size_t length = compile->kept_hosts - sizeof(uint32_t);

	return compile->kept.length && length == compile->hosts.length &&
	       (!length ||
		memcmp(compile->kept.data + sizeof(uint32_t), compile->hosts.data, length) == 0);
}

void compile_keep(const struct compile *compile, const struct text *bytes)
{
	OWNED_TEXT struct text all = { 0 };
	int r;

	if (compile->compiles->kept < 0)
		return;
	r = pack_bytes(&all, compile->hosts.data, compile->hosts.length)
		    ?: text_add(&all, bytes->data, bytes->length)
		    ?: kept_write(compile->compiles->kept, compile->uid, &compile->key, &all);
	if (r < 0)
		log_line(LOG_WARNING, "cannot keep a policy of user %u: %s", compile->uid,
			 strerror(-r));
}

/* --- telling */

void compile_tell(struct compile *compile, int r, struct compile_result *result)
{
	compile->state = IDLE;
	compile->fn(compile->arg, r, result);
}

/* What it was kept with is known when the names were looked up; until then there is no image. */
static int take_kept(struct compile *compile, struct compile_result *result)
{
	struct unpack from = kept_result(compile);

	if (compile->hosts.length)
		return compile_result_unpack(&from, result);
	*result = compile->result;
	compile->result = (struct compile_result) { 0 };
	if (result->n_names)
		policy_image_free(TAKE_PTR(result->image));
	return 0;
}

static int on_telling(sd_event_source *source, void *arg)
{
	OWNED_COMPILE_RESULT struct compile_result result = { 0 };
	struct compile *compile = arg;
	int r = take_kept(compile, &result);

	(void)source;
	compile->compiles->reused += result.image != NULL;
	compile_tell(compile, r, &result);
	return 0;
}

static int go(struct compile *compile)
{
	struct compiles *compiles = compile->compiles;

	compile->telling = sd_event_source_disable_unref(compile->telling);
	if (compile->kept.length) {
		compile->state = TELLING;
		return sd_event_add_defer(compiles->event, &compile->telling, on_telling, compile);
	}
	if (compiles_count_of(compiles, WAITING, compile->uid) >= COMPILES_WAITING_PER_USER)
		return -EBUSY;
	compile->state = WAITING;
	compiles_ask_turn(compiles);
	return 0;
}

/* --- for those who ask */

static int hash_program(const char *program, uint8_t ret_hash[32])
{
	OWNED_FD int fd = open(program, O_RDONLY | O_CLOEXEC);
	crypto_generichash_state state;
	uint8_t bytes[64 << 10];
	ssize_t n;

	if (fd < 0)
		return -errno;
	crypto_generichash_init(&state, NULL, 0, 32);
	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		crypto_generichash_update(&state, bytes, n);
	crypto_generichash_final(&state, ret_hash, 32);
	return n < 0 ? -errno : 0;
}

int compiles_open(struct compiles *compiles, const char *state_dir)
{
	int r;

	if (sodium_init() < 0)
		return -EIO;
	r = hash_program(compiles->program ? compiles->program : "/proc/self/exe", compiles->build)
		    ?: sd_event_add_defer(compiles->event, &compiles->turn, compiles_on_turn,
					  compiles);
	return r < 0 ? r : state_open(state_dir, "policies", &compiles->kept);
}

void compiles_close(struct compiles *compiles)
{
	compiles->turn = sd_event_source_disable_unref(compiles->turn);
	cleanup_close(&compiles->kept);
	compiles->kept = -1;
	free(TAKE_PTR(compiles->list));
}

int compile_start(struct compiles *compiles, uint32_t uid, struct text *input, compile_fn *fn,
		  void *arg, struct compile **ret_compile)
{
	CLEANUP(compile_freep) struct compile *compile = calloc(1, sizeof(*compile));
	int r;

	if (!compile)
		return -ENOMEM;
	*compile = (struct compile) {
		.uid = uid,
		.fn = fn,
		.arg = arg,
		.input = *input,
		.child = CHILD_NONE,
	};
	*input = (struct text) { 0 };
	if (compile->input.length > COMPILE_RESULT_MAX)
		return -EFBIG;
	r = ARRAY_GROW(compiles->list, compiles->count);
	if (r < 0)
		return r;
	compile->compiles = compiles;
	compiles->list[compiles->count++] = compile;
	r = hash_key(compile);
	if (r < 0)
		return r;
	read_kept(compile);
	r = go(compile);
	if (r == 0)
		*ret_compile = TAKE_PTR(compile);
	return r;
}

static int compare_hosts(const void *a, const void *b)
{
	const struct policy_host *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : memcmp(x->address, y->address, sizeof(x->address));
}

int compile_with_hosts(struct compile *compile, const struct policy_host *hosts, size_t n_hosts)
{
	OWNED_MEM struct policy_host *sorted = calloc(n_hosts + 1, sizeof(*sorted));
	int r;

	if (!sorted)
		return -ENOMEM;
	/* The order in which a name server lists addresses means nothing. */
	memcpy(sorted, hosts, n_hosts * sizeof(*sorted));
	qsort(sorted, n_hosts, sizeof(*sorted), compare_hosts);
	r = compile_hosts_pack(sorted, n_hosts, &compile->hosts);
	if (r < 0)
		return r;
	if (!kept_fits(compile))
		drop_kept(compile);
	return go(compile);
}

void compile_free(struct compile *compile)
{
	struct compiles *compiles = compile ? compile->compiles : NULL;

	if (!compile)
		return;
	for (size_t i = 0; compiles && i < compiles->count; i++) {
		if (compiles->list[i] != compile)
			continue;
		memmove(&compiles->list[i], &compiles->list[i + 1],
			(compiles->count - i - 1) * sizeof(struct compile *));
		compiles->count--;
		break;
	}
	if (compile->state == RUNNING)
		compiles_ask_turn(compiles);
	compile_stop_child(compile);
	compile_result_clear(&compile->result);
	sd_event_source_disable_unref(compile->telling);
	text_free(&compile->input);
	text_free(&compile->hosts);
	text_free(&compile->kept);
	free(compile);
}
