# SPDX-License-Identifier: MIT
# pawl.mk - benchmarks in a Makefile, measured and compared by pawl.  GNU make 3.81 or newer.
#
#	PAWL_BENCHMARKS = bench/deflate bench/inflate
#	bench/deflate_SOURCES = bench/deflate.c src/huffman.c
#	include $(shell pkg-config --variable=makefile pawl)
#
# Set the variables before the include.  It brings these targets, and changes neither the default
# goal nor any other rule; `make bench-help` shows them with the variables:
#
#	bench           builds the benchmarks and runs them by hand, one after the other
#	bench-compare   builds two commits beside the work tree and says what changed
#	bench-gate      the same, and fails when a regression is confirmed
#	bench-baseline  measures HEAD and keeps the result in the repository's store
#	bench-programs  only builds them: what bench-compare runs in each of the two trees
#
# With `make -j` the programs are built in parallel and measured one at a time.
ifndef pawl_mk
pawl_mk := $(lastword $(MAKEFILE_LIST))
pawl_goal := $(.DEFAULT_GOAL)
pawl_makefile := $(firstword $(MAKEFILE_LIST))

PAWL_TOOL  ?= pawl
PAWL_BASE  ?= $(if $(findstring --working-tree,$(PAWL_FLAGS)),HEAD,HEAD~1)
PAWL_OBJECTS ?= pawl-objects
PKG_CONFIG ?= pkg-config
# A name that the base commit has may come from anywhere: it is never expanded, nor handed on.
unexport PAWL_BASE

pawl_all := $(strip $(PAWL_BENCHMARKS) $(PAWL_PROGRAMS))
pawl_cc  = $(or $(CC),cc)
pawl_cxx = $(or $(CXX),c++)

# ---- words -----------------------------------------------------------------------------

# One word for the shell; what it is split into is what pawl splits its commands into.
pawl_quote = '$(subst ','\'',$(1))'
pawl_say = echo "pawl.mk: error: $(1)" >&2; echo "hint: $(2)" >&2; exit $(3)
# A variable of the user's as he typed it; one of a makefile expanded.
pawl_typed = $(if $(filter file,$(origin $(1))),$($(1)),$(value $(1)))
# A benchmark's name: BENCHMARK_NAME, or the last part of its path.
pawl_name = $(or $($(1)_NAME),$(notdir $(1)))
pawl_names := $(foreach b,$(pawl_all),$(call pawl_name,$(b)))
ifneq ($(words $(pawl_names)),$(words $(sort $(pawl_names))))
$(error pawl.mk: two benchmarks have one name in '$(pawl_names)': set PATH_NAME of one of them)
endif

# ---- building --------------------------------------------------------------------------

# Asked once, and only when something is built.
pawl_ask = $(eval $(1) := $$(shell $(2)))$($(1))
pawl_libdir = $(call pawl_ask,pawl_libdir,PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 $(PKG_CONFIG) \
	--libs-only-L pawl 2>/dev/null | sed 's/^-L//; s/ .*//')
pawl_archive = $(if $(filter-out shared,$(or $(PAWL_LINK),static)),$(if $(pawl_libdir),$(wildcard \
	$(pawl_libdir)/libpawl.a)))

ifdef PAWL_LIBS
pawl-library:
else
PAWL_CFLAGS = $(call pawl_ask,PAWL_CFLAGS,$(PKG_CONFIG) --cflags pawl)
PAWL_LIBS = $(or $(pawl_archive),$(if $(pawl_libdir),-L$(pawl_libdir) -Wl$(pawl_comma)-rpath$(pawl_comma)$(pawl_libdir)) -lpawl)
pawl_comma := ,
pawl-library:
	@$(PKG_CONFIG) --exists pawl || { $(call pawl_say,'$(PKG_CONFIG)' does not find libpawl,install \
	libpawl-dev$(pawl_comma) or name its folder with PKG_CONFIG_PATH=PREFIX/lib/pkgconfig,2); }
endif

# The sources of a benchmark: BENCHMARK_SOURCES, or the file of its name.
pawl_suffixes := .c .cc .cpp .cxx
pawl_found = $(firstword $(foreach s,$(pawl_suffixes),$(if $(wildcard $(1)$(s) \
	$(foreach d,$(subst :, ,$(VPATH)),$(d)/$(1)$(s))),$(1)$(s))) $(1).c)
