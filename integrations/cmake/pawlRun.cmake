# SPDX-License-Identifier: MIT
# What the targets of pawl_add_benchmark() do: cmake -DWHAT=... -DCONFIG=... -DDATA=... -DSCRIPT=... -P pawlRun.cmake
# writes a script for sh, and the target runs it.  Run by execute_process() a program would write into pipes, from which
# cmake takes 1024 bytes at a time: lines of one stream cut those of the other, and a terminal is none.
# The build system has built what is run; only the comparison builds, in trees of its own.
cmake_minimum_required(VERSION 3.16...3.25)

function(quote _out _text)
  string(REPLACE "'" "'\\''" _text "${_text}")
  set(${_out} "'${_text}'" PARENT_SCOPE)
endfunction()

# Appends the words of a list to the command.
function(add_words list)
  foreach(word IN LISTS ${list})
    quote(word "${word}")
    string(APPEND command " ${word}")
  endforeach()
  set(command "${command}" PARENT_SCOPE)
endfunction()

# Appends to the script what gives a variable of the environment that value.
function(export_to_script name value)
  quote(value "${value}")
  string(APPEND script "export ${name}=${value}\n")
  set(script "${script}" PARENT_SCOPE)
endfunction()

# An option: the environment, else what was configured, else this.
macro(option_of name otherwise)
  if(NOT "$ENV{PAWL_${name}}" STREQUAL "")
    set(${name} "$ENV{PAWL_${name}}")
  elseif("${${name}}" STREQUAL "")
    set(${name} "${otherwise}")
  endif()
endmacro()

set(script "# Made by pawlRun.cmake.\n")
set(n_benchmarks 0)
# From the data: a name, whether it links libpawl, its file, what runs it, its arguments.
function(benchmark name linked file emulator arguments)
  foreach(field IN ITEMS name linked file emulator arguments)
    set(${field}_${n_benchmarks} "${${field}}" PARENT_SCOPE)
  endforeach()
  math(EXPR n "${n_benchmarks} + 1")
  set(n_benchmarks ${n} PARENT_SCOPE)
endfunction()

include("${DATA}")
math(EXPR last "${n_benchmarks} - 1")
option_of(FLAGS "")
option_of(BASELINE_FLAGS "")
option_of(BENCH_ARGS "")
if(FLAGS MATCHES "--working-tree")
  option_of(BASE "HEAD")
else()
  option_of(BASE "HEAD~1")
endif()
option_of(PASS "")
separate_arguments(PASS UNIX_COMMAND "${PASS}")
separate_arguments(FLAGS UNIX_COMMAND "${FLAGS}")
separate_arguments(BASELINE_FLAGS UNIX_COMMAND "${BASELINE_FLAGS}")

# ---- by hand ---------------------------------------------------------------------------

if(WHAT STREQUAL "bench")
  if(CONFIG STREQUAL "" OR CONFIG STREQUAL "Debug")
    message("pawl: note: built without optimization (the build type is '${CONFIG}')")
  endif()
  string(APPEND script "failed=\n")
  foreach(i RANGE ${last})
    set(line "${arguments_${i}}")
    if(linked_${i})
      string(APPEND line " ${BENCH_ARGS}")
    endif()
    separate_arguments(words UNIX_COMMAND "${line}")
    set(command "")
    quote(title "== ${name_${i}}")
    quote(name " '${name_${i}}'")
    quote(file "${file_${i}}")
    add_words(emulator_${i})
    string(APPEND command " ${file}")
    add_words(words)
    string(APPEND script "printf '%s\\n' ${title}\n${command} || failed=$failed${name}\" ($?)\"\n")
  endforeach()
  string(APPEND script "[ -z \"$failed\" ] && exit\nprintf 'pawl: failed:%s\\n' \"$failed\" >&2\nexit 1\n")
  file(WRITE "${SCRIPT}" "${script}")
  return()
endif()

# ---- by pawl ---------------------------------------------------------------------------

# Where git is told its folders, as in a hook, they are not this folder's.
foreach(name IN ITEMS GIT_DIR GIT_WORK_TREE GIT_PREFIX GIT_INDEX_FILE MAKEFLAGS MFLAGS MAKELEVEL)
  unset(ENV{${name}})
  string(APPEND script "unset ${name}\n")
endforeach()
if(NOT PAWL OR NOT EXISTS "${PAWL}")
  find_program(found pawl)
  if(NOT found)
    message(FATAL_ERROR "pawl: the program 'pawl' is not installed; install it, or configure with "
      "-DPAWL_EXECUTABLE=PATH")
  endif()
  set(PAWL "${found}")
endif()
if(BASE MATCHES "^-")
  message(FATAL_ERROR "pawl: PAWL_BASE is '${BASE}', which is no commit")
endif()
execute_process(COMMAND git rev-parse --show-prefix WORKING_DIRECTORY "${SOURCE}"
  RESULT_VARIABLE status OUTPUT_VARIABLE prefix ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT status STREQUAL "0")
  message(FATAL_ERROR "pawl: '${SOURCE}' is in no git work tree: there are no commits to compare")
