# Finds Bullet in double precision, which is as accurate ten kilometres from the origin as at the origin. Debian
# installs it next to the single-precision libraries under different names, which CMake's own FindBullet does not find.
#   BulletDouble::BulletDouble   rigid bodies and collisions
#   BulletDouble::SoftBody       also soft bodies, if they are installed
# For a Bullet in another location, set BULLETDOUBLE_INCLUDE_DIR and the BULLETDOUBLE_*_LIBRARY variables.
find_path(BULLETDOUBLE_INCLUDE_DIR btBulletDynamicsCommon.h PATH_SUFFIXES bullet)
set(BULLETDOUBLE_LIBRARIES "")
foreach(part BulletDynamics BulletCollision LinearMath)
  find_library(BULLETDOUBLE_${part}_LIBRARY ${part}-float64)
  mark_as_advanced(BULLETDOUBLE_${part}_LIBRARY)
  list(APPEND BULLETDOUBLE_LIBRARIES ${BULLETDOUBLE_${part}_LIBRARY})
endforeach()
find_library(BULLETDOUBLE_BulletSoftBody_LIBRARY BulletSoftBody-float64)
mark_as_advanced(BULLETDOUBLE_INCLUDE_DIR BULLETDOUBLE_BulletSoftBody_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(BulletDouble
  REQUIRED_VARS BULLETDOUBLE_BulletDynamics_LIBRARY BULLETDOUBLE_BulletCollision_LIBRARY BULLETDOUBLE_LinearMath_LIBRARY
                BULLETDOUBLE_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Install libbullet-dev, or build without rigid bodies: TENDRIL_RIGID=OFF")

if(BulletDouble_FOUND AND NOT TARGET BulletDouble::BulletDouble)
  add_library(BulletDouble::BulletDouble INTERFACE IMPORTED)
  # The headers of an imported target are system headers, which give no warnings.
  target_include_directories(BulletDouble::BulletDouble INTERFACE ${BULLETDOUBLE_INCLUDE_DIR})
  target_compile_definitions(BulletDouble::BulletDouble INTERFACE BT_USE_DOUBLE_PRECISION)
  target_link_libraries(BulletDouble::BulletDouble INTERFACE ${BULLETDOUBLE_LIBRARIES})
  if(BULLETDOUBLE_BulletSoftBody_LIBRARY)
    add_library(BulletDouble::SoftBody INTERFACE IMPORTED)
    target_link_libraries(BulletDouble::SoftBody INTERFACE ${BULLETDOUBLE_BulletSoftBody_LIBRARY}
                                                           BulletDouble::BulletDouble)
  endif()
endif()
