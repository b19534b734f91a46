/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From the object in this binary to programs that run: which of them this kernel can have, loading,
 * attaching, pinning; or finding that all this was done by an earlier grithd.
 */
#include <fcntl.h>
#include <sys/random.h>

#include "grith.skel.h"
#include "internal.h"

#define LOG_BYTES (1 << 20) /* for the verifier, per program; touched only by one that is refused */
#define MESSAGES_BYTES 4096 /* of libbpf's own words, the last ones */

struct loader {
	const struct kernel_options *options;
	struct kernel *kernel;
	struct diag *diag;
	struct btf *btf; /* the kernel's */
	struct grith_bpf *object;
	char *logs[KERNEL_HOOKS_MAX]; /* by hook */
};

/* libbpf's print function has no argument of ours; set only inside load(). */
static struct text *messages;

static int keep_message(enum libbpf_print_level level, const char *format, va_list args)
{
	char line[512];
	int n = vsnprintf(line, sizeof(line), format, args);

	if (level == LIBBPF_WARN && messages && n > 0 && messages->length < MESSAGES_BYTES)
		text_addf(messages, "%s", line);
	return n;
}

static void loader_free(struct loader *loader)
{
	grith_bpf__destroy(loader->object);
	btf__free(loader->btf);
	for (size_t i = 0; i < KERNEL_HOOKS_MAX; i++)
		free(loader->logs[i]);
}

