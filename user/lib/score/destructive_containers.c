/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Containers that are started so that what runs in them is root of the host.
 */
#include "destructive.h"

/* "--privileged", "--privileged=true", "--pid=host" and "--pid host" for an item of the list. */
static bool has_flag(const struct action *a, const char *flag)
{
	const char *equals = strchr(flag, '=');
	char name[64];
	size_t n = equals ? (size_t)(equals - flag) : strlen(flag), at = 0;
	const char *value;

	if (n >= sizeof(name))
		return false;
	memcpy(name, flag, n);
	name[n] = '\0';
	if (!equals) {
		for (size_t i = 1; i < a->n_words; i++)
			if (!strncmp(a->words[i].text, name, n) &&
			    (!a->words[i].text[n] || (a->words[i].text[n] == '=' &&
						      strcmp(a->words[i].text + n, "=false"))))
				return true;
		return false;
	}
	while ((value = action_value(a, '\0', name, &at)))
		if (!strcmp(value, equals + 1))
			return true;
	return false;
}

/* Whether the place of the host is one that a container must not write to. */
static bool is_dangerous(const struct harm *harm, const char *source, size_t length, bool writable)
{
	OWNED_MEM char *path = malloc(length + 2);
	bool socket;

	if (!path)
		return true;
	place_normalise(source, length, path);
	socket = place_has_name(path, strlen(path), "docker.sock");
	/* A socket can be connected to, whether it is mounted for writing or not. */
	return socket ||
	       (writable && score_list_has(eval_list(harm->e, DESTROY_SYSTEM_MOUNTS), path));
}

/* Whether an option list such as "ro,z" or "type=bind,readonly" has the word. */
static bool has_option(const char *options, const char *word)
{
	const size_t n = strlen(word);

	for (const char *p = options; (p = strstr(p, word)); p++)
		if ((p == options || p[-1] == ',') && (!p[n] || p[n] == ',' || p[n] == '='))
			return true;
	return false;
}

/* "/host:/container[:options]" */
static bool is_bad_volume(const struct harm *harm, const char *volume)
{
	const char *colon = strchr(volume, ':');
	const char *options = colon ? strchr(colon + 1, ':') : NULL;

	if (!colon || *volume != '/')
		return false;
	return is_dangerous(harm, volume, colon - volume,
			    !options || !has_option(options + 1, "ro"));
}

/* "type=bind,source=/,target=/host[,readonly]" */
static bool is_bad_mount(const struct harm *harm, const char *mount)
{
	const char *source = strstr(mount, "source=");
	bool writable = !has_option(mount, "readonly") && !has_option(mount, "ro");

	if (!source)
		source = strstr(mount, "src=");
	if (!source)
		return false;
	source = strchr(source, '=') + 1;
	return *source == '/' && is_dangerous(harm, source, strcspn(source, ","), writable);
}

static bool has_bad_mount(const struct harm *harm, const struct action *a)
{
	const char *value;
	size_t at = 0;

	while ((value = action_value(a, 'v', "--volume", &at)))
		if (is_bad_volume(harm, value))
			return true;
	at = 0;
	while ((value = action_value(a, '\0', "--mount", &at)))
		if (is_bad_mount(harm, value))
			return true;
	return false;
}

void harm_containers(struct harm *harm, const struct action *a)
{
	static const char *const verbs[] = {
		"run", "create", "exec", "container run", "container create", "container exec",
	};
	const struct score_list *flags = eval_list(harm->e, DESTROY_FLAGS);
	struct action runtime = *a;
	bool starts = false;

	/* The list may have others, whose options are docker's too. */
	runtime.valued = action_valued(bytes_of("docker"));
	if (!score_list_has(eval_list(harm->e, DESTROY_RUNTIMES), a->program))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		starts = starts || action_operands_are(&runtime, verbs[i]);
	for (size_t i = 0; starts && i < flags->count; i++)
		if (has_flag(a, flags->items[i].text))
			harm_raise(harm, DESTROY_CONTAINER, "a container with the host's rights");
	if (starts && has_bad_mount(harm, a))
		harm_raise(harm, DESTROY_CONTAINER, "a container with the host's files");
}
