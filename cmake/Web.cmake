# Flags and headers for a WebAssembly build.
#
# Uses 128-bit SIMD, which Chrome and Firefox have supported since 2021 and Safari since 2023, and native WebAssembly
# exceptions. With the exceptions that emscripten emulates, every call that may throw goes through JavaScript.
set(web_flags -msimd128 -fwasm-exceptions)
# The code is vectorized by hand where it matters. The automatic vectorization of LLVM 14 is off because it can lose
# values: it merges two conversions from double to float into one instruction that clears the half of the register that
# holds other values.
# The objects are compiled once, for threads, and linked twice: see apps/web/engine/CMakeLists.txt.
add_compile_options(${web_flags} -pthread -fno-slp-vectorize -fno-vectorize)
add_link_options(${web_flags})
# Sizes have 32 bits here; 64-bit values from files are checked before they are converted. This option comes after
# -Wconversion, because in newer versions of clang the last one wins.
target_compile_options(tendril_flags INTERFACE -Wno-shorten-64-to-32)

# The libraries of the system are built for the host processor. Their headers can be used here, and
# apps/web/engine/third_party.cpp compiles the parts that are not in headers. The system include folder as a whole must
# not be searched, so a separate folder contains links to the few headers that are needed.
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
