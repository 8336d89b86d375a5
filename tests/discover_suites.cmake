# Lists the test suites of a GoogleTest program for CTest, one CTest test per suite: starting a process for each of a
# thousand tests takes longer than most of them.
#   cmake -DPROGRAM=... -DOUTPUT=... -DSLOW=A;B -P discover_suites.cmake
# OUTPUT is the file that CTest includes. Suites in SLOW start first, so that none of them runs alone at the end.
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "discover_suites: ${PROGRAM} does not list its tests (${result})")
endif()
# A suite begins its line and ends with a dot; its tests follow, indented.
string(REGEX MATCHALL "\n[^ \n]+\\.[\n]" suites "${listed}")
set(text "")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "^\n|\\.\n$" "" suite "${suite}")
  string(APPEND text "add_test([=[${suite}]=] \"${PROGRAM}\" \"--gtest_filter=${suite}.*\")\n")
  string(REGEX REPLACE ".*/" "" name ${suite})
  if(name IN_LIST SLOW)
    string(APPEND text "set_tests_properties([=[${suite}]=] PROPERTIES COST 500)\n")
  endif()
endforeach()
file(WRITE ${OUTPUT} "${text}")
