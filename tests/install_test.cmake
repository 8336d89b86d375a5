# Installs a built Tendril into empty folders, once completely and once only the core. Builds and runs the examples
# against these installations as a user would, and checks which libraries the core links.
#   cmake -DBUILD_DIR=... -DSOURCE_DIR=... -DWORK_DIR=... -DGENERATOR=... -DCXX=... -DTHREADS=... -DTBB=... -DRIGID=...
#         [-DSANITIZE=...] -P install_test.cmake
# BUILD_DIR is the build folder of Tendril. WORK_DIR is emptied first. THREADS, TBB, RIGID and SANITIZE are the values
# of the options TENDRIL_... of BUILD_DIR.
cmake_minimum_required(VERSION 3.22)
foreach(name BUILD_DIR SOURCE_DIR WORK_DIR GENERATOR CXX)
  if(NOT ${name})
    message(FATAL_ERROR "install_test: -D${name}=... is missing")
  endif()
endforeach()

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "install_test: cannot ${what} (${result})\n${command}\n${output}")
  endif()
  message(STATUS "${what}: done")
endfunction()

# check_links(FILE LIBRARY...): fails unless the targets file of the core names exactly these libraries.
function(check_links targets_file)
  file(STRINGS ${targets_file} line REGEX "INTERFACE_LINK_LIBRARIES")
  string(REGEX MATCHALL "[A-Za-z0-9_]+::[A-Za-z0-9_]+" linked "${line}")
  # What remains besides package::target and the generator expressions around it is unknown.
  set(known "INTERFACE_LINK_LIBRARIES|LINK_ONLY|[A-Za-z0-9_]+::[A-Za-z0-9_]+|[ \";:<>\\$]")
  string(REGEX REPLACE "${known}" "" unknown "${line}")
  list(SORT linked)
  set(allowed ${ARGN})
  list(SORT allowed)
  if(unknown OR NOT linked STREQUAL allowed)
    message(FATAL_ERROR "install_test: ${targets_file} links '${linked}' ${unknown}, expected '${allowed}'\n${line}")
  endif()
endfunction()

set(prefix ${WORK_DIR}/prefix)
set(core ${WORK_DIR}/core)
set(flags "")
if(SANITIZE)
  set(flags -DCMAKE_CXX_FLAGS=-fsanitize=${SANITIZE})
endif()

file(REMOVE_RECURSE ${WORK_DIR})
run("install" ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
run("install the core" ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${core} --component core)

# An installed package must work on a machine that has neither the sources nor the build.
file(GLOB_RECURSE package_files ${prefix}/*.cmake)
if(NOT package_files)
  message(FATAL_ERROR "install_test: no package files under ${prefix}")
endif()
foreach(package_file ${package_files})
  file(READ ${package_file} text)
  foreach(dir ${BUILD_DIR} ${SOURCE_DIR})
    string(FIND "${text}" "${dir}/" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "install_test: ${package_file} names ${dir}")
    endif()
  endforeach()
endforeach()

# The libraries of this core, and of a core without all optional parts, which is only configured, not built.
set(links fmt::fmt hwy::hwy)
foreach(option THREADS:Threads::Threads TBB:TBB::tbb RIGID:BulletDouble::BulletDouble)
  string(REGEX MATCH "^([A-Z]+):(.*)" ignored ${option})
  if(${CMAKE_MATCH_1})
    list(APPEND links ${CMAKE_MATCH_2})
  endif()
endforeach()
file(GLOB_RECURSE core_targets ${core}/*/tendril_core_targets.cmake)
check_links(${core_targets} ${links})
set(minimal ${WORK_DIR}/minimal)
run("configure the minimal core" ${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${minimal} -G ${GENERATOR}
    -DCMAKE_CXX_COMPILER=${CXX}
    -DTENDRIL_THREADS=OFF -DTENDRIL_RIGID=OFF -DTENDRIL_RENDER=OFF -DTENDRIL_FILES=OFF -DTENDRIL_BUILD_APPS=OFF
    -DTENDRIL_BUILD_TESTS=OFF -DTENDRIL_BUILD_BENCHMARKS=OFF)
file(GLOB_RECURSE minimal_targets ${minimal}/CMakeFiles/Export/*/tendril_core_targets.cmake)
check_links(${minimal_targets} fmt::fmt hwy::hwy)

# The headers of the core include no headers of other components: a file that includes all of them compiles.
file(GLOB headers RELATIVE ${core}/include ${core}/include/tendril/*.h)
list(TRANSFORM headers REPLACE "(.+)" "#include <\\1>\n")
list(JOIN headers "" text)
file(WRITE ${WORK_DIR}/headers.cpp "${text}")
run("include the headers of the core" ${CXX} -std=c++20 -fsyntax-only -I${core}/include ${WORK_DIR}/headers.cpp)

# build_and_run(EXAMPLE PREFIX): builds and runs an example with the Tendril that is installed in PREFIX.
function(build_and_run example from)
  set(example_build ${WORK_DIR}/${example})
  run("configure examples/${example}" ${CMAKE_COMMAND} -S ${SOURCE_DIR}/examples/${example} -B ${example_build}
      -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${from} ${flags})
  run("build examples/${example}" ${CMAKE_COMMAND} --build ${example_build})
  run("run examples/${example}" ${CMAKE_COMMAND} -E chdir ${example_build} ${example_build}/${example})
endfunction()
build_and_run(embed ${core})
build_and_run(picture ${prefix})
build_and_run(pull ${prefix})
if(NOT EXISTS ${WORK_DIR}/picture/ropes.png)
  message(FATAL_ERROR "install_test: examples/picture did not write its picture")
endif()

# The installed programs find each other and the scenes.
if(EXISTS ${prefix}/bin/tendril)
  run("list the claims of the lab" ${prefix}/bin/tendril lab --list)
  run("simulate a scene" ${CMAKE_COMMAND} -E chdir ${WORK_DIR} ${prefix}/bin/tendril sim hello --frames 2 --quiet)
endif()
