# SPDX-License-Identifier: MIT
#[[
pawl_add_benchmark - a benchmark as a target, as a test and as something to compare.

  pawl_add_benchmark(NAME
    SOURCES file...        what the executable NAME is made of
    [LIBRARIES target...]  what it links besides pawl::harness
    [ARGS word...]         what it is started with, always
    [SMOKE_ARGS word...]   what it is started with as a test, after ARGS; --min-time 1ms unless given
    [LABELS label...])     of the test, besides "benchmark"

  pawl_add_benchmark(NAME TARGET target [ARGS...] [SMOKE_ARGS...] [LABELS...])
    for an executable of the project's own, which may do without libpawl; SMOKE_ARGS are none then.

The test NAME runs it once and shortly, never beside another test (RUN_SERIAL), to see that it
works: `ctest -LE benchmark` leaves it out, `ctest -L benchmark` runs these alone.

The first call makes the targets bench, bench-programs, bench-compare, bench-gate and
bench-baseline, where the project has none of these names.  What they read when they run:

  PAWL_BASE              the commit to compare with, HEAD~1; or a range such as main...HEAD
  PAWL_FLAGS             options of pawl compare
  PAWL_BASELINE_FLAGS    options of pawl collect
  PAWL_BENCH_ARGS        options of the programs in `bench`, such as --min-time 1s
  PAWL_PASS              names of variables of the environment that the build needs
    each from the environment, else from the cache
  PAWL_CMAKE_ARGS        from the cache: what else to configure both sides with, such as
                         -DWITH_ZSTD=ON
]]

# Not a variable: the functions are called from folders that do not see those of this file.
set_property(GLOBAL PROPERTY _pawl_script "${CMAKE_CURRENT_LIST_DIR}/pawlRun.cmake")

# One word as pawl and the shell read it.
function(_pawl_quote _out _text)
  string(REPLACE "'" "'\\''" _text "${_text}")
  set(${_out} "'${_text}'" PARENT_SCOPE)
endfunction()

# Appends a word to a line of them.
function(_pawl_add_word _to _text)
  _pawl_quote(_word "${_text}")
  set(${_to} "${${_to}} ${_word}" PARENT_SCOPE)
endfunction()

# The compiler by its name where PATH leads to it: pawl puts its wrapper of that name in front.
function(_pawl_compiler_name out language)
  get_filename_component(name "${CMAKE_${language}_COMPILER}" NAME)
  unset(_pawl_found CACHE)
  find_program(_pawl_found "${name}")
  if(NOT _pawl_found STREQUAL CMAKE_${language}_COMPILER)
    set(name "${CMAKE_${language}_COMPILER}")
  endif()
  unset(_pawl_found CACHE)
  set(${out} "${name}" PARENT_SCOPE)
endfunction()

# How both commits are configured: as this build directory was, as far as that can be told.
function(_pawl_configure_line out)
  set(line "-G")
  _pawl_add_word(line "${CMAKE_GENERATOR}")
  if(CMAKE_GENERATOR_PLATFORM)
    _pawl_add_word(line "-A${CMAKE_GENERATOR_PLATFORM}")
  endif()
  if(CMAKE_GENERATOR_TOOLSET)
    _pawl_add_word(line "-T${CMAKE_GENERATOR_TOOLSET}")
  endif()
  if(NOT CMAKE_TOOLCHAIN_FILE)
    foreach(language IN ITEMS C CXX)
      if(CMAKE_${language}_COMPILER)
        _pawl_compiler_name(name ${language})
        _pawl_add_word(line "-DCMAKE_${language}_COMPILER=${name}")
      endif()
    endforeach()
  endif()
  foreach(name IN ITEMS CMAKE_TOOLCHAIN_FILE CMAKE_PREFIX_PATH CMAKE_C_FLAGS CMAKE_CXX_FLAGS
          CMAKE_EXE_LINKER_FLAGS CMAKE_CROSSCOMPILING_EMULATOR CMAKE_OSX_ARCHITECTURES pawl_DIR
          pawl_USE_STATIC_LIBS)
    set(value "$CACHE{${name}}")
    if(name STREQUAL "CMAKE_PREFIX_PATH" AND DEFINED ENV{CMAKE_PREFIX_PATH})
      # Builds of pawl do not see this variable.
      file(TO_CMAKE_PATH "$ENV{CMAKE_PREFIX_PATH}" more)
      string(APPEND value ";${more}")
    elseif(name STREQUAL "CMAKE_TOOLCHAIN_FILE" AND NOT value STREQUAL "")
      # A file of the project is that of each commit.
      get_filename_component(value "${value}" ABSOLUTE BASE_DIR "${CMAKE_BINARY_DIR}")
      file(RELATIVE_PATH inside "${CMAKE_SOURCE_DIR}" "${value}")
      if(NOT inside MATCHES "^[.][.]/|^/")
        set(value "${inside}")
      endif()
    endif()
    if(NOT value STREQUAL "")
      _pawl_add_word(line "-D${name}=${value}")
    endif()
  endforeach()
  set(${out} "${line} -DCMAKE_BUILD_RPATH_USE_ORIGIN=ON ${PAWL_CMAKE_ARGS}" PARENT_SCOPE)
