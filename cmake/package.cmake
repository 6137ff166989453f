# Packages (./dev package): a Debian package each for the library, headers, the command, Python and the documentation.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sinew)
set(CPACK_PACKAGE_VENDOR sinew)
set(SINEW_MAINTAINER "The sinew authors <sinew@localhost>" CACHE STRING "Name and address of who makes Debian packages")
set(CPACK_PACKAGE_CONTACT ${SINEW_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL library dev command python doc)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(what "sinew reads MJCF, URDF and SDFormat and simulates what MuJoCo 3.12.0 simulates,\\nwith the same results.")
set(what "sinew reads MJCF, URDF and SDFormat and simulates what MuJoCo 3.12.0 simulates,\nwith the same results.")
set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(depend_on_library "libsinew${soversion} (= ${PROJECT_VERSION})")

# debian_package(COMPONENT NAME SECTION ARCHITECTURE DEPENDS DESCRIPTION)
macro(debian_package component name section depends description)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${what}\n.\n${description}")
  install(FILES ${PROJECT_BINARY_DIR}/package/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name}
          COMPONENT ${component} EXCLUDE_FROM_ALL)
  install(FILES ${PROJECT_BINARY_DIR}/package/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name}
          COMPONENT ${component} EXCLUDE_FROM_ALL)
endmacro()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/package)
configure_file(${PROJECT_SOURCE_DIR}/cmake/copyright.in ${PROJECT_BINARY_DIR}/package/copyright @ONLY)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${PROJECT_BINARY_DIR}/package/changelog
     "sinew (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * Release ${PROJECT_VERSION}: CHANGELOG.md in the sources has the changes.\n\n -- ${SINEW_MAINTAINER}  ${now}\n")
execute_process(COMMAND gzip -9 -n -f ${PROJECT_BINARY_DIR}/package/changelog)

debian_package(library libsinew${soversion} libs ""
  "This package has the shared libraries.")
debian_package(dev libsinew-dev libdevel ${depend_on_library}
  "This package has the headers, the CMake package and the pkg-config file.")
debian_package(command sinew science ${depend_on_library}
  "This package has the command, its manual pages, completion for bash, zsh and\nfish, and example models.")
debian_package(python python3-sinew python "${depend_on_library}, python3 (>= 3.11), python3 (<< 3.12), python3-numpy"
  "This package has the Python package, with the names of the mujoco package.")
debian_package(doc sinew-doc doc ""
  "This package has the documentation as web pages that work offline.")
file(WRITE ${PROJECT_BINARY_DIR}/package/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/package/triggers)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
install(DIRECTORY ${PROJECT_BINARY_DIR}/site/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/sinew-doc/html COMPONENT doc
        EXCLUDE_FROM_ALL OPTIONAL)
include(CPack)
