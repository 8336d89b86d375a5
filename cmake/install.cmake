# Installs the libraries and their headers, the programs, the scenes, the live page, and the package files for
# find_package(tendril). A project that includes Tendril with add_subdirectory does not install it unless it sets
# TENDRIL_INSTALL. `cmake --install ... --component core` installs only the library tendril and its headers.
option(TENDRIL_INSTALL "Install the libraries, the programs and the scenes" ${PROJECT_IS_TOP_LEVEL})
if(NOT TENDRIL_INSTALL)
  return()
endif()

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tendril)

# Public headers of the other libraries; those that are not listed here belong to the core.
set(files_headers cache.h curve_file.h picture_kind.h scene.h scene_keys.h)
set(render_headers hair_look.h overlay.h picture.h plot.h render.h scene_view.h staging.h tube.h)
set(session_headers session.h)

set(component_packages "")
set(excluded_headers "")
# install_library(TARGET COMPONENT): installs the library, its targets file and its headers, and records the packages
# that it needs.
macro(install_library target component)
  install(TARGETS ${target} EXPORT tendril_${component}_targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component})
  install(EXPORT tendril_${component}_targets NAMESPACE tendril:: DESTINATION ${package_dir} COMPONENT ${component})
  foreach(header IN LISTS ${component}_headers)
    install(FILES ${PROJECT_SOURCE_DIR}/include/tendril/${header}
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tendril COMPONENT ${component})
  endforeach()
  # The library is static, so a program that uses it must also link the packages that it links privately. Their targets
  # are named package::target, except for Embree. Those in BUILD_INTERFACE are header-only and not needed.
  get_target_property(linked ${target} LINK_LIBRARIES)
  set(packages "")
  foreach(library IN LISTS linked)
    if(library STREQUAL "embree")
      list(APPEND packages "embree ${embree_major}")
    elseif(library MATCHES "^([A-Za-z0-9_]+)::")
      list(APPEND packages ${CMAKE_MATCH_1})
    endif()
  endforeach()
  string(APPEND component_packages "set(_tendril_${component}_packages \"${packages}\")\n")
endmacro()
install_library(tendril core)
if(TENDRIL_FILES)
  install_library(tendril_files files)
  install_library(tendril_render render)
  install_library(tendril_session session)
endif()
foreach(header IN LISTS files_headers render_headers session_headers)
  list(APPEND excluded_headers PATTERN ${header} EXCLUDE)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tendril DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT core
        FILES_MATCHING PATTERN "*.h" PATTERN "*.inl" ${excluded_headers})
install(FILES ${PROJECT_BINARY_DIR}/include/tendril/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tendril
        COMPONENT core)

if(TARGET tendril_app)
  # `tendril lab` and `tendril bench` start their programs from the folder of tendril.
  install(TARGETS tendril_app tendril_lab tendril_bench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  # The page that `tendril view` serves, if `./dev web` has built it.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/web/page/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tendril/web
          COMPONENT program OPTIONAL)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/tendril COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT core)

# Before 1.0, a new minor version may break the API.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
else()
  set(compatibility SameMajorVersion)
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tendrilConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/tendrilConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tendrilConfigVersion.cmake COMPATIBILITY ${compatibility})
install(FILES ${PROJECT_BINARY_DIR}/tendrilConfig.cmake ${PROJECT_BINARY_DIR}/tendrilConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FindBulletDouble.cmake
        DESTINATION ${package_dir} COMPONENT core)
