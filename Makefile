# grith: `make` builds everything into build/. `make help` lists the rest.
PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR ?=
CC ?= cc
CLANG ?= clang
BPFTOOL ?= bpftool
PKG_CONFIG ?= pkg-config
B := build
ARCH := $(shell uname -m | sed -e 's/x86_64/x86/' -e 's/aarch64/arm64/')
VERSION := 0.1.0

ifeq ($(V),1)
Q :=
say = @:
else
Q := @
say = @printf '  %-8s %s\n' $(1) $(2)
endif
MAKEFLAGS += --no-print-directory

WARN := -Wall -Wextra -Wshadow -Wformat=2 -Wmissing-prototypes -Wstrict-prototypes -Wundef -Wvla \
	-Wimplicit-fallthrough -Werror
CFLAGS ?= -O2 -g
CPPFLAGS += -D_GNU_SOURCE -Ibpf -Iuser -I$(B)
BUILD_CFLAGS = $(CFLAGS) -std=gnu11 $(WARN) -MMD -MP
SANITIZE := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

LIB_PKGS := libfyaml jansson libhs libsodium libzstd
DAEMON_PKGS := libbpf libsystemd $(LIB_PKGS)
CLI_PKGS := ncursesw $(LIB_PKGS)
pkg = $(shell $(PKG_CONFIG) --$(1) $(2))

