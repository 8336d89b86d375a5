# What the live page does besides drawing, as a library for tests and for the WebAssembly module alike.
if(NOT EMSCRIPTEN)  # else see cmake/Web.cmake
  find_package(nlohmann_json REQUIRED)
  find_package(fmt REQUIRED)
endif()
set(engine ${CMAKE_CURRENT_LIST_DIR})
add_library(tendril_session STATIC EXCLUDE_FROM_ALL
  ${engine}/dropped_file.cpp
  ${engine}/hand_motion.cpp
  ${engine}/hands.cpp
  ${engine}/moved_bodies.cpp
  ${engine}/ray_hits.cpp
  ${engine}/scene_change.cpp
  ${engine}/session.cpp
  ${engine}/session_json.cpp
  ${engine}/session_rays.cpp
  ${engine}/shown.cpp
)
target_include_directories(tendril_session PUBLIC ${engine})
target_link_libraries(tendril_session PUBLIC tendril PRIVATE tendril_flags nlohmann_json::nlohmann_json fmt::fmt)
compile_together(tendril_session)