pawl_sources = $(or $($(1)_SOURCES),$(call pawl_found,$(1)))
pawl_object = $(PAWL_OBJECTS)/$(1)/$(subst /,-,$(subst ../,up-,$(2))).o
pawl_objects = $(foreach s,$(call pawl_sources,$(1)),$(call pawl_object,$(1),$(s)))
pawl_is_cxx = $(filter-out %.c,$(call pawl_sources,$(1)))

# Each object belongs to one benchmark: its flags are those of that benchmark.
define pawl_object_rule
$(call pawl_object,$(1),$(2)): $(2) | pawl-library
	@mkdir -p $$(@D)
	$(if $(filter %.c,$(2)),$$(pawl_cc) $$(PAWL_CFLAGS) $$(CPPFLAGS) $$(or $$(strip $$(CFLAGS)),-O2 -g),$$(pawl_cxx) \
	$$(PAWL_CFLAGS) $$(CPPFLAGS) $$(or $$(strip $$(CXXFLAGS)),-O2 -g)) $$($(1)_CFLAGS) \
	-MMD -MP -MF $$@.d -c -o $$@ $$<
-include $(wildcard $(call pawl_object,$(1),$(2)).d)
endef
define pawl_benchmark_rules
$(foreach s,$(call pawl_sources,$(1)),$(eval $(call pawl_object_rule,$(1),$(s))))
$(1): $(call pawl_objects,$(1)) $(filter-out -%,$($(1)_LIBS)) | pawl-library
	@mkdir -p $$(@D)
	$(if $(call pawl_is_cxx,$(1)),$$(pawl_cxx) $$(CXXFLAGS),$$(pawl_cc) $$(CFLAGS)) $$(LDFLAGS) -o $$@ \
	$(call pawl_objects,$(1)) $$($(1)_LIBS) $$(PAWL_LIBS) $$(LDLIBS)
endef
$(foreach b,$(PAWL_BENCHMARKS),$(eval $(call pawl_benchmark_rules,$(b))))

bench-programs: $(pawl_all)
	@$(if $(pawl_all),:,$(call pawl_say,no benchmarks,set PAWL_BENCHMARKS before pawl.mk is included,2))

bench-clean:
	rm -rf $(PAWL_OBJECTS) $(PAWL_BENCHMARKS)

# ---- running by hand -------------------------------------------------------------------

# The lock that pawl holds while it measures, where flock(1) can take it.
pawl_lock = if command -v flock >/dev/null && { [ -f /tmp/pawl.lock ] || \
	(umask 022; set -C; : >/tmp/pawl.lock); } 2>/dev/null && [ -r /tmp/pawl.lock ]; \
	then exec 9</tmp/pawl.lock; flock -n 9 || { \
	echo 'pawl.mk: another pawl is measuring on this machine: waiting for it' >&2; flock 9; }; fi;
pawl_path = $(if $(filter /%,$(1)),$(1),./$(1))
pawl_run = echo "== $(1)"; $(PAWL_EXEC) $(call pawl_path,$(1)) $($(1)_ARGS) $(if $(filter \
	$(1),$(PAWL_BENCHMARKS)),$(PAWL_BENCH_ARGS)) 9<&- || { \
	echo "pawl.mk: error: '$(1)' ended with status $$?" >&2; status=1; };
bench: bench-programs
	@status=0; $(pawl_lock) $(foreach b,$(pawl_all),$(call pawl_run,$(b))) exit $$status

# ---- comparing -------------------------------------------------------------------------

