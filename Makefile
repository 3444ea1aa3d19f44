# pawl - one non-recursive Makefile.  A new .c file needs no edit here.
# `make help` lists the targets.  Modes (release, asan, tsan, coverage, fuzz) build in build/MODE.

VERSION  = 0.1.0
SOVERSION = 0
MODE    ?= release
CC      ?= cc
PREFIX  ?= /usr/local
DESTDIR ?=
PKG_CONFIG ?= pkg-config
LIBDIR  ?= $(PREFIX)/lib

B = build/$(MODE)

# One short line a step; V=1 shows the commands.
ifeq ($(V),1)
Q =
step =
else
Q = @
step = $(info $(nothing)  $(1) $(2))
endif
nothing =

CORE_PACKAGES   = expat sqlite3 nettle
# Opened by pawl when a command needs them (lib/process/library.h), and linked only into a static one.
LATE_PACKAGES   = libcurl libgit2 libzstd
SERVER_PACKAGES = libmicrohttpd zlib hogweed gmp

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wpointer-arith -Wcast-qual -Wwrite-strings -Wundef -Wvla \
	-Wformat=2 -Wformat-security -Wnull-dereference -Wdouble-promotion -Wswitch-enum \
	-Winit-self -Wredundant-decls -Wnested-externs -Wimplicit-fallthrough -Wconversion \
	-Wno-sign-conversion -Werror=implicit-function-declaration -Werror=return-type

CFLAGS ?= -O2 -g
HARDEN  = -fstack-protector-strong -fno-common
ifneq ($(filter release static,$(MODE)),)
HARDEN += -D_FORTIFY_SOURCE=2
endif
ifeq ($(MODE),static)
# The libcurl and libgit2 of ci/static come first.
PKG_CONFIG := PKG_CONFIG_PATH=$(CURDIR)/build/static/libs/lib/pkgconfig $(PKG_CONFIG) --static
LDFLAGS += -static
CPPFLAGS += -DPAWL_STATIC
CORE_PACKAGES += $(LATE_PACKAGES)
endif
ifeq ($(MODE),asan)
CFLAGS  = -O1 -g -fno-omit-frame-pointer
HARDEN += -fsanitize=address,undefined -fno-sanitize-recover=all
LDFLAGS += -fsanitize=address,undefined
endif
ifeq ($(MODE),tsan)
CFLAGS  = -O1 -g -fno-omit-frame-pointer
HARDEN += -fsanitize=thread
LDFLAGS += -fsanitize=thread
endif
ifeq ($(MODE),coverage)
CFLAGS  = -O0 -g --coverage -fdata-sections
LDFLAGS += --coverage
# What a process ran is counted however it ends: linked into every program of which lib/ is a part.
KEPT    = $(B)/obj/tests/coverage/kept.o
keeping = -Wl,--build-id -Wl,--wrap=__gcov_exit -Wl,-T,tests/coverage/kept.ld $(KEPT)
endif
ifeq ($(MODE),fuzz)
CC      = clang
CFLAGS  = -O1 -g -fno-omit-frame-pointer
HARDEN += -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all
LDFLAGS += -fsanitize=address,undefined
endif
# WERROR=1 (set by `make check`) turns warnings into errors.
ifeq ($(WERROR),1)
WARNINGS += -Werror
endif

# Asked when it is first needed, and once: what is installed is not asked for.
once         = $(eval $(1) := $$(shell $(2) 2>/dev/null) $(3))$($(1))
core_cflags  = $(call once,core_cflags,$(PKG_CONFIG) --cflags $(CORE_PACKAGES) $(LATE_PACKAGES))
core_libs    = $(call once,core_libs,$(PKG_CONFIG) --libs $(CORE_PACKAGES),-lm -lpthread -ldl)
server_libs  = $(call once,server_libs,$(PKG_CONFIG) --libs $(SERVER_PACKAGES),-lpthread)
test_libs    = $(call once,test_libs,$(PKG_CONFIG) --libs cmocka)
# Links programs of tests in half of the time; it knows no part of a linker script.
quick_linker = $(or $(keeping),$(call once,gold,$(CC) -fuse-ld=gold -Wl$(comma)--version >/dev/null 2>&1 && echo -fuse-ld=gold))
comma        = ,
# A library's own headers are not ours to warn about.
core_system := $(patsubst -I%,-isystem%,$(core_cflags))