endfunction()

# The targets, once in a project; the list of benchmarks is a property of bench-programs.
function(_pawl_targets)
  if(TARGET bench-programs)
    return()
  endif()
  add_custom_target(bench-programs)
  get_property(script GLOBAL PROPERTY _pawl_script)
  foreach(verb IN ITEMS bench compare gate baseline)
    set(name bench-${verb})
    if(verb STREQUAL "bench")
      set(name bench)
    endif()
    if(TARGET ${name})
      message(STATUS "pawl: the project has a target '${name}' of its own")
      continue()
    endif()
    set(made "${CMAKE_BINARY_DIR}/pawl/${verb}-$<CONFIG>.sh")
    add_custom_target(${name}
      COMMAND "${CMAKE_COMMAND}" "-DWHAT=${verb}" "-DCONFIG=$<CONFIG>"
        "-DDATA=${CMAKE_BINARY_DIR}/pawl/benchmarks-$<CONFIG>.cmake" "-DSCRIPT=${made}" -P "${script}"
      COMMAND sh "${made}"
      WORKING_DIRECTORY "${CMAKE_BINARY_DIR}"
      USES_TERMINAL VERBATIM)
    if(verb MATCHES "bench|baseline")
      add_dependencies(${name} bench-programs)
    endif()
  endforeach()
  _pawl_configure_line(line)
  set(text "# Made by pawl_add_benchmark() for pawlRun.cmake.\n")
  foreach(pair IN ITEMS "SOURCE=${CMAKE_SOURCE_DIR}" "BINARY=${CMAKE_BINARY_DIR}"
          "LINE=${line}" "PAWL=${PAWL_EXECUTABLE}" "BASE=${PAWL_BASE}" "FLAGS=${PAWL_FLAGS}"
          "BASELINE_FLAGS=${PAWL_BASELINE_FLAGS}" "BENCH_ARGS=${PAWL_BENCH_ARGS}"
          "PASS=${PAWL_PASS}")
    string(REGEX MATCH "^[A-Z_]+" name "${pair}")
    string(REGEX REPLACE "^[A-Z_]+=" "" value "${pair}")
    string(APPEND text "set(${name} [==[${value}]==])\n")
  endforeach()
  file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/pawl/benchmarks-$<CONFIG>.cmake"
    CONTENT "${text}$<TARGET_GENEX_EVAL:bench-programs,$<TARGET_PROPERTY:bench-programs,PAWL_LIST>>")
endfunction()

function(pawl_add_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET" "SOURCES;LIBRARIES;ARGS;SMOKE_ARGS;LABELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "pawl_add_benchmark(${name}): unknown argument '${arg_UNPARSED_ARGUMENTS}'")
  elseif(arg_TARGET AND (arg_SOURCES OR arg_LIBRARIES))
    message(FATAL_ERROR "pawl_add_benchmark(${name}): TARGET is built elsewhere: no SOURCES, no "
      "LIBRARIES")
  elseif(arg_TARGET AND NOT TARGET ${arg_TARGET})
    message(FATAL_ERROR "pawl_add_benchmark(${name}): there is no target '${arg_TARGET}'")
  elseif(NOT arg_TARGET AND NOT arg_SOURCES)
    message(FATAL_ERROR "pawl_add_benchmark(${name}): no SOURCES")
  endif()
  get_property(names GLOBAL PROPERTY _pawl_names)
  if(name IN_LIST names)
    message(FATAL_ERROR "pawl_add_benchmark(${name}): two benchmarks have this name")
  endif()
  set_property(GLOBAL APPEND PROPERTY _pawl_names "${name}")

  set(program "${arg_TARGET}")
  set(linked OFF)
  if(NOT program)
    set(program "${name}")
    set(linked ON)
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} pawl::harness)
    if(NOT DEFINED arg_SMOKE_ARGS)
      set(arg_SMOKE_ARGS --min-time 1ms)
    endif()
  endif()
  add_test(NAME ${name} COMMAND ${program} ${arg_ARGS} ${arg_SMOKE_ARGS})
  set_tests_properties(${name} PROPERTIES RUN_SERIAL TRUE LABELS "benchmark;${arg_LABELS}")

  _pawl_targets()
  add_dependencies(bench-programs ${program})
  set(line "")
  foreach(word IN LISTS arg_ARGS)
    _pawl_add_word(line "${word}")
  endforeach()
  string(CONCAT entry "benchmark([==[${name}]==] ${linked} [==[$<TARGET_FILE:${program}>]==] "
    "[==[$<TARGET_PROPERTY:${program},CROSSCOMPILING_EMULATOR>]==] [==[${line}]==])\n")
  set_property(TARGET bench-programs APPEND_STRING PROPERTY PAWL_LIST "${entry}")
endfunction()