LIB_SRC := $(wildcard user/lib/*/*.c user/lib/*/*/*.c)
DAEMON_SRC := $(wildcard user/grithd/*.c user/grithd/*/*.c)
CLI_SRC := $(wildcard user/grith/*.c user/grith/*/*.c)
BPF_SRC := $(wildcard bpf/*.bpf.c)
UNIT_SRC := $(filter-out tests/unit/grithd/%,$(wildcard tests/unit/*.c tests/unit/*/*.c \
	tests/unit/*/*/*.c tests/unit/*/*/*/*.c))
FUZZ_SRC := $(wildcard tests/fuzz/*.c)
PROBE_SRC := $(wildcard tests/probe/*.c)
BENCH_SRC := $(wildcard tests/bench/*.c)

obj = $(patsubst %.c,$(B)/$(1)/%.o,$(2))

.PHONY: all bpf install uninstall FORCE check check-kernel check-agents check-html check-arm64 check-vmlinux fuzz \
	analyze format format-check clean help
.DELETE_ON_ERROR:

all: $(B)/grithd $(B)/grith

help:
	@echo 'make                 grithd, grith and the BPF object, in build/'
	@echo 'make install         DESTDIR= PREFIX= SYSCONFDIR=; make uninstall removes it'
	@echo 'make check           unit tests with ASan and UBSan, style; needs no kernel'
	@echo 'make check-kernel    everything that needs a kernel, in the guest'
	@echo 'make check-agents    two real coding agents under their profiles, in the guest'
	@echo 'make check-html      the HTML report in a browser; needs chromium'
	@echo 'make check-arm64     cross build of the BPF object and user space'
	@echo 'make check-vmlinux   the kernel types we read, against a kernel'"'"'s BTF'
	@echo 'make fuzz            each fuzz target for FUZZ_SECONDS (default 20)'
	@echo 'make analyze         clang-tidy, cppcheck, shellcheck'
	@echo 'make format[-check]  clang-format'

# --- BPF: each file is an object, linked to one, from which the skeleton is made
BPF_CFLAGS = -g -O2 -target bpf -mcpu=v3 -D__TARGET_ARCH_$(ARCH) -Wall -Wextra -Wshadow -Werror \
	-Wno-unused-parameter -Wno-unused-function -Ibpf -Ivmlinux $(call pkg,cflags,libbpf)
$(B)/bpf/%.bpf.o: bpf/%.bpf.c $(wildcard bpf/*.h) vmlinux/vmlinux.h Makefile
	$(call say,CLANG,$@)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -c $< -o $@

$(B)/grith.bpf.o: $(BPF_SRC:bpf/%.bpf.c=$(B)/bpf/%.bpf.o)
	$(call say,LINK,$@)
	$(Q)$(BPFTOOL) gen object $@ $^

$(B)/grith.skel.h: $(B)/grith.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name grith_bpf > $@

bpf: $(B)/grith.bpf.o

# --- user space
# What is installed where: written anew only where it changed, so that `make PREFIX=/usr` compiles
# just what has the prefix in it, and `make install` never installs programs that look elsewhere.
define INSTALLED_H
#define GRITH_VERSION "$(VERSION)"
#define GRITH_SYSCONFDIR "$(SYSCONFDIR)"
#define GRITH_DATADIR "$(PREFIX)/share/grith"
endef
export INSTALLED_H
$(B)/installed.h: FORCE
	@mkdir -p $(@D)
	@printenv INSTALLED_H | cmp -s - $@ || printenv INSTALLED_H > $@
FORCE:

$(B)/user/%.o: %.c Makefile | $(B)/installed.h
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(BUILD_CFLAGS) -c $< -o $@

$(call obj,user,user/grithd/kernel/load.c): $(B)/grith.skel.h

$(B)/libgrith.a: $(call obj,user,$(LIB_SRC))
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) qcs $@ $^

$(B)/grithd: $(call obj,user,$(DAEMON_SRC)) $(B)/libgrith.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(call pkg,libs,$(DAEMON_PKGS)) -lelf -lz -lm

$(B)/grith: $(call obj,user,$(CLI_SRC)) $(B)/libgrith.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(call pkg,libs,$(CLI_PKGS)) -lm

# --- tests
$(B)/san/%.o: %.c Makefile | $(B)/installed.h
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(BUILD_CFLAGS) $(SANITIZE) -Itests/unit -Itests/kernel -c $< -o $@

-include tests/tests.mk

# arm64: the BPF object, and user space compiled against the headers of this machine's libraries,
# which do not differ between the two; linking would need the libraries of the other architecture.
ARM64_CC ?= aarch64-linux-gnu-gcc
check-arm64:
	$(Q)$(MAKE) B=$(B)/arm64 ARCH=arm64 CC=$(ARM64_CC) cross-objects
cross-objects: $(call obj,user,$(LIB_SRC) $(DAEMON_SRC) $(CLI_SRC))
.PHONY: cross-objects

check-vmlinux: bpf
	$(Q)scripts/vm --kernel 6.1 -- scripts/check-vmlinux
	$(Q)scripts/vm --kernel 6.12 -- scripts/check-vmlinux

check-agents: all $(B)/probe
	$(Q)tests/agents/run

check-html:
	$(Q)tests/report/check-html

# --- reading the sources
C_FILES := $(shell git ls-files '*.c' '*.h' 2>/dev/null | grep -v '^vmlinux/')
SHELL_FILES := $(shell git grep -lE '^\#!.*(ba)?sh$$' 2>/dev/null)

format:
	clang-format -i $(C_FILES)
format-check:
	$(Q)clang-format --dry-run -Werror $(C_FILES)

TIDY_FLAGS := -std=gnu11 $(CPPFLAGS) -Itests/kernel
analyze: $(B)/grith.skel.h $(B)/installed.h
	clang-tidy --quiet $(LIB_SRC) $(DAEMON_SRC) $(CLI_SRC) -- $(TIDY_FLAGS)
	cppcheck --quiet --error-exitcode=1 --std=c11 --inline-suppr -j 2 --force \
		--enable=warning,portability,performance --suppress=missingIncludeSystem \
		--suppress=memleak --suppress=resourceLeak \
		--library=tests/cppcheck.cfg \
		-Ibpf -Iuser -I$(B) $(LIB_SRC) $(DAEMON_SRC) $(CLI_SRC)
	shellcheck -x $(SHELL_FILES)
	mandoc -T lint -W warning user/man/*.[1-9]

# --- install
SHARE := $(PREFIX)/share
POLICIES := $(notdir $(wildcard policy/*.yaml))
MANUALS := $(notdir $(wildcard user/man/*.[1-9]))
# each file that is installed, for uninstall
INSTALLED = $(PREFIX)/sbin/grithd $(PREFIX)/bin/grith $(PREFIX)/lib/systemd/system/grithd.service \
	$(POLICIES:%=$(SHARE)/grith/policy/%) \
	$(foreach page,$(MANUALS),$(SHARE)/man/man$(subst .,,$(suffix $(page)))/$(page)) \
	$(SHARE)/bash-completion/completions/grith $(SHARE)/zsh/site-functions/_grith \
	$(SHARE)/fish/vendor_completions.d/grith.fish
# a grith that runs here, for its help, where the one that was built does not
HELP_FROM ?= $(B)/grith

install: all
	install -d $(sort $(dir $(INSTALLED:%=$(DESTDIR)%)))
	install -m 755 $(B)/grithd $(DESTDIR)$(PREFIX)/sbin/grithd
	install -m 755 $(B)/grith $(DESTDIR)$(PREFIX)/bin/grith
	install -m 644 $(POLICIES:%=policy/%) $(DESTDIR)$(SHARE)/grith/policy/
	sed 's|@PREFIX@|$(PREFIX)|g' user/grithd/grithd.service \
		> $(DESTDIR)$(PREFIX)/lib/systemd/system/grithd.service
	for page in $(MANUALS); do \
		install -m 644 user/man/$$page $(DESTDIR)$(SHARE)/man/man$${page##*.}/; \
	done
	scripts/completions bash $(HELP_FROM) > $(DESTDIR)$(SHARE)/bash-completion/completions/grith
	scripts/completions zsh $(HELP_FROM) > $(DESTDIR)$(SHARE)/zsh/site-functions/_grith
	scripts/completions fish $(HELP_FROM) > $(DESTDIR)$(SHARE)/fish/vendor_completions.d/grith.fish

# Leaves what people wrote and what grithd keeps: $(SYSCONFDIR)/grith, /var/lib/grith, /var/log/grith.
uninstall:
	rm -f $(INSTALLED:%=$(DESTDIR)%)
	-rmdir $(DESTDIR)$(SHARE)/grith/policy $(DESTDIR)$(SHARE)/grith

clean:
	rm -rf $(B)

-include $(shell find $(B) -name '*.d' 2>/dev/null)