COMPILE      = $(CC) -std=c11 -D_GNU_SOURCE -I. -Iinclude -I$(B)/gen $(WARNINGS) $(HARDEN) $(CPPFLAGS) $(CFLAGS)
DEPENDENCIES = -MMD -MP
DEFINES      = -DPAWL_VERSION='"$(VERSION)"'

# A room's files and those of its rooms within; two levels are as deep as they go.
sources      = $(sort $(wildcard $(1:%=%/*.c) $(1:%=%/*/*.c)))
HARNESS_SRC := $(call sources,harness)
CORE_SRC    := $(call sources,$(wildcard lib/*) collector reporter hooks)
SERVER_SRC  := $(filter-out server/main.c,$(call sources,server))
CLI_SRC     := $(call sources,cli)
EXAMPLE_SRC := $(sort $(wildcard examples/*.c))
UNIT_SRC    := $(sort $(wildcard $(addsuffix test_*.c,tests/unit/*/ tests/unit/*/*/ tests/unit/*/*/*/)))
HELPER_SRC  := $(sort $(wildcard tests/helpers/*.c))
FUZZ_SRC    := $(sort $(wildcard tests/fuzz/targets/fuzz_*.c))
PAGES       := $(sort $(wildcard docs/man/*.[1-9]))

objects      = $(patsubst %.c,$(B)/obj/%.o,$(1))
EXAMPLES    := $(patsubst examples/%.c,$(B)/examples/%,$(EXAMPLE_SRC))
units_of     = $(patsubst %.c,$(B)/tests/%,$(notdir $(1)))
UNITS       := $(call units_of,$(UNIT_SRC))
ROOM_UNITS  := $(call units_of,$(filter tests/unit/$(ROOM)/%,$(UNIT_SRC)))
HELPERS     := $(patsubst tests/helpers/%.c,$(B)/helpers/%,$(HELPER_SRC))
FUZZERS     := $(patsubst tests/fuzz/targets/%.c,$(B)/fuzz/%,$(FUZZ_SRC))
FUZZ_TESTS  := $(patsubst tests/fuzz/targets/fuzz_%.c,$(B)/tests/test_fuzz_%,$(FUZZ_SRC))
BENCH_SRC   := $(sort $(wildcard tests/bench/bench_*.c))
BENCHES     := $(patsubst tests/bench/%.c,$(B)/bench/%,$(BENCH_SRC))
ARENA_SRC   := $(sort $(wildcard tests/verdict/programs/*.c))
ARENA       := $(patsubst tests/verdict/programs/%.c,$(B)/bench/arena/%,$(ARENA_SRC))
KIND_SRC    := $(sort $(wildcard tests/verdict/kinds/*.c))
KINDS       := $(patsubst tests/verdict/kinds/%.c,$(B)/bench/kinds/%,$(KIND_SRC))
HARNESS_BENCHES := $(addprefix $(B)/bench/harness/,reference peer_pawl peer_cpuid pair fences hog)

PROGRAMS     = $(B)/pawl $(B)/pawld
LIBRARIES    = $(B)/libpawl.a $(B)/libpawl.so $(B)/pawl.pc

.PHONY: all always help check check-built check-slow check-hw demo demo-built bench bench-start bench-harness bench-layout bench-scale bench-server bench-verdict attack-server crash-server outage-server \
	contact page-check asan tsan fuzz coverage \
	analyse tidy \
	format format-check layers circles install uninstall clean setup setup-tests programs test-programs room-programs \
	bench-programs harness-bench-programs scale-bench-programs fuzzers dist release static
.DELETE_ON_ERROR:
.SECONDARY:

all: programs $(LIBRARIES) $(EXAMPLES)
programs: $(PROGRAMS)
# With what only measures, so that none of it stops to build without a word.
test-programs: $(UNITS) $(HELPERS) $(FUZZ_TESTS) bench-programs harness-bench-programs scale-bench-programs $(ARENA) $(KINDS)
# Of one room: its unit programs; all that is built for users only where it has scripts, too.
room-programs: $(ROOM_UNITS) $(B)/helpers/limit $(if $(wildcard tests/cli/$(ROOM)/.),all $(HELPERS) \
	$(if $(filter harness,$(ROOM)),$(HARNESS_BENCHES)))
bench-programs: $(BENCHES) $(B)/bench/empty $(B)/bench/step $(B)/bench/server/load
harness-bench-programs: $(HARNESS_BENCHES)
scale-bench-programs: $(B)/bench/scale/judge $(B)/helpers/history

help:
	@echo 'make            build pawl, pawld, libpawl and the examples in build/release'
	@echo 'make check      set up what is missing, then run all tests (five minutes)'
	@echo 'make check ROOM=reporter  only the tests of that room or folder (lib/stats, collector/run)'
	@echo 'make check-slow the long forms: simulation, fault loops, fuzzing, emulated processors;'
	@echo '                what has passed is not run again (FRESH=1: it is)'
	@echo 'make check-hw   the tests on emulated processors and boards; downloads kernels once'
	@echo 'make demo       set up what is missing, then show the main job on a real repository'
	@echo 'make bench      measure pawl itself (figures, never a test)'
	@echo 'make bench-start  how fast pawl starts, beside git and others, and what a run costs; ROUNDS=30'
	@echo 'make bench-harness  libpawl against other harnesses; ROUNDS=12 NANOBENCH=DIR UBENCH=DIR DOC=1'
	@echo 'make bench-scale    how time and memory grow with benchmarks, pairs and history; FIGURE=judge REPEAT=3'
	@echo 'make bench-server   what pawld takes for a document and a history, and how many a second; ROUNDS=3 BASE=OTHER-PAWLD ENGINE=postgresql FILL=10000000'
	@echo 'make bench-layout   what other places of its functions do to a program; ROUNDS=60 LAYOUTS=16, PROJECTS='FILE...''
	@echo 'make bench-verdict  verdicts where the true change is known; BUDGET=20m'
	@echo 'make attack-server  pawld under ten attacks: memory, and what good clients see; DOCUMENTS=4000 SECONDS=10'
	@echo 'make crash-server   kills pawld while clients post: acknowledged is stored, nothing twice; ROUNDS=100 ENGINE=postgresql'
	@echo 'make outage-server  runners post after days without a server, which is killed twice; RUNNERS=1000'
	@echo "make contact    a newcomer's first commands on real repositories; CONTACT=TABLE PAWL_CONTACT_DIR=CLONES"
	@echo "make page-check what pawld's pages are in a browser: Chromium and axe-core; pictures in build/release/page/shots"
	@echo 'make asan       build and test with address and undefined-behaviour sanitizers'
	@echo 'make tsan       build pawld and its tests with the thread sanitizer, and run them'
	@echo 'make analyse    gcc -fanalyzer over lib, server and reporter; FILES=... for some'
	@echo 'make coverage   test with coverage, report in build/coverage'
	@echo 'make fuzz       build the fuzzers with clang, run each (or FUZZ=NAME) FUZZ_SECONDS (30)'
	@echo 'make tidy       clang-tidy and cppcheck'
	@echo 'make format     clang-format all sources in place; format-check only looks'
	@echo 'make layers     check who includes whom (ci/layers)'
	@echo 'make circles    check that no files need each other'
	@echo 'make install    PREFIX=$(PREFIX) DESTDIR=; make uninstall takes it back'
	@echo 'make static     pawl as one file without shared libraries: build/static/pawl'
	@echo 'make dist       pawl-$(VERSION).tar.gz of the last commit, the same bytes each time'
	@echo 'make release    all that is handed out, in build/release-files; STATIC=1: pawl without libraries'
	@echo 'make clean      remove build/'
	@echo 'Variables: CC CFLAGS LDFLAGS PREFIX DESTDIR MODE=release|asan|tsan|coverage'

setup:
	@ci/setup

setup-tests:
	@ci/setup tests

# ---- objects -------------------------------------------------------------------------

$(B)/obj/harness/%.o: harness/%.c
	$(call step,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -fPIC -fvisibility=hidden $(DEFINES) $(DEPENDENCIES) -c $< -o $@

# Test programs are compiled about as often as they run: without optimising, in a third of the time.
# Those that simulate run longer than that.
$(B)/obj/tests/unit/%.o: CFLAGS := $(CFLAGS:-O2=-O0) -U_FORTIFY_SOURCE
$(B)/obj/tests/unit/lib/stats/%.o $(B)/obj/tests/unit/collector/schedule/%.o: CFLAGS := $(CFLAGS:-O2=-O1)

$(B)/obj/%.o: %.c
	$(call step,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(core_system) $(DEFINES) $(DEPENDENCIES) -c $< -o $@

ifdef KEPT
$(KEPT): CFLAGS = -O1 -g
$(KEPT): DEFINES += -DKEPT_FOLDER='"$(CURDIR)/$(B)/kept"'
$(PROGRAMS) $(UNITS) $(HELPERS) $(FUZZ_TESTS): | $(KEPT)
endif

# Where a library that is opened late was found; the loader looks elsewhere first.
folder_of = '-D$(1)="$(shell $(PKG_CONFIG) --variable=libdir $(2) 2>/dev/null)"'
$(B)/obj/lib/net/libcurl.o: DEFINES += $(call folder_of,LIBCURL_FOLDER,libcurl)
$(B)/obj/lib/git/libgit2.o: DEFINES += $(call folder_of,LIBGIT2_FOLDER,libgit2)
# Without libpq's header pawld has no PostgreSQL, nor has a static one.
libpq_defines = $(call once,libpq_defines,$(if $(filter static,$(MODE)),true,$(PKG_CONFIG) --exists libpq && $(PKG_CONFIG) --cflags libpq && echo -DPAWL_LIBPQ))
$(B)/obj/lib/store/postgres/%.o: DEFINES += $(patsubst -I%,-isystem%,$(libpq_defines))
$(B)/obj/lib/store/postgres/libpq.o: DEFINES += $(call folder_of,LIBPQ_FOLDER,libpq)
$(B)/obj/lib/squeeze/squeeze.o: DEFINES += $(call folder_of,LIBZSTD_FOLDER,libzstd)

# The scripts that `pawl hook install` writes, as C strings.
$(B)/gen/hooks/text.h: hooks/pre-push hooks/post-commit
	@mkdir -p $(@D)
	$(Q){ for hook in pre-push post-commit; do \
		echo "#define HOOK_TEXT_$$(echo $$hook | tr a-z- A-Z_) \\"; \
		sed -e 's/[\\"]/\\&/g' -e 's/.*/	"&\\n" \\/' hooks/$$hook; echo; done; } > $@

$(B)/obj/hooks/install.o: $(B)/gen/hooks/text.h

# The scripts around the tables of `pawl completion`, line by line.
SHELLS = bash zsh fish
$(B)/gen/cli/completion/text.h: $(SHELLS:%=cli/completion/pawl.%)
	@mkdir -p $(@D)
	$(Q){ for shell in $(SHELLS); do echo "static const char *const text_$$shell[] = {"; \
		sed -e 's/[\\"]/\\&/g' -e 's/.*/	"&\\n",/' cli/completion/pawl.$$shell; \
		echo '	NULL'; echo '};'; done; } > $@

$(B)/obj/cli/completion/completion.o: $(B)/gen/cli/completion/text.h

# The script of pawld's pages, likewise.
$(B)/gen/server/page/text.h: server/page/plot.js
	@mkdir -p $(@D)
	$(Q){ echo 'static const char *const page_script_text[] = {'; \
		sed -e 's/[\\"]/\\&/g' -e 's/.*/	"&\\n",/' $<; echo '	NULL'; echo '};'; } > $@

$(B)/obj/server/page/picture.o: $(B)/gen/server/page/text.h

# What pawld says of its API, likewise; the blanks in front are for people.
$(B)/gen/server/answer/openapi_text.h: docs/schema/openapi-v1.json
	@mkdir -p $(@D)
	$(Q){ echo 'static const char *const openapi_text[] = {'; \
		sed -e 's/^ *//' -e 's/[\\"]/\\&/g' -e 's/.*/	"&\\n",/' $<; echo '	NULL'; echo '};'; } > $@

$(B)/obj/server/answer/openapi.o: $(B)/gen/server/answer/openapi_text.h

# Without a rule of their own make tries all that it knows to make each anew: half a second of every start.
depended := $(shell find $(B)/obj -name '*.d' 2>/dev/null)
$(depended): ;
-include $(depended)

# ---- libraries and programs ----------------------------------------------------------

# What an archive or pawl holds; written only when that changes, also when a source has gone.
$(B)/obj/pawl.list: holds = $(HARNESS_SRC)
$(B)/obj/core.list: holds = $(CORE_SRC)
$(B)/obj/server.list: holds = $(SERVER_SRC)
$(B)/obj/cli.list: holds = $(CLI_SRC)
$(B)/obj/%.list: always
	@mkdir -p $(@D)
	@echo '$(holds)' | cmp -s - $@ || echo '$(holds)' > $@

$(B)/libpawl.a: $(call objects,$(HARNESS_SRC)) $(B)/obj/pawl.list
	$(call step,AR,$@)
	@rm -f $@
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

$(B)/libpawl.so: $(call objects,$(HARNESS_SRC)) $(B)/obj/pawl.list harness/libpawl.map
	$(call step,LINK,$@)
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-soname,libpawl.so.$(SOVERSION) \
		-Wl,--version-script,harness/libpawl.map -o $@ $(filter %.o,$^)
	@ln -sf libpawl.so $(B)/libpawl.so.$(SOVERSION)

$(B)/pawl.pc: harness/pawl.pc.in Makefile
	@mkdir -p $(@D)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(pc_libdir)|' -e 's|@VERSION@|$(VERSION)|' $< > $@

$(B)/libcore.a: $(call objects,$(CORE_SRC)) $(B)/obj/core.list
	$(call step,AR,$@)
	@rm -f $@
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

$(B)/libserver.a: $(call objects,$(SERVER_SRC)) $(B)/obj/server.list
	$(call step,AR,$@)
	@rm -f $@
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

# The functions that libgit2 is to find in the program (lib/git/libgit2_start.c).
ifneq ($(MODE),static)
exported = -Wl,--dynamic-list=lib/git/exported.list
endif

$(B)/pawl: lib/git/exported.list $(B)/obj/cli.list
$(B)/pawl: $(call objects,$(CLI_SRC)) $(B)/libcore.a $(B)/libpawl.a
	$(call step,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $(keeping) $(exported) -o $@ $(filter-out %.list,$^) $(core_libs)

$(B)/pawld: $(call objects,server/main.c) $(B)/libserver.a $(B)/libcore.a
	$(call step,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $(keeping) -o $@ $^ $(server_libs) $(core_libs)

$(B)/examples/%: $(B)/obj/examples/%.o $(B)/libpawl.a
	$(call step,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^

# The programs lie in one folder, under the names of their sources.
$(foreach unit,$(UNIT_SRC),$(eval $(B)/tests/$(basename $(notdir $(unit))): $(B)/obj/$(unit:.c=.o)))
$(UNITS): $(B)/libserver.a $(B)/libcore.a $(B)/libpawl.a
	$(call step,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) $(quick_linker) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(test_libs) $(server_libs) $(core_libs)

$(B)/helpers/%: $(B)/obj/tests/helpers/%.o $(B)/libcore.a $(B)/libpawl.a
	$(call step,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) $(quick_linker) -o $@ $^ -lpthread $(core_libs)

# The fuzzers' entry points over their seeds, without libFuzzer, with allocations that fail.
$(B)/tests/test_fuzz_%: $(B)/obj/tests/fuzz/targets/fuzz_%.o $(B)/obj/tests/fuzz/driver.o \
		$(B)/obj/tests/fuzz/fuzz.o $(B)/libserver.a $(B)/libcore.a
	$(call step,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) $(quick_linker) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc \
		-o $@ $^ $(server_libs) $(core_libs)

$(B)/bench/step: tests/verdict/command/step.c
	$(call step,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -DROUNDS=60000 -DNUMBER=0 -o $@ $<

$(B)/bench/%: $(B)/obj/tests/bench/%.o $(B)/libcore.a $(B)/libpawl.a
	$(call step,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(core_libs)

$(B)/bench/harness/%: $(B)/obj/tests/bench/harness/%.o $(B)/obj/tests/bench/harness/op.o $(B)/libpawl.a
	$(call step,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^

# Static: its start is the kernel's work alone.
$(B)/bench/empty: tests/bench/empty.c
	$(call step,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 $(WARNINGS) -O2 -static -o $@ $<

# As tests/verdict/run builds them, in a repository of its own.
$(B)/bench/arena/%: tests/verdict/programs/%.c $(wildcard tests/verdict/programs/*.h) $(B)/libpawl.a
	$(call step,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -DEXTRA_PERMILLE=0 -I. -Itests/verdict/programs $(LDFLAGS) -o $@ $< $(B)/libpawl.a

# As tests/verdict/gates builds them, likewise.
$(B)/bench/kinds/%: tests/verdict/kinds/%.c $(wildcard tests/verdict/kinds/*.h)
	$(call step,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -o $@ $< -lpthread

$(B)/fuzz/%: $(B)/obj/tests/fuzz/targets/%.o $(B)/obj/tests/fuzz/fuzz.o $(B)/libserver.a $(B)/libcore.a
	$(call step,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(server_libs) $(core_libs)

# ---- tests ---------------------------------------------------------------------------

# Built on all processors, unless -j says otherwise.
on_all = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1))

check: setup-tests
	@$(MAKE) --no-print-directory $(on_all) WERROR=1 check-built

check-built: layers $(if $(ROOM),room-programs,circles all test-programs)
	@BUILD=$(B) tests/run $(if $(ROOM),--room '$(ROOM)') $(TESTS)

# What cannot be had is skipped with its reason, here too.
check-slow: setup-tests
	@tests/hw/setup || echo 'check-slow: going on without' >&2
	@$(MAKE) --no-print-directory $(on_all) WERROR=1 all test-programs
	@MAKE='$(MAKE)' ci/fuzz --build || echo 'check-slow: going on without' >&2
	@BUILD=$(B) tests/slow $(TESTS)

# What cannot be had is skipped with its reason.
check-hw:
	@tests/hw/setup || echo 'check-hw: going on without' >&2
	@$(MAKE) --no-print-directory WERROR=1 all $(HELPERS)
	@BUILD=$(B) tests/hw/run $(TESTS)

asan: setup-tests
	@$(MAKE) --no-print-directory $(on_all) MODE=asan check-built

# pawld alone has threads of its own.  A test need not see how it ended: a race is a fault whatever they say.
tsan: setup-tests
	@rm -f build/tsan/race.*
	@TSAN_OPTIONS=log_path=$(CURDIR)/build/tsan/race $(MAKE) --no-print-directory $(on_all) MODE=tsan \
		ROOM=server check-built; status=$$?; \
		for race in build/tsan/race.*; do [ ! -e "$$race" ] || { cat "$$race"; status=1; }; done; exit $$status

analyse: $(B)/gen/hooks/text.h $(B)/gen/cli/completion/text.h $(B)/gen/server/page/text.h \
		$(B)/gen/server/answer/openapi_text.h
	@ci/analyse $(FILES)

layers:
	@ci/check-layers

circles: programs $(LIBRARIES)
	@ci/check-circles $(B)/obj

demo: setup
	@echo 'make demo: builds pawl, then measures five commits of a small library and shows each verdict'
	@$(MAKE) --no-print-directory $(on_all) demo-built

demo-built: programs $(LIBRARIES)
	@BUILD=$(B) ci/demo

bench: setup
	@$(MAKE) --no-print-directory all bench-programs
	@BUILD=$(B) tests/bench/run

# hyperfine and benchstat are shown beside it where they are installed.
bench-start: setup
	@$(MAKE) --no-print-directory all bench-programs
	@BUILD=$(B) tests/bench/start
	@BUILD=$(B) tests/bench/cost

# The other harnesses, and valgrind, are only used here; what is not there is left out.
bench-harness: setup
	@$(MAKE) --no-print-directory harness-bench-programs
	@BUILD=$(B) tests/bench/harness/run $(if $(DOC),--doc docs/HARNESS-FIGURES.md)

bench-layout: setup
	@$(MAKE) --no-print-directory all $(B)/helpers/layouts
	@BUILD=$(B) tests/bench/layout/$(if $(PROJECTS),projects $(PROJECTS),run)

# Growth: processor time and peak memory at several sizes, with the exponents.
bench-scale: setup
	@$(MAKE) --no-print-directory all scale-bench-programs
	@BUILD=$(B) tests/bench/scale/run $(FIGURE)

# Another pawld can be measured beside it.
bench-server: setup
	@$(MAKE) --no-print-directory all $(B)/bench/server/load
	@BUILD=$(B) tests/bench/server/run
	@BUILD=$(B) tests/bench/server/rates
	@[ -n "$$ENGINE" ] || BUILD=$(B) ENGINE=postgresql tests/bench/server/rates || [ $$? = 77 ]

attack-server crash-server outage-server: setup
	@$(MAKE) --no-print-directory all $(B)/helpers/results
	@BUILD=$(B) tests/siege/$(@:-server=)
	@case $@/$$ENGINE in crash-server/postgresql) BUILD=$(B) tests/siege/moves ;; esac

# What it fetches is never shipped; without it, it is skipped.
page-check: setup
	@$(MAKE) --no-print-directory all
	@BUILD=$(B) tests/page/run

# hyperfine and valgrind are only used here, and what needs them is left out without them.
bench-verdict: setup
	@ci/setup bench || echo 'bench-verdict: going on without' >&2
	@$(MAKE) --no-print-directory all bench-programs
	@BUILD=$(B) tests/verdict/command/run
	@BUILD=$(B) tests/verdict/run
	@BUILD=$(B) tests/verdict/gates

# The table names the repositories, which are fetched: none is part of pawl.
contact: setup
	@$(MAKE) --no-print-directory all
	@BUILD=$(B) CONTACT=$(CONTACT) tests/contact/run

# Of code that is not optimised; MORE=1 adds to what was counted before.
coverage: setup-tests
	@mkdir -p build/coverage/kept && chmod 1777 build/coverage/kept
	@[ -n "$(MORE)" ] || { find build/coverage -name '*.gcda' -delete; rm -rf build/coverage/kept/*; }
	@PAWL_TEST_CPU=$${PAWL_TEST_CPU:-3600} $(MAKE) --no-print-directory $(on_all) MODE=coverage check-built; \
		status=$$?; ci/coverage && exit $$status

FUZZ_SECONDS ?= 30
fuzz: setup
	@MAKE='$(MAKE)' FUZZ_SECONDS=$(FUZZ_SECONDS) ci/fuzz $(FUZZ)

fuzzers: $(FUZZERS)

tidy: setup
	@ci/tidy

FORMATTED = $(shell git ls-files '*.c' '*.h')
format:
	@clang-format -i $(FORMATTED)
format-check:
	@clang-format --dry-run -Werror $(FORMATTED)

# ---- install -------------------------------------------------------------------------

# What other build systems include (integrations/).  The installed tree can be moved: the CMake files
# find the rest from where they lie, pawl.pc by `pkg-config --define-prefix`.
empty :=
space := $(empty) $(empty)
cmake_dir = $(DESTDIR)$(LIBDIR)/cmake/pawl
below_prefix = $(filter-out $(LIBDIR),$(patsubst $(PREFIX)/%,%,$(LIBDIR)))
prefix_from_libdir = $(if $(below_prefix),$(subst $(space),,$(patsubst %,../,$(subst \
	/, ,$(below_prefix)))),$(PREFIX))
pc_libdir = $(if $(below_prefix),$${prefix}/$(below_prefix),$(LIBDIR))
pointer_bytes = $(shell echo __SIZEOF_POINTER__ | $(CC) $(CFLAGS) -E -P -xc - 2>/dev/null)
define install_integrations
install -m 644 integrations/pawl.mk integrations/meson/meson-bench.py $(DESTDIR)$(PREFIX)/share/pawl/
install -d $(cmake_dir)
install -m 644 integrations/cmake/pawlBenchmark.cmake integrations/cmake/pawlRun.cmake $(cmake_dir)/
for name in pawlConfig pawlConfigVersion; do \
	sed -e 's|@PREFIX_FROM_LIBDIR@|$(prefix_from_libdir)|' -e 's|@VERSION@|$(VERSION)|' \
		-e 's|@SOVERSION@|$(SOVERSION)|' -e 's|@SIZEOF_VOID_P@|$(pointer_bytes)|' \
		integrations/cmake/$$name.cmake.in > $(cmake_dir)/$$name.cmake; done
endef

# Where bash, zsh and fish look by themselves, under each name of the program.  Of a pawl that does
# not run where it is built: make install COMPLETIONS=
NAMES = pawl git-pawl pawl-collector pawl-reporter
COMPLETIONS = $(NAMES:%=bash-completion/completions/%) zsh/site-functions/_pawl \
	zsh/site-functions/_git-pawl $(NAMES:%=fish/vendor_completions.d/%.fish)

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include \
		$(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(PREFIX)/share/pawl
	install -m 755 $(B)/pawl $(B)/pawld $(DESTDIR)$(PREFIX)/bin/
	ln -sf pawl $(DESTDIR)$(PREFIX)/bin/git-pawl
	ln -sf pawl $(DESTDIR)$(PREFIX)/bin/pawl-collector
	ln -sf pawl $(DESTDIR)$(PREFIX)/bin/pawl-reporter
	install -m 644 include/*.h $(DESTDIR)$(PREFIX)/include/
	install -m 644 $(B)/libpawl.a $(DESTDIR)$(LIBDIR)/
	install -m 755 $(B)/libpawl.so $(DESTDIR)$(LIBDIR)/libpawl.so.$(VERSION)
	ln -sf libpawl.so.$(VERSION) $(DESTDIR)$(LIBDIR)/libpawl.so.$(SOVERSION)
	ln -sf libpawl.so.$(SOVERSION) $(DESTDIR)$(LIBDIR)/libpawl.so
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(pc_libdir)|' -e 's|@VERSION@|$(VERSION)|' \
		harness/pawl.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/pawl.pc
	$(install_integrations)
	install -m 644 docs/schema/*.json $(DESTDIR)$(PREFIX)/share/pawl/
	install -d $(addprefix $(DESTDIR)$(PREFIX)/share/pawl/ci/,shell gitlab jenkins)
	install -m 755 ci/shell/pawl-step $(DESTDIR)$(PREFIX)/share/pawl/ci/shell/
	install -m 644 ci/gitlab/pawl.gitlab-ci.yml $(DESTDIR)$(PREFIX)/share/pawl/ci/gitlab/
	install -m 644 ci/jenkins/Jenkinsfile $(DESTDIR)$(PREFIX)/share/pawl/ci/jenkins/
	for page in $(PAGES); do section=$${page##*.}; \
		install -d $(DESTDIR)$(PREFIX)/share/man/man$$section; \
		install -m 644 $$page $(DESTDIR)$(PREFIX)/share/man/man$$section/; done
	@set -e; for file in $(COMPLETIONS); do \
		shell=$${file%%/*} to=$(DESTDIR)$(PREFIX)/share/$$file; install -d "$${to%/*}"; \
		rm -f "$$to"; $(B)/pawl completion "$${shell%-completion}" -o "$$to"; \
		chmod 644 "$$to"; done
	install -d $(DESTDIR)$(PREFIX)/share/fish/vendor_conf.d
	install -m 644 cli/completion/git.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_conf.d/pawl.fish
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ] && \
		ldconfig -N -X -v 2>/dev/null | grep -q '^$(PREFIX)/lib:'; then ldconfig; fi
	@case ":$(if $(DESTDIR),$(PREFIX)/bin,$$PATH):" in *":$(PREFIX)/bin:"*) ;; *) \
		echo "pawl is installed in $(PREFIX)/bin, where this shell does not look:"; \
		echo "  export PATH=\"$(PREFIX)/bin:\$$PATH\" MANPATH=\"$(PREFIX)/share/man:\$$MANPATH\"" ;; \
	esac

uninstall:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/bin/,pawl pawld git-pawl pawl-collector pawl-reporter)
	rm -f $(patsubst include/%,$(DESTDIR)$(PREFIX)/include/%,$(wildcard include/*.h)) \
		$(DESTDIR)$(LIBDIR)/libpawl.* $(DESTDIR)$(LIBDIR)/pkgconfig/pawl.pc
	rm -rf $(DESTDIR)$(PREFIX)/share/pawl
	rm -rf $(cmake_dir)
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/share/,$(COMPLETIONS) fish/vendor_conf.d/pawl.fish)
	for page in $(PAGES); do section=$${page##*.}; \
		rm -f $(DESTDIR)$(PREFIX)/share/man/man$$section/$${page##*/}; done

# One file that needs no library: pawl alone, since benchmarks link libpawl as they like.
static: setup
	@ci/static build/static/libs
	@$(MAKE) --no-print-directory MODE=static build/static/pawl

# The same commit gives the same bytes: git writes the commit's time, gzip -n none.
dist:
	@git archive --format=tar --prefix=pawl-$(VERSION)/ HEAD | gzip -9n > pawl-$(VERSION).tar.gz
	@echo pawl-$(VERSION).tar.gz

# What is handed out, in build/release-files; STATIC=1: with a pawl that needs no library.
release: $(if $(STATIC),static) all
	@[ -z "$$(git status --porcelain)" ] || { echo 'make release: commit first' >&2; exit 1; }
	@rm -rf build/release-files
	@ci/release build/release-files $(if $(STATIC),static)

clean:
	rm -rf build