# Where git is told its folders, as in a hook, they are not this folder's.
pawl_git = unset GIT_DIR GIT_WORK_TREE GIT_PREFIX GIT_INDEX_FILE; git
pawl_top = $(call pawl_ask,pawl_top,$(pawl_git) rev-parse --show-toplevel 2>/dev/null)
pawl_prefix = $(call pawl_ask,pawl_prefix,$(pawl_git) rev-parse --show-prefix 2>/dev/null)
pawl_jobs = $(call pawl_ask,pawl_jobs,getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

# What was set on the command line, and the variables of cross builds that pawl does not hand on,
# are set for both builds too: they are part of the name under which pawl keeps a built tree.
pawl_not_built := PAWL_BASE PAWL_FLAGS PAWL_BASELINE_FLAGS PAWL_BENCH_ARGS PAWL_BUILD PAWL_EXEC \
	PAWL_PASS PAWL_TOOL
# The names first, stripped: of each one that is left out $(foreach) leaves a blank, in a text that pawl compares.
pawl_from = $(strip $(foreach v,$(2),$(if $(filter $(1),$(firstword $(origin $(v)))),$(v))))
pawl_set = $(foreach v,$(call pawl_from,command,$(sort $(filter-out $(pawl_not_built),$(.VARIABLES)))),$(call \
	pawl_quote,$(v)=$(value $(v))))
pawl_passed = $(foreach v,$(call pawl_from,environment,AR CROSS_COMPILE PKG_CONFIG PKG_CONFIG_LIBDIR \
	PKG_CONFIG_SYSROOT_DIR $(PAWL_PASS)),$(v)=$(call pawl_quote,$(value $(v))))
pawl_file = $(if $(filter $(pawl_makefile),GNUmakefile makefile Makefile),, -f $(call \
	pawl_quote,$(patsubst $(CURDIR)/%,%,$(pawl_makefile))))
pawl_folder = $(if $(pawl_prefix), -C $(call pawl_quote,$(pawl_prefix)))
pawl_build = $(if $(pawl_prefix),mkdir -p $(call pawl_quote,$(pawl_prefix)) && )$(if $(pawl_passed),$(pawl_passed) )$(MAKE) \
	--no-print-directory$(pawl_folder)$(pawl_file) -j$(pawl_jobs)$(if $(pawl_set), $(pawl_set)) bench-programs

# pawl runs benchmarks from the top of a tree: an argument that names a file here is named from there.
pawl_args = $(foreach w,$($(1)_ARGS),$(if $(pawl_prefix),$(if $(filter-out /% -%,$(w)),$(if $(wildcard \
	$(w)),$(call pawl_quote,$(pawl_prefix)$(w)),$(w)),$(w)),$(w)))
pawl_command = $(strip $(PAWL_EXEC) $(call pawl_quote,$(if $(filter /%,$(1)),,$(pawl_prefix))$(1)) $(call pawl_args,$(1)))
# As `git -c benchmark.NAME.KEY=VALUE` would, after what the caller has there.
pawl_set_key = export GIT_CONFIG_KEY_$$n=$(call pawl_quote,benchmark.$(call pawl_name,$(1)).$(2)) \
	GIT_CONFIG_VALUE_$$n=$(call pawl_quote,$(3)); n=$$((n + 1));
# Behind an emulator pawl cannot see by itself that a program links libpawl.
pawl_setting = $(call pawl_set_key,$(1),command,$(call pawl_command,$(1))) $(if $(PAWL_EXEC),$(if \
	$(filter $(1),$(PAWL_BENCHMARKS)),$(call pawl_set_key,$(1),format,pawl)))

# $(1) the rest of the shell's work, with the settings made; $$build is "" where .pawlconfig rules.
pawl_with = $(if $(filter -%,$(call pawl_typed,PAWL_BASE)),$(call pawl_say,PAWL_BASE is no commit,a \
	commit or a range such as main...HEAD,2);) \
	unset MAKEFLAGS MFLAGS MAKELEVEL GNUMAKEFLAGS GIT_DIR GIT_WORK_TREE GIT_PREFIX GIT_INDEX_FILE; \
	command -v $(firstword $(PAWL_TOOL)) >/dev/null || { $(call pawl_say,'$(firstword $(PAWL_TOOL))' \
	is not installed,install pawl or name the program with PAWL_TOOL=PATH,5); }; \
	$(if $(pawl_top),,$(call pawl_say,'$(CURDIR)' is in no git work tree,run make inside the repository,5);) \
	build=; n=$${GIT_CONFIG_COUNT:-0}; \
	if git config --file $(call pawl_quote,$(pawl_top)/.pawlconfig) --get-regexp \
	'^benchmark[.].*[.]command$$' >/dev/null 2>&1; then \
		echo 'pawl.mk: the benchmarks are those of .pawlconfig' >&2; \
	else \
		build=$(call pawl_quote,$(or $(call pawl_typed,PAWL_BUILD),$(pawl_build))); \
		$(foreach b,$(pawl_all),$(call pawl_setting,$(b))) export GIT_CONFIG_COUNT=$$n; \
	fi; $(1)
pawl_dirty = $(if $(findstring --working-tree,$(PAWL_FLAGS)),,[ -z "$$(git status --porcelain \
	--untracked-files=no)" ] || \
	echo 'pawl.mk: uncommitted changes are left out; with them: PAWL_FLAGS=--working-tree' >&2;)
pawl_compare = $(pawl_dirty) $(PAWL_TOOL) compare $${build:+--build "$$build"} $(PAWL_FLAGS) \
	$(call pawl_quote,$(call pawl_typed,PAWL_BASE)); status=$$?; \
	case $$status in 2|4|5) echo "pawl.mk: nothing was judged (status $$status)" >&2 ;; esac;