endif()
execute_process(COMMAND git rev-parse --show-toplevel WORKING_DIRECTORY "${SOURCE}"
  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE)

set(folder "${prefix}pawl-build") # in each tree
if(WHAT STREQUAL "baseline")
  file(RELATIVE_PATH here "${SOURCE}" "${BINARY}")
  set(folder "${prefix}${here}")
  if(here MATCHES "^[.][.]/|^/")
    set(folder "${BINARY}")
  endif()
endif()

# The path of a program from the top of a tree.
function(path_in_tree out file)
  file(RELATIVE_PATH built "${BINARY}" "${file}")
  file(RELATIVE_PATH kept "${SOURCE}" "${file}")
  if(NOT built MATCHES "^[.][.]/|^/")
    set(${out} "${folder}/${built}" PARENT_SCOPE)
  elseif(NOT kept MATCHES "^[.][.]/|^/")
    set(${out} "${prefix}${kept}" PARENT_SCOPE)
  else()
    message(FATAL_ERROR "pawl: '${file}' lies neither in the build nor in the source folder, so "
      "each commit would overwrite the other's")
  endif()
endfunction()

execute_process(COMMAND git config --file "${top}/.pawlconfig" --get-regexp
  "^benchmark[.].*[.]command$" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
set(build "")
if(status STREQUAL "0")
  message("pawl: the benchmarks are those of .pawlconfig")
else()
  set(n 0)
  if(DEFINED ENV{GIT_CONFIG_COUNT})
    set(n "$ENV{GIT_CONFIG_COUNT}")
  endif()
  foreach(i RANGE ${last})
    path_in_tree(path "${file_${i}}")
    set(command "")
    foreach(word IN LISTS emulator_${i} path)
      quote(word "${word}")
      string(APPEND command "${word} ")
    endforeach()
    # As `git -c benchmark.NAME.KEY=VALUE` would.
    export_to_script(GIT_CONFIG_KEY_${n} "benchmark.${name_${i}}.command")
    export_to_script(GIT_CONFIG_VALUE_${n} "${command}${arguments_${i}}")
    math(EXPR n "${n} + 1")
    # Behind an emulator pawl cannot see by itself that a program links libpawl.
    if(linked_${i} AND NOT "${emulator_${i}}" STREQUAL "")
      export_to_script(GIT_CONFIG_KEY_${n} "benchmark.${name_${i}}.format")
      export_to_script(GIT_CONFIG_VALUE_${n} pawl)
      math(EXPR n "${n} + 1")
    endif()
  endforeach()
  export_to_script(GIT_CONFIG_COUNT ${n})
  set(type "${CONFIG}")
  if(type STREQUAL "")
    set(type Release)
  endif()
  include(ProcessorCount)
  ProcessorCount(jobs)
  if(jobs EQUAL 0)
    set(jobs 1)
  endif()
  # Variables that pawl does not hand on to builds.
  set(pass "")
  foreach(name IN ITEMS AR PKG_CONFIG PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR ${PASS})
    if(DEFINED ENV{${name}})
      quote(word "$ENV{${name}}")
      string(APPEND pass "${name}=${word} ")
    endif()
  endforeach()
  quote(cmake "${CMAKE_COMMAND}")
  quote(from "./${prefix}")
  quote(to "${folder}")
  quote(type "${type}")
  string(CONCAT build "${pass}${cmake} -S ${from} -B ${to} ${LINE} -DCMAKE_BUILD_TYPE=${type} && "
    "${pass}${cmake} --build ${to} --config ${type} --target bench-programs --parallel ${jobs}")
endif()

quote(command "${PAWL}")
quote(base "${BASE}")
quote(folder "${top}")
if(WHAT STREQUAL "baseline")
  string(APPEND command " collect")
  add_words(BASELINE_FLAGS)
  if(build)
    string(APPEND command " --built")
  endif()
else()
  string(APPEND command " compare")
  add_words(FLAGS)
  string(APPEND command " ${base}")
  execute_process(COMMAND git status --porcelain --untracked-files=no WORKING_DIRECTORY "${top}"
    OUTPUT_VARIABLE changes)
  if(NOT changes STREQUAL "" AND NOT "--working-tree" IN_LIST FLAGS)
    message("pawl: uncommitted changes are left out; with them: PAWL_FLAGS=--working-tree")
  endif()
  if(build AND "$ENV{PAWL_BUILD}" STREQUAL "")
    export_to_script(PAWL_BUILD "${build}")
  endif()
endif()
string(APPEND script "cd ${folder} || exit 1\n${command}\nstatus=$?\n")

# Only the gate fails for a verdict; what could not be judged always does.
if(NOT WHAT STREQUAL "gate")
  string(APPEND script "case $status in 1 | 3) exit 0 ;; esac\n")
endif()
string(APPEND script [=[
case $status in
0) exit 0 ;;
1) echo 'pawl: a regression is confirmed (status 1)' >&2 ;;
3) echo 'pawl: inconclusive, which --strict makes a failure (status 3)' >&2 ;;
*) echo "pawl: nothing was judged (status $status)" >&2 ;;
esac
exit 1
]=])
file(WRITE "${SCRIPT}" "${script}")
