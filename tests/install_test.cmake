# Installs a built Tendril into a fresh folder, builds the examples against it as a stranger would, and runs them.
#   cmake -DBUILD_DIR=... -DSOURCE_DIR=... -DWORK_DIR=... -DGENERATOR=... -DCXX=... [-DSANITIZE=...] -P install_test.cmake
# BUILD_DIR: the build of Tendril; WORK_DIR: emptied, then used; SANITIZE: the sanitizers of BUILD_DIR (TENDRIL_SANITIZE).
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

set(prefix ${WORK_DIR}/prefix)
set(flags "")
if(SANITIZE)
  set(flags -DCMAKE_CXX_FLAGS=-fsanitize=${SANITIZE})
endif()

file(REMOVE_RECURSE ${WORK_DIR})
run("install" ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})

# An installed package must work on a machine that has neither the sources nor the build.
file(GLOB_RECURSE package_files ${prefix}/*.cmake)
if(NOT package_files)
  message(FATAL_ERROR "install_test: no package files under ${prefix}")
endif()
foreach(package_file ${package_files})
  file(READ ${package_file} text)
  foreach(dir ${BUILD_DIR} ${SOURCE_DIR})
    string(FIND "${text}" "${dir}/" place)
    if(NOT place EQUAL -1)
      message(FATAL_ERROR "install_test: ${package_file} names ${dir}")
    endif()
  endforeach()
endforeach()

foreach(example embed picture)
  set(example_build ${WORK_DIR}/${example})
  run("configure examples/${example}" ${CMAKE_COMMAND} -S ${SOURCE_DIR}/examples/${example} -B ${example_build}
      -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${prefix} ${flags})
  run("build examples/${example}" ${CMAKE_COMMAND} --build ${example_build})
  run("run examples/${example}" ${CMAKE_COMMAND} -E chdir ${example_build} ${example_build}/${example})
endforeach()
if(NOT EXISTS ${WORK_DIR}/picture/ropes.png)
  message(FATAL_ERROR "install_test: examples/picture has not written its picture")
endif()
