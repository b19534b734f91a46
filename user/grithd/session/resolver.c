/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The child writes one fixed-size answer for each address into a pipe: the number of the name, and
 * the address. It is killed when it takes too long or is no longer wanted; what it wrote before
 * counts.
 */
#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <netdb.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "resolver.h"

#define NOBODY 65534

struct answer {
	uint32_t name;
	uint8_t address[16]; /* IPv4 as ::ffff:a.b.c.d */
};
_Static_assert(sizeof(struct answer) == 20, "no padding goes through the pipe");

struct resolver {
	resolver_fn *fn;
	void *arg;
	char **names;
	size_t n_names;
	pid_t child; /* 0: none */
	int fd;
	sd_event_source *io, *timer, *defer;
	struct policy_host *hosts;
	size_t n_hosts;
	uint8_t partial[sizeof(struct answer)]; /* an answer that came in two reads */
	size_t n_partial;
};

/* In the child. */

static int answer_with(int fd, uint32_t name, const struct sockaddr *address)
{
	struct answer answer = { .name = name };

	if (address->sa_family == AF_INET6) {
		memcpy(answer.address, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
	} else if (address->sa_family == AF_INET) {
		answer.address[10] = answer.address[11] = 0xff;
		memcpy(answer.address + 12, &((const struct sockaddr_in *)address)->sin_addr, 4);
	} else {
		return 0;
	}
	return write(fd, &answer, sizeof(answer)) == sizeof(answer) ? 0 : -EPIPE;
}

static void answer_name(int fd, uint32_t number, const char *name)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *list;

	if (getaddrinfo(name, NULL, &hints, &list) != 0)
		return;
	for (const struct addrinfo *i = list; i; i = i->ai_next)
		if (answer_with(fd, number, i->ai_addr) < 0)
			_exit(1);
	freeaddrinfo(list);
}

/* Nothing of grithd's is left to it but the pipe: answers from the network are read here. */
static void give_up_rights(int *fd)
{
	if (*fd != 3 && dup2(*fd, 3) < 0)
		_exit(1);
	*fd = 3;
	if (close_range(4, ~0U, 0) < 0 || setgroups(0, NULL) < 0 ||
	    setresgid(NOBODY, NOBODY, NOBODY) < 0 || setresuid(NOBODY, NOBODY, NOBODY) < 0)
		_exit(1);
	/* Behind the change of user, which takes it back. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		_exit(1);
}

static _Noreturn void run_child(const struct resolver *resolver, int fd)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	give_up_rights(&fd);
	for (size_t i = 0; i < resolver->n_names; i++)
		answer_name(fd, i, resolver->names[i]);
	_exit(0);
}

/* In grithd. */

static void stop_child(struct resolver *resolver)
{
	if (!resolver->child)
		return;
	kill(resolver->child, SIGKILL);
	waitpid(resolver->child, NULL, 0);
	resolver->child = 0;
}

static void finish(struct resolver *resolver, bool complete)
{
	stop_child(resolver);
	sd_event_source_set_enabled(resolver->io, SD_EVENT_OFF);
	sd_event_source_set_enabled(resolver->timer, SD_EVENT_OFF);
	resolver->fn(resolver->arg, resolver->hosts, resolver->n_hosts, complete);
}

static void take_answer(struct resolver *resolver, const struct answer *answer)
{
	struct policy_host *host;

	if (answer->name >= resolver->n_names || resolver->n_hosts >= RESOLVER_HOSTS_MAX)
		return;
	host = &resolver->hosts[resolver->n_hosts++];
	host->name = resolver->names[answer->name];
	memcpy(host->address, answer->address, sizeof(host->address));
}

static int on_answer(sd_event_source *source, int fd, uint32_t events, void *arg)
{
	struct resolver *resolver = arg;
	struct answer answer;
	ssize_t n = read(fd, resolver->partial + resolver->n_partial,
			 sizeof(answer) - resolver->n_partial);

	(void)source;
	(void)events;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0) {
		finish(resolver, n == 0);
		return 0;
	}
	resolver->n_partial += n;
	if (resolver->n_partial < sizeof(answer))
		return 0;
	resolver->n_partial = 0;
	memcpy(&answer, resolver->partial, sizeof(answer));
	take_answer(resolver, &answer);
	return 0;
}

static int on_timeout(sd_event_source *source, uint64_t time, void *arg)
{
	(void)source;
	(void)time;
	finish(arg, false);
	return 0;
}

static int on_nothing(sd_event_source *source, void *arg)
{
	(void)source;
	finish(arg, true);
	return 0;
}

static int copy_names(struct resolver *resolver, const char *const *names, size_t count)
{
	resolver->names = calloc(count + 1, sizeof(char *));
	resolver->hosts = calloc(RESOLVER_HOSTS_MAX, sizeof(*resolver->hosts));
	if (!resolver->names || !resolver->hosts)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		resolver->names[i] = strdup(names[i]);
		if (!resolver->names[i])
			return -ENOMEM;
		resolver->n_names++;
	}
	return 0;
}

static int start_child(struct resolver *resolver, sd_event *event)
{
	OWNED_FD int out = -1;
	int ends[2], r;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	resolver->fd = ends[0];
	out = ends[1];
	resolver->child = fork();
	if (resolver->child < 0) {
		resolver->child = 0;
		return -errno;
	}
	if (resolver->child == 0)
		run_child(resolver, out);
	r = sd_event_add_io(event, &resolver->io, resolver->fd, EPOLLIN, on_answer, resolver);
	if (r < 0)
		return r;
	return sd_event_add_time_relative(event, &resolver->timer, CLOCK_MONOTONIC,
					  RESOLVER_SECONDS * UINT64_C(1000000), 0, on_timeout,
					  resolver);
}

int resolver_new(sd_event *event, const char *const *names, size_t n_names, resolver_fn *fn,
		 void *arg, struct resolver **ret_resolver)
{
	CLEANUP(resolver_freep) struct resolver *resolver = calloc(1, sizeof(*resolver));
	int r;

	if (!resolver)
		return -ENOMEM;
	resolver->fd = -1;
	resolver->fn = fn;
	resolver->arg = arg;
	r = copy_names(resolver, names, n_names);
	if (r < 0)
		return r;
	if (n_names)
		r = start_child(resolver, event);
	else
		r = sd_event_add_defer(event, &resolver->defer, on_nothing, resolver);
	if (r < 0)
		return r;
	*ret_resolver = TAKE_PTR(resolver);
	return 0;
}

void resolver_free(struct resolver *resolver)
{
	if (!resolver)
		return;
	stop_child(resolver);
	sd_event_source_disable_unref(resolver->io);
	sd_event_source_disable_unref(resolver->timer);
	sd_event_source_disable_unref(resolver->defer);
	cleanup_close(&resolver->fd);
	for (size_t i = 0; i < resolver->n_names; i++)
		free(resolver->names[i]);
	free(resolver->names);
	free(resolver->hosts);
	free(resolver);
}
