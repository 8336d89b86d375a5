# A build to WebAssembly: its flags, and what the library needs.
#
# 128 bits of SIMD, which every browser has had since 2021, and exceptions of WebAssembly itself: those that emscripten
# emulates make each call that may throw go through JavaScript.
set(web_flags -msimd128 -fwasm-exceptions)
if(TENDRIL_THREADS)
  list(APPEND web_flags -pthread)
endif()
# Vectors are written out where they matter. Those that LLVM 14 finds by itself may lose numbers: two conversions from
# double to float become one instruction that clears the half of the register where others were.
add_compile_options(${web_flags} -fno-slp-vectorize -fno-vectorize)
add_link_options(${web_flags})
# Sizes have 32 bits here, and what is read into 64 is checked against them. After -Wconversion: newer versions of clang
# take the last word.
target_compile_options(tendril_flags INTERFACE -Wno-shorten-64-to-32)

# The libraries of the system are for its own processor; their headers serve here too, and what is not in headers is
# compiled in apps/web/engine/third_party.cpp. The folder with the headers of the system must not be searched as a whole:
# links lead to the few that are wanted.
set(web_headers ${PROJECT_BINARY_DIR}/third_party)
file(MAKE_DIRECTORY ${web_headers})
foreach(name hwy fmt toml++ nlohmann stb tiny_gltf.h tiny_obj_loader.h)
  find_path(WEB_${name} ${name} PATHS /usr/include /usr/local/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  mark_as_advanced(WEB_${name})
  file(CREATE_LINK ${WEB_${name}}/${name} ${web_headers}/${name} SYMBOLIC)
endforeach()

function(web_headers_target target)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} SYSTEM INTERFACE ${web_headers})
  target_compile_definitions(${target} INTERFACE ${ARGN})
endfunction()
web_headers_target(hwy::hwy)
web_headers_target(fmt::fmt FMT_HEADER_ONLY)
web_headers_target(tinyobjloader::tinyobjloader)
web_headers_target(TinyGLTF::TinyGLTF TINYGLTF_NO_STB_IMAGE TINYGLTF_NO_STB_IMAGE_WRITE)
web_headers_target(nlohmann_json::nlohmann_json)
web_headers_target(stb)
