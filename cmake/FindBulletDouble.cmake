# Bullet in double precision: rigid bodies then move as well ten kilometres from the origin as at it. Debian has it beside
# the one in single precision, with names of its own; CMake's own FindBullet knows the latter only.
#   BulletDouble::BulletDouble   rigid bodies and collisions
#   BulletDouble::SoftBody       soft bodies as well, where they are installed
# A Bullet elsewhere: BULLETDOUBLE_INCLUDE_DIR and the BULLETDOUBLE_*_LIBRARY can be set by hand.
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
  # Imported, so that its headers are those of the system: no warnings from them.
  target_include_directories(BulletDouble::BulletDouble INTERFACE ${BULLETDOUBLE_INCLUDE_DIR})
  target_compile_definitions(BulletDouble::BulletDouble INTERFACE BT_USE_DOUBLE_PRECISION)
  target_link_libraries(BulletDouble::BulletDouble INTERFACE ${BULLETDOUBLE_LIBRARIES})
  if(BULLETDOUBLE_BulletSoftBody_LIBRARY)
    add_library(BulletDouble::SoftBody INTERFACE IMPORTED)
    target_link_libraries(BulletDouble::SoftBody INTERFACE ${BULLETDOUBLE_BulletSoftBody_LIBRARY}
                                                           BulletDouble::BulletDouble)
  endif()
endif()
