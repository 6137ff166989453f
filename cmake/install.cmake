# Installed files: headers, the library, a CMake package and a pkg-config file. Components are the packages of
# cmake/package.cmake.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(SINEW_LIBRARY_COMPONENTS ARCHIVE COMPONENT dev LIBRARY COMPONENT library NAMELINK_COMPONENT dev)

set(SINEW_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
install(TARGETS sinew EXPORT sinewTargets ${SINEW_LIBRARY_COMPONENTS})
if(SINEW_HAS_RENDER)
  install(TARGETS sinew_render EXPORT sinewTargets ${SINEW_LIBRARY_COMPONENTS})
endif()
if(SINEW_HAS_VIEW)
  install(TARGETS sinew_view EXPORT sinewTargets ${SINEW_LIBRARY_COMPONENTS})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(EXPORT sinewTargets NAMESPACE sinew:: DESTINATION ${SINEW_CMAKE_DIR} COMPONENT dev)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/sinewConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/sinewConfig.cmake INSTALL_DESTINATION ${SINEW_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinewConfig.cmake ${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake
        DESTINATION ${SINEW_CMAKE_DIR} COMPONENT dev)

# A static library does not record its dependencies, so the user has to link them.
if(NOT BUILD_SHARED_LIBS)
  set(SINEW_PC_LIBS "-llodepng -lqhull_r -ltinyobjloader -pthread")
  set(SINEW_PC_REQUIRES "fmt")
endif()
# the prefix is relative to the file, <prefix>/<libdir>/pkgconfig
string(REGEX REPLACE "[^/]+" ".." SINEW_PC_UP ${CMAKE_INSTALL_LIBDIR})
configure_file(${PROJECT_SOURCE_DIR}/cmake/sinew.pc.in ${PROJECT_BINARY_DIR}/sinew.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sinew.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
