/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the kernel_*.c files share: the state behind struct kernel and the few calls between them.
 * Only for this room.
 */
#pragma once

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "lib/base/base.h"
#include "kernel.h"

#define KERNEL_HOOKS_MAX 160

enum kernel_map {
	MAP_SESSIONS,
	MAP_IMAGES,
	MAP_NETS,
	MAP_RING,
	MAP_COUNTERS,
	MAP_HOLDS,
	MAP_ANSWERS,
	MAP_STOPPED_BY_USER,
	MAP_LATE_TAINT,
	MAP_DAEMON,
	KERNEL_MAPS
};

struct kernel {
	enum kernel_attach attach;
	bool adopted;
	struct kernel_hook hooks[KERNEL_HOOKS_MAX];
	char hook_names[KERNEL_HOOKS_MAX][48];
	size_t n_hooks;
	int maps[KERNEL_MAPS];
	int bpffs; /* the pins' directory: as long as it is open, unmounting drops none of them */
	struct ring_buffer *ring;
	kernel_record_fn *record_fn; /* during kernel_ring_consume() */
	void *record_arg;
	uint64_t image_slots[GRITH_MAX_IMAGES / 64]; /* bit set: taken */
};

/* --- pins.c: the directory below bpffs, and what is in it */

/*
 * The names are those of the object's maps and programs. A set of links is one directory, named
 * after what was loaded, so that a set is there whole or not at all.
 */
struct kernel_pins {
	char *directory;
	char *maps;
	char *links; /* of the set that this grithd would load */
	char *new_links; /* while it is being made */
};

int kernel_pins_init(struct kernel_pins *pins, const char *directory, uint64_t set);
int kernel_pins_make(const struct kernel_pins *pins, struct diag *diag);
/* Gives the new set its name and drops every other one. */
int kernel_pins_switch(const struct kernel_pins *pins);
bool kernel_pins_has_set(const struct kernel_pins *pins);
bool kernel_pins_has_link(const struct kernel_pins *pins, const char *program);
void kernel_pins_free(struct kernel_pins *pins);

/* --- hooks.c */

/* Whether the program is loaded with this attachment. */
bool kernel_program_is_for(const struct bpf_program *program, enum kernel_attach attach);
/* NULL: it is not in the list. */
struct kernel_hook *kernel_hook_find(struct kernel *kernel, const struct bpf_program *program);
/* Makes the list, with what the kernel lacks; -ENOTSUP where that is a mandatory one. */
int kernel_hooks_list(struct kernel *kernel, const struct bpf_object *object, const struct btf *btf,
		      struct diag *diag);

/* --- maps.c */

/* Opens the pinned maps and the ring buffer. */
int kernel_maps_open(struct kernel *kernel, const char *directory, struct diag *diag);
void kernel_maps_close(struct kernel *kernel);