pawl_collect = $(PAWL_TOOL) collect $${build:+--built} $(PAWL_BASELINE_FLAGS); status=$$?;
pawl_look = case $$status in 1|3) status=0 ;; esac; exit $$status
pawl_gate = exit $$status

# To compare is to look: only what could not be judged fails.
bench-compare: pawl-listed
	@$(call pawl_with,$(pawl_compare) $(pawl_look))

bench-gate: pawl-listed
	@$(call pawl_with,$(pawl_compare) $(pawl_gate))

bench-baseline: bench-programs
	@$(call pawl_with,$(pawl_collect) $(pawl_look))

# For programs to read: a name, a tab and the command from the top of the work tree, one a line.
bench-list: pawl-listed
	@$(foreach b,$(pawl_all),printf '%s\t%s\n' $(call pawl_quote,$(call pawl_name,$(b))) \
	$(call pawl_quote,$(call pawl_command,$(b)));)

pawl-listed:
	@$(if $(pawl_all),:,$(call pawl_say,no benchmarks,set PAWL_BENCHMARKS before pawl.mk is included,2))

# ---- order -----------------------------------------------------------------------------

# Two of these never measure at once, nor beside a goal that was named before them.
pawl_until = $(if $(filter-out $(1),$(firstword $(2))),$(firstword $(2)) $(call \
	pawl_until,$(1),$(wordlist 2,$(words $(2)),$(2))))
$(foreach g,$(filter bench bench-compare bench-gate bench-baseline,$(MAKECMDGOALS)),$(eval $(g): | \
	$(call pawl_until,$(g),$(MAKECMDGOALS))))

bench-help:
	@echo 'make bench           build the benchmarks and run them by hand; PAWL_BENCH_ARGS=...'
	@echo 'make bench-compare   PAWL_BASE (HEAD~1) against HEAD, side by side'
	@echo 'make bench-gate      the same; fails when a regression is confirmed'
	@echo 'make bench-baseline  measure HEAD and keep the result'
	@echo 'make bench-programs  only build them'
	@echo 'make bench-list      their names and commands'
	@echo 'make bench-clean     remove what bench-programs made'
	@echo
	@echo 'PAWL_BENCHMARKS      programs linked to libpawl, built here'
	@echo 'X_SOURCES X_CFLAGS X_LIBS X_ARGS X_NAME   of the benchmark X; sources: X.c, X.cpp ...'
	@echo 'PAWL_PROGRAMS        programs to measure that have rules of their own'
	@echo 'PAWL_BASE PAWL_FLAGS of pawl compare, such as main...HEAD and --threshold 2%'
	@echo 'PAWL_BASELINE_FLAGS  of pawl collect'
	@echo 'PAWL_BUILD           what builds a commit, from its top; default: make bench-programs'
	@echo 'PAWL_PASS            names of variables of the environment that the build needs'
	@echo 'PAWL_EXEC            what runs the programs, such as an emulator'
	@echo 'PAWL_LINK=shared     link libpawl.so instead of libpawl.a'
	@echo 'PAWL_CFLAGS PAWL_LIBS where pkg-config does not know libpawl'
	@echo 'PAWL_TOOL PKG_CONFIG CC CXX CPPFLAGS CFLAGS CXXFLAGS LDFLAGS LDLIBS'

.PHONY: bench bench-programs bench-compare bench-gate bench-baseline bench-list bench-help \
	bench-clean pawl-library pawl-listed
.DEFAULT_GOAL := $(pawl_goal)
endif
