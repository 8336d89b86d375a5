# Installs the library and its headers, the program, the scenes, the live page, and the package files for
# find_package(tendril). A project that includes Tendril as a subfolder installs nothing of it unless asked.
option(TENDRIL_INSTALL "Install the library, the program and the scenes" ${PROJECT_IS_TOP_LEVEL})
if(NOT TENDRIL_INSTALL)
  return()
endif()

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tendril)

install(TARGETS tendril EXPORT tendrilTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET tendril_render)
  install(TARGETS tendril_render EXPORT tendrilRenderTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT tendrilRenderTargets NAMESPACE tendril:: DESTINATION ${package_dir})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tendril DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.inl")
install(FILES ${PROJECT_BINARY_DIR}/include/tendril/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tendril)

if(TARGET tendril_app)
  install(TARGETS tendril_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # The page that `tendril view` serves, if `./dev web` has built it.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/web/page/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tendril/web OPTIONAL)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/tendril)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Before 1.0, a new minor version may break the API.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
else()
  set(compatibility SameMajorVersion)
endif()

# The library is static, so a program that uses it also links the private dependencies of the library. Each of them is
# named package::target; those in BUILD_INTERFACE are header-only and are not needed.
get_target_property(linked tendril LINK_LIBRARIES)
set(find_dependencies "")
foreach(library IN LISTS linked)
  if(library MATCHES "^([A-Za-z0-9_]+)::")
    string(APPEND find_dependencies "find_dependency(${CMAKE_MATCH_1})\n")
  endif()
endforeach()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tendrilConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/tendrilConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tendrilConfigVersion.cmake COMPATIBILITY ${compatibility})
install(FILES ${PROJECT_BINARY_DIR}/tendrilConfig.cmake ${PROJECT_BINARY_DIR}/tendrilConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FindBulletDouble.cmake
        DESTINATION ${package_dir})
install(EXPORT tendrilTargets NAMESPACE tendril:: DESTINATION ${package_dir})