/* Names what would be loaded: another object, place or attachment is another set of links. */
static uint64_t set_id(const struct kernel_options *options, enum kernel_attach attach)
{
	const uint64_t parts[] = { options->root_cgroup, options->root_level, attach };
	uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
	const unsigned char *bytes;
	size_t size;

	bytes = grith_bpf__elf_bytes(&size);
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3;
	bytes = (const unsigned char *)parts;
	for (size_t i = 0; i < sizeof(parts); i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3;
	return hash;
}

/* Which programs are to be loaded, with a log for each, and the constants of this host. */
static int prepare(struct loader *loader, const struct kernel_pins *pins)
{
	struct kernel *kernel = loader->kernel;
	struct grith_bpf *object = loader->object;
	int r, cpus = libbpf_num_possible_cpus();
	struct bpf_program *program;
	struct bpf_map *map;

	if (cpus < 0)
		return cpus;
	object->rodata->root_cgroup = loader->options->root_cgroup;
	object->rodata->root_level = loader->options->root_level;
	if (getrandom(object->rodata->object_key, sizeof(object->rodata->object_key), 0) < 0)
		return -errno;
	r = bpf_map__set_max_entries(object->maps.scratches,
				     bpf_map__max_entries(object->maps.scratches) * cpus);
	bpf_object__for_each_map (map, object->obj) {
		OWNED_MEM char *path = text_format("%s/%s", pins->maps, bpf_map__name(map));

		if (!path)
			return -ENOMEM;
		if (!bpf_map__is_internal(map) && r == 0)
			r = bpf_map__set_pin_path(map, path);
	}
	if (r < 0)
		return r;
	bpf_object__for_each_program (program, object->obj) {
		struct kernel_hook *hook = kernel_hook_find(kernel, program);
		size_t i = hook - kernel->hooks;
		bool wanted = hook && kernel_program_is_for(program, kernel->attach) &&
			      hook->state == KERNEL_HOOK_ATTACHED;

		bpf_program__set_autoload(program, wanted);
		if (!wanted)
			continue;
		if (!loader->logs[i])
			loader->logs[i] = malloc(LOG_BYTES);
		if (!loader->logs[i])
			return -ENOMEM;
		loader->logs[i][0] = 0;
		bpf_program__set_log_buf(program, loader->logs[i], LOG_BYTES);
	}
	return 0;
}

/* The verifier's message: the last line before the statistics. */
static void last_words(const char *log, char *ret_words, size_t size)
{
	const char *end = strstr(log, "\nprocessed "), *begin;

	if (!end)
		end = log + strlen(log);
	while (end > log && end[-1] == '\n')
		end--;
	begin = end;
	while (begin > log && begin[-1] != '\n')
		begin--;
	snprintf(ret_words, size, "%.*s", (int)(end - begin), begin);
}

/* After a failed load: the program whose log is not empty. NULL: it was not a program. */
static struct kernel_hook *refused_hook(struct loader *loader)
{
	for (size_t i = 0; i < loader->kernel->n_hooks; i++)
		if (loader->logs[i] && loader->logs[i][0])
			return &loader->kernel->hooks[i];
	return NULL;
}

static int load_once(struct loader *loader, const struct kernel_pins *pins)
{
	int r;

	grith_bpf__destroy(loader->object);
	loader->object = grith_bpf__open();
	if (!loader->object)
		return -errno;
	r = prepare(loader, pins);
	if (r < 0)
		return r;
	return grith_bpf__load(loader->object);
}

/* Loads what this kernel accepts. An optional program that it refuses is left out and named. */
static int load(struct loader *loader, const struct kernel_pins *pins)
{
	OWNED_TEXT struct text words = { 0 };
	libbpf_print_fn_t print_before = libbpf_set_print(keep_message);
	struct kernel_hook *hook;
	int r;

	messages = &words;
	while ((r = load_once(loader, pins)) < 0) {
		hook = refused_hook(loader);
		if (!hook) {
			diag_add(
				loader->diag, NULL, 0, 0, "cannot load the programs: %s%s\n%s",
				strerror(-r),
				r == -EINVAL ? " (maps of another version are pinned? "
					       "grithd --unload removes them)"
				: r == -ENOMEM
					? " (grithd needs about 64 MiB: raise MemoryMax= of its unit)"
					: "",
				words.data ? words.data : "");
			break;
		}
		hook->state = KERNEL_HOOK_REFUSED;
		last_words(loader->logs[hook - loader->kernel->hooks], hook->why,
			   sizeof(hook->why));
		if (!hook->mandatory) {
			words.length = 0;
			continue;
		}
		diag_add(loader->diag, NULL, 0, 0, "the verifier refuses the hook %s: %s",
			 hook->name, hook->why);
		break;
	}
	messages = NULL;
	libbpf_set_print(print_before);
	return r;
}

static int attach_program(struct loader *loader, struct bpf_program *program, const char *directory)
{
	struct kernel_hook *hook = kernel_hook_find(loader->kernel, program);
	OWNED_MEM char *path = text_format("%s/%s", directory, bpf_program__name(program));
	struct bpf_link *link;
	int r;

	if (!path)
		return -ENOMEM;
	link = bpf_program__attach(program);
	if (!link) {
		r = -errno;
		hook->state = KERNEL_HOOK_REFUSED;
		snprintf(hook->why, sizeof(hook->why), "cannot be attached: %s", strerror(-r));
		if (!hook->mandatory)
			return 0;
		diag_add(loader->diag, NULL, 0, 0, "the hook %s %s", hook->name, hook->why);
		return r;
	}
	r = bpf_link__pin(link, path);
	if (r < 0)
		diag_add(loader->diag, NULL, 0, 0, "cannot pin %s: %s", path, strerror(-r));
	bpf_link__destroy(link); /* the pin holds it */
	return r;
}

static int attach_all(struct loader *loader, const struct kernel_pins *pins)
{
	struct bpf_program *program;
	int r;

	bpf_object__for_each_program (program, loader->object->obj) {
		if (!bpf_program__autoload(program))
			continue;
		r = attach_program(loader, program, pins->new_links);
		if (r < 0)
			return r;
	}
	r = kernel_pins_switch(pins);
	if (r < 0)
		diag_add(loader->diag, NULL, 0, 0, "cannot replace the links in %s: %s",
			 pins->directory, strerror(-r));
	return r;
}

/* What an earlier grithd attached is pinned; what is not, this kernel did not accept. */
static void adopt_hooks(struct loader *loader, const struct kernel_pins *pins)
{
	struct bpf_program *program;

	bpf_object__for_each_program (program, loader->object->obj) {
		struct kernel_hook *hook = kernel_hook_find(loader->kernel, program);

		if (!hook || !kernel_program_is_for(program, loader->kernel->attach) ||
		    hook->state != KERNEL_HOOK_ATTACHED ||
		    kernel_pins_has_link(pins, bpf_program__name(program)))
			continue;
		hook->state = KERNEL_HOOK_REFUSED;
		snprintf(hook->why, sizeof(hook->why), "refused when the programs were loaded");
	}
	loader->kernel->adopted = true;
}

static int open_with(struct loader *loader, const struct kernel_pins *pins)
{
	int r;

	loader->btf = btf__load_vmlinux_btf();
	if (!loader->btf)
		return -errno;
	loader->object = grith_bpf__open();
	if (!loader->object)
		return -errno;
	r = kernel_hooks_list(loader->kernel, loader->object->obj, loader->btf, loader->diag);
	if (r < 0)
		return r;
	if (kernel_pins_has_set(pins)) {
		adopt_hooks(loader, pins);
	} else {
		r = kernel_pins_make(pins, loader->diag)
			?: load(loader, pins)
			?: attach_all(loader, pins);
		if (r < 0)
			return r;
	}
	loader->kernel->bpffs = open(pins->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (loader->kernel->bpffs < 0)
		return -errno;
	return kernel_maps_open(loader->kernel, pins->maps, loader->diag);
}

int kernel_open(const struct kernel_options *options, struct diag *diag, struct kernel **ret_kernel)
{
	CLEANUP(kernel_freep) struct kernel *kernel = calloc(1, sizeof(*kernel));
	struct loader loader = { .options = options, .diag = diag };
	struct kernel_pins pins;
	int r;

	if (!kernel)
		return -ENOMEM;
	for (int i = 0; i < KERNEL_MAPS; i++)
		kernel->maps[i] = -1;
	kernel->bpffs = -1;
	r = kernel_probe(options->attach, diag, &kernel->attach);
	if (r < 0)
		return r;
	r = kernel_pins_init(&pins, options->bpffs, set_id(options, kernel->attach));
	if (r < 0)
		return r;
	loader.kernel = kernel;
	r = open_with(&loader, &pins);
	if (r < 0 && !diag->count)
		diag_add(diag, NULL, 0, 0, "cannot load the programs: %s", strerror(-r));
	loader_free(&loader);
	kernel_pins_free(&pins);
	if (r < 0)
		return r;
	*ret_kernel = TAKE_PTR(kernel);
	return 0;
}

void kernel_free(struct kernel *kernel)
{
	if (!kernel)
		return;
	kernel_maps_close(kernel);
	cleanup_close(&kernel->bpffs);
	free(kernel);
}

enum kernel_attach kernel_attachment(const struct kernel *kernel)
{
	return kernel->attach;
}

bool kernel_adopted(const struct kernel *kernel)
{
	return kernel->adopted;
}
