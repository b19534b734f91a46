# Targets that only testing needs; the top Makefile has the variables.

# --- check: unit tests of everything that is pure, with sanitizers
UNIT_LIBS := criterion $(CLI_PKGS)
UNIT_EXTRA += $(filter-out user/grith/main.c,$(CLI_SRC))
$(B)/unit-tests: $(call obj,san,$(UNIT_SRC) $(LIB_SRC) tests/kernel/cases.c $(UNIT_EXTRA))
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(call pkg,libs,$(UNIT_LIBS)) -lm

check: $(B)/unit-tests $(B)/grith
	$(Q)$(B)/unit-tests --jobs 2
	$(Q)tests/policy-scale $(B)/grith
	$(Q)tests/completions $(B)/grith
	$(Q)tests/messages $(B)/grith

# --- rooms: each room of grithd with nothing of grithd but its base, and fakes of those below it
ROOMS := kernel audit compile session review intake server
FAKES_session := kernel audit
FAKES_review := kernel audit
FAKES_intake := kernel audit
ROOM_PROGRAMS := $(ROOMS:%=$(B)/rooms/%)

$(B)/san/libgrith.a: $(call obj,san,$(LIB_SRC))
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) qcs $@ $^

define ROOM
$(B)/rooms/$(1): $(call obj,san,$(wildcard tests/unit/grithd/$(1)/*.c user/grithd/$(1)/*.c \
		user/grithd/base/*.c) $(FAKES_$(1):%=tests/unit/grithd/fake_%.c)) $(B)/san/libgrith.a
	$$(call say,LINK,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS) $$(SANITIZE) $$(LDFLAGS) -o $$@ $$^ \
		$$(call pkg,libs,criterion $$(DAEMON_PKGS)) -lelf -lz -lm
endef
$(foreach room,$(ROOMS),$(eval $(call ROOM,$(room))))
$(call obj,san,user/grithd/kernel/load.c): $(B)/grith.skel.h

.PHONY: check-daemon-rooms
check: check-daemon-rooms
check-daemon-rooms: $(ROOM_PROGRAMS)
	$(Q)for room in $(ROOM_PROGRAMS); do $$room --jobs 2 || exit 1; done

# --- crash: the audit log, killed and failed at every call that changes a file
AUDIT_SRC := $(addprefix user/grithd/base/,clock.c state_file.c) $(filter-out %/writer.c %/reader.c %/why_search.c,$(wildcard user/grithd/audit/*.c))
CRASH_WRAP := write pwrite fsync openat renameat renameat2 unlinkat ftruncate
$(B)/audit-crash: $(call obj,user,$(wildcard tests/audit/*.c) $(AUDIT_SRC)) $(B)/libgrith.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(CRASH_WRAP:%=-Wl,--wrap=%) -o $@ $^ $(call pkg,libs,$(LIB_PKGS)) -lm

.PHONY: check-crash
check: check-crash
check-crash: $(B)/audit-crash
	$(Q)timeout 300 $(B)/audit-crash

# --- fuzz: a fuzzer per input that others write, each for FUZZ_SECONDS from its corpus
FUZZ_SECONDS ?= 20
FUZZERS := $(FUZZ_SRC:tests/fuzz/fuzz_%.c=$(B)/fuzz/%)
FUZZ_CFLAGS = $(CPPFLAGS) -O1 -g -std=gnu11 -fsanitize=fuzzer,address,undefined \
	-fno-sanitize-recover=all $(call pkg,cflags,$(LIB_PKGS))
$(B)/fuzzed/%.o: %.c Makefile | $(B)/installed.h
	$(call say,CLANG,$@)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(FUZZ_CFLAGS) -MMD -MP -c -o $@ $<
$(FUZZERS): $(B)/fuzz/%: $(B)/fuzzed/tests/fuzz/fuzz_%.o $(call obj,fuzzed,$(LIB_SRC))
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(FUZZ_CFLAGS) -o $@ $^ $(call pkg,libs,$(LIB_PKGS)) -lm

fuzz: $(FUZZERS)
	$(Q)tests/fuzz/run $(FUZZ_SECONDS) $(FUZZERS)

# --- kernel-tests: the kernel side by itself, loading and deciding; and what only root can test
KERNEL_SRC := $(wildcard user/grithd/kernel/*.c) user/grithd/base/user_child.c
$(B)/user/tests/kernel/parity.o: $(B)/grith.skel.h
$(B)/kernel-tests: $(call obj,user,$(wildcard tests/kernel/*.c) $(KERNEL_SRC)) $(B)/libgrith.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(call pkg,libs,$(DAEMON_PKGS)) -lelf -lz -lm

# --- names: random renames and links inside a session, for the end-to-end tests
$(B)/names: $(call obj,user,$(wildcard tests/names/*.c))
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

# --- probe: does each operation for real, for the end-to-end tests
$(B)/probe: $(call obj,user,$(PROBE_SRC) user/lib/base/text.c)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(call pkg,libs,liburing) -lpthread

# --- bench: scripts/bench measures, in the guest
$(B)/openclose: $(call obj,user,tests/bench/openclose.c)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

# --- check-faults: what goes wrong around grithd, in guests, with a table of what came of it
$(B)/fault-load: $(call obj,user,tests/faults/load.c)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

$(B)/fault-fill: $(call obj,user,tests/faults/fill.c)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(call pkg,libs,libbpf) -lelf -lz

.PHONY: check-faults
check-faults: all $(B)/probe $(B)/fault-load $(B)/fault-fill
	$(Q)tests/faults/run

# --- check-suite: test programs that others wrote, in SUITE, outside and inside a session
SUITE_PROFILES ?= everything generic

.PHONY: check-suite
check-suite: all $(B)/probe
	$(Q)scripts/vm --disk -- tests/suites/compare '$(SUITE)' $(SUITE_PROFILES)

# --- check-kernel: what needs a kernel that can enforce, on each kernel with each attachment
KERNELS ?= 6.1 6.12
ATTACH ?= lsm fmod_ret

check-kernel: all $(B)/kernel-tests $(B)/probe $(B)/names
	$(Q)tests/check-kernel '$(KERNELS)' '$(ATTACH)'

# --- check-daemon: grithd as a whole, on a kernel that only pretends; needs root and cgroup2
$(B)/grithd-test: $(call obj,san,$(filter-out user/grithd/kernel/%,$(DAEMON_SRC)) $(LIB_SRC) \
		$(wildcard tests/daemon/fake_*.c))
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(call pkg,libs,libsystemd $(LIB_PKGS)) -lm

$(B)/daemon-tests: $(call obj,user,$(filter-out $(wildcard tests/daemon/fake_*.c),$(wildcard tests/daemon/*.c))) $(B)/libgrith.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(call pkg,libs,$(UNIT_LIBS)) -lm

.PHONY: check-daemon
check: check-daemon
check-daemon: $(B)/grithd-test $(B)/daemon-tests
	$(Q)GRITHD_TEST=$(B)/grithd-test $(B)/daemon-tests --jobs 2

# --- check-reading: a large audit log, for what reads it; and how fast events go into a report.
# Measured by hand, tests/bench/reading.md; that they work, and that nothing is lost, by a small one.
$(B)/log-bench: $(call obj,user,tests/bench/log.c $(AUDIT_SRC)) $(B)/libgrith.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(call pkg,libs,$(LIB_PKGS)) -lm

$(B)/report-bench: $(call obj,user,tests/bench/report.c) $(B)/libgrith.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(call pkg,libs,$(LIB_PKGS)) -lm

.PHONY: check-reading
check: check-reading
check-reading: $(B)/grith $(B)/log-bench $(B)/report-bench
	$(Q)timeout 60 tests/reading $(B)

# --- check-install: what is installed looks where it was installed, and goes away again
.PHONY: check-install
check: check-install
check-install: all
	$(Q)tests/install

# --- everything above that is built, for make -j: what runs it is better not run side by side
.PHONY: test-programs
test-programs: $(FUZZERS) $(ROOM_PROGRAMS) $(addprefix $(B)/,unit-tests audit-crash kernel-tests probe names fault-load fault-fill openclose \
	grithd-test daemon-tests log-bench report-bench)
